#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C program of random regions of fcw and cache, each beside the same
phase by phase and block by block in sequential loops.

Usage: random_channels.py SEED CASES
"""

import random
import sys

TYPES = ("int", "long", "short", "unsigned char", "double", "float")
CHANNELS = ("CHANNEL_ONLY", "FETCH_CHANNEL", "CHANNEL_WB", "FETCH_CHANNEL_WB")

HEAD = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int bad;
static long rnd(long x) { return (x * 2654435761l >> 7 & 1023) % 97; }
"""


class Case:
    """A stencil, scan or permutation of one or two dimensions."""

    def __init__(self, number, rng):
        self.number, self.rng = number, rng
        self.type = rng.choice(TYPES)
        self.kind = rng.choice(CHANNELS * 2 + ("FETCH_ONLY", "cache"))
        self.rank = rng.choice((1, 1, 2))
        self.block = ([rng.choice((32, 64, 100, 128, 256, 7))] if self.rank == 1
                      else rng.choice(([8, 8], [16, 16], [4, 32], [2, 48])))
        self.is_channel = "CHANNEL" in self.kind
        self.goes_back = self.kind.endswith("_WB")
        self.is_fetched = self.kind.startswith("FETCH") or self.kind == "cache"
        free = self.is_fetched and not self.goes_back
        self.before = [rng.randint(0, 3) if free else 0 for _ in self.block]
        self.after = [rng.randint(0, 3) if free else 0 for _ in self.block]
        self.phases = self.make_phases()

    def read(self):
        """An element that exists and that the block has, or 1."""
        rng = self.rng
        terms, inside = [], []
        for d in range(self.rank):
            i = "ij"[d]
            low, high = f"{i}0", f"{i}1"
            if self.is_channel and rng.random() < 0.4:
                other = rng.choice((f"{i}0 + {i}1 - 1 - {i}",
                                    f"({i}0 + (({i} - {i}0) ^ h))",
                                    f"({i} + h)", f"({i} - h)"))
            else:
                step = rng.randint(-self.before[d], self.after[d])
                other = f"{i} + {step}" if step else i
                if not (self.is_fetched and not self.goes_back):
                    low, high = f"{i}0", f"{i}1"
                else:
                    low, high = "0", "nm"[d]
            terms.append(other)
            inside.append(f"{other} >= {low} && {other} < {high}")
        at = "".join(f"[{t}]" for t in terms)
        return f"({' && '.join(inside)} ? (long)A{at} : 1)"

    def condition(self):
        rng = self.rng
        return rng.choice((
            f"(i & {rng.randint(1, 7)}) != 0", "i - i0 >= h",
            f"rnd(i * 7 + {rng.randint(0, 50)}) > {rng.randint(5, 80)}",
            f"acc % {rng.randint(2, 5)} == 0", "i - i0 < i1 - i0 - h"))

    def value(self):
        rng = self.rng
        text = " + ".join(self.read() for _ in range(rng.randint(1, 3)))
        return f"({text} + {rng.randint(0, 9)}) % 97"

    def make_phases(self):
        """(conditions, value, where, what follows), one write each."""
        rng = self.rng
        count = rng.randint(1, 3) if self.is_channel else 1
        phases = []
        for _ in range(count):
            depth = rng.choice((0, 0, 1, 1, 2, 3))
            where = rng.choice(("own", "own", "own", "mirror"))
            phases.append((
                [self.condition() for _ in range(depth)], self.value(), where,
                self.read() if rng.random() < 0.5 else None,
                f"({rng.randint(1, 9)} + i)" if rng.random() < 0.5 else None,
                rng.random() < 0.3))
        return phases

    def target(self, where):
        dims = "ij"[:self.rank]
        return "".join(f"[{d}]" if where == "own" else f"[{d}0 + {d}1 - 1 - {d}]"
                       for d in dims)

    # The loop of phases: h runs over 1, 2, 4.
    def steps(self):
        return 3 if self.is_channel else 1

    def directive(self):
        body, rank = [], self.rank
        out = "out[i]" if rank == 1 else "out[i][j]"
        decl = self.declarations()
        array = "A" + "".join(
            f"[{'ij'[d]} : {self.before[d]} : {self.after[d]}]"
            for d in range(rank))
        if self.kind == "cache":
            array = "A" + "".join(
                f"[{'ij'[d]} - {self.before[d]} : "
                f"{self.before[d] + self.after[d] + 1}]" for d in range(rank))
        sizes = ", ".join(map(str, self.block))
        sections = ["A[0 : n]", "out[0 : n]"]
        body.append(f"static void f{self.number}(int n, int m, {decl}) {{")
        body.append("#pragma acc parallel loop "
                    + ("collapse(2) " if rank == 2 else "")
                    + f"copy({', '.join(sections)})")
        body += self.loops()
        body.append(self.bounds())
        body.append("long acc = 1;")
        if self.kind == "cache":
            body.append(f"#pragma acc cache({array})")
        else:
            body.append(f"#pragma acc fcw {self.kind}({array}) block({sizes})")
        body.append("{")
        if self.is_channel and not self.is_fetched:
            body.append(f"A{self.target('own')} = (i * 3 + 1) % 50;")
        body.append(f"for (int s = 0, h = 1; s < {self.steps()}; ++s, h *= 2) {{")
        for conditions, value, where, after, other, barrier in self.phases:
            close = 0
            for c in conditions:
                body.append(f"if ({c}) {{")
                close += 1
            body.append("{" if not close else "")
            body.append(f"long t = {value};")
            body.append("acc += t;")
            if self.is_channel:
                body.append(f"A{self.target(where)} = t;")
            if barrier and self.is_channel:
                body.append("\n#pragma acc fcw_barrier\n;")
            if after:
                body.append(f"acc += 3 * {after};")
            body.append("" if close else "}")
            if close:
                body.append("}" * (close - 1))
                if other:
                    body.append(f"}} else {{ acc += 5 * {other};")
                body.append("}")
            body.append("")
        body.append("}")
        body.append("}")
        body.append(f"{out} = acc;")
        body.append("}" * 2)
        return "\n".join(body)

    def declarations(self):
        if self.rank == 1:
            return f"{self.type} *restrict A, long *out"
        return f"{self.type} (*restrict A)[m], long (*out)[m]"

    def loops(self):
        lines = ["for (int i = 0; i < n; ++i)"]
        if self.rank == 2:
            lines.append("for (int j = 0; j < m; ++j)")
        lines[-1] += " {"
        return lines

    def bounds(self):
        text = []
        for d in range(self.rank):
            i, n, b = "ij"[d], "nm"[d], self.block[d]
            text.append(f"int {i}0 = {i} / {b} * {b}, "
                        f"{i}1 = {i}0 + {b} < {n} ? {i}0 + {b} : {n};")
        return " ".join(text)

    def reference(self):
        """All iterations of a block do a phase before any does the next; where
        threads are is a number for each."""
        rank, b = self.rank, self.block
        size = b[0] * (b[1] if rank == 2 else 1)
        cell = "[i]" if rank == 1 else "[i][j]"
        count = "n" if rank == 1 else "(long)n * m"
        out = [f"static void g{self.number}(int n, int m, {self.declarations()})"
               " {",
               f"size_t bytes = sizeof({self.type}) * ({count});",
               f"{self.type} *old = malloc(bytes + 1), *all = malloc(bytes + 1);",
               "memcpy(old, A, bytes); memcpy(all, A, bytes);",
               f"static long accs[{size}], ts[{size}]; static char on[{size}];",
               f"for (int i0 = 0; i0 < n; i0 += {b[0]})"]
        if rank == 2:
            out.append(f"for (int j0 = 0; j0 < m; j0 += {b[1]})")
        out.append("{ memcpy(A, old, bytes);")
        for d in range(rank):
            i, n = "ij"[d], "nm"[d]
            out.append(f"int {i}1 = {i}0 + {b[d]} < {n} ? {i}0 + {b[d]} : {n};")
        place = "i - i0" if rank == 1 else f"(i - i0) * {b[1]} + j - j0"
        each = "for (int i = i0; i < i1; ++i) " + (
            "for (int j = j0; j < j1; ++j) " if rank == 2 else "")
        each += f"{{ int p = {place}; long acc = accs[p]; "
        out.append(f"memset(accs, 0, sizeof accs); {each} accs[p] = 1; (void)acc; }}")
        if self.is_channel and not self.is_fetched:
            out.append(each + f"A{self.target('own')} = (i * 3 + 1) % 50; "
                       + self.back("own") + " (void)acc; }")
        out.append(f"for (int s = 0, h = 1; s < {self.steps()}; ++s, h *= 2) {{")
        for conditions, value, where, after, other, _ in self.phases:
            test = " && ".join(f"({c})" for c in conditions) or "1"
            out.append(each + f"on[p] = ({test}) ? 1 : 0;")
            if other and conditions:
                outer = f"({conditions[0]})"
                out.append(f"if (!on[p] && !{outer}) on[p] = 2;")
            out.append(f"if (on[p] == 1) {{ ts[p] = {value}; acc += ts[p]; }}"
                       " accs[p] = acc; }")
            if self.is_channel:
                out.append(each + f"(void)acc; if (on[p] == 1) {{ "
                           f"A{self.target(where)} = ts[p]; {self.back(where)} }} }}")
            if after:
                out.append(each + f"if (on[p] == 1) acc += 3 * {after};"
                           " accs[p] = acc; }")
            if other and conditions:
                out.append(each + f"if (on[p] == 2) acc += 5 * {other};"
                           " accs[p] = acc; }")
        out.append("}")
        out.append(each + f"out{cell} = acc; }}")
        out.append("}")
        out.append("memcpy(A, all, bytes); free(old); free(all); }")
        return "\n".join(out)

    def back(self, where):
        if not self.goes_back:
            return ""
        at = self.target(where)
        if self.rank == 1:
            return f"all{at} = A{at};"
        return f"(({self.type} (*)[m])all){at} = A{at};"

    def check(self):
        n = self.number
        sizes = ((0, 1, self.block[0] - 1, self.block[0], self.block[0] + 1,
                  3 * self.block[0] + 5) if self.rank == 1 else
                 (0, 1, self.block[0] + 1, 2 * self.block[0] + 3))
        ms = (1,) if self.rank == 1 else (1, self.block[1], self.block[1] * 2 + 1)
        cast = lambda t: "" if self.rank == 1 else f"({t} (*)[m])"
        return f"""\
static void c{n}(void) {{
  int sizes[] = {{{', '.join(map(str, sizes))}}}, ms[] = {{{', '.join(map(str, ms))}}};
  for (int s = 0; s < {len(sizes)}; ++s)
    for (int q = 0; q < {len(ms)}; ++q) {{
      int n = sizes[s], m = ms[q];
      long count = (long)n * m;
      {self.type} *a = malloc(sizeof *a * (count + 1)), *b = malloc(sizeof *b * (count + 1));
      long *x = malloc(8 * (count + 1)), *y = malloc(8 * (count + 1));
      for (long i = 0; i < count; ++i) a[i] = b[i] = rnd(i + {n}), x[i] = y[i] = -1;
      f{n}(n, m, {cast(self.type)}a, {cast('long')}x);
      g{n}(n, m, {cast(self.type)}b, {cast('long')}y);
      for (long i = 0; i < count; ++i)
        if (a[i] != b[i] || x[i] != y[i]) {{
          printf("case {n} ({self.kind} {self.type} {self.rank}) %d x %d at %ld: %ld %ld, %ld %ld BAD\\n", n, m, i, (long)a[i], (long)b[i], x[i], y[i]);
          ++bad;
          break;
        }}
      free(a); free(b); free(x); free(y);
    }}
}}"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    cases = [Case(n, random.Random(seed * 100003 + n)) for n in range(count)]
    print(HEAD)
    for case in cases:
        print(case.reference())
        print(case.directive())
        print(case.check())
    print("int main(void) {")
    for case in cases:
        print(f"c{case.number}();")
    print(f'printf("RESULT %s: {count} cases of seed {seed}\\n", bad ? "BAD" : "ok");')
    print("return bad != 0; }")


if __name__ == "__main__":
    main()
