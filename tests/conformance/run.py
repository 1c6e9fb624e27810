#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two offload runtimes test by test on LLVM's own offload tests.

Exit status: 0 when no test is worse with ours, 1 when one is, 2 when the
comparison could not be made. docs/conformance.md explains method and results.
"""

import argparse
import fcntl
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from harness.libraries import LLVM, SONAME, Library, SetupError, companions
from harness.llvm_suite import FOLDERS, LlvmSuite
from harness.outcome import RANK, summarize, verdict

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
POLICIES = {"default": [], "mandatory": ["OMP_TARGET_OFFLOAD=MANDATORY"]}
# Settings of the caller that would change what a test sees, and ours below.
RUNTIME_SETTINGS = ("OMP_", "KMP_", "LIBOMP", "ACCX_", "ACC_", "LD_")
OWN_SETTINGS = ("ACCX_LLVM", "ACCX_LIT", "ACCX_DEBIAN_MIRROR", "ACCX_DEBIAN_SUITE")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--suite", action="append", choices=list(FOLDERS),
        help="may be repeated; default: all")
    add("--policy", action="append", choices=list(POLICIES),
        help="OMP_TARGET_OFFLOAD; may be repeated; default: both")
    add("--stock", default=os.path.join(LLVM, "lib", SONAME))
    add("--ours", default=os.path.join(REPOSITORY, "build/lib", SONAME),
        help="path of the runtime under test; 'stock' compares stock with itself")
    add("--filter", default="", help="regular expression on test names")
    add("--features", default=[], type=lambda text: text.split(","),
        help="further lit features, such as gpu, which admits tests that "
             "LLVM does not run on host targets")
    add("--env", action="append", default=[], metavar="NAME=VALUE",
        help="further environment of the tests, on both runtimes")
    add("--ours-env", action="append", default=[], metavar="NAME=VALUE",
        help="further environment on ours only, such as ACCX_DIRECTORY=fused")
    add("-j", "--jobs", type=int, default=os.cpu_count())
    add("--timeout", type=float, default=60, help="seconds a test's run may take")
    add("--rerun", type=int, default=4, metavar="N",
        help="further runs, on both, of each test that looks worse")
    add("--repeat", type=int, default=1, metavar="N",
        help="runs of every test, on both: shows what varies")
    add("--work", default=os.path.join(REPOSITORY, "build/conformance"))
    add("--llvm-tests", help="LLVM's offload/test; default: fetched")
    add("--json", help="results file; default: <work>/results.json")
    add("--verbose", action="store_true", help="print every test, and the "
        "output of those that differ")
    return parser.parse_args()


def llvm_tests(options):
    if options.llvm_tests:
        return options.llvm_tests
    fetch = subprocess.run(
        [os.path.join(HERE, "fetch-llvm-tests.sh"), options.work],
        stdout=subprocess.PIPE, text=True, check=False,
    )
    if fetch.returncode:
        raise SetupError("cannot fetch LLVM's tests")
    return fetch.stdout.splitlines()[-1]


def compare(suite, policy, stock, ours, options):
    """Runs one suite under one policy on both: {test: (runs, runs)}."""
    names = [name for name in suite.tests() if re.search(options.filter, name)]
    if not names:
        return {}
    shared = POLICIES[policy] + options.env
    own = shared + options.ours_env
    runs = {name: ([], []) for name in names}

    def once(part, jobs):
        for side, (library, environment) in enumerate(((stock, shared), (ours, own))):
            outcomes = suite.run(library, part, environment, jobs)
            for name in part:
                runs[name][side].append(outcomes[name])

    for _ in range(options.repeat):
        once(names, options.jobs)
    # One run can mislead either way: what looks worse runs again, alone, and
    # all its runs count.
    suspects = [name for name in names if verdict(*runs[name]) == "worse"]
    for _ in range(options.rerun if suspects else 0):
        once(suspects, 1)
    return runs


def report(suite, policy, runs, options):
    """Prints one comparison and returns it as a record."""
    counts = {"equal": 0, "better": 0, "worse": 0, "unstable": 0}
    tests = []
    width = max(len(name) for name in runs)
    for name, (stock, ours) in sorted(runs.items()):
        judgement = verdict(stock, ours)
        counts[judgement] += 1
        tests.append({
            "name": name,
            "stock": [str(run) for run in stock],
            "ours": [str(run) for run in ours],
            "verdict": judgement,
        })
        if judgement != "equal" or options.verbose:
            print(f"{name:{width}}  {summarize(stock):20}  "
                  f"{summarize(ours):20}  {judgement}")
        for side, outcomes in (("stock", stock), ("ours", ours)):
            lowest = min(outcomes, key=lambda run: run.rank)
            if lowest.rank < RANK["SKIPPED"]:
                tests[-1][side + "_output"] = lowest.output
        if options.verbose and judgement not in ("equal", "better"):
            print(tests[-1].get("ours_output", ""))
    totals = {}
    for side, label in enumerate(("stock", "ours")):
        totals[label] = {}
        for pair in runs.values():
            code = str(pair[side][0])
            totals[label][code] = totals[label].get(code, 0) + 1
        detail = ", ".join(f"{n} {code}" for code, n in sorted(totals[label].items()))
        print(f"{suite} {policy} {label:5}: {detail}")
    print(f"{suite} {policy} {len(runs)} tests: " +
          ", ".join(f"{n} {judgement}" for judgement, n in counts.items()), flush=True)
    return {"suite": suite, "policy": policy, "tests": tests,
            "totals": totals, "verdicts": counts}


def main():
    options = parse_arguments()
    options.work = os.path.abspath(options.work)
    suites = options.suite or list(FOLDERS)
    stock = Library("stock", os.path.abspath(options.stock))
    ours = stock if options.ours == "stock" else Library(
        "ours", os.path.abspath(options.ours))
    for name in list(os.environ):
        if name.startswith(RUNTIME_SETTINGS) and name not in OWN_SETTINGS:
            del os.environ[name]
    os.makedirs(options.work, exist_ok=True)
    lock = open(os.path.join(options.work, "lock"), "w", encoding="ascii")
    with lock, tempfile.TemporaryDirectory(
            prefix="lib-", dir=options.work) as staging:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"run.py: another comparison runs in {options.work}",
                  file=sys.stderr)
            return 2
        try:
            return compare_all(suites, stock, ours, staging, options)
        except SetupError as error:
            print(f"run.py: {error}", file=sys.stderr)
            return 2


def compare_all(suites, stock, ours, staging, options):
    """Makes all comparisons and writes the results; the exit status."""
    others = companions(os.path.join(LLVM, "lib"), os.path.join(staging, "llvm"))
    for library in {id(library): library for library in (stock, ours)}.values():
        library.stage(os.path.join(staging, library.label), others)
        library.verify(os.path.join(options.work, "cache"))
    records = []
    for name in suites:
        suite = LlvmSuite(name, llvm_tests(options), options.work, options)
        for policy in options.policy or POLICIES:
            begin = time.monotonic()
            runs = compare(suite, policy, stock, ours, options)
            if not runs:
                continue
            records.append(report(name, policy, runs, options))
            records[-1]["seconds"] = round(time.monotonic() - begin, 1)
    if not records:
        raise SetupError("no test matches")
    results = {
        "libraries": {library.label: {"file": library.file,
                                      "sha256": library.sha256()}
                      for library in (stock, ours)},
        "comparisons": records,
    }
    with open(options.json or os.path.join(options.work, "results.json"), "w",
              encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    worse = sum(record["verdicts"]["worse"] for record in records)
    print(f"worse: {worse}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
