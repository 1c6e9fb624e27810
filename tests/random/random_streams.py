# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops of kernels that write arrays past the cache, and without.

Prints how many loops there were, how many write past the cache, and how many
differ.
"""

import with_and_without

PROLOGUE = """
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
enum { Bytes = 96 * 4096 };
static char *Arena[4];
static unsigned long Sum = 1;
static void open_arenas(void) {
  for (int a = 0; a < 4; a++) {
    char *all = mmap(0, Bytes + 8192, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all, 4096, PROT_NONE);
    mprotect(all + 4096 + Bytes, 4096, PROT_NONE);
    Arena[a] = all + 4096;
  }
}
__attribute__((noinline)) static void fill(void) {
  unsigned x = 7;
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < Bytes; i += 4) {
      x = x * 1664525u + 1013904223u;
      /* Small numbers as float, as double's upper half and as integers. */
      unsigned v = (x >> 9 & 0x007fffff) | 0x3f800000;
      memcpy(Arena[a] + i, &v, 4);
    }
}
__attribute__((noinline)) static void add(void) {
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < Bytes; i += 8) {
      unsigned long v;
      memcpy(&v, Arena[a] + i, 8);
      Sum = (Sum ^ v) * 0x9e3779b97f4a7c15ul;
    }
}
"""

SIZES = {
    "unsigned char": 1,
    "unsigned short": 2,
    "unsigned": 4,
    "float": 4,
    "unsigned long": 8,
    "double": 8,
}


def loop(rng, number):
    """The text of one function and its calls."""
    out = rng.choice(list(SIZES))
    second = out if rng.random() < 0.5 else rng.choice(list(SIZES))
    read = out if rng.random() < 0.5 else rng.choice(list(SIZES))
    # Conversions from floating point may not fit integers.
    if read in ("float", "double") and out not in ("float", "double"):
        read = out
    if read in ("float", "double") and second not in ("float", "double"):
        second = out
    kind = rng.choice(["team", "team", "serial", "rows"])
    index = rng.choice(["int", "int", "long", "unsigned"])
    each = 1 if rng.random() < 0.85 else rng.choice([2, 3])
    two = each == 1 and rng.random() < 0.35
    row = "r * pitch + " if kind == "rows" else ""
    terms = ["(A + %d)[%si]" % (rng.choice([0, 0, 0, 8, -1, 1, 2]), row)]
    for _ in range(rng.choice([0, 1, 1, 2])):
        terms.append(
            rng.choice(
                ["(A + %d)[%si]" % (k, row) for k in (0, 1, -2, 5)]
                + ["B[%si]" % row, "(B + 3)[%si]" % row, "x", "B[%si]" % row]
                + ["A[2 * (i / 2)]", "B[n - 1 - i]", "A[i / 2]", "B[1]", "i", "(i & 7)"]
                + ["(B[%si] > A[%si] ? x : A[%si])" % (row, row, row)]
            )
        )
    value = terms[0]
    for term in terms[1:]:
        value = "(%s %s %s)" % (value, rng.choice("+-*"), term)
    body = ""
    place = "%si" % row if each == 1 else "%d * (%si)" % (each, row)
    for part in range(each):
        body += "C[%s%s] = %s%s; " % (
            place,
            " + %d" % part if part else "",
            value,
            " + %d" % part if part else "",
        )
    if each == 1 and rng.random() < 0.08:
        body = "C[%s] += %s; " % (place, value)
    if rng.random() < 0.06:
        body = "if (B[%si] > x) %s" % (row, body)
    if two:
        body += "D[%si] = %s; " % (row, rng.choice([terms[0], value + " + 1"]))
    summed = rng.random() < 0.15
    if summed:
        body += "s += (unsigned)A[%si]; " % row
    restrict = "restrict" if rng.random() < 0.3 else ""
    share = "is_device_ptr(C, A, B, D) map(tofrom : s)"
    if kind == "serial":
        pragma = "#pragma omp target " + share
    else:
        pragma = "#pragma omp target teams distribute parallel for " + share
        if summed:
            pragma += " reduction(+ : s)"
    # Not that the loops become calls of memcpy.
    nest = "for (%s i = 0; i < n; i++) { %s}" % (index, body)
    if kind == "rows":
        nest = "for (%s r = 0; r < rows; r++)\n    %s" % (index, nest)
    text = """
__attribute__((noinline)) static void loop%d(%s *%s C, const %s *A, const %s *B,
    %s *%s D, %s n, %s rows, %s pitch, %s x) {
  unsigned long s = 0;
%s
  %s
  Sum += s;
}
""" % (
        number, out, restrict, read, read, second, restrict, index, index, index,
        read, pragma, nest,
    )
    calls = []
    widest = max(SIZES[out] * each, SIZES[second], SIZES[read])
    for _ in range(4):
        rows = rng.choice([2, 3, 5]) if kind == "rows" else 1
        bytes_ = rng.choice([8192, 9000, 12345, 20000, 40000, 64000, rng.randrange(9000, 64000)])
        n = bytes_ // SIZES[out] // each
        n = min(n, 160000 // widest // rows) - 24 + rng.randrange(24)
        if rng.random() < 0.1:
            n = rng.randrange(70)
        pitch = n + rng.choice([0, 0, 8, 64, rng.randrange(40)])
        count = (rows - 1) * pitch + n
        size = {"C": SIZES[out], "D": SIZES[second], "A": SIZES[read], "B": SIZES[read]}
        where = {"C": 0, "A": 1, "B": 2, "D": 3}
        begin = {}
        for name in "CABD":
            length = (count * (each if name == "C" else 1)) * size[name]
            off = rng.choice([0, 0, 1, 2, 3, 5, 7, 8, 16, 31]) * size[name]
            if name in "AB":
                off += 16 * size[name]
            # At the arena's begin, or at its end.
            begin[name] = off
            if rng.random() < 0.5:
                begin[name] = (96 * 4096 - length - off) // size[name] * size[name]
        # Overlapping arrays give one result only where one thread goes along.
        if kind == "serial" and not restrict and rng.random() < 0.4:
            name = rng.choice("ABD")
            near = begin["C"] // size[name] * size[name]
            by = rng.choice([-9000, -300, -64, -16, -1, 0, 1, 2, 16, 64, 100, 300, 5000])
            at = near + by * size[name]
            length = count * size[name]
            if 16 * size[name] <= at <= 96 * 4096 - length - 16 * size[name]:
                where[name] = 0
                begin[name] = at
        elif kind == "team" and rng.random() < 0.3 and each == 1:
            # Beside each other.
            at = (begin["C"] + count * size["C"] + 24 * size["A"]) // size["A"] * size["A"]
            if at + (count + 16) * size["A"] <= 96 * 4096:
                where["A"] = 0
                begin["A"] = at
        type_of = {"C": out, "A": read, "B": read, "D": second}
        args = [
            "(%s *)(Arena[%d] + %d)" % (type_of[k], where[k], begin[k]) for k in "CABD"
        ]
        calls.append(
            "  fill(), loop%d(%s, %d, %d, %d, %d), add();"
            % (number, ", ".join(args), n, rows, pitch, rng.randrange(1, 4))
        )
    calls.append('  printf("loop%d %%lu\\n", Sum), fflush(stdout);' % number)
    return text, "\n".join(calls)


with_and_without.main(
    PROLOGUE, loop, "loops", 30, ["--accx-targets=host", "-ffp-contract=off", "-fno-strict-aliasing"],
    "stream-stores", "written past the cache", "streams", begin="  open_arenas();\n",
)
