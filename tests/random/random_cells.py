#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops over the cells of grids, with divisions and conditions.

  random_cells.py SEED COUNT       a C program of COUNT loops

Each finds the coordinates of its cells by divisions of its own, or is a
collapsed nest, and has conditions around loads of neighbours and around stores.
The program runs each loop sequentially and as a kernel and compares all that
they wrote, bit by bit. It prints one line a difference, then how many loops were
right, and fails otherwise.
"""

import random
import sys

TYPES = ["int", "unsigned", "long", "unsigned long"]

# Of cells p = (z * h + y) * w + x: coordinates of one number.
DIGITS = [
    "x = p % w, y = p / w % h, z = p / (w * h)",
    "z = p / (w * h), y = p % (w * h) / w, x = p % (w * h) % w",
    "z = p / w / h, y = p / w % h, x = p - p / w * w",
    "x = p % w, q = p / w, y = q % h, z = q / h",
    "z = p / (h * w), q = p - z * (h * w), y = q / w, x = q % w",
]

CONDITIONS = [
    "x > 0", "y > 0", "z > 0", "x < w - 1", "y < h - 1", "z < d - 1",
    "x + 1 < w", "y != 1", "z == 0", "x >= 2", "y <= 5", "(x ^ y) & 1",
    "b[p] % 3 != 0", "x < y", "p > 100", "x > 0 && y > 0",
    "x > 0 && y > 0 && z > 0 && x < w - 1 && y < h - 1 && z < d - 1",
    "x < w - 1 || z > 0",
]

# Neighbours, and when they are there.
NEIGHBOURS = [
    ("x > 0", "b[p - 1]"), ("x < w - 1", "b[p + 1]"),
    ("y > 0", "b[p - w]"), ("y < h - 1", "b[p + w]"),
    ("z > 0", "b[p - w * h]"), ("z < d - 1", "b[p + w * h]"),
    ("x > 0", "b[(z * h + y) * w + x - 1]"),
    ("y > 0", "b[(z * h + y - 1) * w + x]"),
    ("z > 0", "b[((z - 1) * h + y) * w + x]"),
]


def statements(rng):
    lines = ["unsigned v = " + rng.choice(
        ["b[p]", "b[p] * 3u", "(unsigned)(x + 2 * y + 5 * z)"]) + ";"]
    for _ in range(rng.choice([0, 1, 2, 4, 5])):
        where, what = rng.choice(NEIGHBOURS)
        lines.append(rng.choice([
            f"if ({where}) v += {what};",
            f"v ^= {where} ? {what} : v * 5u;",
            f"if ({where}) v = v * 3u + {what}; else v += 7u;",
            f"if ({where}) {{ if ({rng.choice(CONDITIONS)}) v ^= {what}; }}",
        ]))
    store = rng.choice(["a[p] = v;", "a[p] += v;", "a[p] = v, c[p] = v ^ 1u;"])
    lines.append(rng.choice([
        store, store, f"if ({rng.choice(CONDITIONS)}) {{ {store} }}",
        f"if ({rng.choice(CONDITIONS)}) {{ {store} }}",
        f"if ({rng.choice(CONDITIONS)}) {{ {store} }} else c[p] = v * 9u;",
    ]))
    return lines


def extents(rng):
    return [rng.choice([0, 1, 2, 3, 7, 16, 33, 40]) for _ in range(3)]


def function(rng, number):
    cell = rng.choice(TYPES)
    head = (f"void {{}}{number}(unsigned *a, unsigned *c, const unsigned *b, "
            f"{cell} w, {cell} h, {cell} d) {{\n")
    maps = "map(tofrom : a[ : SIZE], c[ : SIZE]) map(to : b[ : SIZE])"
    if rng.random() < 0.6:
        clauses = ""
        loops = f"  for ({cell} p = 0; p < w * h * d; p++) {{\n"
        digits = rng.choice(DIGITS)
        if " q = " not in digits:
            digits += ", q = 0"
        # Coordinates of signed numbers are never negative.
        loops += f"    const {cell} {digits};\n    (void)q;\n"
    else:
        clauses = " collapse(3)"
        loops = "".join(
            f"  for ({cell} {i} = 0; {i} < {n}; {i}++)\n"
            for i, n in (("z", "d"), ("y", "h"), ("x", "w")))
        loops += f"  {{\n    const {cell} p = (z * h + y) * w + x;\n"
    for line in statements(rng):
        loops += "    " + line + "\n"
    loops += "  }\n}\n"
    return ("SEQUENTIAL " + head.replace("{}", "host") + loops +
            head.replace("{}", "device") +
            "#pragma omp target teams distribute parallel for" + clauses +
            " " + maps + "\n" + loops)


PRELUDE = """// Written by random_cells.py; seed %d.
#include <stdio.h>
#include <string.h>
#define SEQUENTIAL __attribute__((optnone, noinline)) static
enum { SIZE = 64000 };
static unsigned A[2][SIZE], C[2][SIZE], B[SIZE];
static int bad, good;
static void reset(int loop) {
  for (long i = 0; i < SIZE; i++) {
    A[0][i] = A[1][i] = (unsigned)(i * 7 + loop);
    C[0][i] = C[1][i] = (unsigned)(i * 3 + loop);
    B[i] = (unsigned)i * 2654435761u + (unsigned)loop;
  }
}
static void compare(int loop) {
  if (memcmp(A[0], A[1], sizeof A[0]) || memcmp(C[0], C[1], sizeof C[0])) {
    printf("loop %%d differs\\n", loop);
    bad++;
  } else
    good++;
}
#define RUN(N, ...) \\
  reset(N); \\
  host##N(A[0], C[0], B, __VA_ARGS__); \\
  device##N(A[1], C[1], B, __VA_ARGS__); \\
  compare(N)
"""


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    seed, count = map(int, arguments)
    rng = random.Random(seed)
    print(PRELUDE % seed)
    for number in range(count):
        print(function(rng, number))
    print("int main(void) {")
    for number in range(count):
        for _ in range(2):
            w, h, d = extents(rng)
            print(f"  RUN({number}, {w}, {h}, {d});")
    print('  printf("%d right, %d wrong\\n", good, bad);\n'
          "  return bad != 0;\n}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
