#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reductions as programs have them against CUB and tuned CUDA. Without a GPU
# only the program itself is checked, on small sizes.
#
# ACCX_REDUCE_ONLY=build compiles into the bench folder and runs nothing, for
# nodes that have a GPU and no compiler.
set -euo pipefail
BENCH=reduce
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
source=$BENCH_ROOT/reduce/directives.cpp
link=("-L$ACCX_LIB" "-Wl,-rpath,$ACCX_LIB" -lm)

if [[ $ACCX_DEVICE == host ]]; then
  compile_offload "$source" "$BENCH_BIN/host" "${link[@]}"
  exec "$BENCH_BIN/host" small
fi

arch=${ACCX_CUDA_ARCH:-sm_90}
cuda=${CUDA_PATH:-/usr/local/cuda}
gpu=("--libomptarget-nvptx-bc-path=$(llvm-config-19 --libdir)" "--cuda-path=$cuda")
compile_offload "$source" "$BENCH_BIN/stock" "${gpu[@]}" '-DIMPL="stock"' \
  "${link[@]}"
"$ACCX_BUILD/bin/accxc++" "--accx-targets=$arch" -O2 -std=gnu++20 "$source" \
  -o "$BENCH_BIN/accx" -lm
programs=(stock accx)
if [[ -x $cuda/bin/nvcc ]]; then
  "$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$arch" -Xcompiler -fopenmp \
    -cudart static "$BENCH_ROOT/reduce/rivals.cu" -o "$BENCH_BIN/rivals"
  programs+=(rivals)
else
  echo "# no nvcc: CUDA versions are left out"
fi
[[ ${ACCX_REDUCE_ONLY:-} != build ]] || exit 0
bad=0
for program in "${programs[@]}"; do
  "$BENCH_BIN/$program" || bad=1
done
exit $bad
