#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Applications around reductions, of arrays and of single variables, against
# CUDA. Without a GPU only the programs themselves are checked, on small sizes.
#
# ACCX_APPS_ONLY=build compiles into the bench folder and runs nothing, for
# nodes that have a GPU and no compiler.
set -euo pipefail
BENCH=apps
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime

# compile TARGET SUFFIX: arrays, and apps in both spellings.
compile() {
  local accxcc=("$ACCX_BUILD/bin/accxc++" "--accx-targets=$1" -O2 -std=gnu++20)
  "${accxcc[@]}" "$BENCH_ROOT/apps/arrays.cpp" -o "$BENCH_BIN/arrays$2" -lm
  "${accxcc[@]}" '-DIMPL="accx-acc"' "$BENCH_ROOT/apps/apps.cpp" \
    -o "$BENCH_BIN/apps-acc$2" -lm
  "${accxcc[@]}" -DSPELL_OPENMP '-DIMPL="accx-omp"' \
    "$BENCH_ROOT/apps/apps.cpp" -o "$BENCH_BIN/apps-omp$2" -lm
}

bad=0
if [[ $ACCX_DEVICE == host ]]; then
  compile host -host
  for program in arrays apps-acc apps-omp; do
    "$BENCH_BIN/$program-host" small || bad=1
  done
  exit $bad
fi

arch=${ACCX_CUDA_ARCH:-sm_90}
cuda=${CUDA_PATH:-/usr/local/cuda}
compile "$arch" ""
programs=(arrays apps-acc apps-omp)
if [[ -x $cuda/bin/nvcc ]]; then
  "$cuda/bin/nvcc" -O3 -std=c++17 "-arch=$arch" -Xcompiler -fopenmp \
    -cudart static "$BENCH_ROOT/apps/rivals.cu" -o "$BENCH_BIN/rivals"
  programs+=(rivals)
else
  echo "# no nvcc: CUDA versions are left out"
fi
[[ ${ACCX_APPS_ONLY:-} != build ]] || exit 0
for program in "${programs[@]}"; do
  "$BENCH_BIN/$program" || bad=1
done
exit $bad
