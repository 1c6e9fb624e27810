# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops over ranges that follow each other, or nearly so.

With the passes and without; prints how many loops there were, how many became
one, and how many programs differ.
"""

import with_and_without

PROLOGUE = """
#include <stdio.h>
#include <string.h>
enum { SIZE = 4096 };
static unsigned C[SIZE], A[SIZE];
static float X[SIZE], Y[SIZE];
static unsigned long Sum = 1;
__attribute__((noinline)) static void fill(void) {
  for (unsigned i = 0; i < SIZE; i++)
    C[i] = i * 7, A[i] = i * 2654435761u, X[i] = i % 91, Y[i] = i % 17;
}
__attribute__((noinline)) static void add(void) {
  for (unsigned i = 0; i < SIZE; i++)
    Sum = (Sum * 31 + C[i]) * 31 + (unsigned long)(long)X[i];
}
"""


def loop(rng, number):
    """The text of one function, and its calls."""
    index = rng.choice(["int"] * 3 + ["long"] * 3 + ["unsigned", "unsigned long"])
    counted = rng.random() < 0.45
    base = rng.choice(["", "", "base + "])
    # Of nearly all, ranges follow each other.
    scale = rng.choice(["e"] * 8 + ["(e + 1)", "7"])
    i = rng.choice(["i"] * 5 + ["(i + 2)", "(i - 1)"])
    start = "%s%s * %s" % (base, i, scale)
    here = "k" if not counted else rng.choice([start + " + k", "k + " + start])
    masked = "(%s) & (SIZE - 1)" % here
    bodies = [
        "C[%s] = A[%s] * 3 + 1;" % (masked, masked),
        "C[%s] += (unsigned)(%s);" % (masked, here),
        "if (A[%s] & 4) C[%s] ^= 5;" % (masked, masked),
        "C[(2 * (%s)) & (SIZE - 1)] = (unsigned)(3 * (%s) + 1);" % (here, here),
        "C[(%s + 1) & (SIZE - 1)] = C[%s] + 1;" % (here, masked),
        "if (%s >= 0 && %s < SIZE) X[%s] = Y[%s] * Y[%s];" % ((here,) * 5),
        "if (%s >= 1 && %s < SIZE) X[%s] += X[%s - 1];" % ((here,) * 4),
    ]
    if rng.random() < 0.12:
        bodies = [
            "C[%s] += (unsigned)i;" % masked,
            "C[%s] = (unsigned)k; total += C[i & 255];" % masked,
            "C[i & 255] += A[%s];" % masked,
            "total += A[%s];" % masked,
        ]
    body = rng.choice(bodies)
    if rng.random() < 0.3:
        body += " " + rng.choice(bodies)
    if counted:
        limit = "e" if rng.random() < 0.8 else rng.choice(["3", "e + 1", "12"])
        inner = "for (%s k = 0; k < %s; k++) {" % (index, limit)
        if rng.random() < 0.5:
            inner += " if (%s < n)" % here
        inner += " { %s } }" % body
    else:
        end = "%s(%s + 1) * %s" % (base, i, scale)
        if rng.random() < 0.15:
            end = start + rng.choice([" + e", " + 5", " + e + 1"])
        stops = ["k < " + end]
        if rng.random() < 0.6:
            stops.append("k < n")
            rng.shuffle(stops)
        inner = "for (%s k = %s; %s; k++) { %s }" % (
            index, start, " && ".join(stops), body,
        )
    pragma = ""
    if rng.random() < 0.35:
        # What the ranges begin with is not known outside of a loop around.
        pragma = "  for (int r = 0; r < 3; r++, base += r * e)\n"
    text = """
__attribute__((noinline)) static void loop%d(%s first, %s last, %s e, %s n,
    %s base) {
  unsigned total = 0;
%s  for (%s i = first; i <= last; i++)
    %s
  Sum += total;
}
""" % (number, index, index, index, index, index, pragma, index, inner)
    unsigned = index.startswith("unsigned")
    calls = []
    for _ in range(10):
        first = rng.choice([0, 0, 0, 1, 3, 17])
        count = rng.choice([0, 1, 2, 3, 9, 40])
        each = rng.choice([0, 1, 2, 3, 7, 8, 10, 10, 16, 33])
        n = rng.choice([0, 5, 31, 100, 400, 1000, 1000000])
        start = rng.choice([0, 0, 5, 1000])
        if not unsigned and rng.random() < 0.2:
            first = -rng.choice([1, 4, 20])
        if not unsigned and rng.random() < 0.1:
            each = -rng.choice([1, 2, 10])
        if unsigned and rng.random() < 0.4:
            # Numbers go round, as the language has it.
            width = 64 if "long" in index else 32
            if rng.random() < 0.5:
                start = 2**width - rng.choice([1, 8, 50, 100])
            else:
                first = 2**width - 20
            n = rng.choice([n, 2**width - 1])
        suffix = "u" if index == "unsigned" else "ul" if unsigned else "l"
        last = first + count - 1
        if unsigned:
            last %= 2 ** (64 if "long" in index else 32)
            if last == 2 ** (64 if "long" in index else 32) - 1:
                continue
        args = ["%d%s" % (v, suffix) for v in (first, last, each, n, start)]
        calls.append("  fill(), loop%d(%s), add();" % (number, ", ".join(args)))
    calls.append('  printf("loop%d %%lu\\n", Sum), fflush(stdout);' % number)
    return text, "\n".join(calls)


with_and_without.main(PROLOGUE, loop, "loops", 30, [], "simd-join", "are one loop", "one")
