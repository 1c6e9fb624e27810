#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packs what a GPU node without LLVM needs to run accx's GPU tests and
# benchmarks: programs compiled for the GPU, the runtime, the plugins, libomp.
#
# Usage: scripts/gpu-bundle.sh DIR
# On the node: DIR/run.sh [tests|bench] [name...]
#
# Variables: ACCX_BUILD (build tree, default build), ACCX_GPU_ARCH (sm_90),
# CUDA_PATH (/usr/local/cuda), ACCX_JOBS.
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: ${0##*/} DIR" >&2
  exit 2
fi
mkdir -p "$1"
bundle=$(cd "$1" && pwd)
# It is emptied first: only an empty folder, or one that was a bundle.
if [[ ! -e $bundle/run.sh && -n $(ls -A "$bundle") ]]; then
  echo "${0##*/}: $bundle is neither empty nor a bundle" >&2
  exit 1
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${ACCX_BUILD:-build}
arch=${ACCX_GPU_ARCH:-sm_90}
cuda=${CUDA_PATH:-/usr/local/cuda}
jobs=${ACCX_JOBS:-$(nproc)}
llvm_lib=$(llvm-config-19 --libdir)
for file in "$build/lib/libomptarget.so.19.1" "$build/lib/libaccx.rtl.cuda.so"; do
  [[ -e $file ]] || {
    echo "${0##*/}: no $file; build accx first" >&2
    exit 1
  }
done

rm -rf "${bundle:?}/lib" "${bundle:?}/bin" "${bundle:?}/log"
cp tests/gpu/run.sh "$bundle/run.sh"
# shellcheck source=bench/common/header.sh
source bench/common/header.sh
accx_mark >"$bundle/mark"
mkdir -p "$bundle/lib" "$bundle/bin/host"
for name in libomptarget.so.19.1 libaccx.rtl.cuda.so libaccx.rtl.host.so; do
  cp -L "$build/lib/$name" "$bundle/lib/"
done
ln -s libomptarget.so.19.1 "$bundle/lib/libomptarget.so"
# Messages need an Open MPI 4 of the node.
half=$build/lib/libaccx-mpi-openmpi.so
messages=()
if [[ -e $half ]] && command -v mpicc.openmpi >/dev/null; then
  cp -L "$half" "$bundle/lib/"
  read -r -a messages < <(mpicc.openmpi --showme:compile)
  read -r -a library < <(mpicc.openmpi --showme:link)
  messages+=("$half" "${library[@]}")
fi
cp -L "$llvm_lib/libomp.so.5" "$bundle/lib/"
strip --strip-unneeded "$bundle"/lib/*.so.* "$bundle"/lib/libaccx*.so

common=(-O2 -g1 -w -fopenmp -Iinclude -Iexamples/demo "-L$bundle/lib")
# shellcheck disable=SC2016
common+=('-Wl,-rpath,$ORIGIN/../lib:$ORIGIN/../../lib')
gpu=(-fopenmp-targets=nvptx64-nvidia-cuda "--offload-arch=$arch"
  "--libomptarget-nvptx-bc-path=$llvm_lib" "--cuda-path=$cuda")
host=(-fopenmp-targets=x86_64-pc-linux-gnu)

compiler() {
  if [[ $1 == *.cpp ]]; then echo clang++-19; else echo clang-19; fi
}

# flags_of <source>: what its own RUN line passes beside the usual.
flags_of() {
  sed -n 's,^// RUN: %clang\(xx\)\? \(.*\) %s.*,\2,p' "$1" | head -n 1 |
    tr ' ' '\n' | grep -e '^-fopenmp-' || true
}

# compile_acc <name> <source>: an OpenACC program, with the driver. Programs with
# messages are called mpi-<name>.
compile_acc() {
  local driver=accxcc more=()
  if [[ $1 == mpi-* ]]; then more=("${messages[@]}"); fi
  if [[ $2 == *.cpp ]]; then driver=accxc++; fi
  # shellcheck disable=SC2016
  CUDA_PATH=$cuda "$build/bin/$driver" "--accx-targets=$arch" -O2 -g1 -w "$2" \
    -o "$bundle/bin/$1" '-Wl,-rpath,$ORIGIN/../lib' "${more[@]}" -lm
}

# A source becomes bin/<name>; programs that compare themselves with the host
# device also become bin/host/<name>.
compile() {
  local name=$1 source=$2 both=$3 extra
  mapfile -t extra < <(flags_of "$source")
  if [[ $both == archs ]]; then
    extra+=(--offload-arch=sm_75 --offload-arch=sm_80)
  fi
  "$(compiler "$source")" "${common[@]}" "${extra[@]}" "${gpu[@]}" \
    "$source" -o "$bundle/bin/$name" -lm || return 1
  if [[ $both == both ]]; then
    "$(compiler "$source")" "${common[@]}" "${extra[@]}" "${host[@]}" \
      "$source" -o "$bundle/bin/host/$name" -lm || return 1
  fi
}

running=0
failed=0
start() {
  local how=compile
  if [[ $1 == acc-* || $1 == mpi-* || $1 == waits-* ]]; then how=compile_acc; fi
  if ((running == jobs)); then
    wait -n || failed=1
    running=$((running - 1))
  fi
  "$how" "$@" &
  running=$((running + 1))
}

for source in tests/gpu/*.c tests/gpu/objects.cpp; do
  name=$(basename "${source%.*}")
  start "$name" "$source" gpu
done
for source in examples/demo/*.c; do
  name=$(basename "${source%.*}")
  start "demo-$name" "$source" gpu
done
for source in tests/gpu/openacc/*.c tests/frontend/rows.c \
  tests/frontend/private-arrays.c examples/openacc/*.c \
  examples/openacc/*.cpp; do
  name=$(basename "${source%.*}")
  start "acc-$name" "$source"
done
for source in examples/many-devices/*.c; do
  name=$(basename "${source%.*}")
  start "acc-many-$name" "$source"
done
start acc-deviceid tests/frontend/deviceid.c
start acc-many-queue-orders tests/programs/faults/queue-orders.c
start acc-reduced tests/programs/mapping/reduced.c
start acc-promoted tests/passes/gridtune/checked-promotion/promoted.c
for source in examples/events/*.c; do
  name=$(basename "${source%.*}")
  if ! grep -q 'accx/mpi\.h' "$source"; then
    start "acc-events-$name" "$source"
  elif ((${#messages[@]})); then
    start "mpi-$name" "$source"
  fi
done
start acc-events-cpp tests/programs/events/cpp-events.cpp
# Random programs for several devices, some with arrays of several MiB.
random=$(mktemp -d)
trap 'rm -rf "$random"' EXIT
for seed in 1 2 3 4 5 6; do
  python3 tests/random/random_spread.py "$seed" 50 --large \
    >"$random/$seed.c"
  start "acc-many-random-$seed" "$random/$seed.c"
done
# Random time loops with launches of several steps.
python3 tests/random/random_steps.py 1 30 >"$random/steps.c"
start acc-steps "$random/steps.c"
# Random programs that show whether regions are waited for in time.
for seed in 2 5; do
  python3 tests/random/random_waits.py --print --seed "$seed" --cases 8 \
    >"$random/waits-$seed.cpp"
  start "waits-$seed" "$random/waits-$seed.cpp"
done
start spread tests/programs/spread/entries.c gpu
# Programs of one source that print the same on every device, and want one.
for name in deep.cpp device-pointers.c hold.c heap.cpp indirect.cpp \
  lambdas.cpp mappers.cpp noncontiguous.c nowait.c partial.c; do
  start "runtime-${name%.*}" "tests/programs/runtime/$name" both
done
# One program for several architectures: the runtime takes what fits.
start archs examples/demo/vecadd.c archs
start bench-accx tests/gpu/bench/accx.cpp both
start bench-stencil bench/stencil/stencil.c gpu
while ((running)); do
  wait -n || failed=1
  running=$((running - 1))
done
((failed == 0)) || {
  echo "${0##*/}: a program does not compile" >&2
  exit 1
}

for name in plugin share; do
  clang++-19 -std=c++20 -O2 -Iinclude "tests/gpu/$name.cpp" -ldl \
    -o "$bundle/bin/$name"
done
cp tests/gpu/overlap.py bench/common/header.sh "$bundle/bin/"
plugin=libomptarget-plugin/cuda
for name in driver commit; do
  clang++-19 -std=c++20 -O2 -Iinclude -I$plugin "tests/gpu/bench/$name.cpp" \
    $plugin/Driver.cpp $plugin/Status.cpp -ldl -o "$bundle/bin/bench-$name"
done
"$cuda/bin/nvcc" -O3 "-arch=$arch" -cubin -o "$bundle/bin/rival.cubin" \
  tests/gpu/bench/rival.cu
# The benchmarks of events have their own list, which is taken along.
mkdir -p "$bundle/bin/events"
# shellcheck disable=SC2016
ACCX_BUILD=$build ACCX_DEVICE=cuda ACCX_CUDA_ARCH=$arch ACCX_EVENTS_ONLY=build \
  ACCX_EVENTS_BIN=$bundle/bin/events \
  ACCX_EVENTS_LINK='-g1 -w -Wl,-rpath,$ORIGIN/../../lib' bash bench/events/run.sh
cp bench/events/all.sh "$bundle/bin/events/"
# So have those of several devices.
# shellcheck disable=SC2016
ACCX_BUILD=$build ACCX_DEVICE=cuda ACCX_CUDA_ARCH=$arch ACCX_SCALE_ONLY=build \
  ACCX_SCALE_BIN=$bundle/bin/scale \
  ACCX_SCALE_LINK='-g1 -w -Wl,-rpath,$ORIGIN/../../lib' bash bench/scale/run.sh
cp bench/scale/{all.sh,results.py,table.py,model.py} "$bundle/bin/scale/"
strip --strip-debug "$bundle"/bin/host/* "$bundle"/bin/waits-* "$bundle"/bin/plugin \
  "$bundle"/bin/share "$bundle"/bin/bench-{driver,commit}
du -sh "$bundle"
