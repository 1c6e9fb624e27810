#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Products, bodies, ghost zones, transforms and sums with tiles by directive,
# against natural loops and CUDA programs with the same tiles; LUD,
# Needleman-Wunsch and products with OpenARC's directives against CUDA. Without a
# GPU only the programs themselves are checked, on small sizes.
#
# ACCX_SMC_ONLY=build compiles into the bench folder and runs nothing, for nodes
# that have a GPU and no compiler. ACCX_SMC_ONLY=compare measures on processors,
# beside natural loops by Clang alone: see compare.py.
set -euo pipefail
BENCH=smc
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
source=$BENCH_ROOT/smc/directives.c
channels=$BENCH_ROOT/smc/channels.c
openarc=$BENCH_ROOT/smc/openarc.c

if [[ $ACCX_DEVICE == host ]]; then
  for tiled in 0 1 2; do
    "$ACCX_BUILD/bin/accxcc" --accx-targets=host -O2 -DSIZE=131 \
      "-DTILED=$tiled" "$source" -o "$BENCH_BIN/host-$tiled" -lm
    "$BENCH_BIN/host-$tiled" small
  done
  for tiled in 0 1 2; do
    "$ACCX_BUILD/bin/accxcc" --accx-targets=host -O2 "-DTILED=$tiled" \
      "$channels" -o "$BENCH_BIN/host-channels-$tiled" -lm
    ACCX_TIMETILE=1 "$BENCH_BIN/host-channels-$tiled" small
  done
  # What processors' own loops take, in parallel and without any directive.
  clang-19 -O3 -march=native -fopenmp "$BENCH_ROOT/smc/host-rivals.c" \
    -o "$BENCH_BIN/host-rivals" -lm
  "$BENCH_BIN/host-rivals" small
  clang-19 -O3 -march=native "$BENCH_ROOT/smc/host-rivals.c" \
    -o "$BENCH_BIN/host-serial" -lm
  "$BENCH_BIN/host-serial" small
  for program in 0 1 2; do
    "$ACCX_BUILD/bin/accxcc" --accx-targets=host -O2 "-DPROGRAM=$program" \
      "$openarc" -o "$BENCH_BIN/host-openarc-$program" -lm
    "$BENCH_BIN/host-openarc-$program" small
  done
  if [[ ${ACCX_SMC_ONLY:-} == compare ]]; then
    # Names of benchmarks, or all: medians of both, in turns.
    for program in channels directives; do
      "$ACCX_BUILD/bin/accxcc" --accx-targets=host -O3 -march=native \
        -DSIZE=1024 "$BENCH_ROOT/smc/$program.c" -o "$BENCH_BIN/host-$program" -lm
    done
    python3 "$BENCH_ROOT/smc/compare.py" "$BENCH_BIN" "$@"
  fi
  exit 0
fi

arch=${ACCX_CUDA_ARCH:-sm_90}
cuda=${CUDA_PATH:-/usr/local/cuda}
programs=()
for tiled in 0 1 2; do
  # Reciprocal square roots, which the CUDA version writes as a function.
  "$ACCX_BUILD/bin/accxcc" "--accx-targets=$arch" -O2 -ffast-math \
    "-DTILED=$tiled" "$source" -o "$BENCH_BIN/smc-$tiled" -lm
  programs+=("smc-$tiled")
done
for tiled in 0 1 2; do
  "$ACCX_BUILD/bin/accxcc" "--accx-targets=$arch" -O2 "-DTILED=$tiled" \
    "$channels" -o "$BENCH_BIN/channels-$tiled" -lm
  programs+=("channels-$tiled")
done
for program in 0 1 2; do
  "$ACCX_BUILD/bin/accxcc" "--accx-targets=$arch" -O2 "-DPROGRAM=$program" \
    "$openarc" -o "$BENCH_BIN/openarc-$program" -lm
  programs+=("openarc-$program")
done
if [[ -x $cuda/bin/nvcc ]]; then
  for rival in rivals channel-rivals openarc-rivals; do
    "$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$arch" -cudart static \
      "$BENCH_ROOT/smc/$rival.cu" -o "$BENCH_BIN/$rival"
    programs+=("$rival")
  done
else
  echo "# no nvcc: CUDA versions are left out"
fi
[[ ${ACCX_SMC_ONLY:-} != build ]] || exit 0
bad=0
for program in "${programs[@]}"; do
  "$BENCH_BIN/$program" || bad=1
done
exit $bad
