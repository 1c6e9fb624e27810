#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the GPU tests or benchmarks of a bundle made by scripts/gpu-bundle.sh.
#
# Usage: run.sh [tests|bench] [name...]; `bench scale [section...]` runs on all
# GPUs of the machine (bench/scale/all.sh). Variables: SANITIZE=1 also runs some
# tests under compute-sanitizer, SOAK is how many seconds memory is mapped and
# unmapped. Prints a RESULT line each; logs are in log/. What `bench` prints is a
# log that scripts/bench-table.py records.
# The exit code is 0 if everything is right.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kind=${1:-tests}
shift || true
only=("$@")
unset LD_LIBRARY_PATH LD_PRELOAD
export OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_PLUGIN=cuda
log=${ACCX_LOG:-$here/log}
mkdir -p "$log"
bad=0

wanted() {
  ((${#only[@]} == 0)) && return 0
  local name
  for name in "${only[@]}"; do
    [[ $1 == "$name" ]] && return 0
  done
  return 1
}

# report <name> <how> <seconds> <ok|BAD>
report() {
  echo "RESULT,$1,accx,$2,$(awk "BEGIN { print 1000 * $3 }"),test,$4"
  [[ $4 == ok ]] || bad=1
}

now() { date +%s.%N; }
since() { awk "BEGIN { print $(now) - $1 }"; }

# run <name> <how> <command...>: right when it ends with 0.
run() {
  local name=$1 how=$2 begin verdict=ok
  shift 2
  wanted "$name" || return 0
  begin=$(now)
  timeout -k 5 "${LIMIT:-120}" "$@" >"$log/$name.$how" 2>&1 || verdict=BAD
  report "$name" "$how" "$(since "$begin")" "$verdict"
  [[ $verdict == ok ]] || tail -n 12 "$log/$name.$how"
}

# dies <name> <how> <text> <command...>: right when it fails with that text,
# and did not get past the failure.
dies() {
  local name=$1 how=$2 text=$3 begin verdict=ok
  shift 3
  wanted "$name" || return 0
  begin=$(now)
  timeout -k 5 "${LIMIT:-120}" "$@" >"$log/$name.$how" 2>&1
  local code=$?
  ((code != 0 && code != 124 && code != 137)) || verdict=BAD
  grep -q "$text" "$log/$name.$how" || verdict=BAD
  grep -qx after "$log/$name.$how" && verdict=BAD
  report "$name" "$how" "$(since "$begin")" "$verdict"
  [[ $verdict == ok ]] || tail -n 12 "$log/$name.$how"
}

# compare <name>: the same program on one GPU and on one host device says the
# same, and both end with 0.
compare() {
  local name=$1 begin verdict=ok
  wanted "$name" || return 0
  begin=$(now)
  CUDA_VISIBLE_DEVICES=0 timeout -k 5 120 "$here/bin/$name" >"$log/$name.cuda" 2>&1
  local code=$?
  LIBOMPTARGET_PLUGIN=host ACCX_HOST_DEVICES=1 timeout -k 5 120 \
    "$here/bin/host/$name" >"$log/$name.host" 2>&1
  local expected=$?
  [[ $code == 0 && $expected == 0 ]] &&
    cmp -s "$log/$name.cuda" "$log/$name.host" || verdict=BAD
  report "$name" cuda "$(since "$begin")" "$verdict"
  [[ $verdict == ok ]] || {
    echo "exit codes: cuda $code, host $expected"
    diff "$log/$name.host" "$log/$name.cuda" | head -n 8
  }
}

# waits <name>: the program says the same whether its regions are waited for at
# once, late, or late and as graphs of few launches or many.
waits() {
  local name=$1 begin verdict=ok setting
  wanted "$name" || return 0
  begin=$(now)
  ACCX_SYNC=1 timeout -k 5 120 "$here/bin/$name" >"$log/$name.wanted" 2>&1 ||
    verdict=BAD
  for setting in 0 1 8 64; do
    ACCX_GRAPH=$setting timeout -k 5 120 "$here/bin/$name" \
      >"$log/$name.graph$setting" 2>&1 || verdict=BAD
    cmp -s "$log/$name.wanted" "$log/$name.graph$setting" || verdict=BAD
  done
  report "$name" graphs "$(since "$begin")" "$verdict"
  [[ $verdict == ok ]] || diff "$log/$name.wanted" "$log/$name.graph1" | head -n 8
}

tests() {
  local name path
  run plugin plugin "$here/bin/plugin" "$here/lib/libaccx.rtl.cuda.so"
  run share processes "$here/bin/share" "$here/lib/libaccx.rtl.cuda.so"
  for name in regions transfers tasks objects; do
    run "$name" mirror "$here/bin/$name"
    run "$name" fused env ACCX_DIRECTORY=fused "$here/bin/$name"
  done
  run transfers unpacked env ACCX_CUDA_PIECE_BYTES=0 "$here/bin/transfers"
  run transfers unstaged env ACCX_CUDA_COPY_THREADS=0 "$here/bin/transfers"
  run memory mirror "$here/bin/memory"
  dies memory exhaust "mapping .* bytes failed" "$here/bin/memory" exhaust
  dies trap trap CUDA_ERROR_ "$here/bin/trap"
  dies trap place 'trap.c:10' "$here/bin/trap"
  dies assert words 'i < limit' "$here/bin/assert"
  dies assert place 'assert.c:12' "$here/bin/assert"
  # The last device there is fails.
  for name in kernel copies spread; do
    dies acc-fault-devices "$name" 'fault-devices\.c:' \
      "$here/bin/acc-fault-devices" "$name"
  done
  run shared mirror "$here/bin/shared"
  run archs mirror "$here/bin/archs"
  LIMIT=$((${SOAK:-10} + 60)) run soak mirror "$here/bin/soak" "${SOAK:-10}"
  for path in "$here"/bin/demo-* "$here"/bin/acc-*; do
    run "$(basename "$path")" mirror "$path"
  done
  # Ranks share the GPU.
  local mpirun
  if mpirun=$(command -v mpirun.openmpi || command -v mpirun); then
    for path in "$here"/bin/mpi-*; do
      [[ -x $path ]] || continue
      for name in 2 4; do
        run "$(basename "$path")" "ranks$name" "$mpirun" --allow-run-as-root \
          --oversubscribe --bind-to none -n "$name" "$path"
      done
    done
  fi
  # One GPU as several devices.
  for path in "$here"/bin/acc-many-* "$here/bin/acc-deviceid"; do
    for name in 2 3 4; do
      run "$(basename "$path")" "share$name" env "ACCX_CUDA_SHARE=$name" "$path"
    done
  done
  for name in 1 2 3; do
    run spread "share$name" env "ACCX_CUDA_SHARE=$name" "$here/bin/spread"
  done
  run acc-overlap trace env "ACCX_TRACE=$log/overlap.json" "$here/bin/acc-overlap"
  wanted acc-overlap &&
    run acc-overlap inside python3 "$here/bin/overlap.py" "$log/overlap.json"
  for path in "$here"/bin/host/runtime-*; do
    compare "$(basename "$path")"
  done
  for path in "$here"/bin/waits-*; do
    waits "$(basename "$path")"
  done
  [[ ${SANITIZE:-0} == 1 ]] || return 0
  export ACCX_CUDA_SHARE=2
  for path in "$here"/bin/acc-many-* "$here/bin/acc-deviceid" \
    "$here/bin/spread"; do
    LIMIT=300 run "$(basename "$path")" memcheck2 compute-sanitizer \
      --tool memcheck --error-exitcode 9 "$path"
  done
  unset ACCX_CUDA_SHARE
  for path in "$here/bin/objects" "$here/bin/tasks" "$here"/bin/demo-* \
    "$here"/bin/acc-*; do
    LIMIT=300 run "$(basename "$path")" memcheck compute-sanitizer \
      --tool memcheck --error-exitcode 9 "$path"
  done
}

# The forms of the plane-streaming stencil, alternating.
stencil() {
  local n form round verdict
  for n in 256 1024; do
    for round in 1 2 3; do
      for form in one two partial resident; do
        verdict=ok
        STENCIL_CELLS=1 "$here/bin/bench-stencil" "$form" "$n" 66 5 \
          >"$log/stencil-$form-$n.$round" 2>&1 || verdict=BAD
        echo "$n $form $verdict $(sed -n 's/^MEASURE,ms,//p' \
          "$log/stencil-$form-$n.$round")"
      done
    done
  done | sort -s -k1,2 -k4n | awk '
    { key = $1 " " $2; count[key]++; bad[key] += $3 != "ok"
      if (count[key] == 2) middle[key] = $4 }
    END { for (key in count) { split(key, part, " ")
        printf "RESULT,stencil,%s,%s,%s,ms,%s\n", part[2], part[1],
          middle[key], bad[key] ? "BAD" : "ok" } }' | sort -t, -k4n -k3 |
    tee "$log/stencil"
  ! grep -q 'BAD$' "$log/stencil" || bad=1
}

bench() {
  # shellcheck source=bench/common/header.sh
  source "$here/bin/header.sh"
  run_header cuda "$(<"$here/mark")"
  echo "#: bench driver"
  wanted driver && { "$here/bin/bench-driver" "$here/bin/rival.cubin" || bad=1; }
  wanted share && {
    "$here/bin/share" "$here/lib/libaccx.rtl.cuda.so" | grep ^RESULT
    ((PIPESTATUS[0] == 0)) || bad=1
    "$here/bin/bench-commit" || bad=1
  }
  wanted accx && { "$here/bin/bench-accx" || bad=1; }
  # What libomp takes for a task: there is no device to wait for here.
  wanted tasks && { LIBOMPTARGET_PLUGIN=host ACCX_HOST_DEVICES=1 \
    "$here/bin/host/bench-accx" chain | sed 's/,accx,/,accx on the host,/' ||
    bad=1; }
  wanted async && { "$here/bin/acc-async" || bad=1; }
  wanted stencil && {
    echo "#: bench stencil"
    stencil
  }
  # On 1, 2, 4 GPUs and so on; sections of bench/scale/all.sh may follow.
  if [[ ${only[0]:-} == scale ]]; then
    echo "#: bench scale"
    ACCX_SCALE_LOG=$log bash "$here/bin/scale/all.sh" "$here/bin/scale" cuda \
      "${only[@]:1}" || bad=1
    return
  fi
  wanted events && {
    echo "#: bench events"
    bash "$here/bin/events/all.sh" "$here/bin/events" cuda || bad=1
  }
  ((${#only[@]} > 0)) || {
    echo "#: bench scale"
    ACCX_SCALE_LOG=$log bash "$here/bin/scale/all.sh" "$here/bin/scale" cuda ||
      bad=1
  }
  true
}

case $kind in
  tests) tests ;;
  bench) bench ;;
  *)
    echo "usage: run.sh [tests|bench] [name...]" >&2
    exit 2
    ;;
esac
exit $bad
