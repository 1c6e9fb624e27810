# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of regions and of host code that may see them under way.

Each case is a function: regions on present and absent data, on memory that the
device shares with the host; loads, stores, updates, output, clocks, loops,
branches, exceptions, longjmp and threads between them; target tasks with
dependences, and what else a thread does before it waits for them. Late regions run on a
thread (ACCX_SYNC=0), and what the program prints is compared with regions that
are waited for at once: ACCX_SYNC=1, and the pass switched off. With a device
plugin that has queues they are under way there, too.
"""

import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile

PROLOGUE = """
#include <csetjmp>
#include <cstdio>
#include <ctime>
#include <atomic>
#include <thread>
#include <omp.h>
extern "C" void *llvm_omp_target_alloc_shared(size_t, int);
extern "C" void llvm_omp_target_free_shared(void *, int);
constexpr int n = 64;
long ga[n], gb[n];
static long sa[n], sb[n];
long sum;
static long counter;
struct values { long one, two, rest[4]; };
long *gp;
static std::atomic<long> atom, found;
static volatile long vol;
static jmp_buf env;
static inline void note(long v) { sum = (unsigned long)sum * 31 + v; }
[[gnu::noinline]] static void outside(long *p, int k) { p[k] += 3; note(p[k]); }
[[gnu::noinline]] static void adds(long *p, const long *q, long k) {
#pragma omp target teams distribute parallel for map(p[:n], q[:n])
  for (int i = 0; i < n; ++i) p[i] += q[n - 1 - i] + k;
}
[[gnu::noinline]] static void shares(long *p, long *s, long k) {
#pragma omp target map(p[:n]) is_device_ptr(s)
  for (int i = 0; i < n; ++i) s[i] = s[i] * 3 + p[i] + k;
  counter += k;
  if (k & 1)
    adds(p, p, k);
}
[[gnu::noinline]] static void looks(long *p, long *s, long k) {
  note(s[k & 63]);
#pragma omp target map(p[:n]) is_device_ptr(s)
  for (int i = 0; i < n; ++i) p[i] ^= s[i];
  if ((sum & 7) == 1) { shares(p, s, k); return; }
  s[3] += p[7];
}
[[gnu::noinline]] static void again(long *p, long *s, int depth) {
  shares(p, s, depth);
  if (depth > 0)
    again(p, s, depth - 1);
}
[[gnu::noinline]] static void makes(long *p, const long *q, long k) {
#pragma omp target teams distribute parallel for nowait depend(inout : p[0]) \\
    depend(in : q[0]) map(p[:n], q[:n])
  for (int i = 0; i < n; ++i) p[i] += q[i] * k;
#pragma omp target nowait depend(inout : p[0]) map(p[:n])
  for (int i = 0; i < n; ++i) p[i] ^= k + i;
}
void others(long *p, long k) {
  for (int z = 0; z < (k & 3); ++z) {
#pragma omp target teams distribute parallel for nowait depend(inout : p[0]) \\
    map(p[:n])
    for (int i = 0; i < n; ++i) p[i] = p[i] * 3 + z;
  }
}
[[gnu::noinline]] static long reads(const long *p, int k) { return p[k] ^ p[n - 1]; }
"""


class Case:
    """The text of one function.

    Arrays: a and b are present within the function, c and d are not always, s
    and t are shared with the device. Regions of one kind use distinct arrays.
    """

    def __init__(self, rng, number):
        self.rng = rng
        self.number = number
        self.depth = 0
        self.in_try = 0
        self.in_jump = 0
        self.loops = 0
        self.threads = 0
        # Most regions of a pure case can be late.
        self.pure = rng.random() < 0.6

    def pick(self, *choices):
        return self.rng.choice(choices)

    def array(self):
        if self.pure:
            return self.pick("a", "b", "s", "t")
        return self.pick("a", "b", "a", "b", "c", "d", "s", "t")

    def clauses(self, arrays):
        out = []
        for name in arrays:
            if name in "st":
                out.append("is_device_ptr(%s)" % name)
            elif name in "cd" and self.rng.random() < 0.3:
                out.append("map(%s: %s[:n])" % (self.pick("to", "tofrom"), name))
            else:
                kind = self.pick("tofrom", "tofrom", "tofrom", "to",
                                 "always, tofrom") \
                    if self.rng.random() < 0.2 and not self.pure else "tofrom"
                out.append("map(%s: %s[:n])" % (kind, name))
        return " ".join(out)

    def region(self):
        x = self.array()
        y = self.array()
        work = "%s[i] = %s[i] * %d + %s[%s] + k + i" % (
            x, x, self.rng.randint(1, 3), y,
            "i" if x == y else self.pick("n - 1 - i", "i ^ %d"
                                         % self.rng.randint(1, 63)))
        arrays = [x] if x == y else [x, y]
        # A struct by value, which is present in some places.
        work += self.pick("", "", "", " + v.one", " + v.two * v.rest[i & 3]")
        slow = ""
        if self.rng.random() < 0.3:
            slow = "unsigned long w = i; for (int z = 0; z < %d; ++z) w = w * 5 + z; " \
                   "%s[i] += w & 3; " % (self.rng.randint(10, 3000), x)
        pragma = self.pick("target teams distribute parallel for",
                           "target parallel for", "target")
        loop = "for (int i = 0; i < n; ++i) { %s%s; }" % (slow, work)
        conditional = " if(k & 1)" if self.rng.random() < 0.1 \
            and not set(arrays) & set("st") else ""
        return "#pragma omp %s %s%s\n%s" % (
            pragma, self.clauses(arrays), conditional, loop)

    def reduction(self):
        x = self.array()
        return ("{ long r = k;\n#pragma omp target teams distribute parallel "
                "for reduction(+ : r) map(tofrom: r) %s\n"
                "for (int i = 0; i < n; ++i) r += %s[i];\n note(r); }"
                % (self.clauses([x]), x))

    def task(self):
        """A target task, with dependences on all it accesses."""
        x, y = self.pick("ab", "ba", "aa", "bb", "ca" if not self.pure else "ab")
        use = "depend(inout: %s[0])" % x
        maps = self.clauses([x])
        if x != y:
            # One that is copied at the begin and the end is written.
            other = self.clauses([y])
            use += " depend(%s: %s[0])" % (
                "inout" if "always" in other else "in", y)
            maps += " " + other
        draw = self.rng.random()
        if draw < 0.1:
            return "#pragma omp target update %s(%s[:n]) nowait %s\n" % (
                self.pick("to", "from"), x, use)
        if draw < 0.2:
            return ("#pragma omp task %s firstprivate(k)\n"
                    "{ %s[k & 63] += k; found += %s[%d]; }" % (
                        use, x, y, self.rng.randint(0, 63)))
        kind = self.pick("target teams distribute parallel for", "target")
        # A team that a task forms on the host takes libomp's helper thread
        # away from LLVM 19 while others give tasks to it.
        return "#pragma omp %s nowait %s %s%s\n" \
            "for (int i = 0; i < n; ++i) %s[i] = %s[i] * %d + %s[i] + k + i;" % (
                kind, use, maps,
                " if(k & 1)" if kind == "target" and self.rng.random() < 0.2
                else "",
                x, x, self.rng.randint(1, 3), y)

    def tasks(self):
        """Target tasks, and what does not see them, up to a wait for them."""
        def one():
            draw = self.rng.random()
            if draw < 0.65:
                return self.task()
            if draw < 0.75:
                return self.pick("makes(a, b, k);", "makes(b, b, k);",
                                 "others(a, k);", "others(b, k);")
            return self.pick(
                'printf("%ld\\n", k);', "(void)clock();", "atom += k;",
                "vol = vol + k;", "{ long *w = a; a = b; b = w; }",
                "k = k * 3 + %d;" % self.rng.randint(0, 9), "counter += k;",
                "#pragma omp target map(counter)\n counter += k;",
                "#pragma omp taskwait\n")
        text = "\n".join(one() for _ in range(self.rng.randint(2, 6)))
        if self.rng.random() < 0.4:
            text = "for (int w = 0; w < %d; ++w) {\n%s\n}" % (
                self.rng.randint(1, 5), text)
        return "{\n%s\n#pragma omp taskwait\n note(found); }" % text

    def host(self):
        x, k = self.array(), self.rng.randint(0, 63)
        return self.pick(
            "note(%s[%d]);" % (x, k),
            "note(%s[k & 63]);" % x,
            "%s[%d] = k + %d;" % (x, k, self.rng.randint(0, 9)),
            "for (int i = 0; i < n; ++i) note(%s[i]);" % x,
            "for (int i = 0; i < n; ++i) %s[i] += i & k;" % x,
            "note(reads(%s, %d));" % (x, k),
            "outside(%s, %d);" % (x, k),
            "counter += k; note(counter);",
            "ga[%d] += k; note(gb[%d]);" % (k, k),
            "note(gp[%d]);" % k,
            "v.one = k + %d;" % k,
            "v.rest[%d] += k; note(v.two);" % (k & 3),
            "*gp += k;",
        )

    def order(self):
        x = self.pick("a", "b")
        return self.pick(
            '#pragma omp target update to(%s[:n])\n' % x,
            "#pragma omp target map(tofrom: v)\n v.two += v.one + k;",
            '#pragma omp target update from(%s[%d:8])\n' % (
                x, self.rng.randint(0, 50)),
            '#pragma omp target update from(%s[:n])\n note(%s[5]);' % (x, x),
            'printf("%%ld\\n", sum);',
            "(void)clock();",
            "atom += k; note(atom);",
            "vol = vol + k; note(vol);",
            "{ long *w = a; a = b; b = w; }",
            "{ long *w = s; s = t; t = w; }",
            "k = k * 3 + %d;" % self.rng.randint(0, 9),
        )

    def block(self, length=3):
        self.depth += 1
        body = "\n".join(self.statement()
                         for _ in range(self.rng.randint(1, length)))
        self.depth -= 1
        return "\n" + body

    def nested(self):
        kind = self.pick("loop", "loop", "if", "try", "jump", "exit",
                         *([] if self.pure else ["data", "thread", "enter"]))
        if kind == "loop":
            self.loops += 1
            variable = "q%d" % self.depth
            body = self.block(4)
            self.loops -= 1
            # Long enough for launches to repeat.
            trips = self.rng.randint(1, 4)
            if not self.loops and self.rng.random() < 0.3:
                trips = 25
            leave = ""
            if self.rng.random() < 0.2:
                leave = "if ((sum & 7) == %d) %s;" % (
                    self.rng.randint(0, 7), self.pick("break", "continue"))
            return "for (int %s = 0; %s < %d; ++%s) { %s\n %s }" % (
                variable, variable, trips, variable, body, leave)
        if kind == "if":
            return "if ((sum + k) & 1) { %s\n } else { %s\n }" % (
                self.block(), self.block())
        if kind == "data":
            x = self.pick("a", "b", "c", "d", "v")
            # Nothing jumps out of it.
            held = self.in_try, self.in_jump
            self.in_try, self.in_jump = 0, self.in_jump and 2
            body = self.block()
            self.in_try, self.in_jump = held
            return "#pragma omp target data map(%s: %s)\n{ %s\n }" % (
                self.pick("tofrom", "to", "alloc" if x in "ab" else "to"),
                x if x == "v" else x + "[:n]", body)
        if kind == "enter":
            x = self.pick("c", "d")
            return ("#pragma omp target enter data map(to: %s[:n])\n%s\n"
                    "#pragma omp target exit data map(%s: %s[:n])\n"
                    % (x, self.plain(), self.pick("from", "release", "delete"), x))
        if kind == "try" and not self.in_jump:
            self.in_try += 1
            body = self.block(4)
            self.in_try -= 1
            return "try { %s\n } catch (int e) { note(e); %s\n }" % (
                body, self.host())
        if kind == "jump" and not self.in_try and not self.in_jump \
                and not self.threads:
            self.in_jump += 1
            body = self.block(4)
            self.in_jump -= 1
            return ("if (!setjmp(env)) { %s\n } else { note(7); %s\n }"
                    % (body, self.host()))
        if kind == "thread" and not self.threads and not self.in_jump:
            self.threads += 1
            held = self.in_try, self.loops
            self.in_try = self.loops = 0
            # Each thread has arrays of its own, and all read one.
            text = ("{ long own[2] = {0, 0};\n"
                    "#pragma omp parallel num_threads(2)\n"
                    "{ int me = omp_get_thread_num(); long mine[n];\n"
                    "for (int i = 0; i < n; ++i) mine[i] = i * me + k;\n"
                    "#pragma omp target data map(tofrom: mine)\n"
                    "for (int z = 0; z < %d; ++z) {\n"
                    "#pragma omp target teams distribute parallel for "
                    "map(to: a[:n])\n"
                    "for (int i = 0; i < n; ++i) mine[i] += a[i] + z;\n"
                    "#pragma omp target\n for (int i = 0; i < n; ++i) "
                    "mine[i] ^= z;\n}\n"
                    "for (int i = 0; i < n; ++i) own[me] += mine[i] * i;\n}\n"
                    "note(own[0] * 3 + own[1]); }" % self.rng.randint(1, 5))
            self.in_try, self.loops = held
            self.threads -= 1
            return text
        if kind == "exit" and (self.in_try or self.in_jump):
            if self.in_jump == 2 and not self.in_try:
                return self.region()
            how = "throw int(sum & 15)" if self.in_try else "longjmp(env, 1)"
            return "if ((sum & 3) == %d) %s;" % (self.rng.randint(0, 3), how)
        return self.region()

    def plain(self):
        draw = self.rng.random()
        if draw < 0.45:
            return self.region()
        if draw < 0.6:
            return self.pick("adds(a, b, k);", "adds(b, b, k);",
                             "shares(a, s, k);", "shares(b, t, k);",
                             "looks(a, s, k);", "again(a, t, 2);")
        if draw < 0.68 and not self.pure:
            return self.reduction()
        if draw < 0.85:
            return self.host()
        return self.order()

    def statement(self):
        if self.rng.random() < 0.08:
            return self.tasks()
        if self.depth < 4 and self.rng.random() < 0.3:
            return self.nested()
        return self.plain()

    def text(self):
        body = "\n".join(self.statement()
                         for _ in range(self.rng.randint(3, 8)))
        arrays = self.pick(("ga", "gb"), ("sa", "sb"), ("ga", "sb"))
        # Whoever jumps out of a data region leaves it as it is.
        return """
[[gnu::noinline]] static void case%d(long *s, long *t, long *c, long *d) {
  volatile long start = %d;
  long k = start, *a = %s, *b = %s;
  values v = {start, 1, {2, 3, 4, start}};
  gp = %s;
  for (int i = 0; i < n; ++i) {
    a[i] = i; b[i] = 2 * i; s[i] = 3 * i; t[i] = i ^ 5; c[i] = i + 1; d[i] = 7 - i;
  }
#pragma omp target enter data map(to: a[:n], b[:n])
  %s
#pragma omp target exit data map(%s: a[:n], b[:n])
  for (int i = 0; i < n; ++i)
    note(a[i] + b[i] * 3 + s[i] * 5 + t[i] * 7 + c[i] * 11 + d[i] * 13);
  note(v.one + v.two * 3 + v.rest[0] + v.rest[1] + v.rest[2] + v.rest[3]);
#pragma omp target exit data map(delete: ga, gb, sa, sb, c[:n], d[:n], v)
  printf("case %d: %%ld\\n", sum);
}
""" % (self.number, self.rng.randint(0, 9), *arrays,
            self.pick("ga", "gb", "s", "c"), body,
            self.pick("from", "from", "release"), self.number)


def program(seed, count):
    rng = random.Random(seed)
    cases = "".join(Case(rng, number).text() for number in range(count))
    calls = "".join("  sum = %d; case%d(s, t, c, d);\n" % (number, number)
                    for number in range(count))
    return PROLOGUE + cases + """
int main() {
  long *s = (long *)llvm_omp_target_alloc_shared(n * sizeof(long), 0);
  long *t = (long *)llvm_omp_target_alloc_shared(n * sizeof(long), 0);
  long *c = new long[n], *d = new long[n];
%s  llvm_omp_target_free_shared(s, 0);
  llvm_omp_target_free_shared(t, 0);
  return 0;
}
""" % calls


def output(path, sync, **settings):
    environment = dict(os.environ, ACCX_SYNC=sync, OMP_NUM_THREADS="2",
                       ACCX_STATS="1", **settings)
    run = subprocess.run([path], capture_output=True, text=True,
                         env=environment, timeout=120, errors="replace")
    late = sum(int(field.split("=")[1]) for field in run.stderr.split()
               if field.startswith("late_regions="))
    errors = [line for line in run.stderr.splitlines()
              if "accx stats" not in line]
    return (run.returncode, run.stdout, errors), late


def difference(got, wanted):
    """The first lines of two runs that are not the same."""
    def lines(run):
        status, text, errors = run
        # Errors say more than the status does.
        return [*errors, *text.splitlines(), "status %d" % status]
    return "%r instead of %r" % next(
        pair for pair in itertools.zip_longest(lines(got), lines(wanted))
        if pair[0] != pair[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler")
    parser.add_argument("--print", action="store_true",
                        help="prints the program of the seed, and that is all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--units", type=int, default=2)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--plugin", default=None,
                        help="the plugin of tests/plugins/fault")
    parser.add_argument("--keep", default=None)
    options = parser.parse_args()
    if options.print:
        print(program(options.seed, options.cases))
        return
    differ = late = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        for seed in range(options.seed, options.seed + options.units):
            source = os.path.join(folder, "waits%d.cpp" % seed)
            with open(source, "w") as out:
                out.write(program(seed, options.cases))
            ours, plain = source[:-4] + ".ours", source[:-4] + ".plain"
            level = "-O%d" % (1 + seed % 3)
            common = [*options.compiler.split(), "-w", level, source]
            subprocess.run([*common, "-o", ours], check=True)
            wanted = []
            if seed % 4 == 0:
                subprocess.run([*common, "-Xclang", "-mllvm", "-Xclang",
                                "-accx-late-waits=0", "-o", plain], check=True)
                wanted.append(output(plain, "1")[0])
            wanted.append(output(ours, "1")[0])
            runs = [{}] * options.runs
            if options.plugin:
                runs += [{"LIBOMPTARGET_PLUGIN": options.plugin,
                          "ACCX_FAULT_OPTIONS": "async,delay=%d" % delay}
                         for delay in (0, 200)]
            for settings in runs:
                got, number = output(ours, "0", **settings)
                late += number
                if any(got != one for one in wanted):
                    print("seed %d differs: %s" % (seed, difference(
                        got, next(one for one in wanted if got != one))),
                        file=sys.stderr)
                    differ += 1
                    break
    print("%d cases, %d late regions, %d units differ"
          % (options.units * options.cases, late, differ))


main()
