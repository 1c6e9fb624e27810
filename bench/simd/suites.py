#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PolyBench/C and TSVC with and without the passes on host code.

Usage: suites.py --plugin LIBACCX [--polybench DIR] [--tsvc DIR] [options]

The folders are checkouts of PolyBench/C 4.2.1 and of TSVC_2; nothing is written
there. Both builds of a program run in turn on one core; a figure is the ratio
of the first quartiles of their times, above 1 where the passes help: what else
a shared machine does makes most runs slower, and pages that happen to lie well
some faster. Functions begin at cache lines, and TSVC's arrays at the same
addresses, in both builds. What falls below --again is run again, as
often, until it rises above or two times more change it by less than half a
percent (twelve times at most), and all rounds count. A program or loop whose
machine code is the same in both builds is told apart. Exit status 1: results
differ, or a program is slower than --low.
"""

import argparse
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
parser.add_argument("--rounds", type=int, default=10)
parser.add_argument("--low", type=float, default=0.95)
parser.add_argument("--again", type=float, default=0.97)
parser.add_argument("--cpu", type=int)
parser.add_argument("--only", help="a pattern of PolyBench's programs")
options = parser.parse_args()
plain = [options.clang, "-w", "-falign-functions=64", *options.flags.split()]
plugin = os.path.abspath(options.plugin)
ours = plain + [f"-fplugin={plugin}", f"-fpass-plugin={plugin}",
                *options.ours.split()]
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


def pinned(program):
    return call(["taskset", "-c", str(cpu), program], timeout=300)


def path(name):
    return os.path.join(os.path.abspath(options.work), name)


def text_size(objects):
    lines = call(["size", "-A", *objects]).stdout.split("\n")
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


class Settling:
    """Times of both builds, and whether more runs still change their ratio."""

    def __init__(self):
        self.times, self.calm, self.batches = ([], []), 0, 0
        self.before = None

    def ratio(self):
        before, after = (sorted(times)[len(times) // 4] for times in self.times)
        return before / after if before and after else 1.0

    def wants_more(self):
        ratio = self.ratio()
        if self.before is not None:
            self.batches += 1
            same = abs(ratio / self.before - 1) < 0.005
            self.calm = self.calm + 1 if same else 0
        self.before = ratio
        return ratio < options.again and self.calm < 2 and self.batches < 12


def geomean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def polybench():
    root = os.path.abspath(options.polybench)
    with open(os.path.join(root, "utilities", "benchmark_list"),
              encoding="ascii") as file:
        sources = [line.strip() for line in file if line.strip()]
    utilities = os.path.join(root, "utilities")
    ratios, sizes, bad, unchanged = {}, {}, 0, 0
    for source in sources:
        name = os.path.basename(source)[:-2]
        if options.only and not re.search(options.only, name):
            continue
        common = ["-I", utilities, "-I", os.path.join(
            root, os.path.dirname(source)), f"-D{options.dataset}_DATASET"]
        files = [os.path.join(root, source),
                 os.path.join(utilities, "polybench.c")]
        programs, outputs = [], []
        for build, compiler in (("plain", plain), ("ours", ours)):
            program = path(f"{name}.{build}")
            call([*compiler, *common, "-DPOLYBENCH_TIME", *files, "-lm", "-o",
                  program])
            call([*compiler, *common, "-c", files[0], "-o", program + ".o"])
            call([*compiler, *common, "-DPOLYBENCH_DUMP_ARRAYS", *files, "-lm",
                  "-o", program + ".dump"])
            programs.append(program)
            outputs.append(pinned(program + ".dump").stderr)
        same, worst = same_numbers(*outputs, 1e-6)
        sizes[name] = (text_size([programs[0] + ".o"]),
                       text_size([programs[1] + ".o"]))
        bad += not same
        if functions(programs[0] + ".o") == functions(programs[1] + ".o"):
            unchanged += 1
            print(f"polybench {name:16} is the same machine code", flush=True)
            continue
        found = Settling()
        while True:
            for _ in range(options.rounds):
                for which, program in enumerate(programs):
                    found.times[which].append(float(pinned(program).stdout))
            if not found.wants_more():
                break
        ratio = found.ratio()
        ratios[name] = ratio
        print(f"polybench {name:16} {ratio:6.3f}  code "
              f"{sizes[name][1] / sizes[name][0]:.2f}  "
              f"{'equal' if worst == 0 else f'differs by {worst:.1e}'}",
              flush=True)
    return report("polybench", ratios, bad,
                  sum(s[1] for s in sizes.values()) /
                  sum(s[0] for s in sizes.values()), unchanged)


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


def tsvc_programs(copy, source):
    programs, objects = [], []
    for build, compiler in (("plain", plain), ("ours", ours)):
        program = path(f"{source[:-2]}.{build}")
        call([*compiler, "-std=gnu99", "-I", copy, "-c",
              os.path.join(copy, source), "-o", program + ".o"])
        # What is measured is one file; the others are the same for both, and
        # so is where the arrays lie.
        call([*plain, "-std=gnu99", "-I", copy,
              *(os.path.join(copy, file) for file in ("common.c", "dummy.c")),
              program + ".o", "-no-pie",
              "-Wl,--section-start=.bss=0x10000000", "-lm", "-o", program])
        programs.append(program)
        objects.append(program + ".o")
    return programs, objects


def run_tsvc(programs, found, sums):
    for _ in range(options.rounds):
        for which, program in enumerate(programs):
            for line in pinned(program).stdout.split("\n"):
                row = line.split()
                if len(row) == 3 and re.fullmatch(r"v?s?\w+", row[0]):
                    try:
                        time = float(row[1])
                    except ValueError:
                        continue
                    found.setdefault(row[0], Settling())
                    found[row[0]].times[which].append(time)
                    sums[which][row[0]] = row[2]


def tsvc():
    source = os.path.join(options.tsvc, "src")
    copy = path("tsvc")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy)
    # Fewer turns, and times in more than milliseconds.
    for name, pattern, new in (
            ("common.h", r"#define iterations \d+",
             f"#define iterations {options.iterations}"),
            ("tsvc.c", r"%10\.3f", "%12.6f")):
        with open(os.path.join(copy, name), encoding="ascii") as file:
            text = re.sub(pattern, new, file.read())
        with open(os.path.join(copy, name), "w", encoding="ascii") as file:
            file.write(text)
    programs, objects = tsvc_programs(copy, "tsvc.c")
    code = [functions(file) for file in objects]
    found, sums = {}, ({}, {})
    run_tsvc(programs, found, sums)
    # Of all that are measured again others are left out of the program.
    again = [name for name, each in found.items() if each.wants_more() and
             code[0].get(name) != code[1].get(name)]
    if again:
        with open(os.path.join(copy, "tsvc.c"), encoding="ascii") as file:
            text = re.sub(r"^ *time_function\(&(\w+),.*\n", lambda line:
                          line.group() if line.group(1) in again else "",
                          file.read(), flags=re.M)
        with open(os.path.join(copy, "again.c"), "w", encoding="ascii") as file:
            file.write(text)
        fewer, _ = tsvc_programs(copy, "again.c")
    while again:
        run_tsvc(fewer, found, ({}, {}))
        again = [name for name in again if found[name].wants_more()]
    ratios = {name: each.ratio() for name, each in found.items()
              if min(each.times[0]) > 0}
    bad = 0
    for name, ratio in sorted(ratios.items(), key=lambda item: item[1]):
        same, worst = same_numbers(sums[0][name], sums[1][name], 1e-4)
        bad += not same
        unchanged = code[0].get(name) == code[1].get(name)
        if not same or (not unchanged and not 0.97 < ratio < 1.03):
            print(f"tsvc {name:16} {ratio:6.3f}  "
                  f"{'equal' if worst == 0 else f'differs by {worst:.1e}'}")
        if unchanged and ratio < options.low:
            print(f"tsvc {name:16} {ratio:6.3f}  of the same machine code")
    changed = {name: ratio for name, ratio in ratios.items()
               if code[0].get(name) != code[1].get(name)}
    print(f"tsvc: {len(ratios)} loops, {len(changed)} of other machine code")
    return report("tsvc", changed, bad,
                  text_size(objects[1:]) / text_size(objects[:1]),
                  len(ratios) - len(changed))


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
