#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs GCC's OpenACC C tests (libgomp.oacc-c and libgomp.oacc-c-c++-common).

Exit status: 0 when every test that is meant to run passes but for those with a
known reason, 1 otherwise, 2 when the run could not be made, 3 when the sources
are not given. docs/conformance.md explains method and results;
fetch-gcc-tests.sh obtains the sources.
"""

import argparse
import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from harness.acc_compilers import open_compiler
from harness.acc_report import cause
from harness.gcc_reasons import INTERNAL, REASONS
from harness.gcc_suite import GccRunner, find_tests
from harness.libraries import SetupError

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
NO_SOURCES = 3


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--compiler", choices=("accx", "gcc"), default="accx")
    add("--gcc-dir", default=os.environ.get("GCC_OACC_DIR"),
        help="GCC's libgomp/testsuite; default: $GCC_OACC_DIR")
    add("--build", default=os.path.join(REPOSITORY, "build"),
        help="build tree whose bin/accxcc is tested")
    add("--filter", default="", help="regular expression on file names")
    add("--flag", action="append", default=[], metavar="FLAG",
        help="a flag for the compiler; default for accx: -O2")
    add("--env", action="append", default=[], metavar="NAME=VALUE",
        help="further environment of the tests")
    add("-j", "--jobs", type=int, default=min(2, os.cpu_count()))
    add("--timeout", type=float, default=60, help="seconds a test may run")
    add("--compile-timeout", type=int, default=120, metavar="SECONDS")
    add("--work", default=os.path.join(REPOSITORY, "build/conformance"))
    add("--json", help="results file; default: <work>/gcc-oacc-<compiler>.json")
    add("--list", action="store_true", help="name the tests that are left out")
    return parser.parse_args()


def left_out(test):
    """Why a test is not counted, or nothing."""
    if test.name in INTERNAL:
        return INTERNAL[test.name]
    if test.excluded:
        return test.excluded
    return "" if test.kind == "run" else f"is to {test.kind} only"


def report(entries):
    """Prints the failures by cause; the number of those without a reason."""
    groups, unexplained = {}, 0
    for entry in entries:
        if entry["result"] == "PASS":
            continue
        why = REASONS.get(entry["name"])
        unexplained += not why
        first = why or cause(dict(entry, stderr=entry["output"]))
        groups.setdefault((entry["result"], first), []).append(entry["name"])
    for (result, first), names in sorted(groups.items()):
        print(f"{result} {len(names)}: {first}\n    {' '.join(names)}")
    return unexplained


def run(options):
    options.work = os.path.abspath(options.work)
    options.build = os.path.abspath(options.build)
    os.makedirs(options.work, exist_ok=True)
    tests = [test for test in find_tests(options.gcc_dir)
             if re.search(options.filter, test.name)]
    excluded = [test for test in tests if left_out(test)]
    wanted = [test for test in tests if not left_out(test)]
    if not wanted:
        raise SetupError("no test matches")
    if options.list:
        for test in excluded:
            print(f"not counted: {test.name}: {left_out(test)}")
        return 0
    compiler = open_compiler(options.compiler, options)
    runner = GccRunner(compiler, options.work, options)
    begin = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        entries = list(pool.map(runner.run, wanted))
    for entry in entries:
        if entry["name"] in REASONS:
            entry["reason"] = REASONS[entry["name"]]
    target = options.json or os.path.join(
        options.work, f"gcc-oacc-{options.compiler}.json")
    with open(target, "w", encoding="utf-8") as file:
        json.dump({"compiler": options.compiler, "identity": compiler.identity,
                   "left_out": {test.name: left_out(test) for test in excluded},
                   "tests": entries}, file, indent=1)
    unexplained = report(entries)
    passed = sum(entry["result"] == "PASS" for entry in entries)
    print(f"{passed} of {len(entries)} pass; {len(excluded)} not counted; "
          f"{time.monotonic() - begin:.0f} s: {target}")
    print(f"failing without a known reason: {unexplained}")
    return 1 if unexplained else 0


def main():
    options = parse_arguments()
    if not options.gcc_dir:
        print("gcc_oacc.py: GCC's tests are not part of this repository: run "
              "fetch-gcc-tests.sh and name the folder it prints with --gcc-dir "
              "or GCC_OACC_DIR", file=sys.stderr)
        return NO_SOURCES
    try:
        return run(options)
    except SetupError as error:
        print(f"gcc_oacc.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
