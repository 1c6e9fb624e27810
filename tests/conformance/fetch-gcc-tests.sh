#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Obtains GCC 12.2's OpenACC tests from Debian's source package.
#
#   fetch-gcc-tests.sh [CACHE_DIR]       default: <repository>/build/conformance
#
# The last line of output is the directory of the tests, for gcc_oacc.py's
# --gcc-dir. debian-source.sh says how the package is obtained.

set -euo pipefail

Here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=debian-source.sh
. "$Here/debian-source.sh"
Cache=${1:-$Here/../../build/conformance}
Version=12.2.0

mkdir -p "$Cache"
Cache=$(cd "$Cache" && pwd)
Tests=$Cache/gcc-$Version/libgomp/testsuite
if [[ -f $Cache/gcc-$Version/complete ]]; then
  echo "$Tests"
  exit 0
fi

Archive=$(download_source "$Cache" gcc-12 "gcc-12_$Version.orig.tar.gz")
rm -rf "$Cache/gcc-$Version" "$Cache/unpack"
mkdir -p "$Cache/unpack"
# Debian's archive holds GCC's own; some tests include those of the front end.
tar -xzf "$Archive" -O --wildcards '*/gcc-*-dfsg.tar.xz' |
  tar -xJ -C "$Cache/unpack" --strip-components=1 --wildcards \
    '*/libgomp/testsuite/*' '*/gcc/testsuite/c-c++-common/goacc/*' \
    '*/include/gomp-constants.h' ||
  fail "cannot unpack $Archive"
[[ -d $Cache/unpack/libgomp/testsuite/libgomp.oacc-c-c++-common ]] ||
  fail "$Archive holds no OpenACC tests"
touch "$Cache/unpack/complete"
mv "$Cache/unpack" "$Cache/gcc-$Version"
rm -rf "$Cache/apt"
echo "$Tests"
