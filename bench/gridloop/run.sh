#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Natural directive code against Clang's own code and CUDA. Without a GPU only
# the program itself is checked, on small sizes.
#
# ACCX_GRIDLOOP_ONLY=build compiles into the bench folder and runs nothing, for
# nodes that have a GPU and no compiler.
set -euo pipefail
BENCH=gridloop
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
source=$BENCH_ROOT/gridloop/directives.c
link=("-L$ACCX_LIB" "-Wl,-rpath,$ACCX_LIB" -lm)

if [[ $ACCX_DEVICE == host ]]; then
  compile_offload "$source" "$BENCH_BIN/host" "${link[@]}"
  "$ACCX_BUILD/bin/accxcc" --accx-targets=host -O2 \
    "$BENCH_ROOT/gridloop/variants.c" -o "$BENCH_BIN/variants-host" -lm
  "$ACCX_BUILD/bin/accxc++" --accx-targets=host -std=c++17 -O2 \
    -Wno-pass-failed "$BENCH_ROOT/gridloop/spellings.cpp" \
    -o "$BENCH_BIN/spellings-host" -lm
  "$BENCH_BIN/host" small
  "$BENCH_BIN/variants-host" small
  exec "$BENCH_BIN/spellings-host" small
fi

arch=${ACCX_CUDA_ARCH:-sm_90}
cuda=${CUDA_PATH:-/usr/local/cuda}
gpu=("--libomptarget-nvptx-bc-path=$(llvm-config-19 --libdir)" "--cuda-path=$cuda")
programs=(stock)
compile_offload "$source" "$BENCH_BIN/stock" "${gpu[@]}" '-DIMPL="stock"' \
  "${link[@]}"
for index in int unsigned long size_t; do
  "$ACCX_BUILD/bin/accxcc" "--accx-targets=$arch" -O2 "-DINDEX=$index" \
    "-DIMPL=\"accx-$index\"" -Xclang -mllvm -Xclang -accx-grid-loop \
    "$source" -o "$BENCH_BIN/accx-$index" -lm
  "$ACCX_BUILD/bin/accxcc" "--accx-targets=$arch" -O2 "-DINDEX=$index" \
    "$BENCH_ROOT/gridloop/variants.c" -o "$BENCH_BIN/variants-$index" -lm
  programs+=("accx-$index" "variants-$index")
done
"$ACCX_BUILD/bin/accxc++" "--accx-targets=$arch" -std=c++17 -O2 \
  "$BENCH_ROOT/gridloop/spellings.cpp" -o "$BENCH_BIN/spellings" -lm
programs+=(spellings)
for alone in 1 4 8 11 13; do
  "$ACCX_BUILD/bin/accxcc" "--accx-targets=$arch" -O2 "-DALONE=$alone" \
    '-DIMPL="alone"' "$BENCH_ROOT/gridloop/variants.c" \
    -o "$BENCH_BIN/alone-$alone" -lm
  programs+=("alone-$alone")
done
if [[ -x $cuda/bin/nvcc ]]; then
  "$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$arch" -cudart static \
    "$BENCH_ROOT/gridloop/rivals.cu" -o "$BENCH_BIN/rivals"
  programs+=(rivals)
else
  echo "# no nvcc: CUDA versions are left out"
fi
[[ ${ACCX_GRIDLOOP_ONLY:-} != build ]] || exit 0
bad=0
for program in "${programs[@]}"; do
  "$BENCH_BIN/$program" || bad=1
done
exit $bad
