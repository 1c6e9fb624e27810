#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs benchmarks:
#   bench.sh [name ...] [--device host|cuda] [--record] [--table]
# --record adds what was measured to docs/benchmarks/results/, --table makes
# docs/benchmarks/index.md of what is there; alone it runs nothing.
#
# A benchmark is bench/<name>/run.sh, or a program build/bin/bench/<name>. It
# prints one line for each measurement,
#   RESULT,<bench>,<impl>,<size>,<median_ms>,<metric>,<ok|BAD>
# and finds the build tree in ACCX_BUILD and the device in ACCX_DEVICE. Lines that
# begin with # are remarks.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
# shellcheck source=bench/common/header.sh
source bench/common/header.sh

usage() {
  echo "usage: scripts/bench.sh [name ...] [--device host|cuda] [--record]" \
    "[--table]" >&2
  exit 2
}

names=()
device=host
record=0
table=0
while [[ $# -gt 0 ]]; do
  case $1 in
    --device)
      [[ $# -ge 2 ]] || usage
      device=$2
      shift
      ;;
    --device=*) device=${1#--device=} ;;
    --record) record=1 ;;
    --table) table=1 ;;
    -*) usage ;;
    *) names+=("$1") ;;
  esac
  shift
done
[[ $device == host || $device == cuda ]] || usage
if ((table && !record && ${#names[@]} == 0)); then
  exec scripts/bench-table.py table
fi

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
all=$(mktemp)
trap 'rm -f "$log" "$all"' EXIT
failed=()
run_header "$device" "$(accx_mark)" | tee "$all"
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
  echo "#: bench $name" | tee -a "$all"
  if ! "${command[@]}" | tee "$log" | tee -a "$all"; then
    failed+=("$name")
  elif ! grep -q '^RESULT,' "$log" || grep -q '^RESULT,.*,BAD$' "$log"; then
    failed+=("$name")
  fi
done
if ((record)); then scripts/bench-table.py record "$all" >&2 || failed+=(record); fi
if ((table)); then scripts/bench-table.py table >&2; fi
if [[ ${#failed[@]} -gt 0 ]]; then
  echo "bench: failed: ${failed[*]}" >&2
  exit 1
fi
