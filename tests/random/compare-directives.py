# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random OpenACC programs with their serial selves: see random.test.

The one way is accxcc on four host devices, the other the same source through
Clang without OpenMP, which ignores the directives. The first difference of each
nest is printed with the command that writes the nest's program.
"""

import argparse
import os
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--clang", required=True)
parser.add_argument("--accxcc", required=True)
parser.add_argument("--level", default="-O2")
parser.add_argument("--count", default="30")
parser.add_argument("seeds", nargs="+")
options = parser.parse_args()
generator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "random-directives.py")


def output(command, environment=None):
    return subprocess.run(
        command, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def differences(seed):
    source, serial, device = (f"{seed}{end}" for end in (".c", ".serial", ".device"))
    with open(source, "w", encoding="ascii") as file:
        file.write(output([sys.executable, generator, seed, options.count]))
    flags = ["-Wno-everything", source, "-o"]
    output([options.clang, "-O1", *flags, serial])
    output([options.accxcc, options.level, *flags, device])
    expected = output(["./" + serial]).splitlines()
    environment = dict(os.environ, OMP_TARGET_OFFLOAD="MANDATORY")
    found = output(["./" + device], environment).splitlines()
    if not expected or len(expected) != len(found):
        return [f"seed {seed}: {len(found)} lines for {len(expected)}"]
    return [
        f"{generator} {seed} --only {a.split()[0]}: expected {a}, found {b}"
        for a, b in zip(expected, found)
        if a != b
    ]


bad = [line for seed in options.seeds for line in differences(seed)]
print("\n".join(bad))
sys.exit(bool(bad))
