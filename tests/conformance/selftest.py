#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows that the comparison itself can fail.

A copy of the stock runtime with one altered message must be found worse in
exactly the test that reads that message. Options are passed on to run.py.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from harness import limit
from harness.libraries import LLVM, SONAME
from harness.outcome import Outcome, summarize, verdict

HERE = os.path.dirname(os.path.abspath(__file__))
RUN_OPTIONS = []


def runs(*codes):
    return [Outcome(code) for code in codes]


class VerdictTest(unittest.TestCase):
    def test_order(self):
        self.assertEqual(verdict(runs("PASS"), runs("PASS")), "equal")
        self.assertEqual(verdict(runs("FAIL"), runs("PASS")), "better")
        self.assertEqual(verdict(runs("PASS"), runs("FAIL")), "worse")
        self.assertEqual(verdict(runs("FAIL"), runs("CRASH")), "equal")
        self.assertEqual(verdict(runs("FAIL"), runs("TIMEOUT")), "worse")
        self.assertEqual(verdict(runs("PASS"), runs("SKIPPED")), "worse")

    def test_one_failure_of_many_counts(self):
        stock, ours = runs("PASS", "PASS", "PASS"), runs("FAIL", "PASS", "PASS")
        self.assertEqual(verdict(stock, ours), "worse")
        self.assertEqual(summarize(ours), "1x FAIL, 2x PASS")

    def test_unstable_only_where_stock_is(self):
        stock, ours = runs("PASS", "FAIL", "PASS"), runs("FAIL", "FAIL", "PASS")
        self.assertEqual(verdict(stock, ours), "unstable")


class LimitTest(unittest.TestCase):
    def program(self, seconds, marker, *command):
        tool = os.path.join(HERE, "harness", "limit.py")
        return subprocess.run(
            [sys.executable, tool, str(seconds), marker, *command], check=False
        ).returncode

    def test_status_and_signal_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            marker = os.path.join(folder, "marker")
            self.assertEqual(self.program(9, marker, "sh", "-c", "exit 7"), 7)
            self.assertEqual(
                self.program(9, marker, "sh", "-c", "kill -ABRT $$"),
                -signal.SIGABRT)
            self.assertFalse(os.path.exists(marker))

    def test_limit_kills_and_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            marker = os.path.join(folder, "marker")
            self.assertEqual(self.program(0.2, marker, "sleep", "60"),
                             limit.TIMED_OUT)
            with open(marker, encoding="utf-8") as file:
                self.assertEqual(file.read(), "sleep\n")


class ComparisonTest(unittest.TestCase):
    def compare(self, library, folder):
        result = os.path.join(folder, "result.json")
        status = subprocess.run(
            [sys.executable, os.path.join(HERE, "run.py"), "--suite", "llvm",
             "--policy", "default", "--ours", library, "--json", result,
             "--filter", "^api/omp_(env_vars|get_num_devices).c$",
             "--rerun", "1"] + RUN_OPTIONS,
            stdout=subprocess.DEVNULL, check=False,
        ).returncode
        with open(result, encoding="utf-8") as file:
            tests = json.load(file)["comparisons"][0]["tests"]
        return status, {test["name"]: test["verdict"] for test in tests}

    def test_altered_library_is_worse(self):
        with open(os.path.join(LLVM, "lib", SONAME), "rb") as file:
            stock = file.read()
        message = b"Launching kernel"
        self.assertIn(message, stock)
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, SONAME)
            for content, status, judgement in (
                (stock, 0, "equal"),
                (stock.replace(message, b"LAUNCHING KERNEL"), 1, "worse"),
            ):
                with open(library, "wb") as file:
                    file.write(content)
                self.assertEqual(
                    self.compare(library, folder),
                    (status, {"api/omp_env_vars.c": judgement,
                              "api/omp_get_num_devices.c": "equal"}))


if __name__ == "__main__":
    RUN_OPTIONS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
