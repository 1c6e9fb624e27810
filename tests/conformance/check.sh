#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The quick part of the conformance comparison: LLVM's offload/test/api and
# offload/test/offloading on this build against the stock runtime, with the
# default offload policy and with OMP_TARGET_OFFLOAD=MANDATORY.
#
#   check.sh [BUILD_DIR] [run.py's further options]
#
# Needs the network the first time (Debian's source package). Fails, never
# skips, where the tests cannot be had.

set -euo pipefail

Here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
Build=$Here/../../build
if (($#)) && [[ $1 != -* ]]; then
  Build=$1
  shift
fi
exec python3 "$Here/run.py" --suite llvm \
  --ours "$Build/lib/libomptarget.so.19.1" "$@"
