#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints `<passed> <failed>` of one report: ctest's JUnit or lit's JSON.

A report that is missing, unreadable or empty counts as one failure.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree


def junit_outcomes(path):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.get("status") != "disabled":
            yield case.get("status") == "run"


def lit_outcomes(path):
    with open(path, encoding="utf-8") as report:
        for test in json.load(report)["tests"]:
            if test["code"] not in ("UNSUPPORTED", "EXCLUDED", "SKIPPED"):
                yield test["code"] in ("PASS", "XFAIL", "FLAKYPASS")


def main(path):
    read = lit_outcomes if path.endswith(".json") else junit_outcomes
    try:
        outcomes = list(read(path))
    except (OSError, ValueError, KeyError, ElementTree.ParseError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        outcomes = []
    if not outcomes:
        outcomes = [False]
    print(outcomes.count(True), outcomes.count(False))


main(sys.argv[1])
