#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows that openacc.py reports a failing test as failing.

Runs it on a suite made here, whose tests pass, compute a wrong value, do not
compile, crash and do not end. Options are passed on, such as --compiler.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
OPENACC = os.path.join(os.path.dirname(HERE), "openacc.py")
sys.path.insert(0, os.path.dirname(HERE))
from harness import acc_report, acc_suite  # noqa: E402

OPTIONS = []
ADD = """
    int a[100];
    for (int i = 0; i < 100; ++i)
        a[i] = i;
    #pragma acc parallel loop copy(a)
    for (int i = 0; i < 100; ++i)
        a[i] += {step};
    for (int i = 0; i < 100; ++i)
        err += a[i] != i + 1;
"""
BODIES = {
    "passes": ADD.format(step=1),
    "wrong": ADD.format(step=2),
    "rejected": "#pragma acc parallel loop copy(no_such_array)\n"
                "for (int i = 0; i < 9; ++i) no_such_array[i] = i;\n",
    "crashes": "*(volatile int *)0 = 1;",
    "hangs": "for (volatile int forever = 1; forever;) {}",
}
CODES = {"passes": "PASS", "wrong": "FAIL", "rejected": "NOCOMPILE",
         "crashes": "CRASH", "hangs": "TIMEOUT"}


def source(bodies):
    """A source of the suite's form with the test functions T1, T2, ..."""
    text = '#include "acc_testsuite.h"\n'
    calls = ""
    for number, body in enumerate(bodies, 1):
        text += (f"#ifndef T{number}\n//T{number}:loop,V:2.0-2.7\n"
                 f"int test{number}(){{\nint err = 0;\n{BODIES[body]}\n"
                 f"return err;\n}}\n#endif\n")
        calls += (f"#ifndef T{number}\nif (test{number}() != 0)\n"
                  f"failcode = failcode + (1 << {number - 1});\n#endif\n")
    return text + f"int main(){{\nint failcode = 0;\n{calls}return failcode;\n}}\n"


class SuiteTest(unittest.TestCase):
    def run_suite(self, sources, *options):
        """({test: result}, exit status) of openacc.py on the given sources."""
        with tempfile.TemporaryDirectory() as folder:
            tests = os.path.join(folder, "Tests")
            os.mkdir(tests)
            with open(os.path.join(tests, "acc_testsuite.h"), "w",
                      encoding="ascii"):
                pass
            for name, bodies in sources.items():
                with open(os.path.join(tests, name), "w", encoding="ascii") as file:
                    file.write(source(bodies))
            target = os.path.join(folder, "results.json")
            status = subprocess.run(
                [sys.executable, OPENACC, "--acc-dir", folder, "--json", target,
                 "--timeout", "5", *options, *OPTIONS],
                stdout=subprocess.DEVNULL, check=False).returncode
            with open(target, encoding="utf-8") as file:
                record = json.load(file)
            return {t["name"]: t["result"] for t in record["tests"]}, status

    def test_each_result(self):
        found, status = self.run_suite({f"{name}.c": [name] for name in BODIES})
        self.assertEqual(found, {f"{n}.c:T1": code for n, code in CODES.items()})
        self.assertEqual(status, 1)

    def test_success(self):
        found, status = self.run_suite({"a.c": ["passes", "passes"]})
        self.assertEqual(found, {"a.c:T1": "PASS", "a.c:T2": "PASS"})
        self.assertEqual(status, 0)

    def test_neighbours_do_not_matter(self):
        """A test counts alone: neither its source's other tests nor its number,
        which can lie beyond the bits of an exit status, change the result."""
        bodies = ["passes", "rejected", "crashes", "wrong"] + ["passes"] * 5 + ["wrong"]
        found, _ = self.run_suite({"many.c": bodies})
        self.assertEqual(found, {f"many.c:T{n}": CODES[body]
                                 for n, body in enumerate(bodies, 1)})

    def test_whole_source(self):
        """The authors' own way: the exit status has a bit for each test."""
        found, _ = self.run_suite({"a.c": ["wrong", "passes"],
                                   "b.c": ["passes", "rejected"]}, "--whole-source")
        self.assertEqual(found, {"a.c:T1": "FAIL", "a.c:T2": "PASS",
                                 "b.c:T1": "NOCOMPILE", "b.c:T2": "NOCOMPILE"})


class ReportTest(unittest.TestCase):
    def record(self, **results):
        return {"tests": [{"name": name, "result": code, "output": "", "status": 1}
                          for name, code in results.items()]}

    def test_compare(self):
        old = self.record(a="PASS", b="FAIL", c="PASS")
        self.assertEqual(acc_report.compare(old, old), 0)
        self.assertEqual(acc_report.compare(old, self.record(
            a="FAIL", b="PASS", c="PASS")), 1)
        self.assertEqual(acc_report.compare(old, self.record(a="PASS", b="FAIL")), 1)

    def test_first_error(self):
        text = ("x.c: In function 'f':\nx.c:3:5: warning: w\n"
                "/usr/bin/ld: x.o: undefined reference to `f'\n"
                "collect2: error: ld returned 1 exit status\n"
                "clang-linker-wrapper: error: 'ld' failed\n")
        self.assertIn("undefined reference to `f'", acc_report.first_error(text))
        self.assertEqual(acc_report.first_error("x.c:3:5: error: no\n" + text),
                         "x.c:3:5: error: no")

    def test_faults_stay_failures(self):
        """A known fault sets a failure apart and hides no other one."""
        tests = self.record(a="PASS", b="FAIL", c="FAIL")["tests"]
        tests[1]["fault"] = "wrong"
        self.assertEqual([t["name"] for t in acc_report.unexplained(tests)], ["c"])
        self.assertEqual(acc_report.compare({"tests": tests}, self.record(
            a="PASS", b="TIMEOUT", c="FAIL")), 1)

    def test_count(self):
        tests = acc_suite.tests_of("x.c", source(["passes"] * 3))
        self.assertEqual([t.name for t in tests], ["x.c:T1", "x.c:T2", "x.c:T3"])
        self.assertEqual(tests[1].siblings, (1, 3))
        self.assertEqual((tests[1].tags, tests[1].versions), (("loop",), "2.0-2.7"))


if __name__ == "__main__":
    OPTIONS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
