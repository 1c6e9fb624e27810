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

# shellcheck source=debian-source.sh
. "$(dirname "${BASH_SOURCE[0]}")/debian-source.sh"

# Debian's archive holds GCC's own; some tests include those of the front end.
unpack() {
  tar -xzf "$1" -O --wildcards '*/gcc-*-dfsg.tar.xz' |
    tar -xJ -C "$2" --strip-components=1 --wildcards \
      '*/libgomp/testsuite/*' '*/gcc/testsuite/c-c++-common/goacc/*' \
      '*/include/gomp-constants.h'
}

fetch_tests gcc-12 12.2.0 tar.gz gcc libgomp/testsuite "$@"
