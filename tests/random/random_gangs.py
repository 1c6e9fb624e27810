#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random code of gangs, with several parallel loops in an iteration.

  random_gangs.py SEED COUNT [--small]    a C program of COUNT nests

Gangs compute, load and write between their parallel loops, which reduce, write
memory, or share an array of the gang. The program runs each nest sequentially
and as a kernel and compares all that they wrote, bit by bit: everything is
unsigned arithmetic. It prints one line a difference, then how many nests were
right, and fails otherwise. --small: of few iterations.
"""

import random
import sys

ARRAY = 32
OUT = 4


class Gang:
    def __init__(self, rng, number, small):
        self.rng = rng
        self.number = number
        self.acc = rng.random() < 0.4
        self.n = rng.choice([1, 2, 7, 40, 300] + ([500] if small else [5000, 40000]))
        self.m = rng.choice([1, 5, 31, 32, 33, 100, 513])
        while self.n * self.m > 2000000:
            self.m = max(1, self.m // 7)
        self.has_array = rng.random() < 0.5
        self.clause = ""
        if not self.acc:
            self.clause = rng.choice(["", "", "", " thread_limit(64)",
                                      " num_teams(5)", " num_teams(3) thread_limit(96)"])
        else:
            self.clause = rng.choice(["", "", "", " vector_length(64)", " num_gangs(5)"])

    def scalar(self):
        return self.rng.choice(["s", "t"])

    def value(self, inner):
        """An expression; inner: in the parallel loop over j."""
        rng = self.rng
        terms = ["s", "t", "(unsigned)i", str(rng.randrange(1, 99)),
                 f"A[(long)i * m + {'j' if inner else f'({rng.randrange(99)} % m)'}]"]
        if inner:
            terms += ["(unsigned)j", "B[(long)i * m + j]"]
        else:
            terms += [f"B[(long)i * m + {rng.randrange(99)} % m]", f"O[(long)i * {OUT} + {rng.randrange(OUT)}]"]
            if self.has_array:
                terms.append(f"g[{rng.randrange(ARRAY)}]")
        return f"{rng.choice(terms)} * {rng.randrange(1, 9)}u {rng.choice('+^')} {rng.choice(terms)}"

    def parallel(self, reduction=""):
        rng = self.rng
        if self.acc:
            return f"#pragma acc loop {rng.choice(['vector', 'worker', 'worker vector'])}{reduction}"
        threads = rng.choice(["", "", "", "", " num_threads(33)"])
        schedule = rng.choice(["", "", "", " schedule(static, 3)"])
        return f"#pragma omp parallel for{schedule}{threads}{reduction}"

    def reduce(self):
        s = self.scalar()
        op = self.rng.choice(["+", "^", "max", "+"])
        value = self.value(True)
        head = self.parallel(f" reduction({op} : {s})")
        body = (f"if ({s} < (unsigned)({value})) {s} = {value};" if op == "max"
                else f"{s} {op}= {value};")
        # What it combines is read by nobody meanwhile.
        body = body.replace(value, value.replace(s + " ", "7u ").replace("^ " + s, "^ 3u").replace("+ " + s, "+ 5u"))
        if body.count(s) != (2 if op == "max" else 1):
            return self.write()
        return [head, "for (int j = 0; j < m; j++)", "  " + body]

    def write(self):
        return [self.parallel(), "for (int j = 0; j < m; j++)",
                f"  B[(long)i * m + j] = {self.value(True)};"]

    def shared(self):
        if not self.has_array:
            return self.write()
        if not self.acc and self.rng.random() < 0.3:
            return [self.parallel(), "for (int j = 0; j < m; j++)",
                    "#pragma omp atomic", f"  g[j % 7] += A[(long)i * m + j] + {self.scalar()};"]
        return [self.parallel(), f"for (int j = 0; j < {ARRAY}; j++)",
                f"  g[j] = g[j] * 3u + A[(long)i * m + j % m] + {self.scalar()};"]

    def one(self, depth):
        rng = self.rng
        kind = rng.choice(["compute", "store", "update", "reduce", "reduce", "write", "shared"]
                          + (["loop", "if"] if depth < 2 else []))
        if kind == "compute":
            return [f"{self.scalar()} = {self.value(False)};"]
        if kind == "store":
            return [f"O[(long)i * {OUT} + {rng.randrange(OUT)}] = {self.value(False)};"]
        if kind == "update":
            return [f"O[(long)i * {OUT} + {rng.randrange(OUT)}] += {self.value(False)};"]
        if kind == "reduce":
            return self.reduce()
        if kind == "write":
            return self.write()
        if kind == "shared":
            return self.shared()
        inside = ["  " + line for _ in range(rng.choice([1, 2]))
                  for line in self.one(depth + 1)]
        if kind == "if":
            return [f"if (i % 3 == {rng.randrange(3)}) {{", *inside, "}"]
        return [f"for (int k = 0; k < {rng.choice([0, 1, 3])}; k++) {{", *inside, "}"]

    def text(self):
        lines = [line for _ in range(self.rng.choice([2, 3, 4, 5])) for line in self.one(0)]
        lines += self.reduce()
        lines += [f"O[(long)i * {OUT}] ^= s + t;"]
        body = ["unsigned s = 1, t = (unsigned)i;"]
        if self.has_array:
            body.append(f"unsigned g[{ARRAY}];")
            body.append(f"for (int k = 0; k < {ARRAY}; k++) g[k] = k;")
        body += lines
        maps = f"A[ : size], B[ : size], O[ : (long)n * {OUT}]"
        head = (f"#pragma acc parallel loop gang{self.clause} copy({maps})" if self.acc else
                f"#pragma omp target teams distribute{self.clause} map(tofrom : {maps})")
        def function(name, keep):
            out = [f"static void {name}{self.number}(int n, int m, long size, unsigned *A, unsigned *B, unsigned *O) {{"]
            if keep:
                out.append(head)
            out.append("  for (int i = 0; i < n; i++) {")
            out += ["    " + line if not line.startswith("#") else line for line in body
                    if keep or not line.lstrip().startswith("#")]
            out += ["  }", "}"]
            return out
        return "\n".join(function("host", False) + function("device", True))


MAIN = """
typedef void (*Nest)(int, int, long, unsigned *, unsigned *, unsigned *);
static int differs(int number, Nest host, Nest device, int n, int m) {
  const long size = (long)n * m, outs = (long)n * %d;
  unsigned *x[2][3];
  for (int k = 0; k < 2; k++) {
    x[k][0] = malloc(size * 4), x[k][1] = malloc(size * 4), x[k][2] = malloc(outs * 4);
    for (long i = 0; i < size; i++)
      x[k][0][i] = i * 2654435761u >> 7, x[k][1][i] = i * 7 + 1;
    for (long i = 0; i < outs; i++)
      x[k][2][i] = i;
  }
  host(n, m, size, x[0][0], x[0][1], x[0][2]);
  device(n, m, size, x[1][0], x[1][1], x[1][2]);
  int bad = memcmp(x[0][0], x[1][0], size * 4) ? 1 : 0;
  bad |= memcmp(x[0][1], x[1][1], size * 4) ? 2 : 0;
  bad |= memcmp(x[0][2], x[1][2], outs * 4) ? 4 : 0;
  if (bad)
    printf("nest %%d of n %%d m %%d differs: %%d\\n", number, n, m, bad);
  for (int k = 0; k < 6; k++)
    free(x[k / 3][k %% 3]);
  return bad != 0;
}
int main(void) {
  int bad = 0;
%s
  printf("%%d of %d nests right\\n", %d - bad);
  return bad != 0;
}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    gangs = [Gang(random.Random(seed * 1000 + k), k, "--small" in sys.argv) for k in range(count)]
    print("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
    for gang in gangs:
        print(gang.text())
    calls = "\n".join(f"  bad += differs({g.number}, host{g.number}, device{g.number}, {g.n}, {g.m});"
                      for g in gangs)
    print(MAIN % (OUT, calls, count, count))


main()
