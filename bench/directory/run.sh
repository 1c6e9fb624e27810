#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Cost of one map operation against the number and overlap of live entries.
set -euo pipefail
BENCH=directory
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
compile_offload "$BENCH_ROOT/directory/abi.c" "$BENCH_BIN/abi"
exec python3 "$BENCH_ROOT/directory/compare.py" "$BENCH_BIN" "$@"
