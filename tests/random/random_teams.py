#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random block-structured code of teams: parallel regions around team arrays.

  random_teams.py SEED COUNT [--small] [--critical] [--bounded]    a C program of COUNT kernels

Teams have arrays and scalars, sequential code with loops and conditions, and
parallel regions with barriers, worksharing loops, reductions, atomics, single,
master, critical, and calls of functions that have barriers. The program runs
each kernel, and the same code sequentially: phase by phase from barrier to
barrier, all threads of a phase one after the other, for as many teams and
threads as the kernel had. It compares all that they wrote, bit by bit:
everything is unsigned arithmetic. It prints one line a difference, then how
many kernels were right, and fails otherwise. --small: of few teams. --critical:
with critical sections, for which LLVM 19 has no code on NVIDIA GPUs.
--bounded: with num_threads of run time, of which a GPU's block is the limit.

What threads read and write in a phase does not overlap, except for atomics and
critical sections that add up. Where it would, there is a barrier first.
"""

import random
import sys

CELLS = 256  # of an array; more than threads
TEAMS = 64
OUT = 4
ARRAYS = ("a", "b", "c")
SCALARS = ("s", "r")
LIMITS = (1, 2, 31, 32, 33, 64, 96, 100, 128, 200, 256)

HELPERS = f"""
#pragma omp begin declare target
static unsigned shift(unsigned *x, unsigned v, int by) {{
  const int t = omp_get_thread_num(), n = omp_get_num_threads();
  x[t] = v;
#pragma omp barrier
  const unsigned got = x[(t + by) % n];
#pragma omp barrier
  return got;
}}
static __attribute__((noinline)) unsigned total(unsigned *x, unsigned v) {{
  const int t = omp_get_thread_num(), n = omp_get_num_threads();
  unsigned sum = 0;
  shift(x, v * 3u, 1);
  for (int k = 0; k < 5; k++)
    sum += x[(t + k) % n];
#pragma omp barrier
  return sum;
}}
static unsigned mix(unsigned v, unsigned w) {{ return (v ^ w) * 2654435761u >> 3; }}
static void fill(unsigned *x, unsigned v) {{
#pragma omp for
  for (int j = 0; j < {CELLS}; j++)
    x[j] = x[j] * 3u + v + j;
}}
static unsigned place(unsigned v) {{
  return v + (unsigned)omp_get_thread_num() * 5u + (unsigned)omp_get_team_num();
}}
#pragma omp end declare target
"""


class NeedsBarrier(Exception):
    """A statement that does not go with the phase."""


class Kernel:
    """Lines are pairs: of the device's function and of the host's."""

    def __init__(self, rng, number, small):
        self.rng = rng
        self.number = number
        self.small = small
        self.limit = rng.choice(LIMITS)
        self.teams = rng.randrange(1, 9 if small else TEAMS + 1)
        self.is_loop = rng.random() < 0.25
        # A region and nothing around it: Clang makes such kernels otherwise.
        self.is_plain = not self.is_loop and rng.random() < 0.2
        self.device, self.host = [], []
        # Of the current phase: what any thread reads, and how it is written.
        self.read, self.written = set(), {}
        self.may_meet = True

    def both(self, line, host=None):
        self.device.append(line)
        self.host.append(line if host is None else host)

    def only_device(self, *lines):
        self.device += lines

    def only_host(self, *lines):
        self.host += lines

    # -- a region's code ----------------------------------------------------

    def next_phase(self):
        self.read, self.written = set(), {}

    def barrier(self):
        if not self.may_meet:
            raise NeedsBarrier
        self.only_device("#pragma omp barrier")
        self.next_phase()

    def needs(self, reads=(), writes=None, how=None):
        """A barrier first where these do not go with the phase."""
        late = any(self.written.get(x) is not None for x in reads)
        if writes is not None:
            old = self.written.get(writes)
            late |= writes in self.read or (old is not None and
                                            (old != how or how == "one"))
        if late:
            self.barrier()
        self.read |= set(reads)
        if writes is not None:
            self.written[writes] = how

    def value(self, own=None, reads=None):
        """An expression for one thread, {p} and {t} its own. reads: what it
        takes of the team's; own: an array whose cell [{t}] is its own."""
        rng = self.rng
        terms = ["{p}", "{q}", "(unsigned){t}", "(unsigned)n", "(unsigned)w", str(rng.randrange(1, 99)),
                 f"In[(w * 31 + {{t}} * {rng.randrange(1, 9)}) % size]"]
        for x in reads or ():
            terms += ([x] if x in SCALARS else
                      [f"{x}[({{t}} + {rng.randrange(1, 40)}) % n]", f"{x}[{rng.randrange(CELLS)}]"]) * 2
        if own:
            terms += [f"{own}[{{t}}]"] * 2
        e = f"{rng.choice(terms)} * {rng.randrange(1, 9)}u {rng.choice('+^-')} {rng.choice(terms)}"
        return f"mix({e}, {rng.choice(terms)})" if rng.random() < 0.15 else e

    def some_reads(self, but=None):
        return [x for x in ARRAYS + SCALARS
                if x != but and self.rng.random() < 0.35 and not self.is_plain]

    def threads(self, line):
        """One statement of all threads."""
        self.device.append(line.format(p="p", q="q", t="t"))
        self.host.append("for (int t = 0; t < n; t++) {")
        self.host.append("  " + line.format(p="p_[t]", q="q_[t]", t="t"))
        self.host.append("}")

    def condition(self):
        return self.rng.choice(["", "", "", f"if ({{t}} % {self.rng.randrange(2, 5)} == 0) ",
                                f"if ({{t}} < {self.rng.choice([1, 7, 32, 40])}) ", "if ({p} & 4) "])

    def private(self):
        reads = self.some_reads()
        self.needs(reads)
        self.threads(f"{self.condition()}{{{self.rng.choice('pq')}}} = {self.value(reads=reads)};")

    def cell(self):
        x = self.rng.choice(ARRAYS)
        reads = self.some_reads(but=x)
        self.needs(reads, x, "own")
        self.threads(f"{self.condition()}{x}[{{t}}] = {self.value(own=x, reads=reads)};")

    def mirrored(self):
        x = self.rng.choice(ARRAYS)
        reads = self.some_reads(but=x)
        self.needs(reads, x, "mirrored")
        self.threads(f"{x}[n - 1 - {{t}}] = {self.value(reads=reads)};")

    def output(self):
        reads = self.some_reads()
        self.needs(reads)
        self.threads(f"{self.condition()}O[(long)w * {CELLS} + {{t}}] ^= {self.value(reads=reads)};")

    def atomic(self):
        x = self.rng.choice(("G",) if self.is_plain else ARRAYS + SCALARS + ("G",))
        reads = self.some_reads(but=x)
        self.needs(reads, x if x != "G" else None, "atomic")
        place = (x if x in SCALARS else f"{x}[{{t}} % {self.rng.randrange(1, 40)}]" if x != "G"
                 else f"G[(w + {{t}}) % {OUT}]")
        value = self.value(reads=reads)
        # The pragma needs a line of its own.
        condition = self.condition()
        self.only_device(condition.format(p="p", q="q", t="t") + "{", "#pragma omp atomic",
                         f"{place} += {value};".format(p="p", q="q", t="t"), "}")
        self.only_host("for (int t = 0; t < n; t++)",
                       f"  {condition}{place} += {value};".format(p="p_[t]", q="q_[t]", t="t"))

    def single(self):
        x = self.rng.choice(ARRAYS + SCALARS)
        reads = self.some_reads(but=x)
        self.needs(reads, x, "one")
        kind = self.rng.choice(["single", "master", "masked"])
        place = x if x in SCALARS else f"{x}[{self.rng.randrange(CELLS)}]"
        value = self.value(reads=reads).replace("{p}", "3u").replace("{q}", "5u").replace("{t}", "2")
        self.only_device(f"#pragma omp {kind}", f"{place} = {value};")
        self.only_host(f"{place} = {value};")
        if kind == "single":
            self.next_phase()

    def critical(self):
        x = self.rng.choice(SCALARS)
        reads = self.some_reads(but=x)
        self.needs(reads, x, "critical")
        value = self.value(reads=reads)
        self.only_device("#pragma omp critical", f"{x} += {value};".format(p="p", q="q", t="t"))
        self.only_host("for (int t = 0; t < n; t++)",
                       f"  {x} += {value};".format(p="p_[t]", q="q_[t]", t="t"))

    def work(self):
        """A worksharing loop: who runs an iteration must not matter."""
        rng = self.rng
        x = rng.choice(ARRAYS)
        m = rng.choice([1, 17, CELLS, CELLS])
        nowait = rng.choice(["", "", " nowait"])
        schedule = rng.choice(["", "", " schedule(static, 1)", " schedule(static, 3)", " schedule(static)", " schedule(static, 70)"])
        reads = [y for y in self.some_reads(but=x)]
        value = self.value(own=None, reads=reads).replace("{p}", "7u").replace("{q}", "9u").replace("{t}", "j")
        if rng.random() < 0.3:
            s = rng.choice(SCALARS)
            reads = [y for y in reads if y != s]
            value = value.replace(f"{s} ", "1u ") if s in reads else value
            value = self.value(reads=reads).replace("{p}", "7u").replace("{q}", "9u").replace("{t}", "j")
            self.needs(reads, s, "one")
            self.only_device(f"#pragma omp for{schedule} reduction(+ : {s})", f"for (int j = 0; j < {m}; j++)",
                             f"  {s} += {value};")
            self.only_host(f"for (int j = 0; j < {m}; j++)", f"  {s} += {value};")
            self.next_phase()
            return
        kind = rng.randrange(6)
        if kind == 0:  # the last iteration's value
            s = rng.choice(SCALARS)
            value = self.value().replace("{p}", "7u").replace("{q}", "9u").replace("{t}", "j")
            self.needs((), s, "one")
            self.both(f"#pragma omp for{schedule} lastprivate({s})", "")
            self.both(f"for (int j = 0; j < {m}; j++)")
            self.both(f"  {s} = {value};")
            self.next_phase()
            return
        if kind == 1:
            self.needs((), x, "one")
            self.only_device(f"fill({x}, w);")
            self.only_host(f"for (int j = 0; j < {CELLS}; j++)", f"  {x}[j] = {x}[j] * 3u + w + j;")
            self.next_phase()
            return
        self.needs(reads, x, "one")
        self.both(f"#pragma omp for{schedule}{nowait}", "")
        self.both(f"for (int j = 0; j < {m}; j++)" + " {" * (kind == 2))
        self.both(f"  {x}[j] = {x}[j] * 3u + {value};")
        if kind == 2:
            self.both("  for (int k = 0; k < 5; k++)")
            self.both(f"    if ({x}[j] >> k & 1) break; else {x}[j] += 9;")
            self.both("}")
        if not nowait:
            self.next_phase()

    def call(self):
        x = self.rng.choice(ARRAYS)
        # A call begins with a write and ends with a barrier.
        self.needs((), x, "one")
        value = self.value()
        if not self.is_loop and self.rng.random() < 0.3:
            self.threads("{q} ^= place({p});")
            self.host[-2] = "  q_[t] ^= p_[t] + (unsigned)t * 5u + (unsigned)team;"
        if self.rng.random() < 0.6:
            by = self.rng.randrange(1, 40)
            self.only_device(f"p = shift({x}, {value}, {by});".format(p="p", q="q", t="t"))
            self.only_host("for (int t = 0; t < n; t++)", f"  {x}[t] = {value};".format(p="p_[t]", q="q_[t]", t="t"),
                           "for (int t = 0; t < n; t++)", f"  p_[t] = {x}[(t + {by}) % n];")
        else:
            self.only_device(f"q += total({x}, {value});".format(p="p", q="q", t="t"))
            self.only_host("for (int t = 0; t < n; t++)",
                           f"  {x}[t] = ({value}) * 3u;".format(p="p_[t]", q="q_[t]", t="t"),
                           "for (int t = 0; t < n; t++)",
                           f"  for (int k = 0; k < 5; k++) q_[t] += {x}[(t + k) % n];")
        self.next_phase()

    def nested(self, depth, inside):
        """A loop or condition that all threads agree on."""
        self.barrier()
        if self.rng.random() < 0.5:
            self.both(f"for (int k{depth} = 0; k{depth} < {self.rng.choice(['2', '3', 'w % 3', '0'])}; k{depth}++) {{")
        else:
            self.both(f"if (w % 3 != {self.rng.randrange(3)}) {{")
        for _ in range(self.rng.choice([1, 2, 3])):
            inside(depth + 1)
        if inside == self.step:
            self.barrier()
        self.both("}")

    def step(self, depth):
        rng = self.rng
        kinds = [self.private, self.private, self.cell, self.cell, self.mirrored, self.output, self.atomic,
                 self.single, self.work, self.call, self.barrier] + [self.critical] * ("--critical" in sys.argv)
        if self.is_plain:
            kinds = [self.private, self.private, self.output, self.atomic, self.barrier]
        if depth < 2 and rng.random() < 0.2:
            self.nested(depth, self.step)
        else:
            rng.choice(kinds)()

    def region(self):
        rng = self.rng
        clause = rng.choice(["", "", "", f" num_threads({self.limit})"])
        self.only_device(f"#pragma omp parallel{clause}", "{")
        if self.is_plain:
            self.only_device("const int w = omp_get_team_num();")
        self.only_device("const int t = omp_get_thread_num(), n = omp_get_num_threads();",
                         "unsigned p = t + 1, q = w * 7;")
        self.only_host("{", f"unsigned p_[{CELLS}], q_[{CELLS}];",
                       "for (int t = 0; t < n; t++) p_[t] = t + 1, q_[t] = w * 7;")
        self.next_phase()
        for _ in range(rng.choice([1, 3, 5, 8])):
            self.step(0)
        reads = self.some_reads()
        self.needs(reads)
        self.threads(f"O[(long)w * {CELLS} + {{t}}] += {{p}} ^ {{q}} * 3u ^ ({self.value(reads=reads)});")
        if self.is_plain:
            self.only_device("if (w == 0 && t == 0)", "  N[0] = omp_get_num_teams(), N[1] = n;")
        self.both("}")

    def bounded_region(self):
        """A region for fewer threads, which do not meet."""
        self.both(f"{{ const int few = {self.rng.choice(['w % 3 + 1', 'w % 60 + 3', 'size'])};")
        self.only_device("#pragma omp parallel num_threads(few)", "{",
                         "const int t = omp_get_thread_num(), n = omp_get_num_threads();",
                         "unsigned p = t + 3, q = w;")
        self.only_host("const int all = n; {", "const int n = all < few ? all : few;",
                       f"unsigned p_[{CELLS}], q_[{CELLS}];",
                       "for (int t = 0; t < n; t++) p_[t] = t + 3, q_[t] = w;")
        self.next_phase()
        self.may_meet = False
        for _ in range(self.rng.choice([2, 4, 6])):
            lengths = len(self.device), len(self.host)
            try:
                self.rng.choice([self.private, self.cell, self.mirrored, self.output, self.atomic])()
            except NeedsBarrier:
                del self.device[lengths[0]:], self.host[lengths[1]:]
        self.may_meet = True
        self.threads(f"O[(long)w * {CELLS} + {{t}}] += {{p}} ^ {{q}} * 7u;")
        self.both("}")
        self.both("}")

    # -- a team's own code --------------------------------------------------

    def loop_region(self):
        """A region that is one loop, of any number of iterations."""
        x = self.rng.choice(ARRAYS)
        m = self.rng.choice([1, 40, CELLS])
        if self.rng.random() < 0.4:
            s = self.rng.choice(SCALARS)
            self.both(f"#pragma omp parallel for reduction(+ : {s})", "")
            self.both(f"for (int j = 0; j < {m}; j++)")
            self.both(f"  {s} += {x}[j] * {self.rng.randrange(1, 9)}u + (unsigned)j;")
            return
        s = self.rng.choice(SCALARS)
        self.both("#pragma omp parallel for", "")
        self.both(f"for (int j = 0; j < {m}; j++)")
        self.both(f"  {x}[j] = {x}[j] * 5u + {s} + (unsigned)j;")

    def team_value(self):
        rng = self.rng
        terms = ["s", "r", "(unsigned)w", str(rng.randrange(99)), f"In[(w * 13 + {rng.randrange(99)}) % size]",
                 f"{rng.choice(ARRAYS)}[{rng.randrange(CELLS)}]", f"O2[w * {OUT} + {rng.randrange(OUT)}]"]
        return f"{rng.choice(terms)} * {rng.randrange(1, 9)}u {rng.choice('+^')} {rng.choice(terms)}"

    def team_step(self, depth):
        rng = self.rng
        kind = rng.choice(["scalar", "scalar", "array", "output", "region", "region", "region", "loop region"]
                          + ["nested"] * (depth < 1))
        if kind == "scalar":
            self.both(f"{rng.choice(SCALARS)} = {self.team_value()};")
        elif kind == "array":
            self.both(f"{rng.choice(ARRAYS)}[{rng.randrange(CELLS)}] = {self.team_value()};")
        elif kind == "output":
            self.both(f"O2[w * {OUT} + {rng.randrange(OUT)}] {rng.choice(['=', '+='])} {self.team_value()};")
        elif kind == "region":
            self.region()
        elif kind == "loop region":
            self.loop_region()
            if "--bounded" in sys.argv:
                self.bounded_region()
        elif rng.random() < 0.5:
            self.both(f"for (int l = 0; l < {rng.choice(['2', 'w % 3', '1'])}; l++) {{")
            self.team_step(depth + 1)
            self.team_step(depth + 1)
            self.both("}")
        else:
            self.both(f"if ({rng.choice(['w % 2', 's & 1', 'w'])}) {{")
            self.team_step(depth + 1)
            self.both("}")

    def text(self):
        rng = self.rng
        number, limit = self.number, self.limit
        maps = (f"map(to : In[ : size]) map(tofrom : O[ : (long){TEAMS} * {CELLS}], O2[ : {TEAMS} * {OUT}], "
                f"G[ : {OUT}], N[ : 2])")
        arguments = "(int work, int size, const unsigned *In, unsigned *O, unsigned *O2, unsigned *G, int *N)"
        clauses = f"num_teams({'work' if not self.is_loop else rng.choice([1, 3, 5])}) thread_limit({limit})"
        self.only_device(f"static void device{number}{arguments} {{")
        self.only_host(f"static void host{number}{arguments} {{", "const int n = N[1];")
        if self.is_loop:
            self.only_device(f"#pragma omp target teams distribute {clauses} {maps}",
                             "for (int w = 0; w < work; w++) {")
            self.only_host("for (int w = 0; w < work; w++) {")
        else:
            self.only_device(f"#pragma omp target teams {clauses} {maps}", "{")
            if not self.is_plain:
                self.only_device("const int w = omp_get_team_num();")
            self.only_host("for (int w = 0; w < N[0]; w++) {")
        self.only_host("const int team = w;")
        if self.is_plain:
            self.region()
            self.both("}")
            self.both("}")
            return "\n".join(self.device + self.host) + "\n"
        for x in ARRAYS:
            self.both(f"unsigned {x}[{CELLS}];")
        self.both(f"unsigned s = {rng.randrange(99)}u + w, r = In[w % size];")
        self.only_device("#pragma omp parallel", "{", "const int n = omp_get_num_threads();",
                         f"for (int j = omp_get_thread_num(); j < {CELLS}; j += n)")
        self.only_host(f"for (int j = 0; j < {CELLS}; j++)")
        self.both("  a[j] = In[(w + j) % size], b[j] = j * 3u, c[j] = 0;")
        self.only_device("if (omp_get_team_num() == 0 && omp_get_thread_num() == 0)",
                         "  N[0] = omp_get_num_teams(), N[1] = n;", "}")
        for _ in range(rng.choice([1, 2, 3, 5])):
            self.team_step(0)
        self.region()
        self.both(f"O2[w * {OUT}] ^= {self.team_value()};")
        self.both("}")
        self.both("}")
        return "\n".join(self.device + self.host) + "\n"


MAIN = f"""
typedef void (*Team)(int, int, const unsigned *, unsigned *, unsigned *, unsigned *, int *);
static int differs(int number, Team host, Team device, int work) {{
  enum {{ Size = 977, Outs = {TEAMS} * {CELLS}, Outs2 = {TEAMS} * {OUT} }};
  static unsigned in[Size], out[2][Outs], out2[2][Outs2], sums[2][{OUT}];
  int numbers[2] = {{0, 0}};
  for (int i = 0; i < Size; i++)
    in[i] = i * 2654435761u >> 7;
  for (int k = 0; k < 2; k++) {{
    for (int i = 0; i < Outs; i++)
      out[k][i] = i;
    for (int i = 0; i < Outs2; i++)
      out2[k][i] = i * 5;
    for (int i = 0; i < {OUT}; i++)
      sums[k][i] = i;
  }}
  device(work, Size, in, out[1], out2[1], sums[1], numbers);
  host(work, Size, in, out[0], out2[0], sums[0], numbers);
  const int bad = (memcmp(out[0], out[1], sizeof out[0]) ? 1 : 0) | (memcmp(out2[0], out2[1], sizeof out2[0]) ? 2 : 0) |
                  (memcmp(sums[0], sums[1], sizeof sums[0]) ? 4 : 0) | (numbers[1] < 1 ? 8 : 0);
  if (bad)
    printf("kernel %d differs: %d (%d teams, %d threads)\\n", number, bad, numbers[0], numbers[1]);
  return bad != 0;
}}
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    small = "--small" in sys.argv
    rng = random.Random(seed)
    kernels = [Kernel(rng, k, small) for k in range(count)]
    out = [f"// random_teams.py {' '.join(sys.argv[1:])}",
           "#include <stdio.h>", "#include <string.h>",
           # Without a header, which a compiler for a GPU alone may not have.
           "#pragma omp begin declare target", "int omp_get_thread_num(void);", "int omp_get_num_threads(void);",
           "int omp_get_team_num(void);", "int omp_get_num_teams(void);", "#pragma omp end declare target",
           HELPERS] + [k.text() for k in kernels] + [MAIN, "int main(void) {", "  int bad = 0;"]
    out += [f"  bad += differs({k.number}, host{k.number}, device{k.number}, {k.teams});" for k in kernels]
    out += [f'  printf("%d of {count} kernels right\\n", {count} - bad);', "  return bad != 0;", "}"]
    print("\n".join(out))


main()
