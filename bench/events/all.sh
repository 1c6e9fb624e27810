#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the benchmarks of events that were compiled into a folder; what is not
# there is left out.
#
# Usage: all.sh FOLDER host|cuda [read|search|queueing|messages|himeno|powder...]
# Variables: ACCX_EVENTS_DATA, where files are written; ACCX_EVENTS_MIB, their
# size; ACCX_MPIRUN, the command that starts ranks, to which `-n 2` is added.
set -uo pipefail
bin=$1
device=$2
shift 2
only=("$@")
bad=0

wanted() {
  ((${#only[@]} == 0)) && return 0
  local name
  for name in "${only[@]}"; do
    [[ $1 == "$name" ]] && return 0
  done
  return 1
}

run() {
  "$@" && return 0
  bad=1
  return 1
}

export LIBOMPTARGET_PLUGIN=$device OMP_TARGET_OFFLOAD=MANDATORY
data=${ACCX_EVENTS_DATA:-}
if [[ $device == cuda ]]; then
  mib=${ACCX_EVENTS_MIB:-4096}
  repeats=5 sequences=4194304 chunk=16384
  messages=256 himeno=(L 200 5) powder=(3240 20 5)
  wait=2
else
  mib=${ACCX_EVENTS_MIB:-64}
  repeats=3 sequences=20000 chunk=4096
  messages=4 himeno=(S 10 3) powder=(500 5 3)
  wait=1
  export ACCX_HOST_DEVICES=2
fi
# Files in memory do not wait for a disk, and none writes to one meanwhile.
if [[ -z $data ]]; then
  data=${TMPDIR:-/tmp}
  room=$(df --output=avail -m /dev/shm 2>/dev/null | tail -n 1)
  if ((${room:-0} > 3 * mib)); then data=/dev/shm; fi
fi
read -r -a start <<<"${ACCX_MPIRUN:-}"
if ((${#start[@]} == 0)); then
  case ${ACCX_MPI:-openmpi} in
    mpich) start=(mpiexec.mpich) ;;
    *)
      mpirun=$(command -v mpirun.openmpi || command -v mpirun || true)
      start=("$mpirun" --allow-run-as-root --oversubscribe --bind-to none)
      ;;
  esac
fi
ranks() {
  local count=$1
  shift
  [[ -x $1 ]] || return 0 # Not compiled here.
  if [[ -z ${start[0]} ]]; then
    echo "# no mpirun: ${1##*/} is left out"
    return 0
  fi
  run "${start[@]}" -n "$count" "$@"
}

if wanted read; then
  run "$bin/files" all "$mib" "$data" "$repeats"
  # Curves end at 1 GiB.
  most=$((mib < 1024 ? mib : 1024))
  run "$bin/files" sizes "$most" "$data" "$repeats"
  for piece in 262144 1048576 4194304 16777216; do
    ACCX_FILE_PIECE=$piece run "$bin/files" sizes "$most" "$data" 3
  done
fi
if wanted search; then
  # The paper's chunks are of 511 bytes to 4 MB.
  for records in 256 2048 16384; do
    run "$bin/search" transfers "$((sequences / 4))" "$records" "$data" \
      "$repeats"
  done
  run "$bin/search" mixed "$((sequences / 4))" 16384 "$data" "$repeats"
  run "$bin/search" all "$sequences" "$chunk" "$data" "$repeats"
fi
if wanted queueing; then
  run "$bin/queueing" 500 16 "$wait" "$data"
fi
if wanted messages; then
  ranks 2 "$bin/messages" "$messages" 9
  ranks 2 "$bin/messages" "$messages" 5 funneled |
    sed -n 's/,accx,/,accx-funneled,/p'
  ((PIPESTATUS[0] == 0)) || bad=1
fi
if wanted himeno; then
  ranks 2 "$bin/himeno" "${himeno[@]}"
  ranks 2 "$bin/himeno-cuda" "${himeno[@]}"
fi
if wanted powder; then
  ranks 2 "$bin/powder" "${powder[@]}"
  ranks 4 "$bin/powder" "${powder[@]}"
fi
exit $bad
