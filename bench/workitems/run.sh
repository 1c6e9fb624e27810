#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Simple kernels by directive on processors, against OpenCL. Every result is
# checked. With an argument `small` or `sweep`: README.md.
set -euo pipefail
BENCH=workitems
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
here=$BENCH_ROOT/workitems
"$ACCX_BUILD/bin/accxcc" --accx-targets=host -O3 -march=native -ffast-math \
  "$here/directives.c" -o "$BENCH_BIN/directives" -lm
"$BENCH_BIN/directives" "$@"
if ! clang-19 -O2 "$here/opencl.c" -o "$BENCH_BIN/opencl" -lOpenCL -lm \
  2>/dev/null; then
  echo "# no OpenCL (README.md says how to install it): nothing to compare with"
  exit 0
fi
"$BENCH_BIN/opencl" "$here/kernels.cl" "$@"
