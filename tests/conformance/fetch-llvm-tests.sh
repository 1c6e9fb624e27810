#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Obtains LLVM 19.1.7's offload tests from Debian's source package.
#
#   fetch-llvm-tests.sh [CACHE_DIR]      default: <repository>/build/conformance
#
# The last line of output is the directory of the tests. debian-source.sh says
# how the package is obtained.

set -euo pipefail

Here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=debian-source.sh
. "$Here/debian-source.sh"
Cache=${1:-$Here/../../build/conformance}
Version=19.1.7

mkdir -p "$Cache"
Cache=$(cd "$Cache" && pwd)
Tests=$Cache/llvm-$Version/offload/test
if [[ -f $Cache/llvm-$Version/complete ]]; then
  echo "$Tests"
  exit 0
fi

Archive=$(download_source "$Cache" llvm-toolchain-19 \
  "llvm-toolchain-19_$Version.orig.tar.xz")
rm -rf "$Cache/llvm-$Version" "$Cache/unpack"
mkdir -p "$Cache/unpack"
tar -xJf "$Archive" -C "$Cache/unpack" --strip-components=1 --wildcards \
  '*/offload/test/*' || fail "cannot unpack $Archive"
[[ -f $Cache/unpack/offload/test/lit.cfg ]] ||
  fail "$Archive holds no offload/test"
touch "$Cache/unpack/complete"
mv "$Cache/unpack" "$Cache/llvm-$Version"
# 160 MiB that nothing reads any more.
rm -rf "$Cache/apt"
echo "$Tests"
