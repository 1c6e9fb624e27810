#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Random nests on processors: programs of 100, which compare what kernels wrote
# with what unoptimized sequential code did.
#
#   sweep.sh BUILD nests|lanes LOG SEED...
#
# One line a seed in LOG; seeds that it has are left out. Every fifth program is
# compiled with the verifier after each pass, and runs with the passes off, too.
# Programs that went wrong stay where they are, in the current folder.
set -uo pipefail
build=$1 kind=$2 log=$3
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case $kind in
nests) generator=$here/random_nests.py ;;
lanes) generator=$here/random_lanes.py ;;
*) echo "sweep.sh: nests or lanes" >&2 && exit 2 ;;
esac
off=()
for pass in simd-remainder simd-function simd-matrix; do
  off+=(-Xclang -mllvm -Xclang "-accx-$pass=0")
done
export OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_PLUGIN=host
touch "$log"

# outcome PROGRAM SEED FLAG...: the program's last line, or what failed.
outcome() {
  local program=$1
  shift 2
  timeout 170 "$build/bin/accxcc" -w --accx-targets=host \
    -fopenmp-offload-mandatory "$@" "$source" -o "$program" 2>"$program.err" ||
    { echo "does not compile" && return; }
  timeout 100 "$program" >"$program.out" 2>>"$program.err"
  local status=$?
  tail -n 1 "$program.out" | tr -d '\n'
  ((status == 0)) || echo " (exit $status)"
}

for seed in "$@"; do
  grep -q "^$kind $seed:" "$log" && continue
  source=$PWD/$kind-$seed.c
  python3 "$generator" write "$seed" 100 >"$source"
  flags=()
  ((seed % 5)) || flags=(-Xclang -llvm-verify-each)
  line=$(outcome "$PWD/$kind-$seed.on" "$seed" -O2 "${flags[@]}")
  ((seed % 5)) ||
    line+=", off $(outcome "$PWD/$kind-$seed.off" "$seed" -O1 "${off[@]}")"
  echo "$kind $seed: $line" >>"$log"
  case $line in
  "100 right, 0 wrong" | "100 right, 0 wrong, off 100 right, 0 wrong")
    rm -f "$source" "$PWD/$kind-$seed".o{n,ff}{,.err,.out}
    ;;
  esac
done
