#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs a build tree under a temporary prefix, moves the prefix, builds this
# folder's project against it, by find_package and with the compiler driver, and
# runs the results: check.sh <build tree>
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: check.sh <build tree>}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The move shows that nothing in the package remembers where it was installed.
cmake --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/prefix"

# build_and_run <how> <cmake option>...
build_and_run() {
  local out=$scratch/$1 program runtime
  shift
  cmake -S "$here" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >/dev/null
  cmake --build "$out"
  for program in "$out/saxpy" "$out/saxpy-acc"; do
    runtime=$(env -u LD_LIBRARY_PATH ldd "$program" |
      awk '$1 ~ /^libomptarget\.so/ { print $3 }')
    if [[ ! $runtime -ef $scratch/prefix/lib/libomptarget.so ]]; then
      echo "$program loads ${runtime:-no libomptarget}, not the installed one"
      return 1
    fi
    env -u LD_LIBRARY_PATH OMP_TARGET_OFFLOAD=MANDATORY timeout 60 "$program"
  done
}

build_and_run package -DCMAKE_C_COMPILER=clang-19 \
  -DCMAKE_PREFIX_PATH="$scratch/prefix"
build_and_run driver -DCMAKE_C_COMPILER="$scratch/prefix/bin/accxcc"
