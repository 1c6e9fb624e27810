#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PolyBench/C and TSVC with and without the passes on host code.

Usage: suites.py --plugin LIBACCX [--polybench DIR] [--tsvc DIR] [options]

The folders are checkouts of PolyBench/C 4.2.1 and of TSVC_2; nothing is written
there. One pinned process calls both builds of a program or loop in turn, on the
same memory; its figure is the median ratio of their times, above 1 where
the passes help. The result is the median over several processes, whose physical
pages differ, with an interval that holds the true one in 95 of 100 cases. What
falls below --again gets as many processes more, until the interval is above it
or narrower than two percent, or there are ten times as many; all of them count.
Functions and loops begin at cache lines. What has the same machine code
in both builds counts as 1, and is not measured. --control builds the same twice
and measures all: what figures it gives are this machine's doing. Exit status 1:
results differ, or a program is slower than --low.
"""

import argparse
import collections
import math
import os
import re
import shutil
import statistics
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--clang", default="clang-19")
parser.add_argument("--plugin", required=True)
parser.add_argument("--polybench")
parser.add_argument("--tsvc")
parser.add_argument("--work", default="suites.tmp")
parser.add_argument("--flags", default="-O3 -march=native")
parser.add_argument("--ours", default="", help="more flags of our build")
parser.add_argument("--dataset", default="MEDIUM")
parser.add_argument("--iterations", type=int, default=300, help="of TSVC")
parser.add_argument("--processes", type=int, default=9)
parser.add_argument("--turns", type=int, default=5, help="of TSVC, a process")
parser.add_argument("--seconds", type=float, default=0.5,
                    help="of PolyBench, a process")
parser.add_argument("--low", type=float, default=0.95)
parser.add_argument("--again", type=float, default=0.97)
parser.add_argument("--cpu", type=int)
parser.add_argument("--only", default="", help="a pattern of names")
parser.add_argument("--control", action="store_true")
options = parser.parse_args()
plain = [options.clang, "-w", "-falign-functions=64", "-falign-loops=64",
         *options.flags.split()]
plugin = os.path.abspath(options.plugin)
ours = plain + [f"-fplugin={plugin}", f"-fpass-plugin={plugin}",
                *options.ours.split()]
if options.control:
    ours = plain
BUILDS = (("plain", plain), ("ours", ours))
here = os.path.dirname(os.path.abspath(__file__))
cpu = options.cpu
if cpu is None:
    cpu = max(os.sched_getaffinity(0))
os.makedirs(options.work, exist_ok=True)


def call(command, **more):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n"
                 f"{done.stderr[-2000:]}")
    return done


def pinned(*program):
    return call(["taskset", "-c", str(cpu), *program], timeout=300)


def path(name):
    return os.path.join(os.path.abspath(options.work), name)


def text_size(object_file):
    lines = call(["size", "-A", object_file]).stdout.split("\n")
    return sum(int(line.split()[1]) for line in lines
               if line.startswith(".text"))


def same_numbers(left, right, tolerance):
    """Whether two texts differ by rounding only; the largest difference."""
    left, right = left.split(), right.split()
    if len(left) != len(right):
        return False, math.inf
    worst = 0.0
    for x, y in zip(left, right):
        if x == y:
            continue
        try:
            x, y = float(x), float(y)
        except ValueError:
            return False, math.inf
        if math.isnan(x) and math.isnan(y):
            continue
        worst = max(worst, abs(x - y) / (1 + max(abs(x), abs(y))))
    return worst <= tolerance, worst


class Measured:
    """A figure of each process, and what is known of their median."""

    def __init__(self):
        self.figures = []

    def ratio(self):
        return statistics.median(self.figures)

    def interval(self):
        """Of 95 % or more, by ranks: all figures if there are fewer than 6."""
        count = len(self.figures)
        below = rank = 0
        while rank < count / 2:
            below += 2 * math.comb(count, rank) / 2 ** count
            if below > 0.05:
                break
            rank += 1
        ordered = sorted(self.figures)
        rank = max(rank, 1)
        return ordered[rank - 1], ordered[-rank]

    def wants_more(self):
        low, high = self.interval()
        return (self.ratio() < options.again and low < options.again and
                high - low > 0.02 and
                len(self.figures) < 10 * options.processes)

    def __str__(self):
        low, high = self.interval()
        return (f"{self.ratio():6.3f} [{low:.3f}, {high:.3f}] of "
                f"{len(self.figures)}")


def measure(command, found):
    """As many processes as are wanted; found has the result by name."""
    for _ in range(options.processes):
        turns = collections.defaultdict(list)
        for name, before, after in re.findall(
                r"TIMES (\w+) (\S+) (\S+)", pinned(*command).stdout):
            if float(before) and float(after):
                turns[name].append(float(before) / float(after))
        for name, ratios in turns.items():
            found[name].figures.append(statistics.median(ratios))


def with_prefix(object_file, build):
    """A copy of the object whose functions have the build's name in front."""
    symbols = call(["nm", "--defined-only", object_file]).stdout
    renamed = object_file[:-2] + ".renamed.o"
    call(["objcopy", *(f"--redefine-sym={name}={build}_{name}" for name in
                       re.findall(r" T (\w+)", symbols)),
          object_file, renamed])
    return renamed


def functions(object_file):
    """Machine code by function, without addresses."""
    text = call(["objdump", "-dr", "--no-show-raw-insn", object_file]).stdout
    code, name = {}, None
    for line in text.split("\n"):
        start = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if start:
            name = start.group(1)
            code[name] = []
        elif name and line.strip():
            line = re.sub(r"^\s*[0-9a-f]+:\s*", "", line)
            line = re.sub(r"\b(0x)?[0-9a-f]+ <[^>]*>", "", line)
            code[name].append(re.sub(r"\.LCPI\S+|\.rodata\S*", "", line))
    return code


def geomean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def compiled(build, compiler, flags, source, name):
    """The object of a source, and its copy for the common program."""
    file = path(f"{name}.{build}.o")
    call([*compiler, *flags, "-c", source, "-o", file])
    return file, with_prefix(file, build)


def polybench():
    root = os.path.abspath(options.polybench)
    with open(os.path.join(root, "utilities", "benchmark_list"),
              encoding="ascii") as file:
        sources = [line.strip() for line in file if line.strip()]
    utilities = os.path.join(root, "utilities")
    ratios, sizes, bad, unchanged = {}, {}, 0, 0
    for source in sources:
        name = os.path.basename(source)[:-2]
        if not re.search(options.only, name):
            continue
        common = ["-I", utilities, "-I", os.path.join(
            root, os.path.dirname(source)), f"-D{options.dataset}_DATASET"]
        source = os.path.join(root, source)
        library = os.path.join(utilities, "polybench.c")
        objects, parts, outputs = [], [], []
        for build, compiler in BUILDS:
            file, part = compiled(build, compiler,
                                  [*common, "-DPOLYBENCH_TIME"], source, name)
            objects.append(file)
            parts.append(part)
            program = path(f"{name}.{build}.dump")
            call([*compiler, *common, "-DPOLYBENCH_DUMP_ARRAYS", source,
                  library, "-lm", "-o", program])
            outputs.append(pinned(program).stderr)
        same, worst = same_numbers(*outputs, 1e-6)
        sizes[name] = [text_size(file) for file in objects]
        bad += not same
        if not options.control and functions(objects[0]) == functions(
                objects[1]):
            unchanged += 1
            print(f"polybench {name:16} is the same machine code", flush=True)
            continue
        program = path(name)
        call([*plain, *common, "-DPOLYBENCH_TIME", library,
              os.path.join(here, "suites-polybench.c"), *parts, "-lm", "-o",
              program])
        found = collections.defaultdict(Measured)
        while True:
            measure([program, str(options.seconds)], found)
            if not found["program"].wants_more():
                break
        ratios[name] = found["program"].ratio()
        print(f"polybench {name:16} {found['program']}  code "
              f"{sizes[name][1] / sizes[name][0]:.2f}  "
              f"{'equal' if worst == 0 else f'differs by {worst:.1e}'}",
              flush=True)
    return report("polybench", ratios, bad,
                  sum(s[1] for s in sizes.values()) /
                  sum(s[0] for s in sizes.values()), unchanged)


def tsvc_copy():
    """TSVC with fewer turns, and without its own measuring function."""
    copy = path("tsvc")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(os.path.join(options.tsvc, "src"), copy)
    for name, pattern, new in (
            ("common.h", r"#define iterations \d+",
             f"#define iterations {options.iterations}"),
            ("tsvc.c", r"(void time_function\([^)]*\))\n\{.*?\n\}\n",
             r"\1;\n")):
        with open(os.path.join(copy, name), encoding="ascii") as file:
            text = re.sub(pattern, new, file.read(), flags=re.S)
        with open(os.path.join(copy, name), "w", encoding="ascii") as file:
            file.write(text)
    return copy


def tsvc_program(copy, parts, names, first, second):
    """A program of these loops. Both builds have arrays; the first one's are
    taken."""
    program = path(f"tsvc.{first}-{second}")
    with open(os.path.join(copy, "rows.def"), "w", encoding="ascii") as file:
        file.writelines(f"ROW({name})\n" for name in names)
    call([*plain, "-std=gnu99", "-I", copy, f"-DFIRST={first}_",
          f"-DSECOND={second}_", os.path.join(here, "suites-tsvc.c"),
          os.path.join(copy, "common.c"), os.path.join(copy, "dummy.c"),
          *parts, "-Wl,-z,muldefs", "-lm", "-o", program])
    return program


def tsvc():
    copy = tsvc_copy()
    source = os.path.join(copy, "tsvc.c")
    objects, parts = zip(*(
        compiled(build, compiler, ["-std=gnu99", "-I", copy], source, "tsvc")
        for build, compiler in BUILDS))
    code = [functions(file) for file in objects]
    with open(source, encoding="ascii") as file:
        names = [name for name in
                 re.findall(r"^ *time_function\(&(\w+),", file.read(), re.M)
                 if re.search(options.only, name)]
    sums = []
    for (build, _), part in zip(BUILDS, parts):
        program = tsvc_program(copy, [part], names, build, build)
        sums.append(dict(re.findall(r"SUM (\w+) (\S+)",
                                    pinned(program).stdout)))
    bad = 0
    for name in names:
        same, worst = same_numbers(sums[0][name], sums[1][name], 1e-4)
        if not same:
            bad += 1
            print(f"tsvc {name:16} differs by {worst:.1e}")
    changed = [name for name in names if options.control or
               code[0][name] != code[1][name]]
    print(f"tsvc: {len(names)} loops, {len(changed)} of other machine code",
          flush=True)
    found, again = collections.defaultdict(Measured), changed
    while again:
        measure([tsvc_program(copy, parts, again, "plain", "ours"),
                 str(options.turns)], found)
        again = [name for name in again if found[name].wants_more()]
    for name, each in sorted(found.items(), key=lambda item: item[1].ratio()):
        print(f"tsvc {name:16} {each}")
    return report("tsvc", {name: each.ratio() for name, each in found.items()},
                  bad, text_size(objects[1]) / text_size(objects[0]),
                  len(names) - len(changed))


def report(suite, ratios, bad, size, unchanged=0):
    slow = [name for name, ratio in ratios.items() if ratio < options.low]
    every = list(ratios.values()) + [1.0] * unchanged
    print(f"RESULT,suites,{suite},programs={len(every)};"
          f"geomean={geomean(every):.3f};lowest={min(every):.3f};"
          f"below={len(slow)};different={bad};code={size:.3f}", flush=True)
    return bool(bad or slow)


failed = False
if options.polybench:
    failed |= polybench()
if options.tsvc:
    failed |= tsvc()
sys.exit(failed)
