#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loop nests, and what becomes of them.

  random_nests.py write SEED COUNT       a C program of COUNT nests
  random_nests.py expect SEED COUNT      which of them must become grid-stride
                                         loops, one "NUMBER yes|no" a line
  random_nests.py check SEED COUNT FILE  compares that with remarks in FILE

The program runs each nest sequentially and as a kernel and compares all that
they wrote, bit by bit: everything is integer arithmetic that wraps. It prints
one line a difference, then how many nests were right, and fails otherwise.
"""

import random
import re
import sys

from nest_program import program

TYPES = {
    "int": ("int", True),
    "unsigned": ("unsigned", False),
    "long": ("long", True),
    "size": ("unsigned long", False),
    "short": ("short", True),
}


class Level:
    """One loop: trips iterations of a counter from `first` by `step`."""

    def __init__(self, rng, name, trips):
        self.name = name
        self.type, self.signed = TYPES[rng.choice(list(TYPES))]
        self.trips = trips
        self.step = rng.choice([1, 1, 1, 1, 2, 3, 7])
        self.down = rng.random() < 0.3
        self.first = rng.choice([0, 0, 1, 5, 100])
        if self.type == "short":
            self.step = 1
        if self.down:
            # Above zero all along: unsigned counters must not wrap.
            self.first = trips * self.step + rng.choice([1, 3])
        elif self.signed:
            self.first = rng.choice([0, 0, 1, -3, 17])

    def head(self, bound):
        """The loop, whose bound is the variable `bound`."""
        test = ">" if self.down else "<"
        move = "-" if self.down else "+"
        step = f"{self.name}{move}{move}" if self.step == 1 else (
            f"{self.name} {move}= {self.step}")
        return (f"for ({self.type} {self.name} = ({self.type})({self.first}); "
                f"{self.name} {test} {bound}; {step})")

    def bound(self):
        way = -1 if self.down else 1
        return self.first + way * self.trips * self.step

    def number(self):
        """Which iteration it is, of type unsigned long."""
        if self.down:
            return f"((unsigned long)({self.first} - (long){self.name}) / {self.step})"
        return f"((unsigned long)((long){self.name} - ({self.first})) / {self.step})"


def trip_counts(rng, depth):
    total = rng.choice([0, 1, 31, 127, 128, 129, 1000, 4096, 20000, 100000])
    if depth == 1:
        return [min(total, 20000)] if rng.random() < 0.9 else [0]
    counts = []
    for _ in range(depth - 1):
        counts.append(rng.choice([1, 2, 3, 7, 16, 33]))
        total //= counts[-1]
    counts.append(total)
    rng.shuffle(counts)
    return counts


class Nest:
    def __init__(self, rng, number):
        self.number = number
        depth = rng.choice([1, 1, 1, 2, 2, 3])
        self.levels = [
            Level(rng, "ijk"[d], t)
            for d, t in enumerate(trip_counts(rng, depth))
        ]
        for level in self.levels:
            if level.type == "short" and abs(level.bound()) > 30000:
                level.type, level.signed = "int", True
        self.total = 1
        for level in self.levels:
            self.total *= level.trips
        # What keeps it from becoming a grid-stride loop.
        self.rewritten = True
        self.asks = False
        self.clauses = []
        if depth > 1:
            self.clauses.append(f"collapse({depth})")
        self.choose_construct(rng)
        self.choose_body(rng)

    def choose_construct(self, rng):
        self.construct = rng.choice([
            "target teams distribute parallel for",
            "target teams distribute parallel for",
            "target teams distribute parallel for",
            "target teams distribute parallel for simd",
            "target teams loop",
        ])
        if self.construct == "target teams loop":
            return
        kind = rng.random()
        if kind < 0.15:
            self.clauses.append("schedule(static)")
        elif kind < 0.25:
            self.clauses.append("schedule(static, 1)")
        elif kind < 0.4:
            self.clauses.append(f"schedule(static, {rng.choice([2, 5, 64])})")
        elif kind < 0.47:
            self.asks = True
            asked = ["dynamic", "dynamic, 7", "guided", "auto", "runtime"]
            self.clauses.append(f"schedule({asked[self.number % 5]})")
        kind = rng.random()
        if kind < 0.12:
            self.clauses.append("dist_schedule(static)")
        elif kind < 0.24:
            self.clauses.append(
                f"dist_schedule(static, {rng.choice([1, 7, 300])})")
        kind = rng.random()
        if kind < 0.08:
            self.clauses.append("num_threads(threads)")
        elif kind < 0.18:
            self.clauses.append("num_threads(64)")
        elif kind < 0.26:
            self.clauses.append("if(parallel : yes)")
            self.rewritten = False
        kind = rng.random()
        if kind < 0.2:
            self.clauses.append(f"num_teams({rng.choice([1, 3, 40])})")
        elif kind < 0.35 and "num_threads" not in str(self.clauses):
            self.clauses.append(f"thread_limit({rng.choice([32, 64, 96])})")

    def choose_body(self, rng):
        """Statements over `p`, the iteration's number."""
        lines = []
        self.extra = []
        self.results = []
        value = rng.choice([
            "b[p]", "b[p] * 3u + 1u", "b[p % 17] ^ (unsigned)p",
            "helper(b[p]) + scale", "b[p] + (unsigned)i"
        ])
        lines.append(f"unsigned v = {value};")
        if rng.random() < 0.3:
            lines.append(f"for (int q = 0; q < {rng.choice([1, 3, 8])}; q++) "
                         "v = v * 5u + b[(p + (unsigned long)q) % SIZE];")
        if rng.random() < 0.2:
            lines.append("unsigned own[4];")
            lines.append("for (int q = 0; q < 4; q++) own[q] = v + (unsigned)q;")
            lines.append("v = own[p % 4] + own[v % 4];")
        if rng.random() < 0.3:
            lines.append("if (v % 3 == 0) v += 7u;")
        lines.append(rng.choice(["a[p] = v;", "a[p] += v;", "a[p] ^= v;"]))
        loop = self.construct == "target teams loop"
        if loop and "helper" in value:
            # Clang gives a loop that calls functions to teams alone.
            self.rewritten = False
        if rng.random() < 0.25:
            op, kind = rng.choice([("+", "sum"), ("^", "sum"), ("max", "most"),
                                   ("|", "sum")])
            self.clauses.append(f"reduction({op} : r)")
            self.results.append("r")
            lines.append("if (v > r) r = v;" if op == "max" else
                         f"r {op}= v;")
        elif rng.random() < 0.2:
            lines.append("_Pragma(\"omp atomic\") h[v % 16] += 1u;")
        # Kept apart: the last value is the team's to hand out.
        # On processors Clang's own code loses it where teams deal out at run time.
        elif (rng.random() < 0.2 and not loop and self.rewritten and
              not self.asks):
            # Clang alone hands out any thread's value.
            self.clauses.append("lastprivate(last)")
            self.results.append("last")
            lines.append("last = v + (unsigned)p;")
        self.body = lines

    def position(self):
        text = self.levels[0].number()
        for level in self.levels[1:]:
            text = f"({text} * {level.trips}ul + {level.number()})"
        return text

    def loops(self, indent):
        text = ""
        for d, level in enumerate(self.levels):
            text += indent + "  " * d + level.head(f"n{d}") + "\n"
        text += indent + "{\n"
        text += indent + f"  unsigned long p = {self.position()};\n"
        for line in self.body:
            text += indent + "  " + line + "\n"
        return text + indent + "}\n"

    def function(self):
        bounds = ", ".join(f"{level.type} n{d}"
                           for d, level in enumerate(self.levels))
        head = (f"void {{}}{self.number}(unsigned *a, const unsigned *b, "
                "unsigned *h, unsigned *out,\n    unsigned scale, int threads, "
                f"int yes, {bounds}) {{\n"
                "  unsigned r = 1, last = 99;\n"
                "  (void)threads; (void)yes; (void)scale;\n")
        maps = "map(tofrom : a[ : SIZE], h[ : 16]) map(to : b[ : SIZE])"
        for result in self.results:
            maps += f" map(tofrom : {result})"
        tail = "  out[0] = r;\n  out[1] = last;\n}\n"
        text = ("SEQUENTIAL " + head.replace("{}", "host") + self.loops("  ") +
                tail)
        text += head.replace("{}", "device")
        text += (f"#pragma omp {self.construct} {' '.join(self.clauses)} "
                 f"{maps} /* nest {self.number} */\n")
        text += self.loops("  ") + tail
        return text

    def call(self):
        bounds = ", ".join(f"({level.type})({level.bound()})"
                           for level in self.levels)
        return (f"  RUN({self.number}, {bounds});\n")


PRELUDE = """// Written by random_nests.py; seed %d.
#include <stdio.h>
#include <string.h>
// What is right comes from code as it stands, and costs little to compile.
#define SEQUENTIAL __attribute__((optnone, noinline)) static
enum { SIZE = 100100 };
static unsigned A[2][SIZE], B[SIZE], H[2][16], Out[2][2];
static unsigned helper(unsigned x) { return x * x + 3u; }
static int bad, good;
static void compare(int nest) {
  if (memcmp(A[0], A[1], sizeof A[0]) || memcmp(H[0], H[1], sizeof H[0]) ||
      memcmp(Out[0], Out[1], sizeof Out[0])) {
    long at = -1;
    for (long i = 0; i < SIZE && at < 0; i++)
      if (A[0][i] != A[1][i])
        at = i;
    printf("nest %%d differs: a[%%ld], out %%u %%u, want %%u %%u\\n", nest, at,
           Out[1][0], Out[1][1], Out[0][0], Out[0][1]);
    bad++;
  } else
    good++;
}
static void reset(int nest) {
  for (long i = 0; i < SIZE; i++) {
    A[0][i] = A[1][i] = (unsigned)(i * 7 + nest);
    B[i] = (unsigned)i * 2654435761u + (unsigned)nest;
  }
  memset(H, 0, sizeof H);
}
#define RUN(N, ...) \\
  reset(N); \\
  host##N(A[0], B, H[0], Out[0], 3u, 32, N %% 2, __VA_ARGS__); \\
  device##N(A[1], B, H[1], Out[1], 3u, 32, N %% 2, __VA_ARGS__); \\
  compare(N)
"""


def nests(seed, count):
    rng = random.Random(seed)
    return [Nest(rng, n) for n in range(count)]


def write(seed, count):
    return program(PRELUDE % seed, nests(seed, count))


def check(seed, count, path):
    lines = write(seed, count).splitlines()
    numbers = {}
    for at, line in enumerate(lines, 1):
        found = re.search(r"/\* nest (\d+) \*/", line)
        if found:
            numbers[at] = int(found.group(1))
    became = {}
    for line in open(path, encoding="utf-8"):
        found = re.search(r":(\d+):\d+: (?:remark: )?loop of \S+ (made|is not made) a grid-stride", line)
        if found:
            became[numbers[int(found.group(1))]] = found.group(2) == "made"
    wrong = 0
    for nest in nests(seed, count):
        if became.get(nest.number) != nest.rewritten:
            print(f"nest {nest.number}: should be rewritten: {nest.rewritten}, "
                  f"was: {became.get(nest.number)}")
            wrong += 1
    print(f"{count - wrong} of {count} as expected, "
          f"{sum(became.values())} rewritten")
    return wrong


def main(arguments):
    what, seed, count = arguments[0], int(arguments[1]), int(arguments[2])
    if what == "write":
        print(write(seed, count), end="")
    elif what == "expect":
        for nest in nests(seed, count):
            print(nest.number, "yes" if nest.rewritten else "no")
    elif what == "check":
        return 1 if check(seed, count, arguments[3]) else 0
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
