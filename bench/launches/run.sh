#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Loops of small regions against launches on a stream and graphs in CUDA. Without
# a GPU only the program itself is checked.
#
# ACCX_LAUNCHES_ONLY=build compiles into the bench folder and runs nothing, for
# nodes that have a GPU and no compiler.
set -euo pipefail
BENCH=launches
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
targets=host
if [[ $ACCX_DEVICE == cuda ]]; then targets=${ACCX_CUDA_ARCH:-sm_90}; fi
"$ACCX_BUILD/bin/accxcc" "--accx-targets=$targets" -fopenmp -fopenacc -O2 -DIMPL='"accx"' \
  "$BENCH_ROOT/launches/directives.c" -o "$BENCH_BIN/accx"
cuda=${CUDA_PATH:-/usr/local/cuda}
rivals=()
if [[ $ACCX_DEVICE == cuda && -x $cuda/bin/nvcc ]]; then
  "$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$targets" -cudart static \
    "$BENCH_ROOT/launches/rivals.cu" -o "$BENCH_BIN/rivals"
  rivals=("$BENCH_BIN/rivals")
fi
[[ ${ACCX_LAUNCHES_ONLY:-} != build ]] || exit 0
bad=0
for program in "$BENCH_BIN/accx" "${rivals[@]}"; do
  "$program" || bad=1
done
LAUNCHES_IMPL=accx-no-graphs ACCX_GRAPH=0 "$BENCH_BIN/accx" || bad=1
LAUNCHES_IMPL=accx-at-once ACCX_SYNC=1 "$BENCH_BIN/accx" || bad=1
exit $bad
