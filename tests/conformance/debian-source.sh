# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Sourced by the fetch-*.sh: tests out of Debian's source packages. apt runs
# on a private configuration below the cache, so neither root nor a change to the
# system's own source list is needed; signatures are checked with Debian's
# keyring.
#
# ACCX_DEBIAN_MIRROR  default http://deb.debian.org/debian
# ACCX_DEBIAN_SUITE   default the VERSION_CODENAME of this system

fail() {
  echo "$(basename "$0" .sh): $*" >&2
  exit 1
}

# download_source CACHE PACKAGE PATTERN: prints the one downloaded file whose
# name matches PATTERN. CACHE/apt is the caller's to remove.
download_source() {
  local Apt=$1/apt Package=$2 Pattern=$3
  local Keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  local Mirror=${ACCX_DEBIAN_MIRROR:-http://deb.debian.org/debian}
  local Suite Archive Options
  # shellcheck disable=SC1091 # read where the script runs
  Suite=${ACCX_DEBIAN_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
  [[ -n $Suite ]] || fail "unknown Debian suite: set ACCX_DEBIAN_SUITE"
  [[ -f $Keyring ]] || fail "missing $Keyring (package debian-archive-keyring)"

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

  Archive=$(find "$Apt/source" -name "$Pattern" -print)
  [[ -n $Archive ]] || fail "$Suite has no $Pattern: found only
$(ls "$Apt/source")"
  echo "$Archive"
}

# fetch_tests PACKAGE VERSION SUFFIX NAME TESTS [CACHE]: prints the folder
# CACHE/NAME-VERSION/TESTS. Where it is not there, the caller's `unpack ARCHIVE
# FOLDER` takes it out of the package.
fetch_tests() {
  local Package=$1 Version=$2 Suffix=$3 Name=$4 Tests=$5
  local Cache=${6:-$(dirname "${BASH_SOURCE[0]}")/../../build/conformance}
  mkdir -p "$Cache"
  Cache=$(cd "$Cache" && pwd)
  local Tree=$Cache/$Name-$Version Fresh=$Cache/unpack Archive
  if [[ ! -f $Tree/complete ]]; then
    Archive=$(download_source "$Cache" "$Package" \
      "${Package}_$Version.orig.$Suffix")
    rm -rf "$Tree" "$Fresh"
    mkdir -p "$Fresh"
    unpack "$Archive" "$Fresh" || fail "cannot unpack $Archive"
    [[ -d $Fresh/$Tests ]] || fail "$Archive holds no $Tests"
    touch "$Fresh/complete"
    mv "$Fresh" "$Tree"
    # Up to 160 MiB that nothing reads any more.
    rm -rf "$Cache/apt"
  fi
  echo "$Tree/$Tests"
}
