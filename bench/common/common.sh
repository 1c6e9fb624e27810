# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What every bench/<name>/run.sh needs: tools, places, and an offload compile.
# shellcheck shell=bash
# Source it with BENCH set to the benchmark's name.

: "${BENCH:?set BENCH before sourcing common.sh}"
BENCH_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
: "${ACCX_BUILD:=$BENCH_ROOT/../build}"
: "${ACCX_DEVICE:=host}"
: "${ACCX_LIB:=$ACCX_BUILD/lib}"
: "${ACCX_STOCK_LIB:=/usr/lib/llvm-19/lib}"
BENCH_BIN=$ACCX_BUILD/bench/$BENCH
mkdir -p "$BENCH_BIN"
export ACCX_BUILD ACCX_DEVICE ACCX_LIB ACCX_STOCK_LIB BENCH_BIN
export PYTHONPATH=$BENCH_ROOT/common${PYTHONPATH:+:$PYTHONPATH}
export PYTHONDONTWRITEBYTECODE=1

offload_flags() {
  case $ACCX_DEVICE in
  host) echo "-fopenmp -fopenmp-targets=x86_64-pc-linux-gnu" ;;
  cuda) echo "-fopenmp --offload-arch=${ACCX_CUDA_ARCH:-sm_90}" ;;
  *)
    echo "bench: unknown ACCX_DEVICE '$ACCX_DEVICE'" >&2
    return 1
    ;;
  esac
}

# compile_offload SOURCE OUTPUT [FLAG...]: compiles when the source is newer.
compile_offload() {
  local source=$1 output=$2 compiler flags
  shift 2
  if [[ -x $output && $output -nt $source ]]; then
    return 0
  fi
  case $source in
  *.c) compiler=(clang-19 -std=gnu11) ;;
  *) compiler=(clang++-19 -std=gnu++20) ;;
  esac
  read -r -a flags <<<"$(offload_flags)"
  "${compiler[@]}" -O2 -Wall "${flags[@]}" "$source" -o "$output" "$@"
}

# need_runtime: stops with one line where our library was not built.
need_runtime() {
  if [[ ! -e $ACCX_LIB/libomptarget.so.19.1 ]]; then
    echo "bench: $ACCX_LIB/libomptarget.so.19.1 not found: build first" >&2
    exit 2
  fi
}
