#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the OpenACC validation suite, or compares two of its results.

Exit status: 0 when every test passed but for those that are wrong themselves
(--compare: none is worse), 1 otherwise, 2 when the run could not be made, 3 when
the suite's sources are wanted and not given. docs/conformance.md explains method
and results.
"""

import argparse
import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from harness import acc_report
from harness.acc_compilers import open_compiler
from harness.acc_faults import fault_of
from harness.acc_suite import Runner, find_tests
from harness.libraries import SetupError

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
NO_SOURCES = 3


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--compiler", choices=("accx", "gcc"), default="accx")
    add("--acc-dir", default=os.environ.get("OPENACC_VV_DIR"),
        help="sources of the suite; default: $OPENACC_VV_DIR")
    add("--build", default=os.path.join(REPOSITORY, "build"),
        help="build tree whose bin/accxcc is tested")
    add("--language", choices=("c", "c++"), default="c")
    add("--whole-source", action="store_true",
        help="compile a source's tests together, as the suite's own driver "
             "does by default, not each one alone")
    add("--filter", default="", help="regular expression on test names, which "
        "look like acc_copyin.c:T1")
    add("--flag", action="append", default=[], metavar="FLAG",
        help="a flag for the compiler; default for accx: -O2")
    add("--env", action="append", default=[], metavar="NAME=VALUE",
        help="further environment of the tests")
    add("--seed", type=int, default=1, help="of the tests' random numbers")
    add("-j", "--jobs", type=int, default=min(2, os.cpu_count()))
    add("--timeout", type=float, default=30, help="seconds a test may run")
    add("--compile-timeout", type=int, default=120, metavar="SECONDS")
    add("--rerun", type=int, default=0, metavar="N",
        help="further runs of each test that passed: all must pass")
    add("--work", default=os.path.join(REPOSITORY, "build/conformance"))
    add("--json", help="results file; default: <work>/openacc-<compiler>.json")
    add("--markdown", action="store_true", help="print failures as Markdown")
    add("--compare", nargs=2, metavar=("OLD", "NEW"),
        help="two results files: list where they differ, run nothing")
    return parser.parse_args()


def run_tests(tests, runner, options):
    """{test: Result}, in parallel."""
    if options.whole_source:
        sources = {}
        for test in tests:
            sources.setdefault(test.source, []).append(test)
        work = [lambda part=part: list(zip(part, runner.run_source(part)))
                for part in sources.values()]
    else:
        work = [lambda test=test: [(test, runner.run_alone(test, options.rerun))]
                for test in tests]
    results = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for pairs in pool.map(lambda job: job(), work):
            results.update(pairs)
    return results


def record(test, result):
    entry = {
        "name": test.name, "tags": list(test.tags), "versions": test.versions,
        "result": result.outcome.code, "compile_status": result.compile_status,
        "status": result.status, "seconds": result.seconds,
    }
    if result.outcome.code != "PASS":
        entry["output"] = result.outcome.output
        entry["stderr"] = result.stderr
        entry["command"] = result.command
        entry["cause"] = acc_report.cause(entry)
        if fault := fault_of(test.name):
            entry["fault"] = fault
    return entry


def run(options):
    options.work = os.path.abspath(options.work)
    options.build = os.path.abspath(options.build)
    os.makedirs(options.work, exist_ok=True)
    tests = [test for test in find_tests(options.acc_dir, options.language)
             if re.search(options.filter, test.name)]
    if not tests:
        raise SetupError("no test matches")
    compiler = open_compiler(options.compiler, options)
    begin = time.monotonic()
    results = run_tests(
        tests, Runner(compiler, options.acc_dir, options.work, options), options)
    tests = [record(test, result) for test, result in results.items()]
    target = options.json or os.path.join(
        options.work, f"openacc-{options.compiler}.json")
    with open(target, "w", encoding="utf-8") as file:
        json.dump({
            "compiler": options.compiler, "identity": compiler.identity,
            "language": options.language, "whole_source": options.whole_source,
            "seconds": round(time.monotonic() - begin, 1), "tests": tests,
        }, file, indent=1)
    acc_report.print_groups(tests, options.markdown)
    acc_report.print_faults(tests)
    print()
    acc_report.print_totals(tests)
    print(f"{compiler.identity}, {time.monotonic() - begin:.0f} s: {target}")
    open_failures = len(acc_report.unexplained(tests))
    print(f"failing without a fault of the test: {open_failures}")
    return 1 if open_failures else 0


def main():
    options = parse_arguments()
    if options.compare:
        records = []
        for name in options.compare:
            with open(name, encoding="utf-8") as file:
                records.append(json.load(file))
        return 1 if acc_report.compare(*records) else 0
    if not options.acc_dir:
        print("openacc.py: the OpenACC validation suite is not part of this "
              "repository and not downloaded: clone it and name its directory "
              "with --acc-dir or OPENACC_VV_DIR", file=sys.stderr)
        return NO_SOURCES
    try:
        return run(options)
    except SetupError as error:
        print(f"openacc.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
