#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every check there is, from a fresh clone: packages, build, ctest (Catch2 and
# lit), the unit tests under the sanitizers, formatting, clang-tidy, licence
# headers, and the example built against the installed package.
#
# Each check says how many seconds it took, and the summary lists them. The last
# line is `N passed, N failed`; the exit status is 0 when none failed.
# shellcheck disable=SC2317 # check() and counted() call these by name
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"
clean_settings

passed=0
failed=0
failures=()
times=()

heading() { printf '\n== %s ==\n' "$1"; }

# record <name> <passed> <failed> <seconds> [<what failed>]
record() {
  local word=ok
  passed=$((passed + $2))
  failed=$((failed + $3))
  if [[ $3 -ne 0 ]]; then
    word=FAILED
    failures+=("$1: $3 failed${5:+$'\n'$5}")
  fi
  times+=("$(printf '%6d s  %s' "$4" "$1")")
  echo "$word: $1, $2 passed, $3 failed ($4 s)"
}

# check <name> <command>...: one check that passes by exit status.
check() {
  local name=$1 start=$SECONDS
  shift
  heading "$name"
  if "$@"; then
    record "$name" 1 0 $((SECONDS - start))
  else
    record "$name" 0 1 $((SECONDS - start))
  fi
}

# counted <name> <report> <command>...: a test run that leaves a report. A
# command that fails where its report shows no failure, or that leaves no
# report, is a failure of its own.
counted() {
  local name=$1 report=$2 start=$SECONDS status=0 which good bad
  shift 2
  rm -f "$report"
  heading "$name"
  "$@" || status=$?
  { read -r good bad && which=$(cat); } \
    < <(python3 scripts/count-tests.py "$report")
  if [[ $status -ne 0 && $bad -eq 0 ]]; then bad=1; fi
  record "$name" "$good" "$bad" $((SECONDS - start)) "$which"
}

finish() {
  heading "summary"
  local line
  printf '%s\n' "${times[@]}"
  printf '%6d s  in all\n' "$SECONDS"
  for line in "${failures[@]+"${failures[@]}"}"; do echo "FAILED: $line"; done
  echo "$passed passed, $failed failed"
  if [[ $failed -ne 0 ]]; then exit 1; fi
  exit 0
}

# tracked <pattern>...: the repository's files that match; in an unpacked
# archive, where there is no index, the files that are there.
tracked() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@" |
      while read -r file; do [[ ! -e $file ]] || echo "$file"; done
  else
    local pattern expression=()
    for pattern in "$@"; do expression+=(-o -name "${pattern##*/}"); done
    find . -path './build*' -prune -o \( -false "${expression[@]}" \) -type f \
      -print | sed 's|^\./||'
  fi
}

check_format() {
  tracked '*.c' '*.cpp' '*.h' '*.hpp' '*.cu' |
    xargs -r clang-format-19 --dry-run -Werror
}

check_licence_headers() {
  tracked '*.c' '*.cpp' '*.h' '*.hpp' '*.cu' '*.ll' '*.py' '*.sh' '*.cmake' \
    '*.in' '*.def' '*CMakeLists.txt' '*.map' '.ci/run' |
    xargs -r awk '
      /SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception/ { has[FILENAME] }
      FNR == 5 { nextfile }
      END {
        for (i = 1; i < ARGC; i++)
          if (!(ARGV[i] in has)) {
            print "no SPDX header: " ARGV[i]
            bad = 1
          }
        exit bad
      }'
}

sanitized() {
  local preset=$1
  check "build ($preset)" build_tree "$preset" accx-unit-tests
  counted "unit tests ($preset)" "build-$preset/ctest.xml" \
    ctest --preset "$preset" -j "$jobs" \
    --output-junit "$root/build-$preset/ctest.xml"
}

check "packages" scripts/setup.sh
check "build (release)" build_tree release
if [[ $failed -ne 0 ]]; then finish; fi

counted "ctest" build/ctest.xml \
  ctest --preset release -j "$jobs" -LE '^lit$' \
  --output-junit "$root/build/ctest.xml"
while read -r suite; do
  counted "$suite" "build/tests/$suite.json" \
    ctest --test-dir build -V -R "^$suite\$"
done < <(ctest --test-dir build -N -L '^lit$' | grep -oE 'lit-[a-z]+$')

export ASAN_OPTIONS=detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1
# Races at the end of a process need no second of waiting in each. Catch2
# allocates where a signal ends the process, as hundreds of tests have it.
export TSAN_OPTIONS=second_deadlock_stack=1:atexit_sleep_ms=50:report_signal_unsafe=0
sanitized asan
sanitized tsan

check "clang-format" check_format
check "clang-tidy" scripts/tidy.py -j "$jobs"
check "licence headers" check_licence_headers
check "generated pages" scripts/generate-docs.py --check
check "page of benchmarks" scripts/bench-table.py table --check
check "links of pages" scripts/check-links.py
check "web pages" scripts/web.sh
check "installed package" examples/installed/check.sh build
if command -v dpkg-shlibdeps >/dev/null; then
  lint=()
  if command -v lintian >/dev/null; then lint=(--lint); fi
  check "Debian packages" scripts/package.sh "${lint[@]}"
fi
finish
