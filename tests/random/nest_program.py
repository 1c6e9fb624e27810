# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that runs random nests and counts which are right: see
random_nests.py and random_lanes.py."""


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
