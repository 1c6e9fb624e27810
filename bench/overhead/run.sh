#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runtime overhead of small constructs, the same binary on two libraries.
set -euo pipefail
BENCH=overhead
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
compile_offload "$BENCH_ROOT/overhead/overhead.cpp" "$BENCH_BIN/overhead"
exec python3 "$BENCH_ROOT/overhead/compare.py" "$BENCH_BIN/overhead" "$@"
