#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs on one device and on several, beside CUDA with a host thread a GPU.
# Without a GPU the programs of accx run on host devices, small.
#
# ACCX_SCALE_ONLY=build compiles into ACCX_SCALE_BIN and runs nothing, for nodes
# that have GPUs and no compiler.
set -euo pipefail
BENCH=scale
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
here=$BENCH_ROOT/scale
cuda=${CUDA_PATH:-/usr/local/cuda}
arch=${ACCX_CUDA_ARCH:-sm_90}
targets=host
if [[ $ACCX_DEVICE == cuda ]]; then targets=$arch; fi
bin=${ACCX_SCALE_BIN:-$BENCH_BIN}
mkdir -p "$bin"
# A bundle has the libraries elsewhere.
read -r -a link <<<"${ACCX_SCALE_LINK:-}"

# compile NAME SOURCE FLAGS...
compile() {
  local name=$1 source=$2
  shift 2
  CUDA_PATH=$cuda "$ACCX_BUILD/bin/accxcc" "--accx-targets=$targets" -O3 \
    "$source" -o "$bin/$name" "$@" "${link[@]}" -lm
}
compile grids "$here/grids.c"
compile grids-plain "$here/grids.c" -DPLAIN=1
compile loops "$here/loops.c"
compile loops-plain "$here/loops.c" -DPLAIN=1
for name in heat product thermo links; do
  compile "$name" "$here/$name.c"
done
compile peer "$BENCH_ROOT/peer/peer.c"
# -g1: a failure tells its line.
compile fault "$BENCH_ROOT/../tests/gpu/openacc/fault-devices.c" -g1
if [[ $ACCX_DEVICE == cuda && -x $cuda/bin/nvcc ]]; then
  nvcc=("$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$arch" -cudart static)
  for name in grids loops paper; do
    "${nvcc[@]}" "$here/$name.cu" -o "$bin/$name-cuda"
  done
  "${nvcc[@]}" "$here/links.cu" -o "$bin/links-cuda" \
    "-L$cuda/lib64/stubs" -lcuda
  "${nvcc[@]}" "$BENCH_ROOT/peer/rivals.cu" -o "$bin/peer-cuda"
fi
[[ ${ACCX_SCALE_ONLY:-} != build ]] || exit 0
exec bash "$here/all.sh" "$bin" "$ACCX_DEVICE" "$@"
