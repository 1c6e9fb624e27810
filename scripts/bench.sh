#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs benchmarks: bench.sh [name ...] [--device host|cuda]
#
# A benchmark is bench/<name>/run.sh, or a program build/bin/bench/<name>. It
# prints one line for each measurement,
#   RESULT,<bench>,<impl>,<size>,<median_ms>,<metric>,<ok|BAD>
# and finds the build tree in ACCX_BUILD and the device in ACCX_DEVICE.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"

usage() {
  echo "usage: scripts/bench.sh [name ...] [--device host|cuda]" >&2
  exit 2
}

names=()
device=host
while [[ $# -gt 0 ]]; do
  case $1 in
    --device)
      [[ $# -ge 2 ]] || usage
      device=$2
      shift
      ;;
    --device=*) device=${1#--device=} ;;
    -*) usage ;;
    *) names+=("$1") ;;
  esac
  shift
done
[[ $device == host || $device == cuda ]] || usage

# Standard output is for measurements alone.
{
  scripts/setup.sh
  build_tree release
} >&2

if [[ ${#names[@]} -eq 0 ]]; then
  shopt -s nullglob
  for path in bench/*/run.sh; do
    names+=("$(basename "$(dirname "$path")")")
  done
  for path in build/bin/bench/*; do
    name=$(basename "$path")
    [[ -x $path && ! -e bench/$name/run.sh ]] && names+=("$name")
  done
fi
if [[ ${#names[@]} -eq 0 ]]; then
  echo "bench: no benchmarks found" >&2
  exit 1
fi

export ACCX_BUILD=$root/build ACCX_DEVICE=$device
export OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_PLUGIN=$device

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=()
for name in "${names[@]}"; do
  if [[ -e bench/$name/run.sh ]]; then
    command=(bash "bench/$name/run.sh")
  elif [[ -x build/bin/bench/$name ]]; then
    command=("build/bin/bench/$name")
  else
    echo "bench: there is no benchmark '$name'" >&2
    failed+=("$name")
    continue
  fi
  if ! "${command[@]}" | tee "$log"; then
    failed+=("$name")
  elif ! grep -q '^RESULT,' "$log" || grep -q '^RESULT,.*,BAD$' "$log"; then
    failed+=("$name")
  fi
done
if [[ ${#failed[@]} -gt 0 ]]; then
  echo "bench: failed: ${failed[*]}" >&2
  exit 1
fi
