#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From nothing to running offload programs: installs the packages, builds the
# runtime and the compiler, compiles examples/demo (OpenMP, with clang-19),
# examples/openacc, one of examples/many-devices and two of examples/events (with
# accxcc and accxc++), runs each program on the host devices and, where there is a
# GPU and a CUDA toolkit to compile for it, on the GPU, and prints a table of what
# they measured and verified.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
clean_settings

scripts/setup.sh
build_tree release omptarget accx.rtl.host accx accxcc accxc++

gpus=$(gpu_targets)
devices=(host)
if [[ -n $gpus ]]; then
  build_tree release accx.rtl.cuda
  devices+=(gpu)
  echo "demo: on host devices and on the GPU ($gpus)"
else
  echo "demo: on host devices; targets here: $(default_targets)"
fi

out=build/demo
mkdir -p "$out"
shopt -s nullglob
openmp=(examples/demo/*.c)
openacc=(examples/openacc/*.c examples/openacc/*.cpp
  examples/many-devices/spread-heat.c examples/events/outofcore.c
  examples/events/checkpoint.c)
if [[ ${#openmp[@]} -eq 0 || ${#openacc[@]} -eq 0 ]]; then
  echo "demo: no programs in examples/demo or examples/openacc" >&2
  exit 1
fi
sources=("${openmp[@]}" "${openacc[@]}")

# Our -L comes before clang's own folders: clang adds -lomptarget by itself and
# the first library of that name is the one linked.
compile() {
  local device=$1 source=$2 program=$3 targets=host
  if [[ $device == gpu ]]; then targets=$gpus; fi
  case $device:$source in
    *:*.cpp)
      build/bin/accxc++ "--accx-targets=$targets" -O3 -std=c++17 "$source" \
        -o "$program"
      ;;
    gpu:* | *:examples/openacc/* | *:examples/many-devices/* | *:examples/events/*)
      build/bin/accxcc "--accx-targets=$targets" -O3 -Iinclude "$source" \
        -o "$program" -lm
      ;;
    *)
      clang-19 -O3 -Iinclude -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
        "$source" -o "$program" -L"$root/build/lib" \
        -Wl,-rpath,"$root/build/lib" -lm
      ;;
  esac
}

# No fall-back to the host: a region either runs on a device or is an error.
run() {
  local plugin=host
  if [[ $1 == gpu ]]; then plugin=cuda; fi
  OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_PLUGIN=$plugin \
    ACCX_HOST_DEVICES=4 timeout 300 "$2"
}

bad=0
rows=()

# show <device> <source>: build and run it, and add its rows.
show() {
  local device=$1 source=$2 name program status=0 output results=0
  local tag bench impl size median metric verdict
  name=${source#examples/}
  name=${name%.*}
  program=$out/$device/$name
  mkdir -p "$(dirname "$program")"
  if ! compile "$device" "$source" "$program" ||
    ! uses_our_runtime "$program"; then
    rows+=("$name|$device|-|-|-|-|NOT BUILT")
    bad=1
    return
  fi
  output=$(run "$device" "$program") || status=$?
  while IFS=, read -r tag bench impl size median metric verdict; do
    [[ $tag == RESULT ]] || continue
    results=$((results + 1))
    [[ $verdict == ok ]] || bad=1
    rows+=("$bench|$device|$impl|$size|$median|$metric|$verdict")
  done <<<"$output"
  if [[ $status -ne 0 || $results -eq 0 ]]; then
    printf '%s\n' "$output"
    rows+=("$name|$device|-|-|-|-|EXIT $status, $results results")
    bad=1
  fi
}

for source in "${sources[@]}"; do
  echo "demo: $source"
  for device in "${devices[@]}"; do
    show "$device" "$source"
  done
done

echo
format='%-18s %-6s %-14s %15s %10s  %-26s %s\n'
# shellcheck disable=SC2059 # one format for the head and every row
printf "$format" program device implementation size 'median ms' metric verified
for row in "${rows[@]}"; do
  IFS='|' read -r -a cells <<<"$row"
  # shellcheck disable=SC2059
  printf "$format" "${cells[@]}"
done
echo
if [[ $bad -ne 0 ]]; then
  echo "demo: FAILED"
  exit 1
fi
echo "demo: ${#rows[@]} results, all verified, on 4 host devices${gpus:+ and $gpus}"
