#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs a build tree under a temporary prefix, moves the prefix, builds this
# folder's project against it and runs the result: check.sh <build tree>
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: check.sh <build tree>}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The move shows that nothing in the package remembers where it was installed.
cmake --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/prefix"

cmake -S "$here" -B "$scratch/out" -G Ninja -DCMAKE_C_COMPILER=clang-19 \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
cmake --build "$scratch/out"

program=$scratch/out/saxpy
runtime=$(env -u LD_LIBRARY_PATH ldd "$program" |
  awk '$1 ~ /^libomptarget\.so/ { print $3 }')
if [[ ! $runtime -ef $scratch/prefix/lib/libomptarget.so ]]; then
  echo "the program loads ${runtime:-no libomptarget}, not the installed one"
  exit 1
fi
env -u LD_LIBRARY_PATH OMP_TARGET_OFFLOAD=MANDATORY timeout 60 "$program"
