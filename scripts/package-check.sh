#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs accx's packages in a clean Debian 12. A user there follows the
# installed tutorial, compiles and runs the installed examples, and builds a
# project with the CMake package and one with pkg-config. Then the packages are
# purged, and the root's files compared with those before. Needs root and
# debootstrap.
#
# Usage: scripts/package-check.sh FOLDER [ROOT]
#   FOLDER  where the packages are
#   ROOT    a clean Debian 12 that is there already; it is used, and stays
set -euo pipefail

packages=$(cd "${1:?usage: package-check.sh FOLDER [ROOT]}" && pwd)
root=${2:-}
[[ $(id -u) -eq 0 ]] || {
  echo "package-check: needs root, for debootstrap and chroot" >&2
  exit 1
}

mounted=0
leave() {
  if [[ $mounted -ne 0 ]]; then umount "$root/dev/shm" "$root/proc"; fi
  if [[ -n ${scratch:-} ]]; then rm -rf --one-file-system "$scratch"; fi
}
trap leave EXIT
# A signal alone would leave what is mounted.
trap 'exit 1' HUP INT TERM
if [[ -z $root ]]; then
  command -v debootstrap >/dev/null || {
    echo "package-check: install debootstrap" >&2
    exit 1
  }
  scratch=$(mktemp -d -p /var/tmp)
  root=$scratch/root
  mkdir "$scratch/cache"
  # A mirror that hangs or breaks off gets another try; what came is kept.
  for try in 1 2 3; do
    rm -rf --one-file-system "$root"
    if timeout 900 debootstrap --variant=minbase --cache-dir="$scratch/cache" \
      bookworm "$root" >"$scratch/debootstrap.log" 2>&1; then
      break
    fi
    tail -n 5 "$scratch/debootstrap.log" >&2
    echo "package-check: debootstrap failed $try of 3 times" >&2
    if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
    if [[ $try -eq 3 ]]; then exit 1; fi
  done
fi
# The drivers find their prefix through /proc; libomp wants shared memory.
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mounted=1
mkdir -p "$root/packages"
cp "$packages"/accx*.deb "$root/packages/"
cp /etc/resolv.conf "$root/etc/resolv.conf"

enter=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
  DEBIAN_FRONTEND=noninteractive chroot "$root")
inside() { "${enter[@]}" "$@"; }
# apt <argument>...: with further tries where the network fails.
apt() {
  inside apt-get -q -q -y -o Acquire::Retries=5 -o Acquire::http::Timeout=60 \
    -o Dpkg::Use-Pty=0 "$@" >"$root/packages/apt.log" 2>&1 || {
    tail -n 20 "$root/packages/apt.log" >&2
    echo "package-check: apt-get $1 failed" >&2
    exit 1
  }
}
# state: every file, with owner, mode, size and time, and every package. Logs and
# caches of dpkg, apt and the loader tell of any package, and are left out.
state() {
  inside find / -xdev \( -path /packages -o -path /proc -o -path /dev \
    -o -path /var/log -o -path /var/cache -o -path /var/lib/apt \
    -o -path '/var/lib/dpkg/status*' -o -path '/var/lib/dpkg/lock*' \
    -o -path /var/lib/dpkg/triggers -o -path /etc/ld.so.cache \) -prune \
    -o -type d -printf 'd %m %u %g %p\n' \
    -o -printf '%y %m %u %g %s %T@ %p %l\n' | sort
  inside dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n'
}

# What the packages need comes first, so that the comparison is about them alone.
echo "package-check: install"
apt update
apt install --no-install-recommends cmake make pkg-config
for package in "$root"/packages/accx*.deb; do
  needs=$(dpkg-deb -f "$package" Depends | sed 's/\baccx ([^)]*),* *//g')
  if [[ -n $needs ]]; then apt satisfy --no-install-recommends "$needs"; fi
done
inside sh -c 'id tester >/dev/null 2>&1 || useradd -m -s /bin/bash tester'
state >"$root/packages/before"
debs=("$root"/packages/accx*.deb)
apt install --no-install-recommends "${debs[@]#"$root"}"

cat >"$root/packages/user.sh" <<'USER'
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
accxcc --version | head -n 1
export OMP_TARGET_OFFLOAD=MANDATORY
for folder in /usr/share/doc/accx/examples/*; do
  for source in "$folder"/*.c "$folder"/*.cpp; do
    [ -e "$source" ] || continue
    compiler=accxcc
    case $source in *.cpp) compiler=accxc++ ;; esac
    $compiler -O2 "$source" -o program -lm
    timeout 300 ./program >output || {
      cat output
      echo "package-check: $source fails"
      exit 1
    }
    if grep -q '^RESULT,.*,BAD$' output; then
      cat output
      exit 1
    fi
    echo "package-check: $source runs"
  done
done
cat >saxpy.c <<'C'
#include <openacc.h>
#include <stdio.h>
int main(void) {
  float x[100], y[100];
  int on_device = 0, right = 0;
  for (int i = 0; i < 100; ++i)
    x[i] = i, y[i] = 1;
#pragma acc parallel loop copyin(x) copy(y, on_device)
  for (int i = 0; i < 100; ++i) {
    y[i] += 2 * x[i];
    if (i == 0)
      on_device = acc_on_device(acc_device_not_host);
  }
  for (int i = 0; i < 100; ++i)
    right += y[i] == 2 * i + 1;
  printf("%d right, on a device: %d\n", right, on_device);
  return right != 100 || !on_device;
}
C
clang-19 $(pkg-config --cflags accx) saxpy.c $(pkg-config --libs accx) -o saxpy
./saxpy
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(saxpy C)
find_package(accx REQUIRED)
add_executable(by-package saxpy.c)
target_link_libraries(by-package PRIVATE accx::openacc)
CMAKE
cmake -B out -DCMAKE_C_COMPILER=clang-19 >cmake.log || {
  cat cmake.log
  exit 1
}
cmake --build out >build.log || {
  cat build.log
  exit 1
}
out/by-package
cmake -B driver -DCMAKE_C_COMPILER=accxcc >cmake.log 2>&1
cmake --build driver >build.log
driver/by-package
ldd out/by-package | grep -q '/usr/lib/accx/lib/libomptarget'
USER
echo "package-check: follow the tutorial as a user"
pages=$root/usr/share/doc/accx
inside su tester -c 'cp -r /usr/share/doc/accx/examples/tutorial ~/tutorial'
printf 'cd ~/tutorial && export OMP_TARGET_OFFLOAD=MANDATORY && eval "$1"\n' \
  >"$root/packages/step.sh"
here=$(dirname "$0")
/usr/bin/python3 "$here/follow-page.py" "$pages/tutorial.md" \
  "${enter[@]}" su tester /packages/step.sh
inside su tester -c 'rm -r ~/tutorial'
/usr/bin/python3 "$here/check-links.py" "$pages"
echo "package-check: compile and run as a user"
inside su tester -c 'bash /packages/user.sh'
# Containers may keep manual pages out; this root does not.
for page in accxcc accxc++; do
  test -s "$root/usr/share/man/man1/$page.1.gz" || {
    echo "package-check: no manual page $page" >&2
    exit 1
  }
done

echo "package-check: purge"
mapfile -t names < <(for deb in "${debs[@]}"; do dpkg-deb -f "$deb" Package; done)
inside apt-get -q -q -y -o Dpkg::Use-Pty=0 purge "${names[@]}" >/dev/null
state >"$root/packages/after"
if ! diff "$root/packages/before" "$root/packages/after" >&2; then
  echo "package-check: purged, and the above is different" >&2
  exit 1
fi
echo "package-check: passed"
