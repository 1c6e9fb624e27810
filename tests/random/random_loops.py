# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C file of random loops for guarded.c to run in two builds.

Usage: random_loops.py SEED COUNT > loops.c

Every loop is a function of one signature, so that the driver can call the same
one of either build on equal memory. Floating-point data are small multiples of
a half, so that sums and products are exact in any order; only loops that divide
or call the mathematical library have a tolerance.
"""

import random
import sys

INTEGERS = {"int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2,
            "int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8}
FLOATS = {"float": 4, "double": 8}
SIZES = {**INTEGERS, **FLOATS}


class Index:
    """How an array is walked: scale * i + offset, or backwards."""

    def __init__(self, rng, strided=True):
        self.scale = rng.choice([1] * 8 + ([2, 3, -1, -1] if strided else []))
        self.offset = rng.choice([0, 0, 0, 0, 1, 2, 7, 16])

    def text(self, i="i"):
        if self.scale < 0:
            return f"n - 1 - {i} + {self.offset}"
        return f"{self.scale} * {i} + {self.offset}"

    def fields(self):
        """What the driver needs to size the array: |scale|, offset."""
        return f"{abs(self.scale)}, {self.offset}"


class Loop:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        kind = rng.random()
        self.exact = True
        if kind < 0.35:
            self.types = [rng.choice(list(FLOATS))] * 3
        elif kind < 0.45:
            self.types = [rng.choice(list(FLOATS)) for _ in range(3)]
        elif kind < 0.55:
            self.types = [rng.choice(list(FLOATS))] + [
                rng.choice(list(INTEGERS)) for _ in range(2)]
        elif kind < 0.85:
            self.types = [rng.choice(list(INTEGERS))] * 3
        else:
            self.types = [rng.choice(list(INTEGERS)) for _ in range(3)]
        self.out, self.a, self.b = self.types
        self.constant = rng.randint(1, 80) if rng.random() < 0.25 else 0
        self.index = [Index(rng) for _ in range(3)]
        self.restrict = rng.random() < 0.6
        self.counter = rng.choice(["long", "long", "int", "unsigned"])
        self.in_place = rng.random() < 0.2
        self.body, self.before, self.after = [], [], []
        # What is computed from itself twice would not stay exact.
        self.nest = rng.random() < 0.1 and not self.in_place
        self.build()

    def operand(self, which):
        name = "ab"[which]
        return f"{name}[{self.index[which + 1].text()}]"

    def wide(self, type_name):
        """The type to compute in, in which nothing overflows undefined."""
        if type_name in FLOATS:
            return type_name
        return "uint64_t" if SIZES[type_name] == 8 else "uint32_t"

    def leaf(self, wide):
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            return f"({wide})({self.operand(0)})"
        if kind < 0.8:
            return f"({wide})({self.operand(1)})"
        if kind < 0.9:
            return f"({wide})k"
        return f"({wide}){rng.randint(1, 5)}"

    def expression(self, wide, depth=2):
        rng = self.rng
        if depth == 0:
            return self.leaf(wide)
        left = self.expression(wide, depth - 1)
        right = self.leaf(wide)
        kind = rng.random()
        if wide in FLOATS:
            f = "f" if wide == "float" else ""
            if kind < 0.06:
                self.exact = False
                return f"({left} / ({right} * {right} + 1))"
            if kind < 0.12:
                self.exact = False
                call = rng.choice(["exp", "log", "sin", "cos", "sqrt"])
                inner = right
                if call in ("log", "sqrt"):
                    inner = f"({right} * {right} + 1)"
                return f"({left} + {call}{f}({inner}))"
            if kind < 0.3:
                return f"({left} > {right} ? {left} : {right})"
            return f"({left} {rng.choice('+-*')} {right})"
        if kind < 0.1:
            return f"({left} >> 1)"
        if kind < 0.25:
            return f"({left} < {right} ? {left} : {right})"
        return f"({left} {rng.choice(['+', '-', '*', '&', '|', '^'])} {right})"

    def condition(self):
        wide = self.wide(self.a)
        return f"({self.leaf(wide)} {self.rng.choice(['<', '>', '!='])} " \
               f"({wide}){self.rng.choice([0, 1, 2])})"

    def store(self):
        wide = self.wide(self.out)
        target = f"o[{self.index[0].text()}]"
        value = self.expression(wide)
        if self.in_place:
            value = f"({wide}){target} + {value}"
        return f"{target} = ({self.out})({value});"

    def reduce(self, name):
        rng = self.rng
        wide = self.wide(self.a)
        if self.out in FLOATS:
            wide = rng.choice(["float", "double"])
        begin = rng.choice([str(rng.randint(0, 3)), "(N & 3)"])
        self.before.append(f"{wide} {name} = ({wide}){begin};")
        self.after.append(f"*r++ = (double){name};")
        # A product or a deep sum would not stay exact.
        value = f"({wide}){self.operand(0)}"
        kind = rng.random()
        if kind < 0.5:
            return f"{name} += {value};"
        if kind < 0.65:
            return f"{name} = {name} < {value} ? {name} : {value};"
        if kind < 0.8:
            return f"{name} = {name} > {value} ? {name} : {value};"
        if wide in FLOATS:
            return f"{name} += {value} * ({wide})2;"
        return f"{name} {rng.choice(['^', '&', '|', '*'])}= {value};"

    def choose(self, part):
        """What an iteration has that a condition chooses."""
        rng = self.rng
        wide = self.wide(self.a)
        value = f"({wide}){self.operand(0)}"
        self.before += [f"{wide} best{part} = ({wide}){rng.randint(0, 2)};",
                        f"long at{part} = -1;"]
        self.after += [f"*r++ = (double)best{part};",
                       f"*r++ = (double)at{part};"]
        if rng.random() < 0.6:
            condition = f"{value} {rng.choice(['<', '>', '<=', '>='])} " \
                        f"best{part}"
        else:
            condition = self.condition()
            value = rng.choice([value, f"({wide}){self.operand(1)}"])
        return f"if ({condition}) {{ best{part} = {value}; " \
               f"at{part} = (long)i; }}"

    def build(self):
        rng = self.rng
        count = rng.choice([1, 1, 1, 2])
        for part in range(count):
            kind = rng.random()
            if kind < 0.1:
                self.body.append(self.choose(part))
                continue
            if kind < 0.5:
                statement = self.store()
            elif kind < 0.9:
                statement = self.reduce(f"s{part}")
            elif kind < 0.93:
                self.before.append(f"long last{part} = -1;")
                self.after.append(f"*r++ = (double)last{part};")
                self.body.append(f"last{part} = (long)i * 3;")
                continue
            elif kind < 0.96:
                # What the last iteration left.
                wide = self.wide(self.a)
                self.before.append(f"{wide} v{part} = 0;")
                self.after.append(f"*r++ = (double)v{part};")
                statement = f"v{part} = ({wide}){self.operand(0)};"
            else:
                # A value of the iteration before.
                wide = self.wide(self.out)
                self.before.append(f"{wide} p{part} = 1;")
                self.body.append(
                    f"o[{self.index[0].text()}] = ({self.out})"
                    f"(p{part} + ({wide}){self.operand(0)});")
                statement = f"p{part} = ({wide}){self.operand(0)};"
            if rng.random() < 0.3:
                statement = f"if ({self.condition()}) {{ {statement} }}"
            self.body.append(statement)

    def text(self):
        q = "restrict " if self.restrict else ""
        trip = str(self.constant) if self.constant else "n"
        start = self.rng.choice([0, 0, 0, 1, 3])
        step = self.rng.choice([1] * 6 + [2])
        self.start = start
        lines = [
            f"static void loop{self.number}(void *O, const void *A, "
            "const void *B, long N, double *r) {",
            f"  {self.out} *{q}o = O; const {self.a} *{q}a = A; "
            f"const {self.b} *{q}b = B;",
            f"  {self.counter} n = ({self.counter})N; double k = 2;",
            "  (void)a; (void)b; (void)o; (void)n; (void)k;"]
        if self.constant:
            lines.append(f"  n = {self.constant};")
        before = ["  " + text for text in self.before]
        if self.nest:
            around = ["  for (int twice = 0; twice < 2; ++twice) {"]
            # Or what is reduced goes on from what the first round left.
            lines += self.rng.choice([around + before, before + around])
        else:
            lines += before
        lines.append(f"  for ({self.counter} i = {start}; i < {trip}; "
                     f"i += {step}) {{")
        lines += ["    " + text for text in self.body]
        lines.append("  }")
        lines += ["  " + text for text in self.after]
        if self.nest:
            lines.append("  }")
        return "\n".join(lines + ["}"])

    def values(self, type_name):
        if type_name in FLOATS:
            return "Halves"
        return "Small" if self.out in FLOATS else "Any"

    def entry(self):
        arrays = ", ".join(
            f"{{{SIZES[t]}, {self.values(t)}, {index.fields()}}}"
            for t, index in zip(self.types, self.index))
        return (f"{{loop{self.number}, {self.constant}, {int(self.exact)}, "
                f"{int(self.restrict)}, {{{arrays}}}}},")


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    only = int(sys.argv[3]) if len(sys.argv) > 3 else None
    print("#include \"guarded.h\"\n#include <math.h>\n#include <stdint.h>\n")
    loops = []
    for number in range(count):
        loop = Loop(random.Random(seed * 1000003 + number), number)
        if only is None or only == number:
            loops.append(loop)
            print(loop.text() + "\n")
    print("const struct Loop TABLE[] = {")
    for loop in loops:
        print("  " + loop.entry())
    print("};\nconst int TABLE_SIZE = sizeof TABLE / sizeof *TABLE;")


main()
