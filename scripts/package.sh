#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the Debian packages accx, accx-dev and, for each MPI library that was
# built for, accx-mpi-<library> of a built tree.
#
# Usage: scripts/package.sh [--lint] [--check] [FOLDER]
#   FOLDER   where they go; build/packages without it
#   --lint   look at them with lintian, which may find no error
#   --check  also install them in a clean Debian 12, as root: follow the
#            tutorial and run the examples there as a user, purge, look for what
#            is left. Takes minutes and a gigabyte of downloads.
#
# Everything lies under /usr/lib/accx, a prefix like any other; /usr/bin has
# links into it, so nothing of Debian's Clang or OpenMP is in the way.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
clean_settings

lint=0 check=0 out=build/packages
for argument in "$@"; do
  case $argument in
    --lint) lint=1 ;;
    --check) lint=1 check=1 ;;
    -*)
      sed -n 's/^# \{0,1\}//; 3,13p' "$0" >&2
      exit 2
      ;;
    *) out=$argument ;;
  esac
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
command -v dpkg-shlibdeps >/dev/null || {
  echo "package: needs dpkg-deb and dpkg-shlibdeps (Debian: dpkg-dev)" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build_tree release omptarget accx.rtl.host accx.rtl.cuda accx accxcc accxc++
# Messages are packages of their own: nothing else needs MPI.
messages=()
for name in openmpi mpich; do
  if ninja -C build -t query "accx-mpi-$name" >/dev/null 2>&1; then
    build_tree release "accx-mpi-$name"
    messages+=("accx-mpi-$name")
  fi
done
version=$(sed -n 's/^ *VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
arch=$(dpkg --print-architecture)
# The same tree gives the same packages.
date=$(git log -1 --format=%cd --date=rfc 2>/dev/null || date -R -r CMakeLists.txt)
SOURCE_DATE_EPOCH=$(date -d "$date" +%s)
export SOURCE_DATE_EPOCH

main=$work/accx dev=$work/accx-dev prefix=usr/lib/accx
cmake --install build --prefix "$main/$prefix" >/dev/null
rm -r "$main/$prefix/share"

# put <mode> <file> <place>: with the folders on the way.
put() { install -D -m "$1" "$2" "$3"; }

# ---- accx ----
mkdir -p "$main/usr/bin"
for driver in accxcc accxc++; do
  ln -s "../lib/accx/bin/$driver" "$main/usr/bin/$driver"
  "build/bin/$driver" --accx-help | scripts/manual.py "$driver" |
    gzip -9n >"$work/$driver.1.gz"
  put 644 "$work/$driver.1.gz" "$main/usr/share/man/man1/$driver.1.gz"
done
completions=$main/usr/share/bash-completion/completions
put 644 packaging/completion.bash "$completions/accxcc"
ln -s accxcc "$completions/accxc++"
while read -r file; do
  strip --strip-unneeded --remove-section=.comment --remove-section=.note "$file"
done < <(find "$main/$prefix" -type f \( -path '*/bin/*' -o -name '*.so*' \))
/usr/bin/python3 scripts/package-docs.py "$main" "$prefix"
/usr/bin/python3 scripts/check-links.py "$main/usr/share/doc/accx"

for package in "${messages[@]}"; do
  mkdir -p "$work/$package/$prefix/lib"
  mv "$main/$prefix/lib/lib$package.so" "$work/$package/$prefix/lib/"
done

# ---- accx-dev ----
mkdir -p "$dev/usr/lib/cmake/accx"
# The package's own files work from their prefix alone.
for file in accxConfig accxConfigVersion; do
  echo "include(\"/$prefix/lib/cmake/accx/$file.cmake\")" \
    >"$dev/usr/lib/cmake/accx/$file.cmake"
done
mkdir -p "$dev/$prefix/lib"
mv "$main/$prefix/lib/cmake" "$dev/$prefix/lib/cmake"
sed "s|^prefix=.*|prefix=/$prefix|" "$main/$prefix/lib/pkgconfig/accx.pc" >"$work/accx.pc"
rm -r "$main/$prefix/lib/pkgconfig"
put 644 "$work/accx.pc" "$dev/usr/share/pkgconfig/accx.pc"

# What the programs and libraries need, as Debian's own packages say it.
mkdir -p "$work/debian"
cp packaging/control "$work/debian/control"
needs_of() {
  local objects
  mapfile -t objects < <(find "$1" -type f \( -path '*/bin/*' -o -name '*.so*' \))
  [[ ${#objects[@]} -eq 0 ]] || (cd "$work" &&
    dpkg-shlibdeps -O --ignore-missing-info -l"$main/$prefix/lib" \
      "${objects[@]/#/-e}" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
}

# stanza <package>: its fields in packaging/control.
stanza() { awk -v RS= -v name="$1" '$0 ~ "^Package: " name "\n"' packaging/control; }

for package in accx accx-dev "${messages[@]}"; do
  root=$work/$package doc=$work/$package/usr/share/doc/$package
  needs=$(needs_of "$root")
  put 644 packaging/copyright "$doc/copyright"
  sed "s/@VERSION@/$version/; s/@DATE@/$date/" packaging/changelog |
    gzip -9n >"$doc/changelog.gz"
  chmod 644 "$doc/changelog.gz"
  find "$root" -type d -exec chmod 755 {} +
  find "$root" -type f ! -perm /111 -exec chmod 644 {} +
  find "$root" -type f -perm /111 -exec chmod 755 {} +
  find "$root" -name '*.so*' -type f -exec chmod 644 {} +
  mkdir -m 755 "$root/DEBIAN"
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) \
    >"$work/md5sums"
  {
    echo "Package: $package"
    echo "Source: accx"
    echo "Version: $version"
    sed -n '/^Section:/p; /^Priority:/p; /^Maintainer:/p' packaging/control
    echo "Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)"
    stanza "$package" | sed "/^Package:/d; s/^Architecture: any/Architecture: $arch/
      s/\${shlibs:Depends}/$needs/; s/\${version}/$version/g"
  } >"$root/DEBIAN/control"
  put 644 "$work/md5sums" "$root/DEBIAN/md5sums"
  find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  rm -f "$out/$package"_*.deb
  of=$(sed -n 's/^Architecture: //p' "$root/DEBIAN/control")
  dpkg-deb --root-owner-group -Zxz --build "$root" \
    "$out/${package}_${version}_$of.deb" >/dev/null
done

# What users find them by, and that nothing lies where Debian's Clang has its
# own.
dpkg-deb -c "$out/accx_${version}_$arch.deb" >"$work/contents"
dpkg-deb -c "$out/accx-dev_${version}_all.deb" >>"$work/contents"
for package in "${messages[@]}"; do
  dpkg-deb -c "$out/${package}_${version}_$arch.deb" >>"$work/contents"
done
for file in usr/bin/accxcc usr/bin/accxc++ usr/lib/accx/bin/accxcc \
  usr/lib/accx/lib/{libaccx.so,libomptarget.so,libomptarget.so.19.1} \
  usr/lib/accx/lib/libaccx.rtl.{host,cuda}.so usr/lib/accx/include/openacc.h \
  usr/share/man/man1/{accxcc,accxc++}.1.gz usr/share/pkgconfig/accx.pc \
  usr/share/bash-completion/completions/{accxcc,accxc++} \
  usr/lib/cmake/accx/accxConfig.cmake; do
  grep -qF " ./$file" "$work/contents" || {
    echo "package: no $file" >&2
    exit 1
  }
done
if awk '{ print $6 }' "$work/contents" | grep -v '/$' | grep -vE \
  '^./usr/(bin/accxc|lib/accx/|lib/cmake/accx/|share/(man/man1/accxc|doc/accx|bash-completion/completions/accxc|pkgconfig/accx.pc))'; then
  echo "package: the above lie where they must not" >&2
  exit 1
fi
ls -l "$out"/*.deb

if [[ $lint -ne 0 ]]; then
  command -v lintian >/dev/null || {
    echo "package: install lintian to check the packages" >&2
    exit 1
  }
  lintian --allow-root --fail-on error "$out"/*.deb
  echo "package: lintian finds no error"
fi
if [[ $check -ne 0 ]]; then
  scripts/package-check.sh "$out"
fi
