# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that run random loops and count which are right: see
random_nests.py, random_lanes.py, random_updates.py and random_rows.py."""

import random
import sys


def program(prelude, made):
    """The text: PRELUDE has compare(), each of MADE its function and a call."""
    out = [prelude]
    out += [nest.function() for nest in made]
    out.append("int main(void) {\n"
               "  setvbuf(stdout, NULL, _IOLBF, 0);\n")
    out += [nest.call() for nest in made]
    out.append("  printf(\"%d right, %d wrong\\n\", good, bad);\n"
               "  return bad != 0;\n}\n")
    return "".join(out)


def print_cases(prologue, case):
    """Prints a program for a seed and a number of cases, the arguments.

    CASE gives the text of one and of its calls, which count Right and Wrong.
    """
    rng = random.Random(int(sys.argv[1]))
    cases = [case(rng, number) for number in range(int(sys.argv[2]))]
    print(prologue + "".join(text for text, _ in cases))
    print("int main(void) {")
    print("\n".join(calls for _, calls in cases))
    print('  printf("%d right, %d wrong\\n", Right, Wrong);\n  return Wrong != 0;\n}')
