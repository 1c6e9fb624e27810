#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels with short and odd trip counts: scalar, compilers, ours, intrinsics.
#
# ACCX_SIMD_ONLY=build compiles into the bench folder and runs nothing,
# ACCX_SIMD_ONLY=run runs what was built; ACCX_SIMD_ARCH=sapphirerapids compiles
# for that processor: for machines that have no compiler.
set -euo pipefail
BENCH=simd
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
if [[ ${ACCX_SIMD_ONLY:-} == run ]]; then
  exec taskset -c "$cpu" "$BENCH_BIN/simd" "$@"
fi
if [[ ${ACCX_SIMD_ONLY:-} != build ]] && ! grep -qw avx512bw /proc/cpuinfo; then
  echo "# the intrinsics need AVX-512: nothing to compare with here"
  exit 0
fi
here=$BENCH_ROOT/simd
plugin=$ACCX_BUILD/lib/libaccx.so
# Functions begin at cache lines: where those before them end would decide about
# a cycle of ten else.
fast="-O3 -march=${ACCX_SIMD_ARCH:-native} -ffast-math -DNDEBUG -falign-functions=64"
clang="clang-19 -std=gnu11 $fast -fveclib=libmvec"
ours="$clang -fplugin=$plugin -fpass-plugin=$plugin -mllvm -accx-simd-remainder"
fold="-mllvm -prefer-predicate-over-epilogue=predicate-else-scalar-epilogue"

# Name, source, command: the order is that of the report.
builds=(
  "scalar;kernels.c;$clang -fno-vectorize -fno-slp-vectorize"
  "clang;kernels.c;$clang"
  "clang_fold;kernels.c;$clang $fold"
  "clang_512;kernels.c;$clang -mprefer-vector-width=512"
  "clang_256;kernels.c;$clang -mprefer-vector-width=256"
  "accx;kernels.c;$ours"
  "accx_512;kernels.c;$ours -mprefer-vector-width=512"
  "intrinsics_first;intrinsics.c;$clang -mprefer-vector-width=512 -DFIRST"
  "intrinsics;intrinsics.c;$clang -mprefer-vector-width=512"
)
if command -v gcc-12 >/dev/null; then
  gcc="gcc-12 -std=gnu11 $fast"
  builds=("${builds[@]:0:5}"
    "gcc;kernels.c;$gcc"
    "gcc_512;kernels.c;$gcc -mprefer-vector-width=512"
    "${builds[@]:5}")
fi

objects=()
: >"$BENCH_BIN/builds.def"
for build in "${builds[@]}"; do
  IFS=';' read -r name source command <<<"$build"
  object=$BENCH_BIN/$name.o
  read -r -a command <<<"$command"
  "${command[@]}" -w "-DTABLE=$name" -c "$here/$source" -o "$object"
  echo "BUILD($name)" >>"$BENCH_BIN/builds.def"
  objects+=("$object")
done
clang-19 -O2 -Wall "-I$BENCH_BIN" "$here/simd.c" "${objects[@]}" -static -lmvec -lm \
  -o "$BENCH_BIN/simd"
[[ ${ACCX_SIMD_ONLY:-} != build ]] || exit 0
exec taskset -c "$cpu" "$BENCH_BIN/simd" "$@"
