#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Loops on one device and on several: the same source without directives for
# several devices, with them on one device, and with them on two. On a machine
# with one GPU that is two devices; on the host two devices share its cores.
set -euo pipefail
BENCH=distribute
# shellcheck source=bench/common/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/common.sh"
need_runtime
targets=host
cases=("jacobi 4096 20" "product 512 3" "sum 67108864 10")
if [[ $ACCX_DEVICE == cuda ]]; then
  targets=${ACCX_CUDA_ARCH:-sm_90}
  cases=("jacobi 16384 40" "jacobi 2048 1000" "product 4096 3" "sum 268435456 10")
fi
for plain in 0 1; do
  "$ACCX_BUILD/bin/accxcc" "--accx-targets=$targets" -O3 "-DPLAIN=$plain" \
    "$BENCH_ROOT/distribute/distribute.c" -o "$BENCH_BIN/plain$plain" -lm
done

bad=0
# one NAME PROGRAM DEVICES COMMAND...: a process; its line becomes a RESULT.
one() {
  local name=$1 program=$2 devices=$3
  shift 3
  local text ms
  text=$(LIBOMPTARGET_PLUGIN=$ACCX_DEVICE ACCX_CUDA_SHARE=$devices \
    OMP_TARGET_OFFLOAD=MANDATORY env "${extra[@]}" "$@" \
    "$BENCH_BIN/$program" "${words[@]}" 2>&1) || true
  ms=$(sed -n 's/.* \([0-9.]*\) ms a step.*/\1/p' <<<"$text")
  if [[ $text == *", ok" ]]; then
    echo "RESULT,distribute,$name,${words[0]}-${words[1]},$ms,step,ok"
  else
    echo "RESULT,distribute,$name,${words[0]}-${words[1]},0,step,BAD"
    echo "# $text"
    bad=1
  fi
}
for ((round = 0; round < ${BENCH_ROUNDS:-5}; ++round)); do
  for case in "${cases[@]}"; do
    read -r -a words <<<"$case"
    if [[ $ACCX_DEVICE == host ]]; then
      extra=(-u ACCX_HOST_DEVICES)
      one one-device plain1 1
      one one-core plain1 1 taskset -c 0
      extra=(ACCX_HOST_DEVICES=2)
      one two-devices plain0 2
    else
      extra=(-u ACCX_HOST_DEVICES)
      one one-device plain1 1
      one one-listed plain0 1
      one two-devices plain0 2
    fi
  done
done
exit $bad
