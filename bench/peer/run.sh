#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies between two devices: what queueing them costs, and what they take. On a
# machine with one GPU that is two devices.
set -euo pipefail
BENCH=peer
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
targets=host
if [[ $ACCX_DEVICE == cuda ]]; then targets=${ACCX_CUDA_ARCH:-sm_90}; fi
"$ACCX_BUILD/bin/accxcc" "--accx-targets=$targets" -O2 \
  "$BENCH_ROOT/peer/peer.c" -o "$BENCH_BIN/peer"
LIBOMPTARGET_PLUGIN=$ACCX_DEVICE ACCX_HOST_DEVICES=2 \
  ACCX_CUDA_SHARE=${ACCX_CUDA_SHARE:-2} "$BENCH_BIN/peer"
cuda=${CUDA_PATH:-/usr/local/cuda}
if [[ $ACCX_DEVICE == cuda && -x $cuda/bin/nvcc ]]; then
  "$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$targets" -cudart static \
    "$BENCH_ROOT/peer/rivals.cu" -o "$BENCH_BIN/peer-cuda"
  "$BENCH_BIN/peer-cuda"
fi
