# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random loops with their scalar selves: see random.test.

Both builds of a seed's loops are in one program, which runs them on equal
memory that ends, or begins, at a page that cannot be touched.
"""

import argparse
import os
import re
import subprocess
import sys

FAST = "-ffast-math -fno-finite-math-only"
with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
    has_avx512 = "avx512vl" in info.read()
# Not for one processor: what it does slowly is not vectorized.
GENERIC = "x86-64-v4" if has_avx512 else "native"
# Reassociation or not, a vector library or not, masks in registers or not.
MODES = [
    f"-O3 -march=native {FAST} -fveclib=libmvec",
    f"-O3 -march={GENERIC} {FAST} -mprefer-vector-width=512",
    f"-O3 -march={GENERIC}",
    f"-O2 -march=native {FAST} -mno-avx512f",
    f"-O3 -march={GENERIC} {FAST} -mprefer-vector-width=256 -fveclib=libmvec",
]
PASS = "simd-remainder"

parser = argparse.ArgumentParser()
parser.add_argument("--clang", required=True)
parser.add_argument("--plugin", required=True)
parser.add_argument("--count", default="120")
parser.add_argument("--mode", help="flags, instead of those by the seed")
parser.add_argument("--generator", default="random_loops.py")
parser.add_argument("seeds", nargs="+", type=int)
options = parser.parse_args()
inputs = os.path.dirname(os.path.abspath(__file__))


def run(command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **more)


def compile_file(source, to, flags):
    command = [options.clang, "-w", "-I", inputs, *flags, "-c", source, "-o", to]
    done = run(command)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-3000:]}")
    return done.stderr


def compare(plugin):
    """What the compiler says of this seed's loops, and what their run does."""
    said = compile_file(source, ours, ["-DFOUND", *mode.split(), *plugin])
    libraries = ["-lmvec"] if "libmvec" in mode else []
    linked = run([options.clang, driver, scalar, ours, *libraries, "-lm", "-o",
                  program])
    if linked.returncode:
        sys.exit(linked.stderr)
    return said, run([program], timeout=250)


driver = "guarded.o"
compile_file(os.path.join(inputs, "guarded.c"), driver, ["-O1"])
loops = masked = chosen = bad = 0
for seed in options.seeds:
    source, scalar, ours = f"{seed}.c", f"{seed}.scalar.o", f"{seed}.masked.o"
    generator = [sys.executable, os.path.join(inputs, options.generator)]
    with open(source, "w", encoding="ascii") as file:
        file.write(run(generator + [str(seed), options.count]).stdout)
    mode = options.mode or MODES[seed % len(MODES)]
    compile_file(source, scalar, ["-O1", "-ffp-contract=off", "-fno-vectorize",
                                  "-fno-slp-vectorize"])
    program = f"./{seed}.both"
    plugin = [f"-fplugin={options.plugin}", f"-fpass-plugin={options.plugin}",
              "-mllvm", "-accx-simd-remainder", f"-Rpass={PASS}"]
    remarks, result = compare(plugin)
    masked += len(re.findall(r"one masked vector", remarks))
    chosen += len(re.findall(r"a condition chooses", remarks))
    loops += int(options.count)
    if result.returncode or not result.stdout.endswith(" 0 bad\n"):
        # What LLVM gets wrong without us, it may get wrong with us.
        _, stock = compare([])
        if stock.returncode > 0 and stock.stdout == result.stdout:
            print(f"seed {seed} ({mode}): wrong without the plugin, too")
        else:
            bad += 1
            print(f"seed {seed} ({mode}):\n{result.stdout}")
    for name in (source, scalar, ours, program):
        if not result.returncode:
            os.remove(name)
print(f"{loops} loops, {masked} with masks, {chosen} that choose, "
      f"{bad} bad seeds")
sys.exit(bool(bad))
