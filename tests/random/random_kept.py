# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program of random loops that keep results in memory.

Sums, bits and extremes are kept in variables and in elements that may lie in
what the loop reads, beside stores to arrays that overlap; elements are read
forwards, backwards, in steps and under conditions, and loops may end early.
Each loop is compiled twice, once without optimization, and both work on equal
memory, for all short numbers of iterations and some longer ones.

Usage: random_kept.py SEED CASES
"""

import random
import sys

PROLOGUE = """
extern int printf(const char *, ...);
enum { Size = 700, All = 4 * Size };
static unsigned char Memory[2][All * 8] __attribute__((aligned(64)));
"""

CHECK = """
static int check%(number)d(void) {
  %(kind)s *a = (%(kind)s *)Memory[0], *b = (%(kind)s *)Memory[1];
  static const long Stored[] = {3 * Size, 3, Size - 5, 2};
  for (long n = 0; n < 140; n += n < 70 ? 1 : 7)
    for (int how = 0; how < 4; how++) {
      const long w = %(apart)s ? 3 * Size : Stored[how];
      const long z = %(apart)s || how < 3 ? 2 * Size : 40;
      for (int i = 0; i < All; i++)
        a[i] = b[i] = (%(kind)s)((i * 37 + n) %% 101);
      fast%(number)d(n, how, a + 1, a + Size, a + w, a + z);
      slow%(number)d(n, how, b + 1, b + Size, b + w, b + z);
      for (int i = 0; i < All; i++)
        if (a[i] != b[i]) {
          printf("case %(number)d differs: n %%ld, way %%d\\n", n, how);
          return 1;
        }
    }
  return 0;
}
"""

TYPES = ["unsigned char", "short", "int", "unsigned", "long", "unsigned long"]


def value(rng, kind):
    """What an iteration reads or counts."""
    at = lambda: rng.choice(["k", "k", "k", "k + 1", "2 * k", "k + o"])
    forms = ["x[%s]" % at(), "x[%s]" % at(), "y[%s]" % at(), "(%s)k" % kind,
             "x[%s] * 3" % at(), "(x[%s] > 5 ? y[%s] : x[%s])" % (at(), at(), at())]
    return rng.choice(forms)


def statement(rng, kind):
    """What an iteration does."""
    take = lambda: value(rng, kind)
    return rng.choice([
        "*z += %s;" % take(), "*z ^= %s;" % take(), "z[1] += %s;" % take(),
        "s += %s;" % take(), "s ^= %s;" % take(),
        "w[k] = %s;" % take(), "w[k] += %s;" % take(),
        "if (%s > 7) s += %s;" % (take(), take()),
        "if (%s & 1) w[k] = %s;" % (take(), take()),
        "s = %s > s ? %s : s;" % (take(), take()),
        "if (%(v)s > m) { m = %(v)s; at = k; }" % {"v": take()},
    ])


def case(rng, number):
    """The text of a loop, twice, and of what compares them."""
    kind = rng.choice(TYPES)
    step = rng.choice([1, 1, 1, 2, 2, 3, 4])
    if rng.random() < 0.2:
        counter = rng.choice(["int", "long"])
        loop = "for (%s k = (%s)n - 1; k >= 0; k -= %d)" % (counter, counter, step)
    else:
        counter = rng.choice(["int", "long", "unsigned", "unsigned long"])
        loop = "for (%s k = 0; k < (%s)n; k += %d)" % (counter, counter, step)
    text = " ".join(statement(rng, kind) for _ in range(rng.choice([1, 1, 2, 3])))
    if rng.random() < 0.25:
        text += " if (x[k] == 77) break;"
    apart = rng.random() < 0.5
    arguments = "(long n, long o, const %s *x, const %s *y, %s *%sw, %s *%sz)" % (
        kind, kind, kind, "restrict " * apart, kind, "restrict " * apart)
    body = ("{ %s s = 5, m = 3; long at = -1; %s { %s } z[2] = s; z[3] = m;"
            " z[4] = (%s)at; }" % (kind, loop, text, kind))
    return (
        "__attribute__((noinline)) static void fast%d%s %s\n" % (number, arguments, body)
        + "__attribute__((noinline, optnone)) static void slow%d%s %s" % (number, arguments, body)
        + CHECK % {"number": number, "kind": kind, "apart": int(apart)})


def main():
    """Prints the program."""
    rng = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    print(PROLOGUE + "\n".join(case(rng, number) for number in range(count)))
    calls = "".join("  bad += check%d();\n" % number for number in range(count))
    print("int main(void) {\n  int bad = 0;\n%s" % calls
          + '  printf("%%d of %d differ\\n", bad);\n  return bad != 0;\n}' % count)


if __name__ == "__main__":
    main()
