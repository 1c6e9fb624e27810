#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the Debian packages that accx is built, tested and used with.
#
# Safe to run again: where every package is present it asks nothing of the
# network and needs no rights. Made for Debian 12.
set -euo pipefail

packages=(
  # The compiler, its linker tools, and what its plugins are built against.
  clang-19 clang-tools-19 lld-19 llvm-19 llvm-19-dev libclang-19-dev
  # libomp, which stays LLVM's, and the stock offload runtime to compare with.
  libomp-19-dev libomp5-19
  # Sanitizer run-times, checkers, lit and FileCheck with what they need.
  libclang-rt-19-dev clang-format-19 clang-tidy-19 llvm-19-tools
  python3 python3-psutil
  # Messages as events, for either MPI library.
  libopenmpi-dev openmpi-bin libmpich-dev mpich
  # Debuggers and profilers, which tests run on programs with kernels.
  gdb valgrind linux-perf
  # The documentation as web pages.
  python3-markdown
  # The build, and the libraries that only tests and tools use.
  cmake ninja-build g++ git catch2 nlohmann-json3-dev libfmt-dev ccache
  # Files past the page cache without a thread that waits for each.
  liburing-dev
)

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "setup: needs apt-get (Debian) to install: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: run as root or install sudo; missing: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "setup: installing ${missing[*]}"
# `env` because sudo drops variables set in front of it.
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
  apt-get -y -q -o Acquire::Retries=3 -o Dpkg::Use-Pty=0)
"${apt[@]}" update
"${apt[@]}" install --no-install-recommends "${missing[@]}"

for package in "${missing[@]}"; do
  is_installed "$package" || {
    echo "setup: $package is still not installed" >&2
    exit 1
  }
done
echo "setup: done"
