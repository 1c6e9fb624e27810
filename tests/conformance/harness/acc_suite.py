# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests of the OpenACC validation suite: which there are, and how one runs.

A source holds the test functions T1, T2, ..., each between `#ifndef T<n>` and
`#endif`, once where it is defined and once where main calls it; -DT<n> takes it
out. The suite counts these, so that one source can give several results.
"""

import errno
import os
import re
import subprocess
import time
from dataclasses import dataclass, field

from . import compile as compiling
from . import limit
from .libraries import SetupError
from .outcome import Outcome

SUFFIXES = {"c": (".c",), "c++": (".cpp", ".C")}
OUTPUT_LIMIT = 20000
# main returns 2^(n-1) for a failed T<n>; an exit status has eight bits.
STATUS_BITS = 8
# Stands in for such a main: every bit counts.
WIDE_MAIN = "#undef main\nint accvv_main(void);\nint main(void) { return accvv_main() != 0; }\n"


@dataclass(frozen=True)
class Test:
    """One test function of one source."""

    source: str
    number: int
    siblings: tuple = ()
    tags: tuple = ()
    versions: str = ""

    @property
    def name(self):
        return f"{self.source}:T{self.number}"


@dataclass
class Result:
    """What became of one test, and the compiler's part of it."""

    outcome: Outcome
    compile_status: int = 0
    compile_output: str = ""
    stderr: str = ""
    status: int = 0
    command: list = field(default_factory=list)
    seconds: float = 0


def tests_of(source, text):
    """The tests in one source's text, in the order of their numbers."""
    numbers = sorted({int(n) for n in re.findall(r"^#ifndef T(\d+)", text, re.M)})
    tests = []
    for number in numbers:
        note = re.search(rf"//T{number}:(.*)", text)
        words = [word.strip() for word in note[1].split(",")] if note else []
        versions = [word[2:] for word in words if word.startswith("V:")]
        tags = [word for word in words if word and not word.startswith("V:")]
        tests.append(Test(source, number,
                          tuple(n for n in numbers if n != number),
                          tuple(tags), versions[0] if versions else ""))
    return tests


def find_tests(root, language):
    """All tests of one language below the suite's folder."""
    folder = os.path.join(root, "Tests")
    if not os.path.isfile(os.path.join(folder, "acc_testsuite.h")):
        raise SetupError(f"no OpenACC validation suite in {root}")
    tests = []
    for source in sorted(os.listdir(folder)):
        if source.endswith(SUFFIXES[language]):
            path = os.path.join(folder, source)
            with open(path, encoding="utf-8", errors="replace") as file:
                tests += tests_of(source, file.read())
    return tests


def _run_when_closed(command, seconds, **options):
    """As limit.run. A child that another thread forks while the program is
    being written holds it open for writing until it starts its own program."""
    for _ in range(100):
        try:
            return limit.run(command, seconds, **options)
        except OSError as error:
            if error.errno != errno.ETXTBSY:
                raise
            time.sleep(0.05)
    return limit.run(command, seconds, **options)


class Runner:
    """Compiles and runs tests with one compiler."""

    def __init__(self, compiler, root, work, options):
        self.compiler = compiler
        self.folder = os.path.join(os.path.abspath(root), "Tests")
        self.work = os.path.join(work, "openacc-" + compiler.name)
        self.options = options
        os.makedirs(self.work, exist_ok=True)
        self.wide_main = os.path.join(self.work, "wide_main.c")
        with open(self.wide_main, "w", encoding="ascii") as file:
            file.write(WIDE_MAIN)

    def compile_alone(self, test):
        """One test with all others of its source taken out: (program, command,
        exit status of the compiler, its messages)."""
        return self._compile(test.source, test.siblings, test.number)

    def _compile(self, source, excluded, last):
        # Named by process, so that two runs at a time do not meet.
        program = os.path.join(self.work, f"{source}.{last}.{os.getpid()}.out")
        arguments = self.compiler.flags + [f"-DSEED={self.options.seed}"]
        arguments += [f"-DT{number}" for number in excluded]
        arguments += [os.path.join(self.folder, source), "-o", program, "-lm"]
        if isinstance(last, int) and last > STATUS_BITS:
            arguments[:0] = ["-Dmain=accvv_main"]
            arguments.insert(arguments.index("-o"), self.wide_main)
        command = [self.compiler.path(source)] + arguments
        # By SIGKILL, timeout dies of the signal too and nothing is cached.
        status, out, err = compiling.compile_cached(
            self.compiler.cache, "/usr/bin/timeout",
            ["-s", "KILL", str(self.options.compile_timeout)] + command)
        return program, command, status, (out + err).decode(errors="replace")

    def _execute(self, program):
        """(exit status, output, what went to stderr, whether it timed out)."""
        log = program + ".stderr"
        with open(log, "w+", encoding="utf-8", errors="replace") as errors:
            status, out, timed_out = _run_when_closed(
                [program], self.options.timeout, env=self.compiler.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                text=True, errors="replace", cwd=self.work)
            errors.seek(0)
            err = errors.read()
        os.remove(log)
        return status, out[-OUTPUT_LIMIT:], err[-OUTPUT_LIMIT:], timed_out

    def _judge(self, program, command, status, messages, bit):
        """Runs what was compiled; `bit` is the test's in the exit status."""
        if status:
            messages = messages[:OUTPUT_LIMIT]
            if status < 0:
                messages += f"\naccvv: the compiler ended by signal {-status}"
            return Result(Outcome("NOCOMPILE", output=messages), status,
                          messages, command=command)
        begin = time.monotonic()
        code, out, err, timed_out = self._execute(program)
        seconds = round(time.monotonic() - begin, 2)
        if timed_out:
            word = "TIMEOUT"
        elif code < 0:
            word = "CRASH"
        else:
            word = "FAIL" if (code & bit if bit else code) else "PASS"
        return Result(Outcome(word, output=f"exit status {code}\n{out}{err}"),
                      0, messages[:OUTPUT_LIMIT], err, code, command, seconds)

    def run_alone(self, test, again=0):
        """Runs one test once more, as often as `again` says, and stops at the
        first run that does not pass."""
        built = self.compile_alone(test)
        for _ in range(again + 1):
            result = self._judge(*built, 0)
            if result.outcome.code != "PASS":
                break
        if os.path.exists(built[0]):
            os.remove(built[0])
        return result

    def run_source(self, tests):
        """All tests of one source in one program, as its authors count by
        default: one that does not compile or crashes fails the others too."""
        built = self._compile(tests[0].source, (), "all")
        results = [self._judge(*built, 1 << (test.number - 1)) for test in tests]
        if os.path.exists(built[0]):
            os.remove(built[0])
        return results
