# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What demo.sh, test.sh and bench.sh share; they source it.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
root=$PWD
jobs=${ACCX_JOBS:-$(nproc)}

# A library path of the caller's must not decide which runtime we load.
unset LD_LIBRARY_PATH LD_PRELOAD

# clean_settings: forget the caller's settings of OpenMP, OpenACC and accx, for
# scripts whose outcome must not depend on them.
clean_settings() {
  local name
  while IFS='=' read -r name _; do
    case $name in
      ACCX_JOBS) ;;
      OMP_* | LIBOMPTARGET_* | ACCX_* | ACC_*) unset "$name" ;;
    esac
  done < <(env)
}

# build_tree <preset> [<target>...]: configure and build one preset's tree.
build_tree() {
  local preset=$1
  shift
  cmake --preset "$preset" &&
    cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}
}

# uses_our_runtime <program>: whether the loader gives it build/lib's runtime.
uses_our_runtime() {
  local found
  found=$(ldd "$1" | awk '$1 ~ /^libomptarget\.so/ { print $3 }')
  [[ -n $found && $found -ef $root/build/lib/libomptarget.so ]] || {
    echo "$1 loads ${found:-no libomptarget}, not build/lib's" >&2
    return 1
  }
}

# default_targets: what accxcc compiles for on this machine when nobody says it:
# "host,sm_90", or "host (why no GPU)".
default_targets() {
  build/bin/accxcc --accx-help | sed -n 's/^  default targets *//p'
}

# gpu_targets: the GPU architectures among them, separated by commas; nothing
# where there is no GPU, or none that can be compiled for.
gpu_targets() {
  default_targets | sed -n 's/^host,\([^ ]*\).*/\1/p'
}
