#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Three-level code, serial vectors and vectors across lanes, against CUDA.
# Without a GPU only the program itself is checked, on small sizes.
#
# ACCX_LANES_ONLY=build compiles into the bench folder and runs nothing, for
# nodes that have a GPU and no compiler.
set -euo pipefail
BENCH=lanes
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
source=$BENCH_ROOT/lanes/directives.c
link=("-L$ACCX_LIB" "-Wl,-rpath,$ACCX_LIB" -lm)

if [[ $ACCX_DEVICE == host ]]; then
  compile_offload "$source" "$BENCH_BIN/host" -DSPELL_OPENMP "${link[@]}"
  exec "$BENCH_BIN/host" small
fi

arch=${ACCX_CUDA_ARCH:-sm_90}
cuda=${CUDA_PATH:-/usr/local/cuda}
programs=()
for lanes in 0 1; do
  for spelling in acc omp; do
    name=$spelling-lanes$lanes
    define=()
    if [[ $spelling == omp ]]; then define=(-DSPELL_OPENMP); fi
    "$ACCX_BUILD/bin/accxcc" "--accx-targets=$arch" -O2 "-DIMPL=\"$name\"" \
      "${define[@]}" -Xclang -mllvm -Xclang "-accx-simt-lanes=$lanes" \
      "$source" -o "$BENCH_BIN/$name" -lm
    programs+=("$name")
  done
done
if [[ -x $cuda/bin/nvcc ]]; then
  "$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$arch" -cudart static \
    "$BENCH_ROOT/lanes/rivals.cu" -o "$BENCH_BIN/rivals"
  programs+=(rivals)
else
  echo "# no nvcc: CUDA versions are left out"
fi
[[ ${ACCX_LANES_ONLY:-} != build ]] || exit 0
bad=0
for program in "${programs[@]}"; do
  "$BENCH_BIN/$program" || bad=1
done
exit $bad
