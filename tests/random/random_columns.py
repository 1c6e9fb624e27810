# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random nests whose inner loops go down columns, with the passes and without.

Prints how many nests there were, how many became lanes, and how many differ.
"""

import with_and_without

PROLOGUE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define PAGES 16
static char *Arena[4];
static size_t Bytes = PAGES * 4096;
static unsigned long Sum = 1;
static void open_arenas(void) {
  for (int a = 0; a < 4; a++) {
    Arena[a] = mmap(0, Bytes + 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(Arena[a] + Bytes, 4096, PROT_NONE);
  }
}
__attribute__((noinline)) static void fill(void) {
  unsigned x = 7;
  for (int a = 0; a < 4; a++)
    for (size_t i = 0; i < Bytes; i += 4) {
      x = x * 1664525u + 1013904223u;
      /* Small numbers as float, as double's upper half and as integers. */
      unsigned v = (x >> 9 & 0x007fffff) | 0x3f800000;
      memcpy(Arena[a] + i, &v, 4);
    }
}
__attribute__((noinline)) static void add(void) {
  for (int a = 0; a < 4; a++)
    for (size_t i = 0; i < Bytes; i += 4) {
      unsigned v;
      memcpy(&v, Arena[a] + i, 4);
      Sum = Sum * 31 + v;
    }
}
"""

TYPES = ["float", "double", "unsigned", "unsigned long", "unsigned short", "unsigned char"]
SIZES = [0, 1, 2, 5, 7, 8, 9, 15, 16, 17, 31, 33, 40]


def nest(rng, number):
    """The text of one function, its calls, and how its arrays may lie."""
    element = rng.choice(TYPES[:4] if rng.random() < 0.85 else TYPES)
    other = element if rng.random() < 0.8 else rng.choice(TYPES)
    index = rng.choice(["int"] * 3 + ["long"] * 3 + ["unsigned"])
    collapsed = rng.random() < 0.45
    parallel = collapsed or rng.random() < 0.2
    fixed = rng.random() < 0.2
    count = rng.choice([3, 10, 24])
    last = str(count) if fixed else "q"
    a = rng.choice(["i * q + k", "i * q + k", "k * n + i", "k", "i", "j"])
    b = rng.choice(
        ["k * m + j"] * 12
        + ["k * m + j + 1", "j * q + k", "2 * (k * m + j)", "k * m + m - 1 - j", "j"]
    )
    c = rng.choice(["i * m + j"] * 10 + ["j * n + i", "i * m + m - 1 - j", "j"])
    if fixed:
        a = a.replace("q", last)
        b = b.replace("q", last)
    if c == "j":
        parallel = collapsed = False
    op = rng.choice(["s += {} * {}", "s -= {} * {}", "s += {} - {}", "s = s * {} + {}"])
    if element in ("unsigned", "unsigned long") and rng.random() < 0.3:
        op = rng.choice(["s ^= {} + {}", "s = s > {0} ? s : {1}"])
    step = op.format("(%s)A[%s]" % (element, a), "B[%s]" % b) + ";"
    if rng.random() < 0.15:
        step = "if (A[%s] > B[%s]) " % (a, b) + step
    second = rng.random() < 0.3
    if second:
        step += " t += B[%s];" % b
    bound = last if rng.random() < 0.9 or parallel else "(j & 15)"
    first = rng.choice(["0", "0", "C[%s]" % c, "1"])
    inner = "for (%s k = 0; k < %s; k++) { %s }" % (index, bound, step)
    if bound == last and rng.random() < 0.25:
        # In tiles, of which the last is shorter.
        tile = rng.choice([3, 4, 8])
        full = "for (int u = 0; u < %d; u++) { %s k = l + u; %s }" % (tile, index, step)
        rest = "for (%s k = l; k < %s; k++) { %s }" % (index, last, step)
        inner = "for (%s l = 0; l < %s; l += %d) if (l + %d <= %s) %s else %s" % (
            index, last, tile, tile, last, full, rest,
        )
    elif rng.random() < 0.12:
        inner = "for (int r = 0; r < 2; r++) " + inner
    out = "C[%s] = s;" % c
    if second:
        out += " D[%s] = t;" % c
    if rng.random() < 0.1 and not parallel:
        out += " total += s;"
    pragma = ""
    if parallel:
        pragma = "#pragma omp parallel for%s\n" % (" collapse(2)" if collapsed else "")
    restrict = "restrict" if rng.random() < 0.3 else ""
    text = """
__attribute__((noinline)) static void nest%d(%s *%s C, const %s *A, const %s *B,
    %s *%s D, %s n, %s m, %s q) {
  %s total = 0;
%s  for (%s i = 0; i < n; i++)
    for (%s j = 0; j < m; j++) {
      %s s = %s, t = 3;
      %s
      %s
    }
  Sum += (unsigned long)(total != 0);
}
""" % (
        number, element, restrict, other, element, element, restrict,
        index, index, index, element, pragma, index, index,
        element, first, inner, out,
    )
    calls = []
    for _ in range(6):
        n, m, q = (rng.choice(SIZES) for _ in range(3))
        if fixed:
            q = count
        # The ends of arrays, where nothing may be touched behind.
        where = [0, 1, 2, 3]
        shift = [0, 0, 0, 0]
        if not parallel and not restrict:
            way = rng.random()
            if way < 0.3:
                where[rng.choice([1, 2] if other == element else [2])] = 0
            elif way < 0.45:
                where[3] = 0
            shift[0] = rng.choice([0, 0, 0, 8, 64, 800, 2000])
        size = {"C": element, "A": other, "B": element, "D": element}
        most = 40 * 40 * 2 + 80
        args = []
        for name, arena, by in zip("CABD", where, shift):
            args.append(
                "(%s *)(Arena[%d] + Bytes) - %d" % (size[name], arena, most + by)
            )
        calls.append(
            "  fill(), nest%d(%s, %d, %d, %d), add();"
            % (number, ", ".join(args), n, m, q)
        )
        # Exactly as long as what is accessed of B, the usual way.
        if b == "k * m + j" and bound == last and m * q:
            args[2] = "(%s *)(Arena[2] + Bytes) - %d" % (element, m * q)
            calls.append(
                "  fill(), nest%d(%s, %d, %d, %d), add();"
                % (number, ", ".join(args), n, m, q)
            )
    calls.append('  printf("nest%d %%lu\\n", Sum), fflush(stdout);' % number)
    return text, "\n".join(calls)


with_and_without.main(PROLOGUE, nest, "nests", 20, ["-fopenmp", "-ffp-contract=off"],
                      "simd-(columns|function)", "vectorized outer loop", "lanes",
                      begin="  open_arenas();\n")
