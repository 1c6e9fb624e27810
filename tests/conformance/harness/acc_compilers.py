# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The OpenACC compilers under test: command, flags, environment, identity."""

import hashlib
import os
import shutil

from .libraries import SetupError

# Settings of the caller that would change what a test sees.
SCRUBBED = ("OMP_", "KMP_", "GOMP_", "LIBOMP", "ACCX_", "ACC_", "LD_")


def _is_cplusplus(source):
    return not source.endswith(".c")


def _digest(files):
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.encode())
        if os.path.isfile(path):
            with open(path, "rb") as file:
                digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()[:16]


class Compiler:
    """A pair of C and C++ compilers and what their programs run with."""

    def __init__(self, name, commands, flags, work, inputs=(), settings=()):
        self.name = name
        self.commands = commands
        self.extra_flags = flags
        self.inputs = list(inputs)
        self.environment = {
            key: value for key, value in os.environ.items()
            if not key.startswith(SCRUBBED)
        }
        for setting in settings:
            key, _, value = setting.partition("=")
            self.environment[key] = value
        for command in commands:
            if not shutil.which(command):
                raise SetupError(f"no compiler {command}")
        self.identity = self.current_identity()
        # The compilation cache sees the driver and the sources; a plugin or a
        # header of ours that changed must not find old entries.
        self.cache = os.path.join(work, "openacc-cache", self.identity)
        os.makedirs(self.cache, exist_ok=True)
        self._prune(os.path.dirname(self.cache))

    def _prune(self, folder):
        os.utime(self.cache)
        entries = [os.path.join(folder, name) for name in os.listdir(folder)]
        for old in sorted(entries, key=os.path.getmtime)[:-4]:
            shutil.rmtree(old, ignore_errors=True)

    def current_identity(self):
        """Changes with everything of ours that a compilation depends on."""
        found = [os.path.realpath(shutil.which(name)) for name in self.commands]
        return self.name + "-" + _digest(found + self.inputs)

    def path(self, source):
        return shutil.which(self.commands[_is_cplusplus(source)])

    def flags(self, source):
        del source
        return list(self.extra_flags)


def open_compiler(name, options):
    """The compiler called `name`: gcc, or accx from the build tree."""
    if name == "gcc":
        return Compiler(
            name, ("gcc-12", "g++-12"),
            ["-fopenacc", "-foffload=disable"] + options.flag, options.work,
            settings=options.env)
    library = os.path.join(options.build, "lib")
    inputs = [os.path.join(library, "libaccx.so"),
              os.path.join(library, "libomptarget.so.19.1")]
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.dirname(os.path.abspath(__file__))))), "include")
    for root, _, files in sorted(os.walk(include)):
        inputs += [os.path.join(root, file) for file in sorted(files)]
    # No fall-back: a region runs on a device with memory of its own, or fails.
    settings = ["OMP_TARGET_OFFLOAD=MANDATORY", "LIBOMPTARGET_PLUGIN=host",
                "ACCX_HOST_DEVICES=4"]
    return Compiler(
        name, (os.path.join(options.build, "bin/accxcc"),
               os.path.join(options.build, "bin/accxc++")),
        options.flag or ["-O2"], options.work, inputs, settings + options.env)
