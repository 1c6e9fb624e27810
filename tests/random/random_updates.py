# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program of random loops on a device that update places in memory.

One thread runs each loop, so that what the host does in the same order is
right, also where places lie in what the loop reads and writes.

Usage: random_updates.py SEED CASES
"""

import random

from nest_program import print_cases

PROLOGUE = """
extern int printf(const char *, ...);
enum { Size = 2048 };
#define ARRAYS(T, Name)                                                        \\
  static T Name[Size], Want##Name[Size];                                       \\
  static void fill##Name(int Seed) {                                           \\
    for (int i = 0; i < Size; i++)                                             \\
      Want##Name[i] = Name[i] = (T)((i * 7 + Seed) % 23 - 9);              \\
  }                                                                            \\
  static int differs##Name(void) {                                             \\
    int Bad = 0;                                                               \\
    for (int i = 0; i < Size; i++)                                             \\
      Bad += Name[i] != Want##Name[i];                                     \\
    return Bad;                                                                \\
  }
ARRAYS(int, Ints)
ARRAYS(long, Longs)
ARRAYS(float, Floats)
#pragma omp declare target to(Ints, Longs, Floats)
static int Right, Wrong;
"""

ARRAY = {"int": "Ints", "long": "Longs", "float": "Floats"}


def index(rng):
    """A subscript that moves with k, or does not."""
    kind = rng.random()
    step = rng.choice(["", "", "-", "2 * ", "-3 * ", "s * ", "-s * "])
    shift = rng.choice(["", " + 1", " - 2", " + o"])
    if kind < 0.15:
        return rng.choice(["o", "i", "0", "i + 1"])
    return "%sk%s" % (step, shift)


def element(rng):
    """What a loop reads or writes beside places."""
    return "%s[%s]" % (rng.choice(["a", "b", "q"]), index(rng))


def body(rng, kind):
    """Statements of the loop."""
    places = ["p[i]", "p[i + 1]", "q[o]", "q[i * s]"]
    number = rng.choice([1, 1, 1, 2])
    text = []
    for place in rng.sample(places, number):
        value = element(rng)
        if rng.random() < 0.5:
            other = element(rng)
            value += rng.choice([" - ", " + "]) + other
        how = rng.choice(["+=", "+=", "-=", "="])
        statement = "%s %s %s;" % (place, how, value)
        if kind != "float" and rng.random() < 0.2:
            statement = "%s = %s ^ (%s)(%s + k);" % (place, place, kind, value)
        if rng.random() < 0.2:
            test = rng.choice(["k & 1", element(rng) + " > 2"])
            statement = "if (%s) %s" % (test, statement)
        text.append(statement)
    if rng.random() < 0.35:
        target = element(rng)
        source = rng.choice([rng.choice(places), element(rng)])
        text.insert(rng.randrange(len(text) + 1), "%s = %s;" % (target, source))
    return " ".join(text)


def case(rng, number):
    """The text of a region, of the same on the host, and of its calls."""
    kind = rng.choice(["int", "int", "long", "float"])
    counter = rng.choice(["int", "int", "long", "unsigned long", "unsigned"])
    narrow = rng.choice(["int", "long"])
    signed = counter in ("int", "long")
    loops = ["for (%s k = 0; k < (%s)n; k++)", "for (%s k = 0; k < (%s)n; k += 2)"]
    if signed:
        loops.append("for (%s k = (%s)n - 1; k >= 0; k--)")
    loop = rng.choice(loops) % (counter, counter)
    inside = body(rng, kind)
    if not signed:
        # Subscripts below zero are the program's own.
        inside = inside.replace("k", "(%s)k" % narrow)
    parameters = "%s n, %s s, %s o, %s *p, %s *q, %s *a, %s *b" % (
        (narrow,) * 3 + (kind,) * 4
    )
    text = """
static void device%d(%s) {
#pragma omp target teams distribute parallel for firstprivate(n, s, o)         \\
    map(alloc : p[ : 1], q[ : 1], a[ : 1], b[ : 1])
  for (%s i = 0; i < 1; i++)
    %s { %s }
}
__attribute__((noinline)) static void host%d(%s) {
  for (%s i = 0; i < 1; i++)
    %s { %s }
}
""" % (number, parameters, narrow, loop, inside, number, parameters, narrow, loop, inside)
    calls = []
    array = ARRAY[kind]
    for _ in range(6):
        # Loops of 15 iterations have no comparisons, those of 16 have them.
        n = rng.choice([0, 1, 7, 15, 16, 17, 31, 61])
        s, o = rng.choice([-2, -1, 0, 1, 1, 2, 3]), rng.randrange(-3, 4)
        begins = [rng.randrange(600, 1400)]
        for _ in range(3):
            near = rng.choice([rng.randrange(-4, 5), rng.randrange(-70, 71), rng.choice([-400, 400])])
            begins.append(begins[0] + near)
        rng.shuffle(begins)
        at = lambda name: ", ".join("%s + %d" % (name, begin) for begin in begins)
        calls.append(
            "  fill%s(%d); device%d(%d, %d, %d, %s); host%d(%d, %d, %d, %s);\n"
            "  if (differs%s()) { ++Wrong; printf(\"case %d differs\\n\"); } else ++Right;"
            % (array, number, number, n, s, o, at(array), number, n, s, o,
               at("Want" + array), array, number)
        )
    return text, "\n".join(calls)


if __name__ == "__main__":
    print_cases(PROLOGUE, case)
