#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Directives through the runtime against hand-written device plugin calls.
set -euo pipefail
BENCH=mapcost
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
if [[ $ACCX_DEVICE != host ]]; then
  echo "mapcost: only for the host device" >&2
  exit 2
fi
source_dir=$BENCH_ROOT/mapcost
read -r -a offload <<<"$(offload_flags)"
flags=(-O2 -Wall "-I$BENCH_ROOT/../include")

# One set of kernels: objects for the OpenMP program, and their device image
# alone, as the linker wrapper makes it, for the other.
clang-19 "${flags[@]}" "${offload[@]}" "$source_dir/main.c" \
  "$source_dir/openmp.c" "$source_dir/kernels.c" -o "$BENCH_BIN/openmp" -lm
clang-19 "${flags[@]}" "${offload[@]}" --offload-device-only -fPIC \
  -c "$source_dir/kernels.c" -o "$BENCH_BIN/kernels.o"
clang-19 -shared "$BENCH_BIN/kernels.o" -o "$BENCH_BIN/kernels.so" -fopenmp -lm
# With libomp, because the image's kernels need it in the process.
clang-19 "${flags[@]}" "$source_dir/main.c" "$source_dir/byhand.c" \
  -o "$BENCH_BIN/byhand" -Wl,--no-as-needed -fopenmp -ldl -lm
llvm-nm-19 --defined-only --format=just-symbols "$BENCH_BIN/kernels.o" |
  grep '^__omp_offloading_[^.]*$' >"$BENCH_BIN/symbols"
exec python3 "$source_dir/compare.py" "$BENCH_BIN" "$@"
