# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# The head of a log of benchmarks, from which scripts/bench-table.py knows what
# was measured where; scripts/bench.sh and the bundles for GPU nodes source it.

# accx_mark: the state of accx, for who stands at the top of its tree: the commit,
# or in an unpacked archive the version.
accx_mark() {
  git describe --always --dirty 2>/dev/null ||
    sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt
}

# hardware DEVICE: this machine's GPUs, or its processor, and how many cores.
hardware() {
  local name gpus cores
  # nproc counts threads of OpenMP where a setting says how many.
  cores=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
  name=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | sort -u | head -n 1)
  if [[ $1 == cuda ]]; then
    gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null ||
      sed -n 's/^Model: *//p' /proc/driver/nvidia/gpus/*/information \
        2>/dev/null) || true
    name=$(sort <<<"${gpus:-GPU}" | uniq -c | sed 's/^ *//' | paste -sd+)
  fi
  echo "${name:-$(uname -m)}, $cores cores"
}

# conditions: the settings of the caller that change what is measured.
conditions() {
  local name found=()
  for name in OMP_NUM_THREADS ACCX_HOST_DEVICES ACCX_CUDA_SHARE ACCX_DIRECTORY; do
    if [[ -n ${!name:-} ]]; then found+=("$name=${!name}"); fi
  done
  echo "${found[*]}"
}

# run_header DEVICE MARK
run_header() {
  echo "#: accx $2"
  echo "#: hardware $(hardware "$1")"
  echo "#: conditions $(conditions)"
}
