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

# shellcheck source=debian-source.sh
. "$(dirname "${BASH_SOURCE[0]}")/debian-source.sh"

unpack() {
  tar -xJf "$1" -C "$2" --strip-components=1 --wildcards '*/offload/test/*'
}

fetch_tests llvm-toolchain-19 19.1.7 tar.xz llvm offload/test "$@"
