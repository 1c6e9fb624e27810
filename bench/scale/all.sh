#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the programs of bench/scale that were compiled into a folder, on 1, 2, 4
# and so on devices and on all; what is not there is left out. Lines go to
# standard output as they come, and a table of what was found comes last.
#
# Usage: all.sh FOLDER host|cuda [SECTION...]
#   link peer grids loops paper fault random messages himeno memcheck xl huge
# Variables: ACCX_SCALE_SECONDS, after which nothing new is begun (280);
# ACCX_SCALE_DEVICES, the largest number of devices; ACCX_SCALE_LOG, where logs
# go; ACCX_SCALE_RESULTS, the folder of `lines`, `model` and `table`;
# ACCX_MPIRUN, the command that starts ranks, to which `-n 2` is added.
# ACCX_CUDA_SHARE=2 tries everything on one GPU as two devices, without meaning
# for the times.
#
# Sections are called by their names.
# shellcheck disable=SC2317
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$(cd "$1" && pwd)
device=$2
shift 2
sections=("$@")
if ((${#sections[@]} == 0)); then
  sections=(link peer grids loops paper fault random messages himeno memcheck
    xl huge)
fi
log=${ACCX_SCALE_LOG:-$(mktemp -d)}
mkdir -p "$log"
results=${ACCX_SCALE_RESULTS:-$log/results}
mkdir -p "$results"
lines=$results/lines
: >"$lines"
bad=0
limit=${ACCX_SCALE_SECONDS:-280}
export LIBOMPTARGET_PLUGIN=$device OMP_TARGET_OFFLOAD=MANDATORY
export PYTHONDONTWRITEBYTECODE=1
share=${ACCX_CUDA_SHARE:-1}
unset ACCX_CUDA_SHARE
if [[ $device == cuda ]]; then
  all=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU') || true
  ((all > 0)) || all=$(find /dev -maxdepth 1 -name 'nvidia[0-9]*' | wc -l)
  ((share == 1)) || all=$share
  mib=1024 link=256
  grids=(jacobi:512:4000 jacobi:2048:2000 jacobi:4096:800 jacobi:16384:60
    hydro:2048:200 hydro:8192:40)
  loops=(product:8192:1:3 nbody:131072:4 sum:1073741824:10)
  heats=(512 1024 2048 4096) steps=20000
  products=(matmul:1024:1 matmul:2048:1 matmul:4096:1 matmul:8192:1:3)
  thermo=(thermo:4000000:20)
  huge_grids=(jacobi:32768:20:3) huge_loops=(product:16384:1:1 nbody:524288:2:3
    sum:4294967296:5:3)
  messages=(256 9) himeno=(L 200 5) xl=(1024x512x512 40 3)
else
  all=${ACCX_HOST_DEVICES:-2}
  mib=64 link=4
  grids=(jacobi:256:20 jacobi:512:20 hydro:128:20)
  loops=(product:128:2 nbody:512:2 sum:1000000:2)
  heats=(64 128) steps=100
  products=(matmul:96:1 matmul:160:1)
  thermo=(thermo:10001:5)
  huge_grids=(jacobi:1024:4:3) huge_loops=(product:256:1:1 nbody:1024:2:3
    sum:4000000:2:3)
  messages=(4 3) himeno=(S 10 3) xl=(128x64x128 5 3)
fi
all=${ACCX_SCALE_DEVICES:-${all:-1}}
if ((all < 1)); then
  echo "scale: no device" >&2
  exit 2
fi
counts=()
for ((n = 1; n < all; n *= 2)); do counts+=("$n"); done
counts+=("$all")

# left: whether there is time for more.
left() {
  ((SECONDS < limit)) && return 0
  echo "# no time left for: $*"
  return 1
}

# with COUNT COMMAND...: with so many devices.
with() {
  local count=$1 numbers=0 each=$1
  shift
  if ((share == 1)); then
    numbers=$(seq -s , 0 $((count - 1)))
    each=1
  fi
  CUDA_VISIBLE_DEVICES=$numbers ACCX_CUDA_SHARE=$each ACCX_HOST_DEVICES=$count \
    "$@"
}

# on COUNT PROGRAM ARGUMENT...: with so many devices; lines are also kept.
on() {
  local count=$1 program=$2
  shift 2
  [[ -x $bin/$program ]] || return 0
  left "$program $*" || return 0
  with "$count" timeout -k 5 "${LIMIT:-120}" "$bin/$program" "$@" \
    2>"$log/$program.$count.err" | tee -a "$lines"
  # Not the status of tee.
  ((PIPESTATUS[0] == 0)) && return 0
  bad=1
  echo "RESULT,scale-run,$program,$count,0,exit status,BAD" | tee -a "$lines"
  tail -n 5 "$log/$program.$count.err" | sed 's/^/# /'
}

# verdict NAME HOW ok|BAD
verdict() {
  echo "RESULT,scale-$1,accx-$all,$2,0,test,$3" | tee -a "$lines"
  [[ $3 == ok ]] || bad=1
}

forms() {
  local plain=$1 program=$2 n
  shift 2
  on 1 "$plain" "$@"
  for n in "${counts[@]}"; do on "$n" "$program" "$@"; done
}

section_link() {
  local n
  for n in "${counts[@]}"; do on "$n" links "$link"; done
  on "$all" links-cuda "$link"
}
section_peer() {
  ((all > 1)) || return 0
  on 2 peer "$mib"
  on 2 peer-cuda "$mib"
}
section_grids() {
  forms grids-plain grids "${grids[@]}"
  on "$all" grids-cuda "${grids[@]}"
}
section_loops() {
  forms loops-plain loops "${loops[@]}"
  on "$all" loops-cuda "${loops[@]}"
}
section_paper() {
  local n size cases=() more=()
  for size in "${heats[@]}"; do
    cases+=("heat:$size:$steps:3")
    more+=("heat:$size:$steps:1")
  done
  for n in "${counts[@]}"; do
    on "$n" thermo "${thermo[@]}"
    on "$n" product "${products[@]}"
    on "$n" heat "${cases[@]}" deviceid spread
  done
  # Through the host it takes longest; 20,000 steps are their own average.
  ((all == 1)) || on "$all" heat "${more[@]}" hybrid
  on "$all" paper-cuda "${thermo[@]}" "${products[@]}"
  on "$all" grids-cuda "${cases[@]}"
}

# The last of the devices fails; the program tells the line and the device.
section_fault() {
  local how text state
  [[ -x $bin/fault ]] || return 0
  for how in "" kernel copies spread; do
    left "fault $how" || return 0
    text=$log/fault.$how
    # shellcheck disable=SC2086
    with "$all" timeout -k 5 60 "$bin/fault" $how >"$text" 2>&1
    local code=$?
    state=BAD
    if [[ -z $how ]]; then
      if ((code == 0)) && grep -qx right "$text"; then state=ok; fi
    elif ((code != 0 && code != 124 && code != 137)) &&
      ! grep -qx after "$text"; then
      # On the host a wild store takes the process along. Where copies follow,
      # the first that notices may be another device.
      if [[ $device == host ]] || { grep -q 'fault-devices\.c:' "$text" &&
        { [[ $how == copies ]] || grep -q "device $((all - 1))" "$text"; }; }
      then state=ok; fi
    fi
    verdict "fault${how:+-$how}" "$all" "$state"
    [[ $state == ok ]] || tail -n 8 "$text" | sed 's/^/# /'
  done
}

# each_random NAME GPUS SHARE COMMAND...: all random programs at once, on so
# many GPUs, each as so many devices.
each_random() {
  local name=$1 gpus=$2 each=$3 program state i jobs=() names=()
  local devices=$((gpus * each)) text
  shift 3
  left "$name on $devices" || return 0
  for program in "$bin"/../acc-many-random-*; do
    [[ -x $program ]] || continue
    names+=("${program##*random-}")
    with "$gpus" env "ACCX_CUDA_SHARE=$each" "ACCX_HOST_DEVICES=$devices" \
      timeout -k 5 "${LIMIT:-120}" "$@" "$program" \
      >"$log/$name.${program##*random-}.$devices" 2>&1 &
    jobs+=($!)
  done
  for i in "${!jobs[@]}"; do
    text=$log/$name.${names[$i]}.$devices
    state=ok
    wait "${jobs[$i]}" || state=BAD
    # A program that finds no device has no case, and ends well.
    grep -q "cases right on $devices device" "$text" || state=BAD
    sed -n 's/.* cases right.*/# &/p' "$text"
    verdict "$name-${names[$i]}" "$devices" "$state"
    [[ $state == ok ]] || tail -n 5 "$text" | sed 's/^/# /'
  done
}
# Some cases need four devices: fewer GPUs are also taken as more devices.
four=1
((all >= 4)) || four=$(((3 + all) / all))
section_random() {
  local n
  if ((share > 1)); then
    each_random random 1 "$all"
    return
  fi
  for n in "${counts[@]}"; do
    ((n == 1)) || each_random random "$n" 1
  done
  ((four == 1)) || each_random random "$all" "$four"
}
section_memcheck() {
  command -v compute-sanitizer >/dev/null || return 0
  local gpus=$all
  if ((share > 1)); then gpus=1 four=4; fi
  LIMIT=150 each_random memcheck "$gpus" "$four" compute-sanitizer \
    --tool memcheck --error-exitcode 9
}

# ranks COUNT PROGRAM ARGUMENT...: of bench/events, a rank a device.
ranks() {
  local count=$1 program=$2
  shift 2
  [[ -x $events/$program ]] || return 0
  left "$program $*" || return 0
  with "$count" timeout -k 5 150 "${start[@]}" -n "$count" \
    "$events/$program" "$@" \
    2>"$log/$program.err" | tee -a "$lines"
  ((PIPESTATUS[0] == 0)) && return 0
  bad=1
  echo "RESULT,scale-run,$program,$count,0,exit status,BAD" | tee -a "$lines"
  tail -n 5 "$log/$program.err" | sed 's/^/# /'
}
events=${ACCX_EVENTS_BIN:-$bin/../events}
read -r -a start <<<"${ACCX_MPIRUN:-}"
if ((${#start[@]} == 0)); then
  mpirun=$(command -v mpirun.openmpi || command -v mpirun || true)
  start=("$mpirun" --allow-run-as-root --oversubscribe --bind-to none)
fi
section_messages() {
  ((all > 1)) && [[ -n ${start[0]} ]] || return 0
  ranks 2 messages "${messages[@]}"
}
planes() {
  local n
  ((all > 1)) && [[ -n ${start[0]} ]] || return 0
  for n in "${counts[@]}"; do
    ((n > 1)) || continue
    ranks "$n" himeno "$@"
    ranks "$n" himeno-cuda "$@"
  done
}
section_himeno() { planes "${himeno[@]}"; }
section_xl() { planes "${xl[@]}"; }
section_huge() {
  local n
  for n in "${counts[@]}"; do
    on "$n" loops "${huge_loops[@]}"
    on "$n" grids "${huge_grids[@]}"
  done
  on "$all" loops-cuda "${huge_loops[@]}"
  on "$all" grids-cuda "${huge_grids[@]}"
}

for section in "${sections[@]}"; do
  declare -F "section_$section" >/dev/null || {
    echo "scale: no section '$section'" >&2
    exit 2
  }
  begin=$SECONDS
  "section_$section"
  echo "# $section: $((SECONDS - begin)) s"
done
if command -v python3 >/dev/null; then
  python3 "$here/model.py" "$lines" >"$results/model" || true
  grep error "$results/model"
  python3 "$here/table.py" "$lines" >"$results/table" || bad=1
  cat "$results/table"
else
  grep ',BAD$' "$lines"
fi
exit $bad
