#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints `<passed> <failed>` of one report: ctest's JUnit or lit's JSON.

Below that stand the name of each test that failed and the end of what it
printed. A report that is missing, unreadable or empty counts as one failure.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree

TESTS_SHOWN = 5
LINES_SHOWN = 12


def junit_outcomes(path):
    """(name, passed, output) of each test of ctest's report."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.get("status") != "disabled":
            yield (case.get("name"), case.get("status") == "run",
                   case.findtext("system-out") or "")


def lit_outcomes(path):
    """(name, passed, output) of each test of lit's report."""
    with open(path, encoding="utf-8") as report:
        for test in json.load(report)["tests"]:
            if test["code"] not in ("UNSUPPORTED", "EXCLUDED", "SKIPPED"):
                yield (test["name"],
                       test["code"] in ("PASS", "XFAIL", "FLAKYPASS"),
                       test["output"])


def main(path):
    read = lit_outcomes if path.endswith(".json") else junit_outcomes
    try:
        outcomes = list(read(path))
    except (OSError, ValueError, KeyError, ElementTree.ParseError) as error:
        outcomes = [(path, False, str(error))]
    if not outcomes:
        outcomes = [(path, False, "no test ran")]
    failed = [(name, output) for name, passed, output in outcomes
              if not passed]
    print(len(outcomes) - len(failed), len(failed))
    for name, output in failed[:TESTS_SHOWN]:
        print(f"  {name}")
        lines = [line for line in output.splitlines() if line.strip()]
        for line in lines[-LINES_SHOWN:]:
            print(f"    {line[:200]}")


main(sys.argv[1])
