#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Threads and lanes together: one thread and two, without vectors and with them.
set -euo pipefail
BENCH=simd-threads
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
here=$BENCH_ROOT/simd
plugin=$ACCX_BUILD/lib/libaccx.so
clang=(clang-19 -std=gnu11 -O3 -march=native -fno-math-errno -ffp-contract=off
  -fopenmp -fveclib=libmvec -Wno-pass-failed)
"${clang[@]}" -fno-vectorize -fno-slp-vectorize -DSCALAR -DIMPL=scalar \
  -c "$here/threads-kernels.c" -o "$BENCH_BIN/scalar.o"
"${clang[@]}" "-fplugin=$plugin" "-fpass-plugin=$plugin" -DIMPL=simd \
  -c "$here/threads-kernels.c" -o "$BENCH_BIN/simd.o"
"${clang[@]}" -Wall "$here/threads.c" "$BENCH_BIN"/{scalar,simd}.o \
  -lmvec -lm -o "$BENCH_BIN/threads"
exec env OMP_PROC_BIND=true "$BENCH_BIN/threads" "${BENCH_ROUNDS:-101}"
