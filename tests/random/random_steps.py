# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random program of time loops behind `accx timetile`: random_steps.py SEED COUNT
With `chosen` as the third argument they have no directive.

Each case steps a stencil on one or two dimensions, on the device and by a
serial loop of the same text, and compares both arrays and the pointers. Domains
end inside of the arrays, whose border cells differ between the two, or at their
ends, where reads are clamped or guarded. Values are small integers in every
type, so that results are exact.
"""

import random
import sys

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int bad;
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((b) < (a) ? (a) : (b))
static inline double blend(double a, double b) { return 2 * a + b; }
"""

TYPES = ["int", "float", "double", "long", "short", "unsigned"]
LOOPS = ["int", "long", "size_t", "unsigned"]


class Case:
    def __init__(self, number, rng, chosen):
        self.number, self.rng, self.chosen = number, rng, chosen
        self.dims = rng.choice([1, 2, 2])
        self.type = rng.choice(TYPES)
        self.index = rng.choice(LOOPS[:2]) if rng.random() < 0.7 else rng.choice(LOOPS)
        self.steps = rng.choice([1, 2, 3, 4, 5, 7])
        self.reach = rng.choice([1, 1, 1, 2])
        self.whole = rng.random() < 0.5  # the domain is the array
        self.nested = self.dims == 2 and rng.random() < 0.4
        self.openmp = rng.random() < 0.4
        self.other = rng.random() < 0.6  # an array that is only read
        self.time = rng.random() < 0.5   # the step's number
        self.names = rng.sample(["y", "x", "i", "j", "row"], self.dims)
        self.block = ""
        if rng.random() < 0.5:
            least = 2 * self.reach * self.steps
            sizes = [s for s in (8, 16, 32) if s > least] or [32]
            if self.dims == 2:
                pair = [rng.choice(sizes), rng.choice(sizes)]
                if pair[0] * pair[1] >= 64:
                    self.block = " block(%d, %d)" % tuple(pair)
            else:
                self.block = " block(%d)" % rng.choice([64, 128, 256])

    def at(self, array, subscripts):
        if self.dims == 1:
            return "%s[%s]" % (array, subscripts[0])
        if self.nested:
            return "%s[%s][%s]" % (array, *subscripts)
        form = self.rng.choice(["(%s) * w + (%s)", "(%s) + w * (%s)"])
        if form.startswith("(%s) +"):
            subscripts = subscripts[::-1]
        return "%s[%s]" % (array, form % tuple(subscripts))

    def ends(self, d):
        """First index and the one behind the last, as text."""
        size = ("h", "w")[d] if self.dims == 2 else "w"
        if self.whole:
            return "0", size
        return str(self.reach), "%s - %d" % (size, self.reach)

    def moved(self, d, by):
        """The index moved by so much, which stays in the array."""
        name, size = self.names[d], ("h", "w")[d] if self.dims == 2 else "w"
        if by == 0:
            return name
        if not self.whole:
            return "%s %s %d" % (name, "+-"[by < 0], abs(by))
        cast = "(%s)" % self.index if self.rng.random() < 0.3 else ""
        if by < 0:
            forms = ["%s < %d ? %s : %s - %d" % (name, -by, name, name, -by),
                     "%s >= %d ? %s - %d : %s" % (name, -by, name, -by, name)]
            if by == -1:
                forms += ["%s == 0 ? %s : %s - 1" % (name, name, name),
                          "%s ? %s - 1 : 0" % (name, name),
                          "%s > 0 ? %s%s - 1 : 0" % (name, cast, name)]
            if self.index in ("int", "long") and by == -1:
                forms += ["max((int)%s - 1, 0)" % name]
        else:
            forms = ["%s + %d < %s ? %s + %d : %s" % (name, by, size, name, by, name),
                     "%s >= %s - %d ? %s : %s + %d" % (name, size, by, name, name, by)]
            if by == 1:
                forms += ["%s == %s - 1 ? %s : %s + 1" % (name, size, name, name),
                          "%s < %s - 1 ? %s + 1 : %s - 1" % (name, size, name, size),
                          "min(%s + 1, %s - 1)" % (name, size)]
        return "(" + self.rng.choice(forms) + ")"

    def reads(self):
        """Statements that add up reads of A into v."""
        rng, lines = self.rng, []
        offsets = [[0] * self.dims]
        for _ in range(rng.randint(1, 5)):
            d = rng.randrange(self.dims)
            one = [0] * self.dims
            one[d] = rng.choice([-1, 1]) * rng.randint(1, self.reach)
            if self.dims == 2 and rng.random() < 0.25:
                one[1 - d] = rng.choice([-1, 1])
            offsets.append(one)
        for n, one in enumerate(offsets):
            factor = rng.randint(1, 3)
            place = [self.moved(d, by) for d, by in enumerate(one)]
            far = [d for d, by in enumerate(one) if by]
            if self.whole and len(far) == 1 and rng.random() < 0.4:
                # Guarded instead of clamped.
                d, by = far[0], one[far[0]]
                name, size = self.names[d], ("h", "w")[d] if self.dims == 2 else "w"
                guard = ("%s >= %d" % (name, -by) if by < 0
                         else "%s + %d < %s" % (name, by, size))
                place[d] = "%s %s %d" % (name, "+-"[by < 0], abs(by))
                read = self.at("A", place)
                if rng.random() < 0.5:
                    lines.append("if (%s) v += %d * %s;" % (guard, factor, read))
                else:
                    lines.append("v += %s ? %d * %s : 1;" % (guard, factor, read))
            elif far and rng.random() < 0.3 and self.index in ("int", "long"):
                lines.append("const %s k%d = %s;" % (self.index, n, place[far[0]]))
                place[far[0]] = "k%d" % n
                lines.append("v += %d * %s;" % (factor, self.at("A", place)))
            else:
                lines.append("v += %d * %s;" % (factor, self.at("A", place)))
        if not self.whole and self.dims == 2 and rng.random() < 0.3:
            y, x = self.names
            lines.append("for (int dy = -1; dy <= 1; ++dy) for (int dx = -1; "
                         "dx < 2; ++dx) v += %s;"
                         % self.at("A", ["%s + dy" % y, "%s + dx" % x]))
        head, rest = lines[0], lines[1:]
        rng.shuffle(rest)
        # A constant stands ahead of its use.
        rest.sort(key=lambda line: not line.startswith("const"))
        return [head, *rest]

    def loops(self):
        text = ""
        for d, name in enumerate(self.names):
            first, past = self.ends(d)
            test = ("%s < (%s)(%s)" % (name, self.index, past)
                    if self.rng.random() < 0.8 else
                    "%s <= (%s)(%s) - 1" % (name, self.index, past))
            text += "      for (%s %s = %s; %s; %s)\n" % (
                self.index, name, first, test,
                self.rng.choice(["++%s", "%s++"]) % name)
        return text

    def loop(self, directives):
        rng = self.rng
        number = "t" if self.time else "3"
        body = ["long v = %s;" % number, *self.reads()]
        if self.other:
            body.append("v += %s;" % self.at("P", self.names))
        if rng.random() < 0.3:
            body.append("v = 2 * v + 1;" if self.chosen else "v = (long)blend(v, 1);")
        body.append("%s = (%s)(v & 1023);" % (self.at("B", self.names), self.type))
        row = "(*" if self.nested else "*"
        past = ")[w]" if self.nested else ""
        swap = "%s %sold%s = A; A = B; B = old;" % (self.type, row, past)
        step = rng.choice(["for (int t = 0; t < steps; ++t)",
                           "for (long t = 2; t <= steps + 1; t++)",
                           "for (int t = 1; t < 1 + 2 * steps; t += 2)"])
        above, inner = directives
        return ("    %s {\n%s%s      {\n        %s\n      }\n      %s\n    }\n"
                % (step, above, self.loops(), "\n        ".join(body), swap))

    def text(self):
        rng, n = self.rng, self.number
        count = "h * w" if self.dims == 2 else "w"
        nested = self.nested
        pointer = ("%s (*%%s)[w] = (%s (*)[w])%%s" if nested else "%s *%%s = %%s")
        pointer = pointer % ((self.type, self.type) if nested else self.type)
        state = rng.getstate()
        serial = self.loop(("", ""))
        rng.setstate(state)
        collapse = " collapse(2)" if self.dims == 2 else ""
        if self.openmp:
            data = ("#pragma omp target data map(tofrom: a[0:count], b[0:count]) "
                    "map(to: p[0:count])\n")
            above = "#pragma omp target teams distribute parallel for%s\n" % collapse
        else:
            data = "#pragma acc data copy(a[0:count], b[0:count]) copyin(p[0:count])\n"
            queue = rng.choice(["", " async(1)"])
            above = "#pragma acc parallel loop%s%s\n" % (collapse, queue)
        rng.setstate(state)
        tiled = self.loop((above, ""))
        wait = "" if self.openmp else "#pragma acc wait\n"
        tile = ("" if self.chosen else
                "#pragma accx timetile(%d)%s\n" % (self.steps, self.block))
        return """
static void c{n}(int h, int w, int steps) {{
  const size_t count = (size_t){count};
  {T} *a = malloc(count * sizeof *a + 1), *b = malloc(count * sizeof *a + 1),
    *p = malloc(count * sizeof *a + 1), *ra = malloc(count * sizeof *a + 1),
    *rb = malloc(count * sizeof *a + 1);
  for (size_t e = 0; e < count; ++e) {{
    ra[e] = a[e] = (e * 7919 + {n}) % 61;
    rb[e] = b[e] = (e * 31 + 5) % 97;
    p[e] = e * 131 % 11;
  }}
  int isA, isRight;
  {{
    {A}; {B}; {P};
    (void)P;
{serial}    isA = (void *)A == (void *)ra;
  }}
{data}  {{
    {DA}; {DB}; {DP};
    (void)P;
{tile}{tiled}{wait}    isRight = ((void *)A == (void *)a) == isA;
  }}
  if (!isRight || memcmp(a, ra, count * sizeof *a) || memcmp(b, rb, count * sizeof *b)) {{
    printf("case {n} is wrong: %d %d, %d steps\\n", h, w, steps);
    ++bad;
  }}
  free(a), free(b), free(p), free(ra), free(rb);
}}
""".format(n=n, T=self.type, count=count, serial=serial, tiled=tiled, data=data,
           wait=wait, tile=tile,
           A=pointer % ("A", "ra"), B=pointer % ("B", "rb"),
           P=pointer % ("P", "p"), DA=pointer % ("A", "a"),
           DB=pointer % ("B", "b"), DP=pointer % ("P", "p"))

    def calls(self):
        least = 2 * self.reach + 1
        out = ""
        counts = [1, 8, 9, 12, 33, 41] if self.chosen else [0, 1, 2, 3, 5, 8, 9, 12]
        for _ in range(3):
            h = self.rng.choice([least, least + 3, 33, 70])
            w = self.rng.choice([least, least + 1, 31, 100, 300])
            out += "  c%d(%d, %d, %d);\n" % (self.number, h, w, self.rng.choice(counts))
        return out


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    chosen = "chosen" in sys.argv[3:]
    cases = [Case(n, random.Random(seed * 100003 + n), chosen) for n in range(count)]
    print(HEAD)
    for case in cases:
        print(case.text())
    print("int main(void) {")
    for case in cases:
        print(case.calls(), end="")
    print('  printf("RESULT %%s: %d cases of seed %d\\n", bad ? "BAD" : "ok");'
          % (count, seed))
    print("  return bad != 0;\n}")


if __name__ == "__main__":
    main()
