# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two runtimes under comparison, and proof of which one is loaded."""

import fnmatch
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass

SONAME = "libomptarget.so.19.1"
LLVM = os.environ.get("ACCX_LLVM", "/usr/lib/llvm-19")
TRIPLE = "x86_64-pc-linux-gnu"


class SetupError(Exception):
    """Something the comparison needs is missing or not what it should be."""


def companions(llvm, directory):
    """Links to LLVM's shared libraries except the runtime under comparison.

    A program that does not find ours must fail, not run on LLVM's.
    """
    os.makedirs(directory)
    for name in os.listdir(llvm):
        if ".so" in name and not name.startswith("libomptarget"):
            os.symlink(os.path.join(llvm, name), os.path.join(directory, name))
    return directory


@dataclass
class Library:
    """One runtime, reached by library path alone."""

    label: str
    file: str
    path: str = ""

    def stage(self, directory, others):
        """Copies the runtime and the device plugins beside it.

        A rebuild in the middle of a comparison then changes nothing.
        """
        if not os.path.isfile(self.file):
            raise SetupError(f"no such library: {self.file}")
        os.makedirs(directory)
        source = os.path.dirname(self.file)
        patterns = (SONAME, "*.rtl.*.so")
        for name in os.listdir(source):
            if any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
                shutil.copy2(os.path.join(source, name), directory)
        self.path = f"{directory}:{others}"

    @property
    def staged(self):
        return os.path.join(self.path.split(":")[0], SONAME)

    def sha256(self):
        with open(self.staged, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def verify(self, cache):
        """Checks with a real program that the loader picks this very file."""
        from . import compile as compiling

        os.makedirs(cache, exist_ok=True)
        source = os.path.join(cache, "probe.c")
        program = os.path.join(cache, "probe")
        with open(source, "w", encoding="ascii") as file:
            file.write("int main(void) {\n#pragma omp target\n  {}\n}\n")
        status, _, err = compiling.compile_cached(
            cache,
            os.path.join(LLVM, "bin/clang"),
            ["-fopenmp", f"-fopenmp-targets={TRIPLE}", source, "-o", program,
             "-L", os.path.join(LLVM, "lib")],
        )
        if status:
            raise SetupError(f"cannot compile a probe: {err.decode()}")
        listing = subprocess.run(
            [program],
            env={**os.environ, "LD_LIBRARY_PATH": self.path,
                 "LD_TRACE_LOADED_OBJECTS": "1"},
            capture_output=True, text=True, check=True,
        ).stdout
        for line in listing.splitlines():
            name, _, rest = line.strip().partition(" => ")
            if name == SONAME:
                loaded = rest.split(" (")[0]
                if os.path.realpath(loaded) == os.path.realpath(self.staged):
                    return
                raise SetupError(f"{self.label}: the loader takes {loaded}")
        raise SetupError(f"{self.label}: programs do not load {SONAME}")
