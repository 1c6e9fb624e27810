#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From nothing to running offload programs: installs the packages, builds the
# runtime and the compiler, compiles examples/demo (OpenMP, with clang-19) and
# examples/openacc (with accxcc and accxc++), runs each program on the host
# devices, and prints a table of what they measured and verified.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
clean_settings

scripts/setup.sh
build_tree release omptarget accx.rtl.host accx accxcc accxc++

out=build/demo
mkdir -p "$out"
shopt -s nullglob
openmp=(examples/demo/*.c)
openacc=(examples/openacc/*.c examples/openacc/*.cpp)
if [[ ${#openmp[@]} -eq 0 || ${#openacc[@]} -eq 0 ]]; then
  echo "demo: no programs in examples/demo or examples/openacc" >&2
  exit 1
fi
sources=("${openmp[@]}" "${openacc[@]}")

# Our -L comes before clang's own folders: clang adds -lomptarget by itself and
# the first library of that name is the one linked.
compile() {
  case $1 in
    examples/openacc/*.c) build/bin/accxcc -O3 "$1" -o "$2" -lm ;;
    examples/openacc/*.cpp) build/bin/accxc++ -O3 -std=c++17 "$1" -o "$2" ;;
    *)
      clang-19 -O3 -Iinclude -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
        "$1" -o "$2" -L"$root/build/lib" -Wl,-rpath,"$root/build/lib" -lm
      ;;
  esac
}

# No fall-back to the host: a region either runs on a device or is an error.
run() {
  OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_PLUGIN=host ACCX_HOST_DEVICES=4 \
    timeout 300 "$1"
}

bad=0
rows=()
for source in "${sources[@]}"; do
  name=${source#examples/}
  name=${name%.*}
  program=$out/$name
  mkdir -p "$(dirname "$program")"
  echo "demo: $source"
  if ! compile "$source" "$program" || ! uses_our_runtime "$program"; then
    rows+=("$name|-|-|-|-|NOT BUILT")
    bad=1
    continue
  fi
  status=0
  output=$(run "$program") || status=$?
  results=0
  while IFS=, read -r tag bench impl size median metric verdict; do
    [[ $tag == RESULT ]] || continue
    results=$((results + 1))
    [[ $verdict == ok ]] || bad=1
    rows+=("$bench|$impl|$size|$median|$metric|$verdict")
  done <<<"$output"
  if [[ $status -ne 0 || $results -eq 0 ]]; then
    printf '%s\n' "$output"
    rows+=("$name|-|-|-|-|EXIT $status, $results results")
    bad=1
  fi
done

echo
format='%-18s %-14s %15s %10s  %-26s %s\n'
# shellcheck disable=SC2059 # one format for the head and every row
printf "$format" program implementation size 'median ms' metric verified
for row in "${rows[@]}"; do
  IFS='|' read -r -a cells <<<"$row"
  # shellcheck disable=SC2059
  printf "$format" "${cells[@]}"
done
echo
if [[ $bad -ne 0 ]]; then
  echo "demo: FAILED"
  exit 1
fi
echo "demo: ${#rows[@]} results, all verified, on 4 host devices"
