#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles a header by itself in every language mode of both compilers.
#
#   header-modes.sh HEADER INCLUDE_DIR

set -eu
Options="-pedantic -Wall -Wextra -Werror -I$2 -fsyntax-only"

compile() {
  # shellcheck disable=SC2086 # several options
  "$@" $Options "$Header" || {
    echo "$* fails"
    exit 1
  }
}

Header=$1
for Standard in c89 gnu89 c99 c11 c17 c2x; do
  compile clang-19 -xc -std=$Standard
  compile clang-19 -xc -std=$Standard -fopenmp
  compile gcc -xc -std=$Standard
done
for Standard in c++98 c++03 c++11 c++14 c++17 c++20 c++23; do
  compile clang-19 -xc++ -std=$Standard
  compile clang-19 -xc++ -std=$Standard -fopenmp
  compile g++ -xc++ -std=$Standard -fopenmp
done
