# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program of random loops over all threads with loops inside.

Where an inner loop begins and ends depends on the outer counter, as for rows of
a matrix, groups and windows: LLVM makes counters of the outer loop from that.
Each outer loop runs on a device and on the host; all is integer arithmetic that
wraps, so that both have the same bits.

Usage: random_rows.py SEED CASES
"""

import random
import re

from nest_program import print_cases

PROLOGUE = """
extern int printf(const char *, ...);
enum { Size = 1 << 14, Rows = 3000 };
#define ARRAY(T, Name)                                                         \\
  static T Name[Size], Out##Name[2][Rows], Want##Name[2][Rows];                \\
  static void fill##Name(int Seed) {                                           \\
    for (int i = 0; i < Size; i++)                                             \\
      Name[i] = (T)((i * 7 + Seed) % 1023);                                    \\
    for (int i = 0; i < 2 * Rows; i++)                                         \\
      (&Out##Name[0][0])[i] = (&Want##Name[0][0])[i] = (T)(i % 5);             \\
  }                                                                            \\
  static int differs##Name(void) {                                             \\
    int Bad = 0;                                                               \\
    for (int i = 0; i < 2 * Rows; i++)                                         \\
      Bad += (&Out##Name[0][0])[i] != (&Want##Name[0][0])[i];                  \\
    return Bad;                                                                \\
  }
ARRAY(unsigned, Ints)
ARRAY(unsigned long, Longs)
ARRAY(unsigned char, Bytes)
static int Right, Wrong;
"""

ARRAYS = {"unsigned": "Ints", "unsigned long": "Longs", "unsigned char": "Bytes"}


def inner(rng, name, element):
    """A loop over a row of m elements, or nearly, and the element's name."""
    kind = rng.choice(["int", "unsigned", "long", "unsigned long"])
    shift = rng.choice(["", "", " + 1", " + o"])
    first = rng.choice(["i * m", "i * m", "m * i", "(i + 1) * m", "i", "i + o"])
    first = "(%s)(%s%s)" % (kind, first, shift)
    last = rng.choice(["%s + m", "%s + m", "%s + (m + i %% 3)", "%s + m - 1"]) % first
    if rng.random() < 0.3:
        first, last = "(%s)(i * m)" % kind, "(%s)((i + 1) * m)" % kind
    if rng.random() < 0.2:
        first, last = "0", "(%s)(i %% 7 + m)" % kind
    step = rng.choice([1, 1, 1, 1, 2, 3])
    form = rng.random()
    if form < 0.2:
        pointer = "const %s *%s" % (element, name)
        test = "!=" if step == 1 else "<"
        return (
            "for (%s = &x[(long)(i * m)]; %s %s &x[(long)(i * m) + m]; %s += %d)"
            % (pointer, name, test, name, step),
            "*%s" % name,
        )
    at = "x[(unsigned long)%s %% Size]" % name
    if form < 0.4:
        text = "for (%s %s = %s; %s > %s; %s -= %d)" % (
            kind, name, last, name, first, name, step)
        if step > 1 and "unsigned" in kind:
            text = text.replace(" -= %d" % step, "--")
        return text, at
    test = "!=" if step == 1 and form < 0.5 and "m - 1" not in last else "<"
    text = "for (%s %s = %s; %s %s %s; %s += %d)" % (
        kind, name, first, name, test, last, name, step)
    return text, at


def body(rng, element):
    """Statements for the row i."""
    text = []
    for number in range(rng.choice([1, 1, 2])):
        name = "k%d" % number
        loop, value = inner(rng, name, element)
        place = rng.choice(["y[i]", "y[i]", "z[i]", "s"])
        counter = "(%s)i" % element if value.startswith("*") else "(%s)%s" % (element, name)
        how = rng.choice(
            ["%s += %s;", "%s ^= %s + %s;", "%s = %s * 3 + %s;", "if (%s & 1) %s += %s;"])
        if how.count("%s") == 2:
            statement = how % (place, value)
        elif how.startswith("if"):
            statement = how % (counter, place, value)
        elif how.startswith("%s ="):
            statement = "%s = %s * 3 + %s;" % (place, place, value)
        else:
            statement = how % (place, value, counter)
        text.append("%s { %s }" % (loop, statement))
    return "%s s = 0; %s z[i] += s;" % (element, " ".join(text))


def case(rng, number):
    """The text of a region, of the same on the host, and of its calls."""
    element = rng.choice(list(ARRAYS))
    counter = rng.choice(["int", "int", "unsigned", "long", "unsigned long"])
    narrow = rng.choice(["int", "unsigned", "long"])
    limit = rng.choice([32, 32, 64, 128])
    step = rng.choice([1, 1, 1, 2, 5])
    loop = "for (%s i = b; i < (%s)n; i += %d)" % (counter, counter, step)
    inside = body(rng, element)
    clauses = "thread_limit(%d)" % limit
    if rng.random() < 0.4:
        # Rows of a plane of w columns: inner loops go by the row's number, or
        # by one of its two.
        columns = rng.choice([3, 7, 32, 40])
        loop = "for (%s j = b; j < (%s)n / %d; j += %d) for (%s c = 0; c < %d; c++)" % (
            counter, counter, columns, step, narrow, columns)
        by = rng.choice(["(j * %d + c)" % columns, "j", "c"])
        inside = re.sub(r"\bi\b", by, inside)
        inside = re.sub(r"([yz])\[[^]]*\]", r"\1[j * %d + c]" % columns, inside)
        clauses += " collapse(2)"
    parameters = "%s n, %s m, %s o, %s b, const %s *x, %s *y, %s *z" % (
        (narrow,) * 4 + (element,) * 3)
    text = """
static void device%d(%s) {
#pragma omp target teams distribute parallel for %s                            \\
    map(to : x[ : Size]) map(tofrom : y[ : Rows], z[ : Rows])
  %s { %s }
}
__attribute__((noinline)) static void host%d(%s) {
  %s { %s }
}
""" % (number, parameters, clauses, loop, inside, number, parameters, loop, inside)
    calls = []
    array = ARRAYS[element]
    for _ in range(4):
        # Around multiples of runs, and anything else.
        n = rng.choice([rng.randrange(0, 40), limit * rng.choice([4, 16, 20]) + rng.randrange(-2, 3),
                        rng.randrange(1000, 2900)])
        n = min(n, 2900)
        m, o, b = rng.choice([1, 2, 3, 5]), rng.randrange(0, 4), min(n // 40, rng.choice([0, 0, 1, 3]))
        at = "(%d, %d, %d, %d, %s, " % (n, m, o, b, array)
        calls.append(
            "  fill%s(%d); device%d%sOut%s[0], Out%s[1]); host%d%sWant%s[0], Want%s[1]);\n"
            "  if (differs%s()) { ++Wrong; printf(\"case %d differs: n %d m %d o %d b %d\\n\"); } else ++Right;"
            % (array, number, number, at, array, array, number, at, array, array,
               array, number, n, m, o, b))
    return text, "\n".join(calls)


if __name__ == "__main__":
    print_cases(PROLOGUE, case)
