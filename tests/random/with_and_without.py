# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs compiled by Clang with the passes and without."""

import argparse
import os
import random
import subprocess
import sys
import tempfile


def program(prologue, case, begin, seed, count):
    """The text of a program of count cases, which begins with a statement."""
    rng = random.Random(seed)
    parts = [case(rng, number) for number in range(count)]
    return (
        prologue
        + "".join(text for text, _ in parts)
        + "int main(void) {\n"
        + begin
        + "\n".join(calls for _, calls in parts)
        + "\n  return 0;\n}\n"
    )


def main(prologue, case, cases, count, flags, remarks, remark, became, begin=""):
    """Compares what programs print, line by line, and prints how many differ.

    case(rng, number) is the text of a function and of its calls. They are
    called cases, and a program has count of them unless told. Both compilations
    take flags. -Rpass=remarks tells of each case that became something by
    remark.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--units", type=int, default=2)
    parser.add_argument("--" + cases, dest="count", type=int, default=count)
    parser.add_argument("--flags", default="-O3 -march=native")
    parser.add_argument("--keep", default=None)
    options = parser.parse_args()
    common = [options.clang, "-w", *flags]
    environment = dict(os.environ, OMP_NUM_THREADS="2")
    differ = changed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        for seed in range(options.seed, options.seed + options.units):
            source = os.path.join(folder, "unit%d.c" % seed)
            with open(source, "w") as out:
                out.write(program(prologue, case, begin, seed, options.count))
            plain, ours = source[:-2] + ".plain", source[:-2] + ".ours"
            subprocess.run([*common, "-O1", source, "-o", plain], check=True)
            build = subprocess.run(
                [*common, *options.flags.split(),
                 "-fpass-plugin=" + options.plugin, "-Rpass=" + remarks,
                 source, "-o", ours],
                check=True, capture_output=True, text=True,
            )
            changed += build.stderr.count(remark)
            results = [
                subprocess.run([program], capture_output=True, text=True,
                               env=environment, timeout=60)
                for program in (plain, ours)
            ]
            if any(r.returncode for r in results):
                print("seed %d: a program failed" % seed, file=sys.stderr)
                differ += 1
                continue
            # Sums go on: what differs first counts.
            for line, other in zip(*(r.stdout.splitlines() for r in results)):
                if line != other:
                    print("seed %d: %s" % (seed, line), file=sys.stderr)
                    differ += 1
                    break
    print("%d %s, %d became %s, %d units differ"
          % (options.units * options.count, cases, changed, became, differ))
