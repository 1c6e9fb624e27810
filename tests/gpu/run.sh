#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the GPU tests or benchmarks of a bundle made by scripts/gpu-bundle.sh.
#
# Usage: run.sh [tests|bench] [name...]; variables: SANITIZE=1 also runs some
# tests under compute-sanitizer. Prints a RESULT line each; logs are in log/.
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

# compare <name>: the same program on one host device says the same.
compare() {
  local name=$1 begin verdict=ok
  wanted "$name" || return 0
  begin=$(now)
  timeout -k 5 120 "$here/bin/$name" >"$log/$name.cuda" 2>&1
  local code=$?
  LIBOMPTARGET_PLUGIN=host ACCX_HOST_DEVICES=1 timeout -k 5 120 \
    "$here/bin/host/$name" >"$log/$name.host" 2>&1
  local expected=$?
  [[ $code == "$expected" ]] &&
    cmp -s "$log/$name.cuda" "$log/$name.host" || verdict=BAD
  report "$name" cuda "$(since "$begin")" "$verdict"
  [[ $verdict == ok ]] || {
    echo "exit codes: cuda $code, host $expected"
    diff "$log/$name.host" "$log/$name.cuda" | head -n 8
  }
}

tests() {
  local name path
  run plugin plugin "$here/bin/plugin" "$here/lib/libaccx.rtl.cuda.so"
  for name in regions transfers tasks objects; do
    run "$name" mirror "$here/bin/$name"
    run "$name" fused env ACCX_DIRECTORY=fused "$here/bin/$name"
  done
  run transfers unpacked env ACCX_CUDA_PIECE_BYTES=0 "$here/bin/transfers"
  run transfers unstaged env ACCX_CUDA_COPY_THREADS=0 "$here/bin/transfers"
  run memory mirror "$here/bin/memory"
  dies memory exhaust "mapping .* bytes failed" "$here/bin/memory" exhaust
  dies trap trap CUDA_ERROR_ "$here/bin/trap"
  for path in "$here"/bin/demo-* "$here"/bin/acc-*; do
    run "$(basename "$path")" mirror "$path"
  done
  for path in "$here"/bin/host/runtime-*; do
    compare "$(basename "$path")"
  done
  [[ ${SANITIZE:-0} == 1 ]] || return 0
  for name in objects demo-vecadd demo-stencil demo-matmul tasks \
    acc-jacobi acc-matmul acc-reductions; do
    LIMIT=200 run "$name" memcheck compute-sanitizer --tool memcheck \
      --error-exitcode 9 "$here/bin/$name"
  done
}

bench() {
  wanted driver && { "$here/bin/bench-driver" "$here/bin/rival.cubin" || bad=1; }
  wanted accx && { "$here/bin/bench-accx" || bad=1; }
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
