#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements with channels, each beside code that does the same in step.

    random_blocks.py write SEED COUNT    a program with COUNT cases, to stdout

The program prints each case that differs, then RESULT ok or RESULT BAD. A case
has one or two dimensions, a block, one or two arrays of any channel type, and a
statement of assignments, writes, conditions that work-items disagree on,
uniform conditions and loops, and barriers. The code beside it runs one step of
the statement for all work-items of a block, then the next.
"""
import random
import sys

TYPES = ["unsigned char", "unsigned short", "unsigned", "unsigned long",
         "float", "double"]
KINDS = ["CHANNEL_ONLY", "FETCH_CHANNEL", "CHANNEL_WB", "FETCH_CHANNEL_WB"]


class Array:
    def __init__(self, rng, name, dims):
        self.name, self.dims = name, dims
        self.type = rng.choice(TYPES)
        self.kind = rng.choice(KINDS)
        self.fetches = self.kind.startswith("FETCH")
        self.writes_back = self.kind.endswith("WB")
        self.halo = rng.randint(0, 3)
        # Elements of other blocks are the same at any time only if nobody
        # writes them.
        self.leaves_block = self.kind == "FETCH_CHANNEL"


class Case:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.dims = rng.choice([1, 1, 2])
        if self.dims == 1:
            self.block = [rng.choice([1, 3, 8, 16, 32, 64, 100, 256])]
        else:
            self.block = [rng.choice([1, 3, 4, 8, 16]),
                          rng.choice([1, 2, 5, 8, 16])]
        self.arrays = [Array(rng, name, self.dims)
                       for name in "ac"[:rng.choice([1, 1, 2])]]
        self.kernel, self.model = [], []
        self.depth = self.masks = self.loops = 0
        self.uniform = ["p"]
        self.again = rng.random() < 0.2

    # Text of the kernel, and of the model for work-item w.
    def index(self, shift, array):
        if self.dims == 1:
            return f"[i + {shift[0]}]" if shift[0] else "[i]"
        return f"[i + {shift[0]}][j + {shift[1]}]"

    def read(self, array):
        rng = self.rng
        shift = [rng.randint(-array.halo, array.halo)
                 for _ in range(self.dims)]
        names = ["i", "j"]
        tests = []
        for d, s in enumerate(shift):
            if s == 0:
                continue
            v, l = names[d], "l" + names[d]
            tests.append(f"{v} + {s} >= 0 && {v} + {s} < n{d}")
            if not array.leaves_block:
                tests.append(f"{l} + {s} >= 0 && {l} + {s} < {self.block[d]}")
        place = self.index(shift, array)
        text = f"(unsigned){array.name}{place}"
        model = f"(unsigned)m{array.name}{place}"
        if tests:
            test = " && ".join(tests)
            return f"({test} ? {text} : 7u)", f"({test} ? {model} : 7u)"
        return text, model

    def expr(self, depth=0, arrays=True):
        rng = self.rng
        pick = rng.random()
        if depth > 2 or pick < 0.15:
            return (str(rng.randint(0, 9)) + "u",) * 2
        if pick < 0.3:
            v = "v" + str(rng.randint(0, 2))
            return v, v + "[w]"
        if pick < 0.4:
            v = rng.choice(["i", "li"] + (["j", "lj"] if self.dims == 2 else [])
                           + self.uniform)
            return f"(unsigned){v}", f"(unsigned){v}"
        if pick < 0.7 and arrays:
            return self.read(rng.choice(self.arrays))
        a, b = self.expr(depth + 1, arrays), self.expr(depth + 1, arrays)
        op = rng.choice(["+", "-", "*", "^", "&"])
        return f"({a[0]} {op} {b[0]})", f"({a[1]} {op} {b[1]})"

    def step(self, text, mask):
        """One step of the model, for the work-items of a mask."""
        self.model.append(f"ITEMS if ({mask}[w]) {{ {text} }}")

    def assign(self, mask, arrays):
        v = "v" + str(self.rng.randint(0, 2))
        k, m = self.expr(0, arrays)
        self.kernel.append(f"{v} = {k};")
        self.step(f"{v}[w] = {m};", mask)

    def write(self, mask, arrays):
        array = self.rng.choice(self.arrays)
        k, m = self.expr(0, arrays)
        here = self.index([0] * self.dims, array)
        self.kernel.append(
            f"{array.name}{here} = ({array.type})({k} & 255u);")
        self.step(f"t[w] = {m} & 255u;", mask)
        self.step(f"m{array.name}{here} = ({array.type})t[w]; "
                  f"d{array.name}{here} = 1;", mask)

    def divergent(self, mask, depth, arrays):
        k, m = self.expr(1, arrays)
        mod = self.rng.randint(2, 4)
        self.masks += 1
        yes, no = f"on{self.masks}", f"off{self.masks}"
        self.model.append(f"char {yes}[MAX] = {{0}}, {no}[MAX] = {{0}};")
        self.step(f"{yes}[w] = ({m}) % {mod}u == 0; {no}[w] = !{yes}[w];", mask)
        self.kernel.append(f"if (({k}) % {mod}u == 0) {{")
        self.body(yes, depth + 1, arrays, False)
        if self.rng.random() < 0.4:
            # What others write meanwhile it must not read.
            self.kernel.append("} else {")
            self.body(no, depth + 1, False, False)
        self.kernel.append("}")

    def loop(self, mask, depth, arrays):
        self.loops += 1
        k = f"k{self.loops}"
        count = self.rng.choice(["p", "1", "2", "3", "p + 1"])
        for out in (self.kernel, self.model):
            out.append(f"for (int {k} = 0; {k} < {count}; ++{k}) {{")
        self.uniform.append(k)
        self.body(mask, depth + 1, arrays, True)
        if self.rng.random() < 0.3:
            for out in (self.kernel, self.model):
                out.append(f"if ({k} == p) break;")
            self.body(mask, depth + 1, arrays, True)
        self.uniform.pop()
        for out in (self.kernel, self.model):
            out.append("}")

    def body(self, mask, depth, arrays, uniform):
        for _ in range(self.rng.randint(1, 3)):
            pick = self.rng.random()
            if depth < 3 and pick < 0.25:
                self.divergent(mask, depth, arrays)
            elif depth < 3 and uniform and pick < 0.45:
                self.loop(mask, depth, arrays)
            elif depth < 3 and uniform and pick < 0.5:
                for out in (self.kernel, self.model):
                    out.append(f"if (p > {self.rng.randint(0, 4)}) {{"
                               if out is self.kernel else
                               self.kernel[-1])
                self.body(mask, depth + 1, arrays, True)
                for out in (self.kernel, self.model):
                    out.append("}")
            elif uniform and pick < 0.55:
                self.kernel.append("BARRIER")
            elif pick < 0.75:
                self.write(mask, arrays)
            else:
                self.assign(mask, arrays)

    def text(self):
        rng, D = self.rng, self.dims
        extents = "[n1]" if D == 2 else ""
        whole = "[0 : n0]"
        names = ["i", "j"][:D]
        # A copy that nothing is fetched into is written first.
        for a in self.arrays:
            if not a.fetches:
                here = self.index([0] * D, a)
                value = " + ".join(f"(unsigned){n}" for n in names)
                self.kernel.append(f"{a.name}{here} = "
                                   f"({a.type})(({value}) & 63u);")
                self.step(f"m{a.name}{here} = ({a.type})(({value}) & 63u); "
                          f"d{a.name}{here} = 1;", "all")
        self.body("all", 0, True, True)
        ranges = []
        for a in self.arrays:
            part = "".join(f"[{n} : {a.halo} : {a.halo}]" for n in names)
            ranges.append(f"{a.kind}({a.name}{part})")
        size = ", ".join(str(b) for b in self.block)
        params = "".join(
            f", {a.type} (*restrict {a.name}){extents}" if D == 2 else
            f", {a.type} *restrict {a.name}" for a in self.arrays)
        out = "(*y)[n1]" if D == 2 else "*y"
        y = "".join(f"[{n}]" for n in names)
        maps = "".join(f", {a.name}{whole}" for a in self.arrays)
        lines = [f"static void kernel{self.number}(int n0, int n1, int p, "
                 f"unsigned {out}{params}) {{"]
        collapse = " collapse(2)" if D == 2 else ""
        if rng.random() < 0.5:
            lines.append(f"#pragma acc parallel loop{collapse} "
                         f"copy(y[0 : n0]{maps})")
            fcw, barrier = "acc fcw", "acc fcw_barrier"
        else:
            lines.append("#pragma omp target teams distribute parallel for"
                         f"{collapse} map(y[0 : n0]{maps})")
            fcw, barrier = "accx smc", "accx smc_barrier"
        for d, n in enumerate(names):
            lines.append(f"for (int {n} = 0; {n} < n{d}; ++{n})")
        lines.append("{ unsigned v0 = i, v1 = 1, v2 = p;")
        for d, n in enumerate(names):
            lines.append(f"int l{n} = {n} % {self.block[d]};")
        if self.again:
            lines.append("for (int r = 0; r < 2; ++r)")
        lines.append(f"#pragma {fcw} {' '.join(ranges)} block({size})")
        lines.append("{")
        for line in self.kernel:
            lines.append(f"#pragma {barrier}" if line == "BARRIER" else line)
        lines.append("}")
        after = " + ".join(f"3u * (unsigned){a.name}{y}"
                           for a in self.arrays if not self.again)
        lines.append(f"y{y} = v0 ^ v1 * 5 ^ v2 * 11"
                     + (f" ^ ({after})" if after else "") + "; } }")

        # The model.
        lines.append(f"static void model{self.number}(int n0, int n1, int p, "
                     f"unsigned {out}{params}) {{")
        for a in self.arrays:
            shape = "[n0][n1]" if D == 2 else "[n0]"
            lines.append(f"{a.type} (*M{a.name}){extents} = malloc("
                         f"sizeof({a.type}) * (n0 * (long){'n1' if D == 2 else '1'} + 1));"
                         if D == 2 else
                         f"{a.type} *M{a.name} = malloc(sizeof({a.type}) * (n0 + 1));")
            lines.append(f"unsigned char (*D{a.name}){extents} = malloc("
                         f"n0 * (long)n1 + 1);" if D == 2 else
                         f"unsigned char *D{a.name} = malloc(n0 + 1);")
            del shape
        total = "(n0 * (long)n1)" if D == 2 else "(long)n0"
        b = self.block
        lines.append(f"for (int bi = 0; bi < n0; bi += {b[0]})")
        if D == 2:
            lines.append(f"for (int bj = 0; bj < n1; bj += {b[1]})")
        lines.append("{ char all[MAX]; unsigned v0[MAX], v1[MAX], v2[MAX], "
                     "t[MAX];")
        for a in self.arrays:
            lines.append(f"{a.type} (*m{a.name}){extents} = M{a.name}; "
                         f"unsigned char (*d{a.name}){extents} = D{a.name};"
                         if D == 2 else
                         f"{a.type} *m{a.name} = M{a.name}; "
                         f"unsigned char *d{a.name} = D{a.name};")
        lines.append(f"ITEMS all[w] = 1, v0[w] = i, v1[w] = 1, v2[w] = p;")
        lines.append(f"for (int r = 0; r < {2 if self.again else 1}; ++r) {{")
        for a in self.arrays:
            lines.append(f"memcpy(m{a.name}, {a.name}, "
                         f"sizeof({a.type}) * {total}); "
                         f"memset(d{a.name}, 0, {total});")
        lines += self.model
        for a in self.arrays:
            if a.writes_back:
                lines.append(f"ITEMS if (d{a.name}{y}) {a.name}{y} = "
                             f"m{a.name}{y};")
        lines.append("}")
        after = after.replace("w]", "w]")
        lines.append(f"ITEMS y{y} = v0[w] ^ v1[w] * 5 ^ v2[w] * 11"
                     + (f" ^ ({after})" if after else "") + "; }")
        for a in self.arrays:
            lines.append(f"free(M{a.name}); free(D{a.name});")
        lines.append("}")
        if D == 1:
            items = (f"for (int w = 0, i = bi, li = 0; w < {b[0]} && i < n0; "
                     "++w, ++i, ++li)")
        else:
            items = (f"for (int w = 0; w < {b[0] * b[1]}; ++w) "
                     f"for (int li = w / {b[1]}, lj = w % {b[1]}, i = bi + li, "
                     "j = bj + lj, o = 1; o && i < n0 && j < n1; o = 0)")
        lines = [l.replace("ITEMS", items) for l in lines]

        # The comparison.
        lines.append(f"static int case{self.number}(void) {{ int bad = 0;")
        n0, n1 = self.sizes()
        lines.append(f"int N0[] = {{{n0}}}, N1[] = {{{n1}}};")
        lines.append("for (int s = 0; s < 4; ++s) {")
        lines.append("int n0 = N0[s], n1 = N1[s], p = s;"
                     "long n = n0 * (long)n1;")
        names = ["y"] + [a.name for a in self.arrays]
        types = ["unsigned"] + [a.type for a in self.arrays]
        for name, ty in zip(names, types):
            lines.append(f"{ty} *{name} = malloc(sizeof({ty}) * (n + 1)), "
                         f"*e{name} = malloc(sizeof({ty}) * (n + 1)); "
                         f"for (long k = 0; k <= n; ++k) "
                         f"{name}[k] = e{name}[k] = (k * 7 + s) % 61;")
        def call(prefix, what):
            return (f"{what}{self.number}(n0, n1, p, "
                    + ", ".join(f"(void *){prefix}{x}" for x in names) + ");")
        lines.append(call("", "kernel") + call("e", "model"))
        for name, ty in zip(names, types):
            lines.append(f"if (memcmp({name}, e{name}, sizeof({ty}) * (n + 1)))"
                         f" bad = 1, printf(\"case {self.number} size %d x %d: "
                         f"{name} BAD\\n\", n0, n1);")
            lines.append(f"free({name}); free(e{name});")
        lines.append("} return bad; }")
        return "\n".join(lines)

    def sizes(self):
        rng = self.rng
        def some(block):
            return [rng.randint(0, 2), max(1, block - 1), block,
                    2 * block + rng.randint(1, 5)]
        n0 = some(self.block[0])
        n1 = some(self.block[1]) if self.dims == 2 else [1] * 4
        rng.shuffle(n1)
        return ", ".join(map(str, n0)), ", ".join(map(str, n1))


def main():
    if len(sys.argv) != 4 or sys.argv[1] != "write":
        sys.exit(__doc__)
    seed, count = int(sys.argv[2]), int(sys.argv[3])
    print("// random_blocks.py write", seed, count)
    print("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
    print("#define MAX 256")
    for n in range(count):
        print(Case(random.Random(seed * 1000003 + n), n).text())
    print("int main(void) { int bad = 0;")
    for n in range(count):
        print(f"bad += case{n}();")
    print('puts(bad ? "RESULT BAD" : "RESULT ok"); return bad != 0; }')


main()
