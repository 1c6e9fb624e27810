#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The plane-streaming stencil: standard forms against overlapping maps.
set -euo pipefail
BENCH=stencil
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
compile_offload "$BENCH_ROOT/stencil/stencil.c" "$BENCH_BIN/stencil"
exec python3 "$BENCH_ROOT/stencil/compare.py" "$BENCH_BIN/stencil" "$@"
