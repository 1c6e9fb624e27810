# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's own offload tests, driven by lit."""

import json
import os
import shutil
import subprocess
import sys

from . import limit
from .libraries import LLVM, TRIPLE, SetupError
from .outcome import Outcome

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VERSION = "19.1.7"
# Folders that need what a host target never has are left out: jit and
# offloading/fortran (Fortran compiler), libc (device libc).
FOLDERS = {
    "llvm": ["api", "offloading"],
    "llvm-extra": ["mapping", "ompt", "env", "unified_shared_memory"],
}
FEATURES = ["host", "clang", "clang-19", "ompt", "unified_shared_memory"]
OTHER_TARGETS = [
    "amdgcn-amd-amdhsa",
    "nvptx64-nvidia-cuda",
    "aarch64-unknown-linux-gnu",
    "powerpc64-ibm-linux-gnu",
    "powerpc64le-ibm-linux-gnu",
    "s390x-ibm-linux-gnu",
]
# lit stops a test only with psutil; limit.py does it instead. This is for lit
# itself, should anything escape.
LIT_LIMIT = 7200


def find_lit():
    candidates = [
        os.environ.get("ACCX_LIT", ""),
        os.path.join(LLVM, "build/utils/lit/lit.py"),
    ]
    for candidate in candidates:
        if os.path.isfile(candidate):
            return [sys.executable, candidate]
    if shutil.which("lit"):
        return ["lit"]
    raise SetupError("lit is missing (package llvm-19-tools)")


def strict_map_tests():
    with open(os.path.join(HERE, "strict-map.txt"), encoding="ascii") as file:
        lines = [line.split("#")[0].strip() for line in file]
    return {line for line in lines if line}


class LlvmSuite:
    """The folders of one suite name under one offload policy."""

    def __init__(self, name, tests, work, options):
        self.name = name
        self.work = work
        self.options = options
        if not os.path.isfile(os.path.join(tests, "lit.cfg")):
            raise SetupError(f"no tests of LLVM's offload project in {tests}")
        # A private copy: lit wants its configuration beside the tests.
        self.source = os.path.join(work, "llvm-tests")
        if not os.path.isdir(self.source):
            shutil.copytree(tests, self.source + ".new")
            os.rename(self.source + ".new", self.source)
        site = os.path.join(self.source, "accx.site.cfg.py")
        text = f"lit_config.load_config(config, {HERE + '/lit.cfg.py'!r})\n"
        with open(site, "w", encoding="utf-8") as file:
            file.write(text)
        self.exec = os.path.join(work, "lit", name)
        os.makedirs(self.exec, exist_ok=True)

    def tests(self):
        """All tests by their path below the root of the tests."""
        found = []
        for folder in FOLDERS[self.name]:
            for root, folders, files in os.walk(os.path.join(self.source, folder)):
                folders[:] = sorted(set(folders) - {"Inputs", "fortran"})
                for file in sorted(files):
                    if file.endswith((".c", ".cpp", ".cc")):
                        path = os.path.join(root, file)
                        found.append(os.path.relpath(path, self.source))
        return found

    def run(self, library, names, environment, jobs):
        """Runs the named tests with one library: {name: Outcome}."""
        strict = strict_map_tests()
        outcomes = {}
        for extra, part in (
            ([], [name for name in names if name not in strict]),
            (["ACCX_STRICT_MAP=1"], [name for name in names if name in strict]),
        ):
            if part:
                outcomes.update(self._lit(library, part, environment + extra, jobs))
        return outcomes

    def _lit(self, library, names, environment, jobs):
        result = os.path.join(self.work, "lit-result.json")
        marker = os.path.join(self.work, "lit-timeouts")
        for stale in (result, marker):
            if os.path.exists(stale):
                os.remove(stale)
        parameters = {
            "llvm": LLVM,
            "triple": TRIPLE,
            "tools": os.path.join(HERE, "harness"),
            "python": sys.executable,
            "source": self.source,
            "exec": self.exec,
            "library_path": library.path,
            "environment": "\n".join(environment),
            "features": ",".join(FEATURES + self.options.features),
            "cache": os.path.join(self.work, "cache"),
            "timeout": str(self.options.timeout),
            "marker": marker,
            "other_targets": ",".join(OTHER_TARGETS),
        }
        command = find_lit() + ["-q", "-j", str(jobs), "--config-prefix=accx"]
        command += ["-o", result, "--order", "lexical"]
        for name, value in parameters.items():
            command += ["--param", f"{name}={value}"]
        command += [os.path.join(self.source, name) for name in names]
        _, output, timed_out = limit.run(
            command, LIT_LIMIT, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
        )
        if timed_out or not os.path.isfile(result):
            raise SetupError(f"lit gave no result:\n{output[-4000:]}")
        with open(result, encoding="utf-8") as file:
            records = json.load(file)["tests"]
        hung = self._hung(marker)
        outcomes = {}
        for record in records:
            name = record["name"].partition(" :: ")[2]
            code = record["code"]
            if code == "FAIL" and name in hung:
                code = "TIMEOUT"
            outcomes[name] = Outcome(code, output=record["output"])
        missing = set(names) - set(outcomes)
        if missing:
            raise SetupError(f"lit did not run {sorted(missing)}:\n{output[-4000:]}")
        return outcomes

    def _hung(self, marker):
        """Names of the tests whose binaries ran past their limit."""
        if not os.path.exists(marker):
            return set()
        hung = set()
        with open(marker, encoding="utf-8") as file:
            for line in file:
                # <exec>/offloading/Output/foo.c.tmp
                relative = os.path.relpath(line.strip(), self.exec)
                folder, program = os.path.split(relative)
                name = program[: program.rindex(".tmp")]
                hung.add(os.path.join(os.path.dirname(folder), name))
        return hung
