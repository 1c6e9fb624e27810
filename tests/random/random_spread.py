#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs for several devices.

  random_spread.py SEED COUNT [--only N] [--ops A,B,...] [--large] [--single]

writes a C program of COUNT cases to stdout. A case spreads arrays over some or
all devices and does random things with them: distributed loops, constructs on
one device, updates of parts, copies, time loops. Each case runs on the devices
and as plain loops on the host, and everything that it wrote is compared, bit by
bit: all values are integers, those of float and double too. The program prints
one line a difference, then how many cases were right, and fails otherwise; it
leaves out cases that name devices which are not there. Its arguments are the
numbers of cases to run; none are all. --only writes one case, --ops keeps some
operations of each, --large makes some arrays of several MiB, --single has no
distributed loops.
"""

import argparse
import random

from spread_nests import Array, TYPES
from spread_ops import (Case, Memcpy, Nest, Owners, Pieces, Scalar, Steps, Update,
                        indent)

SIZES = [0, 1, 2, 7, 63, 100, 511, 513, 1000, 1025, 1500, 3000, 6000]
SHAPES = [(1, 1), (7, 9), (3, 500), (500, 3), (33, 65), (64, 64), (80, 90), (0, 5), (5, 4, 3),
          (20, 18, 17), (2, 3, 400), (300, 2, 2), (1, 40, 40)]
LARGE = [(700001,), (1200000,), (1100, 1024), (90, 100, 111), (3, 400000)]


class Program:
    def __init__(self, seed, number, large):
        self.number = number
        self.rng = rng = random.Random(f"{seed} {number}")
        self.large = large and rng.random() < 0.3
        devices = None
        if rng.random() < 0.5:
            devices = rng.sample(range(4), rng.choice([1, 2, 2, 2, 3, 3, 4]))
        self.case = Case(rng, rng.random() < 0.5, devices)
        self.need = max(devices, default=0) + 1 if devices else 1
        self.structured = rng.random() < 0.5
        self.choose_arrays()
        self.groups = self.choose_groups()
        self.ops = []
        for _ in range(rng.choice([1, 2, 3, 4, 5, 7])):
            self.add_op()

    def shape(self):
        if self.large and self.rng.random() < 0.6:
            return self.rng.choice(LARGE)
        if self.rng.random() < 0.5:
            return (self.rng.choice(SIZES),)
        return self.rng.choice(SHAPES)

    def choose_arrays(self):
        rng, case = self.rng, self.case
        shapes = [self.shape() for _ in range(rng.choice([1, 2]))]
        types = [rng.choice(TYPES) for _ in range(2)]
        for k in range(rng.choice([2, 3, 4])):
            dims = rng.choice(shapes)
            form = rng.choice(["flat", "flat", "rows", "static"]) if len(dims) > 1 else "flat"
            if form != "flat" and 0 in dims or self.large:
                form = "flat"
            case.arrays.append(Array("ABCD"[k], rng.choice(types), dims, form))
        first = case.arrays[0]
        if first.size and len(first.dims) == 1 and rng.random() < 0.4:
            case.arrays.append(Array("P", "int", first.dims, values=first.size, one=True,
                                     role=rng.choice(["spread", "replicated", "free", "everywhere"])))
        if rng.random() < 0.35:
            case.arrays.append(Array("R", rng.choice(TYPES), (rng.choice([1, 7, 300, 2000]),),
                                     role="replicated"))
        if rng.random() < 0.3:
            case.arrays.append(Array("G", "int", (rng.choice([5, 300, 2000]),), values=rng.choice([1, 5, 100]),
                                     role=rng.choice(["free", "everywhere", "replicated"])))
        if rng.random() < 0.2:
            case.arrays.append(Array("L", "long", (rng.choice([3, 8]),), form="local", role="local"))
        if rng.random() < 0.15:
            case.arrays.append(Array("F", rng.choice(TYPES), shapes[0], role="free"))
        for array in case.arrays:
            array.runtime = array.form == "flat" and rng.random() < 0.5

    def devices_clause(self):
        devices = self.case.devices
        if devices is None:
            return " devices(all)"
        return f" devices({', '.join(map(str, self.rng.sample(devices, len(devices))))})"

    def choose_groups(self):
        """Directives: (spread or replicate, its arrays, clauses)."""
        rng, groups = self.rng, []
        for array in self.case.arrays:
            if array.role not in ("spread", "replicated"):
                continue
            word = "spread" if array.role == "spread" else "replicate"
            block = ""
            if word == "spread" and rng.random() < 0.3:
                block = f" block({rng.choice([1, 100, 512, 1024, 1000, 3000] + [600000] * self.large)})"
            if groups and groups[-1][0] == word and rng.random() < 0.5:
                groups[-1][1].append(array)
            else:
                groups.append((word, [array], self.devices_clause() + block))
        return groups

    def add_op(self):
        rng, case = self.rng, self.case
        spread, read = case.spread(), [a for a in case.arrays if a.name != "F"]
        writable = [a for a in spread if not a.values]
        kind = rng.choice(["loop"] * 6 + ["reduce"] * 3 + ["single"] * 2 + ["update"] * 2 + ["memcpy"] * 2
                          + ["pieces", "steps", "steps", "scalar", "owners", "free", "replicated"])
        flat = [a for a in writable if a.form == "flat" and a.size > 1]
        if kind == "loop":
            self.ops.append(Nest(case, rng.choice(writable), read, reduce=rng.random() < 0.2))
        elif kind == "reduce":
            self.ops.append(Nest(case, None, read, reduce=True))
        elif kind == "single":
            self.ops.append(Nest(case, rng.choice(writable), read, single=True))
        elif kind == "update":
            array = rng.choice(writable)
            if array.size:
                self.ops.append(Update(case, array))
        elif kind == "memcpy" and flat:
            one = rng.choice(flat)
            other = rng.choice([a for a in flat if a.type == one.type])
            self.ops.append(Memcpy(case, one, other))
        elif kind == "pieces" and flat:
            self.ops.append(Pieces(case, rng.choice(flat), read))
        elif kind == "steps":
            one = rng.choice([a for a in writable if a.form != "static"] or [None])
            same = [a for a in writable if one and a is not one and a.form == one.form
                    and a.dims == one.dims and a.type == one.type]
            if same:
                self.ops.append(Steps(case, one, rng.choice(same), read))
        elif kind == "scalar":
            self.ops.append(Scalar(case))
        elif kind == "owners":
            self.ops.append(Owners(case, rng.choice(spread)))
        elif kind == "free":
            free = [a for a in case.arrays if a.name == "F"]
            if free:
                self.ops.append(Nest(case, free[0], read))
        elif kind == "replicated":
            array = [a for a in case.arrays if a.role == "replicated" and not a.values]
            if array:
                self.ops.append(Update(case, array[0]))

    def declare(self, dev):
        out = []
        for k, array in enumerate(self.case.arrays):
            columns = "".join(f"[{d}]" for d in array.dims[1:])
            if array.form == "flat":
                out.append(f"{array.type} *{array.name} = a[{k}];")
            elif array.form == "rows":
                out.append(f"{array.type} (*{array.name}){columns} = a[{k}];")
            elif array.form == "static":
                out += [f"static {array.type} {array.name}[{array.dims[0]}]{columns};",
                        f"memcpy({array.name}, a[{k}], sizeof({array.name}));"]
            else:
                out += [f"{array.type} {array.name}[{array.dims[0]}];",
                        f"memcpy({array.name}, a[{k}], sizeof({array.name}));"]
        out += [f"{t} {n} = {v};" for n, t, v in self.case.results]
        return out + ["long c0 = 3, c1 = 5;", "const int z = zero, nd = num_devices;", "int bad = 0;",
                      "(void)c0, (void)c1, (void)z, (void)nd;"]

    def everywhere(self, begin):
        out, case = [], self.case
        for array in case.arrays:
            if array.role != "everywhere":
                continue
            if case.devices is None:
                head = "for (int d = 0; d < nd; ++d) {"
            else:
                head = f"for (int p = 0; p < {len(case.devices)}; ++p) {{ const int list[] = {{{', '.join(map(str, case.devices))}}}, d = list[p];"
            part = array.section()
            if case.acc:
                line = f"#pragma acc {'enter data copyin' if begin else 'exit data delete'}({part}) deviceid(d)"
                wait = ["#pragma acc wait device(d)"]
            else:
                line = (f"#pragma omp target enter data map(to: {part}) device(d)" if begin else
                        f"#pragma omp target exit data map(delete: {part}) device(d)")
                wait = []
            out += [head, line, *wait, "}"]
        return out

    def function(self, dev, keep):
        body = [line for k, op in enumerate(self.ops) if keep is None or k in keep
                for line in [f"// operation {k}"] + op.lines(dev)]
        if dev:
            body = self.everywhere(True) + body + self.everywhere(False)
            for word, arrays, clauses in reversed(self.groups):
                names = ", ".join(a.section() for a in arrays)
                if self.structured:
                    body = [f"#pragma accx {word}({names}){clauses}", "{", *indent(body), "}"]
                else:
                    body = [f"#pragma accx enter {word}({names}){clauses}", *body,
                            f"#pragma accx exit {word}({names})"]
        body += [f"memcpy(a[{k}], {a.name}, sizeof({a.name}));"
                 for k, a in enumerate(self.case.arrays) if a.form == "static"]
        body += [f"s[{k}] = (long){n};" if t != "double" and t != "float" else f"s[{k}] = (long)({n} > 1e15 ? 0 : {n});"
                 for k, (n, t, _) in enumerate(self.case.results)]
        name = "device" if dev else "host"
        return [f"static int {name}{self.number}(void **a, long *s) {{",
                *indent(self.declare(dev) + body + ["return bad;"]), "}"]

    def fill(self):
        out = [f"static void fill{self.number}(struct array *a) {{"]
        for k, array in enumerate(self.case.arrays):
            kind = "ONE" if array.one else "ANY"
            out.append(f"  a[{k}] = (struct array){{'{array.name}', {array.type.upper()}, {array.size}, "
                       f"{array.values or 1024}, {kind}}};")
        return out + ["}"]

    def text(self, keep):
        return "\n".join(self.fill() + self.function(False, keep) + self.function(True, keep))


HEAD = """#include <accx/spread.h>
#include <omp.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum type { INT, LONG, FLOAT, DOUBLE };
enum kind { ANY, ONE };
struct array {
  char name;
  enum type type;
  long size, values;
  enum kind kind;
};
static volatile int zero = 0;
static int num_devices;
static inline long mix(long a, long b) { return (a & 0xffff) * 7 + (b & 1023); }
"""

MAIN = """
static const size_t bytes[] = {4, 8, 4, 8};
static void fill(void *to, const struct array *a) {
  // An odd factor that has none in common with the size gives each value once.
  long factor = 7919;
  while (a->kind == ONE && a->size % 7919 == 0)
    factor = 7927;
  for (long i = 0; i < a->size; ++i) {
    const long v = a->kind == ONE ? (i * factor + 3) % a->size
                                  : (long)((i * 2654435761u >> 7) % (unsigned long)a->values);
    if (a->type == INT)
      ((int *)to)[i] = v;
    else if (a->type == LONG)
      ((long *)to)[i] = v;
    else if (a->type == FLOAT)
      ((float *)to)[i] = v;
    else
      ((double *)to)[i] = v;
  }
}
struct one {
  int number, devices, arrays, results;
  void (*fill)(struct array *);
  int (*host)(void **, long *), (*device)(void **, long *);
};
static int differs(const struct one *one) {
  struct array arrays[12];
  void *a[2][12];
  long s[2][64] = {{0}};
  one->fill(arrays);
  for (int k = 0; k < one->arrays; ++k)
    for (int side = 0; side < 2; ++side) {
      // Arrays begin anywhere in a page.
      a[side][k] = malloc(arrays[k].size * bytes[arrays[k].type] + 8);
      fill(a[side][k], &arrays[k]);
    }
  one->host(a[0], s[0]);
  int bad = one->device(a[1], s[1]);
  if (bad)
    printf("case %d: a routine or an owner is wrong\\n", one->number);
  for (int k = 0; k < one->results; ++k)
    if (s[0][k] != s[1][k] && (bad = 1))
      printf("case %d: result %d is %ld, not %ld\\n", one->number, k, s[1][k], s[0][k]);
  for (int k = 0; k < one->arrays; ++k) {
    const size_t size = bytes[arrays[k].type];
    long wrong = 0, first = -1;
    for (long i = 0; i < arrays[k].size; ++i)
      if (memcmp((char *)a[0][k] + i * size, (char *)a[1][k] + i * size, size) && ++wrong == 1)
        first = i;
    if (wrong && (bad = 1))
      printf("case %d: %ld of %ld elements of %c differ from element %ld on\\n", one->number, wrong,
             arrays[k].size, arrays[k].name, first);
  }
  for (int k = 0; k < 2 * one->arrays; ++k)
    free(a[k % 2][k / 2]);
  fflush(stdout);
  return bad;
}
static const struct one cases[] = {
%s
};
int main(int argc, char **argv) {
  num_devices = omp_get_num_devices();
  int bad = 0, tried = 0;
  for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k) {
    int wanted = argc == 1;
    for (int j = 1; j < argc; ++j)
      wanted |= atoi(argv[j]) == cases[k].number;
    if (!wanted || cases[k].devices > num_devices)
      continue;
    if (getenv("SPREAD_VERBOSE"))
      fprintf(stderr, "case %%d\\n", cases[k].number);
    ++tried;
    bad += differs(&cases[k]);
  }
  printf("%%d of %%d cases right on %%d devices\\n", tried - bad, tried, num_devices);
  return bad != 0;
}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed")
    parser.add_argument("count", type=int)
    parser.add_argument("--only", type=int)
    parser.add_argument("--ops")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--single", action="store_true")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    Nest.always_single = options.single
    keep = None if options.ops is None else {int(k) for k in options.ops.split(",") if k}
    programs = [Program(options.seed, k, options.large) for k in numbers]
    print(HEAD)
    for program in programs:
        print(program.text(keep))
    rows = [f"    {{{p.number}, {p.need}, {len(p.case.arrays)}, {len(p.case.results)}, fill{p.number}, "
            f"host{p.number}, device{p.number}}}," for p in programs]
    print(MAIN.replace("%s", "\n".join(rows), 1).replace("%%", "%"))


main()
