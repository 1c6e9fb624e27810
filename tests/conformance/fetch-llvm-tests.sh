#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Obtains LLVM 19.1.7's offload tests from Debian's source package.
#
#   fetch-llvm-tests.sh [CACHE_DIR]      default: <repository>/build/conformance
#
# The last line of output is the directory of the tests. apt runs on a private
# configuration below CACHE_DIR, so neither root nor a change to the system's
# own source list is needed; signatures are checked with Debian's keyring.
#
# ACCX_DEBIAN_MIRROR  default http://deb.debian.org/debian
# ACCX_DEBIAN_SUITE   default the VERSION_CODENAME of this system

set -euo pipefail

Here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
Cache=${1:-$Here/../../build/conformance}
Package=llvm-toolchain-19
Version=19.1.7
Keyring=/usr/share/keyrings/debian-archive-keyring.gpg
Mirror=${ACCX_DEBIAN_MIRROR:-http://deb.debian.org/debian}
# shellcheck disable=SC1091 # read where the script runs
Suite=${ACCX_DEBIAN_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}

fail() {
  echo "fetch-llvm-tests: $*" >&2
  exit 1
}

mkdir -p "$Cache"
Cache=$(cd "$Cache" && pwd)
Tests=$Cache/llvm-$Version/offload/test
if [[ -f $Cache/llvm-$Version/complete ]]; then
  echo "$Tests"
  exit 0
fi

[[ -n $Suite ]] || fail "unknown Debian suite: set ACCX_DEBIAN_SUITE"
[[ -f $Keyring ]] || fail "missing $Keyring (package debian-archive-keyring)"

Apt=$Cache/apt
mkdir -p "$Apt"/{lists/partial,archives/partial,source,empty}
echo "deb-src [signed-by=$Keyring] $Mirror $Suite main" > "$Apt/sources.list"
: > "$Apt/status"
# The _apt user cannot enter a private directory; downloading as the caller
# also keeps apt quiet about it.
Options=(
  -q
  -o "Dir::Etc::SourceList=$Apt/sources.list"
  -o "Dir::Etc::SourceParts=$Apt/empty"
  -o "Dir::State::Lists=$Apt/lists"
  -o "Dir::State::Status=$Apt/status"
  -o "Dir::Cache=$Apt"
  -o "APT::Sandbox::User=$(id -un)"
  -o "Acquire::Retries=3"
  -o "APT::Get::List-Cleanup=false"
)
apt-get "${Options[@]}" update >&2 ||
  fail "apt-get update failed for $Mirror $Suite"
(cd "$Apt/source" &&
  apt-get "${Options[@]}" source --download-only "$Package" >&2) ||
  fail "apt-get source $Package failed"

Archive=$(find "$Apt/source" -name "${Package}_$Version.orig.tar.xz" -print)
[[ -n $Archive ]] || fail "$Suite has no $Package $Version: found only
$(ls "$Apt/source")"

rm -rf "$Cache/llvm-$Version" "$Cache/unpack"
mkdir -p "$Cache/unpack"
tar -xJf "$Archive" -C "$Cache/unpack" --strip-components=1 --wildcards \
  '*/offload/test/*' || fail "cannot unpack $Archive"
[[ -f $Cache/unpack/offload/test/lit.cfg ]] ||
  fail "$Archive holds no offload/test"
touch "$Cache/unpack/complete"
mv "$Cache/unpack" "$Cache/llvm-$Version"
# 160 MiB that nothing reads any more.
rm -rf "$Apt"
echo "$Tests"
