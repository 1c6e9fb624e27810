#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random nests of gangs, workers and vectors, and what becomes of them.

  random_lanes.py write SEED COUNT       a C program of COUNT nests
  random_lanes.py check SEED COUNT FILE  compares remarks in FILE with which
                                         vector loops must run across lanes

The program runs each nest sequentially and as a kernel and compares all that
they wrote, bit by bit: integers wrap, floating-point numbers stay small whole
numbers. It prints one line a difference, then how many nests were right, and
fails otherwise.
"""

import random
import re
import sys

from nest_program import program

SIZE = 40000
COUNTERS = ["int", "int", "unsigned", "long", "unsigned long", "short"]

# type, operators, start, what is combined (from an unsigned v)
WHOLE = ["+", "*", "max", "min", "&", "|", "^", "&&", "||"]
REDUCED = [
    ("int", WHOLE, "(int)(v % 7u)"),
    ("unsigned", WHOLE, "(v % 1000u)"),
    ("long", WHOLE, "(long)(v % 99u)"),
    ("unsigned long", WHOLE, "(unsigned long)(v | 1u)"),
    ("short", ["+", "max", "min", "&", "|", "^"], "(short)(v % 31u)"),
    ("signed char", ["+", "max", "^"], "(signed char)(v % 5u)"),
    ("float", ["+", "max", "min"], "(float)(v % 17u)"),
    ("double", ["+", "max", "min"], "(double)(v % 1001u)"),
    ("_Bool", ["&&", "||"], "(v % 5u != 0)"),
]


def combine(op, name, value):
    if op == "max":
        return f"if ({value} > {name}) {name} = {value};"
    if op == "min":
        return f"if ({value} < {name}) {name} = {value};"
    if op in ("&&", "||"):
        return f"{name} = {name} {op} {value};"
    return f"{name} {op}= {value};"


def start(op):
    return {"*": "1", "min": "100", "&": "-1", "&&": "1"}.get(op, "0")


class Vector:
    """One vector loop of a nest."""

    def __init__(self, rng, nest, number):
        self.counter = rng.choice(COUNTERS)
        self.down = rng.random() < 0.15 and "unsigned" not in self.counter
        self.length = rng.choice([None, None, None, 2, 4, 8, 16, 32, 64, 128])
        self.reductions = []
        self.clauses = []
        self.lanes = True
        self.body = []
        k = f"(unsigned)k{number}"
        self.name = f"k{number}"
        self.body.append(f"unsigned long p = (w * NK + {k}) % SIZE;")
        self.body.append(rng.choice([
            "unsigned v = b[p] + base;", "unsigned v = b[p] * 3u + z[w];",
            f"unsigned v = helper(b[p]) ^ {k};", f"unsigned v = {k} + base;"
        ]))
        if nest.own_array and rng.random() < 0.7:
            self.body.append("v += own[v % 4];")
        if rng.random() < 0.2:
            self.body.append("unsigned mine[3];")
            self.body.append("for (int q = 0; q < 3; q++) mine[q] = v + (unsigned)q;")
            self.body.append("v = mine[p % 3] * 5u;")
        if rng.random() < 0.2:
            self.body.append("for (unsigned q = 0; q < v % 4u; q++) v += q;")
        if rng.random() < 0.2:
            self.clauses.append(f"private(t{number})")
            self.body.append(f"t{number} = v * 2u;")
            self.body.append(f"v = t{number} + 1u;")
        for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
            kind, ops, value = rng.choice(REDUCED)
            op = rng.choice(ops)
            name = f"s{number}_{len(self.reductions)}"
            self.reductions.append((kind, op, name))
            text = combine(op, name, value)
            if rng.random() < 0.2:
                text = f"if (v % 3u) {{ {text} }}"
            self.body.append(text)
            self.clauses.append(f"reduction({op} : {name})")
        if rng.random() < 0.5 or not self.reductions:
            self.body.append(rng.choice(["a[p] = v;", "a[p] += v;",
                                         "if (v % 2u) a[p] = v + 1u;"]))
        if rng.random() < 0.15:
            self.body.append("#pragma omp atomic\nh[v % 16u] += 1u;")
        if rng.random() < 0.08:
            # A variable of the worker that iterations write: not for lanes.
            self.body.append("shared_of_worker[v % 4u] = 7u;")
            nest.needs_shared = True
            self.lanes = False

    def text(self, nest, spelled, pad):
        name = self.name
        out = ""
        for kind, op, s in self.reductions:
            out += f"{pad}{kind} {s} = {start(op)};\n"
        own = f"t{name[1:]}"
        if f"private({own})" in self.clauses:
            out += f"{pad}unsigned {own} = 0;\n"
        if spelled == "acc":
            level = f"vector({self.length})" if self.length else "vector"
            out += f"#pragma acc loop {level} {' '.join(self.clauses)}\n"
        elif spelled == "omp":
            out += f"#pragma omp simd {' '.join(self.clauses)} /* {nest.number} */\n"
        t = self.counter
        if self.down:
            out += (f"{pad}for ({t} {name} = ({t})(NK - 1); {name} >= 0; "
                    f"{name}--) {{\n")
        else:
            out += (f"{pad}for ({t} {name} = 0; {name} < ({t})NK; "
                    f"{name}++) {{\n")
        for line in self.body:
            for part in line.split("\n"):
                at = "" if part.startswith("#") else pad + "  "
                out += at + part + "\n"
        return out + pad + "}\n"


class Nest:
    def __init__(self, rng, number):
        self.number = number
        self.spelling = rng.choice(["acc", "omp"])
        self.three = rng.random() < 0.4
        self.ni = rng.choice([0, 1, 2, 5, 33, 130])
        self.nj = rng.choice([0, 1, 3, 4, 7, 40]) if self.three else 1
        self.nk = rng.choice([0, 1, 2, 3, 31, 32, 33, 64, 100, 257])
        # Each iteration has elements of its own.
        while self.ni * self.nj * self.nk > SIZE:
            self.ni //= 2
        self.own_array = rng.random() < 0.25
        self.needs_shared = False
        self.total = rng.random() < 0.3
        self.total_op = rng.choice(["+", "max", "^"])
        self.vectors = [
            Vector(rng, self, n) for n in range(rng.choice([1, 1, 1, 2, 2, 3]))
        ]
        self.limit = rng.choice([None, None, None, 16, 32, 48, 96, 100, 256])
        if self.spelling == "acc":
            self.limit = None
        self.between = rng.random()
        self.condition = rng.random() < 0.25
        self.repeat = rng.random() < 0.2
        self.captures = rng.random() < 0.2
        self.calls = rng.random() < 0.2
        self.stores = rng.random() < 0.5
        self.atomics = rng.random() < 0.2

    @property
    def lanes(self):
        # Any refused vector loop keeps its nest from lanes.
        return all(v.lanes for v in self.vectors)

    def worker(self, spelled, pad):
        """The body of one worker, of number w."""
        out = f"{pad}unsigned base = b[w % SIZE] + scale;\n"
        if self.calls:
            out += f"{pad}base += counted(&c[w]);\n"
        if self.own_array:
            out += f"{pad}unsigned own[4];\n"
            out += f"{pad}for (int q = 0; q < 4; q++) own[q] = base * (unsigned)q;\n"
        if self.needs_shared:
            out += f"{pad}unsigned shared_of_worker[4] = {{1, 2, 3, 4}};\n"
        if self.captures:
            out += f"{pad}unsigned old;\n#pragma omp atomic capture\n"
            out += f"{pad}{{ old = c[w]; c[w] += 3u; }}\n{pad}base += old;\n"
        if self.stores:
            out += f"{pad}z[w] = base ^ 5u;\n{pad}z[w] += 2u;\n"
        for v in self.vectors:
            inner = pad
            if self.condition:
                out += f"{inner}if (base % 3u) {{\n"
                inner += "  "
            if self.repeat:
                out += f"{inner}for (int r = 0; r < 2; r++) {{\n"
                inner += "  "
            out += v.text(self, spelled, inner)
            for kind, op, name in v.reductions:
                out += f"{inner}y[w] = y[w] * 3u + (unsigned){name};\n"
                out += f"{inner}base += (unsigned){name};\n"
            if self.atomics:
                out += f"#pragma omp atomic\n{inner}h[base % 16u] += 1u;\n"
            if self.between < 0.4:
                out += (f"{inner}if (NK > 0) z[w] += "
                        f"a[(w * NK + NK - 1) % SIZE];\n")
            if self.repeat:
                inner = inner[:-2]
                out += inner + "}\n"
            if self.condition:
                out += pad + "}\n"
        if self.needs_shared:
            out += f"{pad}y[w] += shared_of_worker[base % 4u];\n"
        if self.total:
            out += pad + combine(self.total_op, "total", "(base % 1000u)") + "\n"
        return out

    def loops(self, spelled):
        total = f" reduction({self.total_op} : total)" if self.total else ""
        maps = {
            "omp": "map(tofrom : a[ : SIZE], y[ : SIZE], z[ : SIZE], "
                   "h[ : 16], c[ : SIZE]) map(to : b[ : SIZE])",
            "acc": "copy(a[ : SIZE], y[ : SIZE], z[ : SIZE], h[ : 16], "
                   "c[ : SIZE]) copyin(b[ : SIZE])",
        }
        tofrom = {"omp": " map(tofrom : total)" if self.total else "",
                  "acc": " copy(total)" if self.total else ""}
        limit = f" thread_limit({self.limit})" if self.limit else ""
        out = ""
        if spelled == "omp":
            inner = "" if self.three else " parallel for"
            out += (f"#pragma omp target teams distribute{inner}{total}{limit} "
                    f"{maps['omp']}{tofrom['omp']}\n")
        elif spelled == "acc":
            inner = "gang" if self.three else "gang worker"
            out += (f"#pragma acc parallel loop {inner}{total} "
                    f"{maps['acc']}{tofrom['acc']}\n")
        out += "  for (int i = 0; i < NI; i++) {\n"
        if self.three:
            if spelled == "omp":
                out += f"#pragma omp parallel for{total}\n"
            elif spelled == "acc":
                out += f"#pragma acc loop worker{total}\n"
            out += "    for (int j = 0; j < NJ; j++) {\n"
            out += "      unsigned long w = (unsigned long)i * NJ + j;\n"
            out += self.worker(spelled, "      ") + "    }\n"
        else:
            out += "    unsigned long w = (unsigned long)i;\n"
            out += self.worker(spelled, "    ")
        return out + "  }\n"

    def function(self):
        head = ("void {}(unsigned *a, const unsigned *b, unsigned *y, "
                "unsigned *z,\n    unsigned *h, unsigned *c, unsigned *out, "
                "unsigned scale, long NI, long NJ, long NK) {{\n"
                "  unsigned total = 3;\n  (void)NJ; (void)scale;\n")
        tail = "  out[0] = total;\n}\n"
        # The host's loops have no directives; atomics of one thread do no harm.
        return ("SEQUENTIAL " + head.format(f"host{self.number}") +
                self.loops("none") + tail +
                f"/* nest {self.number} begins */\n" +
                head.format(f"device{self.number}") +
                self.loops(self.spelling) + tail)

    def call(self):
        return f"  RUN({self.number}, {self.ni}, {self.nj}, {self.nk});\n"


PRELUDE = """// Written by random_lanes.py; seed %d.
#include <stdio.h>
#include <string.h>
// What is right comes from code as it stands, and costs little to compile.
#define SEQUENTIAL __attribute__((optnone, noinline)) static
enum { SIZE = %d };
static unsigned A[2][SIZE], B[SIZE], Y[2][SIZE], Z[2][SIZE], H[2][16];
static unsigned C[2][SIZE], Out[2][1];
#pragma omp begin declare target
static unsigned helper(unsigned x) { return x * x + 3u; }
static __attribute__((noinline)) unsigned counted(unsigned *c) {
  *c += 1u;
  return *c * 2u;
}
#pragma omp end declare target
static int bad, good;
static void compare(int nest) {
  const char *What = 0;
  if (memcmp(A[0], A[1], sizeof A[0])) What = "a";
  if (memcmp(Y[0], Y[1], sizeof Y[0])) What = "y";
  if (memcmp(Z[0], Z[1], sizeof Z[0])) What = "z";
  if (memcmp(H[0], H[1], sizeof H[0])) What = "h";
  if (memcmp(C[0], C[1], sizeof C[0])) What = "c";
  if (memcmp(Out[0], Out[1], sizeof Out[0])) What = "total";
  if (What) {
    long at = -1;
    for (long i = 0; i < SIZE && at < 0; i++)
      if (Y[0][i] != Y[1][i]) at = i;
    printf("nest %%d differs: %%s; y[%%ld]; total %%u, want %%u\\n", nest, What, at,
           Out[1][0], Out[0][0]);
    bad++;
  } else
    good++;
}
static void reset(int nest) {
  for (long i = 0; i < SIZE; i++) {
    A[0][i] = A[1][i] = (unsigned)(i * 7 + nest);
    B[i] = (unsigned)i * 2654435761u + (unsigned)nest;
    Y[0][i] = Y[1][i] = Z[0][i] = Z[1][i] = (unsigned)i;
    C[0][i] = C[1][i] = (unsigned)(i %% 5);
  }
  memset(H, 0, sizeof H);
}
#define RUN(N, ...) \\
  reset(N); \\
  host##N(A[0], B, Y[0], Z[0], H[0], C[0], Out[0], 3u, __VA_ARGS__); \\
  device##N(A[1], B, Y[1], Z[1], H[1], C[1], Out[1], 3u, __VA_ARGS__); \\
  compare(N)
"""


def nests(seed, count):
    rng = random.Random(seed)
    return [Nest(rng, n) for n in range(count)]


def write(seed, count):
    return program(PRELUDE % (seed, SIZE), nests(seed, count))


def check(seed, count, path):
    lines = write(seed, count).splitlines()
    begins = [at for at, line in enumerate(lines, 1)
              if re.match(r"/\* nest \d+ begins", line)]
    became = {}
    for line in open(path, encoding="utf-8"):
        found = re.search(r":(\d+):\d+: (?:remark: )?vector loop (runs|stays)",
                          line)
        if not found:
            continue
        nest = sum(1 for at in begins if at < int(found.group(1))) - 1
        became.setdefault(nest, set()).add(found.group(2) == "runs")
    wrong = 0
    for nest in nests(seed, count):
        if became.get(nest.number) != {nest.lanes}:
            print(f"nest {nest.number}: should run across lanes: {nest.lanes}, "
                  f"did: {became.get(nest.number)}")
            wrong += 1
    print(f"{count - wrong} of {count} as expected, "
          f"{sum(v == {True} for v in became.values())} across lanes")
    return wrong


def main(arguments):
    what, seed, count = arguments[0], int(arguments[1]), int(arguments[2])
    if what == "write":
        print(write(seed, count), end="")
    elif what == "check":
        return 1 if check(seed, count, arguments[3]) else 0
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
