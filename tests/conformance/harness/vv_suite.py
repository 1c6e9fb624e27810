# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMP_VV's C and C++ tests of one version of the standard."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from . import compile as compiling
from . import limit
from .libraries import LLVM, TRIPLE, SetupError
from .outcome import Outcome

VERSIONS = {"vv45": "4.5", "vv50": "5.0"}
# OMPVV_SKIPPED_EXIT_CODE, -667, as a process can return it.
SKIPPED = -667 & 0xFF
OUTPUT_LIMIT = 20000


def test_environment(name):
    """Settings a test's file name asks for: test_<variable>_env_<value>.c"""
    match = re.match(r"test_(.*)_env_([^.]*)\.", os.path.basename(name))
    return [f"{match[1].upper()}={match[2]}"] if match else []


def judge(status, output, timed_out):
    """What one run of a test says."""
    where = ""
    if "passed on the device" in output or "failed on the device" in output:
        where = "device"
    elif "passed on the host" in output or "failed on the host" in output:
        where = "host"
    if timed_out:
        code = "TIMEOUT"
    elif status < 0:
        code = "CRASH"
    elif status == SKIPPED:
        code = "SKIPPED"
    else:
        # The exit status is the number of errors modulo 256, so it can be
        # 0 for a test that says itself that it failed.
        failed = status or "Test failed" in output
        code = "FAIL" if failed else "PASS"
    report = f"exit status {status}\n{output[-OUTPUT_LIMIT:]}"
    return Outcome(code, where, report)


class VvSuite:
    """One tests/<version> folder of OpenMP_VV; `targets`: clang's flags that
    name the devices."""

    def __init__(self, name, root, work, options,
                 targets=(f"-fopenmp-targets={TRIPLE}",)):
        self.name = name
        self.targets = list(targets)
        self.root = os.path.abspath(root)
        self.folder = os.path.join("tests", VERSIONS[name])
        self.work = work
        self.options = options
        if not os.path.isfile(os.path.join(self.root, "ompvv", "ompvv.h")):
            raise SetupError(f"no OpenMP_VV sources in {root}")
        self.programs = {}

    def tests(self):
        found = []
        for root, _, files in os.walk(os.path.join(self.root, self.folder)):
            for file in files:
                if file.endswith((".c", ".cpp")):
                    path = os.path.join(root, file)
                    found.append(os.path.relpath(path, self.root))
        return sorted(found)

    def compile(self, name):
        """(program, exit status of the compiler, its messages)"""
        program = os.path.join(self.work, self.name, name + ".out")
        os.makedirs(os.path.dirname(program), exist_ok=True)
        compiler = "clang" if name.endswith(".c") else "clang++"
        arguments = [
            "-O3", "-fopenmp", *self.targets,
            "-I" + os.path.join(self.root, "ompvv"), "-L" + os.path.join(LLVM, "lib"),
            os.path.join(self.root, name), "-o", program, "-lm",
        ]
        if compiler == "clang++":
            arguments.insert(0, "-std=c++11")
        status, out, err = compiling.compile_cached(
            os.path.join(self.work, "cache"),
            os.path.join(LLVM, "bin", compiler), arguments,
        )
        return program, status, (out + err).decode(errors="replace")

    def _run(self, library, name, environment):
        program, status, messages = self.programs[name]
        if status:
            return Outcome("NOCOMPILE", output=messages[-OUTPUT_LIMIT:])
        settings = dict(os.environ)
        # OpenMP_VV's own driver sets OMP_THREAD_LIMIT to the number of cores.
        # With few cores that leaves libomp no room for the helper threads of
        # nowait target tasks: programs then hang, on any offload runtime.
        settings.pop("OMP_THREAD_LIMIT", None)
        settings["LD_LIBRARY_PATH"] = library.path
        for setting in environment + test_environment(name):
            variable, _, value = setting.partition("=")
            settings[variable] = value
        status, output, timed_out = limit.run(
            [program], self.options.timeout, env=settings,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
            cwd=os.path.dirname(program),
        )
        return judge(status, output, timed_out)

    def run(self, library, names, environment, jobs):
        """Runs the named tests with one library: {name: Outcome}."""
        with ThreadPoolExecutor(jobs) as pool:
            missing = [name for name in names if name not in self.programs]
            self.programs.update(zip(missing, pool.map(self.compile, missing)))
            runs = pool.map(lambda name: self._run(library, name, environment), names)
            return dict(zip(names, runs))
