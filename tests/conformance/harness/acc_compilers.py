# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The OpenACC compilers under test: command, flags, environment, identity."""

import hashlib
import os
import shutil
import tempfile

from .libraries import SetupError

# Settings of the caller that would change what a test sees.
SCRUBBED = ("OMP_", "KMP_", "GOMP_", "LIBOMP", "ACCX_", "ACC_", "LD_")
# Kept beside each other: the newest results' compilations, of all compilers.
KEPT_CACHES = 4
DRIVERS = ("accxcc", "accxc++")


def _digest(files):
    digest = hashlib.sha256()
    for path in files:
        digest.update(os.path.basename(path).encode())
        with open(path, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()[:16]


def _files_below(folder):
    return sorted(os.path.join(root, name)
                  for root, _, names in os.walk(folder, followlinks=True)
                  for name in names)


class Compiler:
    """A C and a C++ compiler and what their programs run with."""

    def __init__(self, name, commands, inputs, flags, options, settings=()):
        self.name = name
        self.commands = commands
        self.flags = flags
        self.environment = {
            key: value for key, value in os.environ.items()
            if not key.startswith(SCRUBBED)
        }
        for setting in list(settings) + options.env:
            key, _, value = setting.partition("=")
            self.environment[key] = value
        # The compilation cache sees the driver and the sources; a plugin or a
        # header of ours that changed must not find old entries.
        self.identity = f"{name}-{_digest(inputs)}"
        self.cache = os.path.join(options.work, "openacc-cache", self.identity)
        os.makedirs(self.cache, exist_ok=True)
        os.utime(self.cache)
        _prune(os.path.dirname(self.cache))

    def path(self, source):
        return self.commands[not source.endswith(".c")]


def _prune(folder):
    entries = [os.path.join(folder, name) for name in os.listdir(folder)]
    for old in sorted(entries, key=os.path.getmtime)[:-KEPT_CACHES]:
        shutil.rmtree(old, ignore_errors=True)


def _replace(source, target):
    """Copies in one step, under the feet of who uses the old file."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    handle, fresh = tempfile.mkstemp(dir=os.path.dirname(target))
    os.close(handle)
    shutil.copy2(source, fresh)
    os.rename(fresh, target)


class Accx(Compiler):
    """accxcc of a build tree, copied: a rebuild while the tests run changes
    nothing. Programs look for the runtime in the copy, which is brought up to
    date; one that changed alone needs no new compilations."""

    def __init__(self, options):
        tree = {folder: os.path.join(options.build, folder)
                for folder in ("bin", "lib", "include")}
        drivers = [os.path.join(tree["bin"], name) for name in DRIVERS]
        plugin = os.path.join(tree["lib"], "libaccx.so")
        headers = _files_below(tree["include"])
        for path in drivers + [plugin]:
            if not os.path.isfile(path):
                raise SetupError(f"no such file: {path}")
        # No fall-back: a region runs on a device with memory of its own, or
        # fails.
        super().__init__(
            "accx", drivers, drivers + [plugin] + headers,
            options.flag or ["-O2"], options,
            ["OMP_TARGET_OFFLOAD=MANDATORY", "LIBOMPTARGET_PLUGIN=host",
             "ACCX_HOST_DEVICES=4"])
        copy = os.path.join(self.cache, "toolchain")
        libraries = [path for path in _files_below(tree["lib"])
                     if os.path.dirname(path) == tree["lib"] and ".so" in path]
        for path in drivers + libraries + headers:
            target = os.path.join(copy, os.path.relpath(path, options.build))
            if not os.path.isfile(target) or _digest([path]) != _digest([target]):
                _replace(path, target)
        self.commands = [os.path.join(copy, "bin", name) for name in DRIVERS]


def open_compiler(name, options):
    """The compiler called `name`: gcc, or accx from the build tree."""
    if name == "accx":
        return Accx(options)
    commands = [shutil.which(command) for command in ("gcc-12", "g++-12")]
    if not all(commands):
        raise SetupError("no gcc-12 and g++-12")
    return Compiler(name, commands,
                    [os.path.realpath(command) for command in commands],
                    ["-fopenacc", "-foffload=disable"] + options.flag, options)
