#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions with declare simd and outer omp simd loops: scalar code, the two
# compilers, our passes, intrinsics.
set -euo pipefail
BENCH=simd-function
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
if ! grep -qw avx512f /proc/cpuinfo; then
  echo "# simd-function: the intrinsics need AVX-512, which this processor lacks"
  echo "RESULT,simd-function,all,none,0,skipped=1,ok"
  exit 0
fi
here=$BENCH_ROOT/simd-function
# Contraction would make the implementations count differently.
common=(-O3 -march=native -ffp-contract=off)
compile() {
  local name=$1
  shift
  "$@" "${common[@]}" "-DIMPL=$name" -c "$here/kernels.c" -o "$BENCH_BIN/$name.o"
}
compile scalar clang-19 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops
compile clang clang-19 -fopenmp-simd -Wno-pass-failed
compile gcc gcc -fopenmp-simd
compile accx "$ACCX_BUILD/bin/accxcc" -fopenmp-simd
clang-19 "${common[@]}" -c "$here/intrinsics.c" -o "$BENCH_BIN/hand.o"
clang-19 -O2 "$here/simd-function.c" "$BENCH_BIN"/{scalar,clang,gcc,accx,hand}.o \
  -o "$BENCH_BIN/simd-function"
exec "$BENCH_BIN/simd-function" "${BENCH_ROUNDS:-201}"
