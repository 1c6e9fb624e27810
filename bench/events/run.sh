#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Files and messages as events: what they take beside programs by hand, and what
# it costs to queue them. Without a GPU everything but the CUDA version of Himeno
# runs on host devices, small.
#
# ACCX_EVENTS_ONLY=build compiles into the bench folder and runs nothing, for
# nodes that have a GPU and no compiler. ACCX_MPI names the MPI, openmpi or mpich.
set -euo pipefail
BENCH=events
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
here=$BENCH_ROOT/events
arch=${ACCX_CUDA_ARCH:-sm_90}
cuda=${CUDA_PATH:-/usr/local/cuda}
targets=host
if [[ $ACCX_DEVICE == cuda ]]; then targets=$arch; fi
bin=${ACCX_EVENTS_BIN:-$BENCH_BIN}

compile() {
  local name=$1
  shift
  CUDA_PATH=$cuda "$ACCX_BUILD/bin/accxcc" "--accx-targets=$targets" -O2 \
    "$here/$name.c" -o "$bin/$name" "$@"
}

# A bundle has the libraries elsewhere.
read -r -a link <<<"${ACCX_EVENTS_LINK:-}"
for name in files search queueing; do
  compile "$name" "${link[@]}"
done

mpi=${ACCX_MPI:-openmpi}
half=$ACCX_LIB/libaccx-mpi-$mpi.so
if [[ -e $half ]] && command -v "mpicc.$mpi" >/dev/null; then
  case $mpi in
    openmpi)
      read -r -a include < <(mpicc.openmpi --showme:compile)
      read -r -a library < <(mpicc.openmpi --showme:link)
      ;;
    *)
      # Its own driver says the compiler's name and options of the linker.
      read -r -a include < <(mpicc.mpich -compile_info | grep -o -- '-I[^ ]*')
      read -r -a library < <(mpicc.mpich -link_info |
        grep -o -- '-[Ll][^ ]*' | tr '\n' ' ')
      ;;
  esac
  for name in messages himeno powder; do
    compile "$name" "${include[@]}" "$half" "-Wl,-rpath,$ACCX_LIB" \
      "${library[@]}" "${link[@]}"
  done
  if [[ $ACCX_DEVICE == cuda && -x $cuda/bin/nvcc ]]; then
    "$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$arch" -cudart static \
      "${include[@]}" "$here/himeno.cu" -o "$bin/himeno-cuda" "${library[@]}"
  fi
else
  echo "# no $half or no mpicc.$mpi: messages are left out"
  rm -f "$bin"/{messages,himeno,powder}
fi
[[ ${ACCX_EVENTS_ONLY:-} != build ]] || exit 0
export ACCX_MPI=$mpi
exec bash "$here/all.sh" "$bin" "$ACCX_DEVICE"
