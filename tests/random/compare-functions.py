#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares vector variants of random functions with the scalar functions.

The functions are compiled twice, with the passes and without. Each variant that
this processor can execute is called through the vector ABI, with random masks,
and so is a loop over each function. Arrays end where a page may not be touched.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from random_functions import SIZE, TYPES, functions

RUNTIME = r'''
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
typedef struct { char bytes[64]; } value;
static unsigned long state;
static unsigned rnd(void) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return state >> 33;
}
/* The last `size` bytes before a page that may not be touched. */
static void *guarded(size_t size, int which) {
  static char *base[8];
  if (!base[which]) {
    base[which] = mmap(0, 12288, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(base[which] + 8192, 4096, PROT_NONE);
  }
  return base[which] + 8192 - size;
}
static int *in, *out, *out_ref;
static float *fin;
static double *pl_base;
static long checks, bad;
static void fresh(void) {
  in = guarded(64 * sizeof(int), 0);
  fin = guarded(64 * sizeof(float), 1);
  for (int i = 0; i < 64; i++) {
    in[i] = (int)(rnd() % 400) - 200;
    fin[i] = (int)(rnd() % 64) * 0.5f - 9;
  }
  out = guarded(256 * sizeof(int), 2);
  out_ref = guarded(256 * sizeof(int), 3);
  for (int i = 0; i < 256; i++)
    out[i] = out_ref[i] = i;
}
static void fill(void *to, const char *type, int count) {
  for (int i = 0; i < count; i++) {
    int v = (int)(rnd() % 200) - 100;
    if (!strcmp(type, "float")) ((float *)to)[i] = v * 0.25f;
    else if (!strcmp(type, "double")) ((double *)to)[i] = v * 0.125;
    else if (!strcmp(type, "long")) ((long *)to)[i] = v;
    else if (!strcmp(type, "int")) ((int *)to)[i] = v;
    else if (!strcmp(type, "short")) ((short *)to)[i] = v;
    else ((char *)to)[i] = v;
  }
}
static void check_out(const char *what) {
  checks++;
  for (int i = 0; i < 256; i++)
    if (out[i] != out_ref[i]) {
      bad++;
      printf("MISMATCH %s: element %d is %d, not %d\n", what, i, out[i],
             out_ref[i]);
      return;
    }
}
#define CHECK(what, lane, a, b)                                              \
  do {                                                                       \
    if (!((a) == (b) || ((a) != (a) && (b) != (b)))) {                       \
      bad++;                                                                 \
      printf("MISMATCH %s: lane %d is %.9g, not %.9g\n", what, lane,         \
             (double)(a), (double)(b));                                      \
    }                                                                        \
  } while (0)
'''

REGISTER = {"b": (128, 128), "c": (128, 256), "d": (256, 256),
            "e": (512, 512)}
FLAG = {"b": "sse2", "c": "avx", "d": "avx2", "e": "avx512f"}


def supported():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        flags = set(re.search(r"^flags.*:(.*)$", info.read(), re.M)[1].split())
    return [isa for isa in "bcde" if FLAG[isa] in flags]


def bits(ty):
    return 64 if ty.endswith("*") else TYPES[ty]


class Variant:
    """How C code calls one variant."""

    def __init__(self, function, name):
        self.f = function
        self.name = name
        self.isa, form, lanes = re.match(r"_ZGV(.)(.)(\d+)", name).groups()
        self.masked = form == "M"
        self.lanes = int(lanes)

    def pieces(self, ty):
        width = REGISTER[self.isa][ty in ("float", "double")]
        lanes = min(self.lanes, width // bits(ty))
        return lanes, self.lanes // lanes

    def vector(self, ty):
        return f"V{self.pieces(ty)[0]}{ty}"

    def characteristic(self):
        if self.f.result != "void":
            return self.f.result
        return next((t for _, t, s in self.f.params if s == "v"), "int")

    def mask(self):
        ty = self.characteristic()
        if self.isa == "e":
            return "unsigned long" if bits(ty) == 8 else "unsigned"
        lanes = self.pieces(ty)[0]
        whole = {8: "char", 16: "short", 32: "int", 64: "long"}[bits(ty)]
        return f"V{lanes}{whole}"

    def testable(self):
        """Vectors below eight bytes are C's affair, not the vector ABI's."""
        types = [t for _, t, s in self.f.params if s == "v"]
        if self.f.result != "void":
            types.append(self.f.result)
        if self.masked and self.isa != "e":
            types.append(self.characteristic())
        return all(self.pieces(t)[0] * bits(t) >= 64 for t in types)

    def declaration(self):
        f = self.f
        result = "void"
        text = ""
        if f.result != "void":
            count = self.pieces(f.result)[1]
            result = self.vector(f.result)
            if count > 1:
                text = f"struct S_{self.name} {{ {result} p[{count}]; }};\n"
                result = f"struct S_{self.name}"
        params = []
        for _, ty, shape in f.params:
            if shape == "v":
                params += [self.vector(ty)] * self.pieces(ty)[1]
            else:
                params.append(ty)
        if self.masked:
            params += [self.mask()] * self.pieces(self.characteristic())[1]
        return f"{text}{result} {self.name}({', '.join(params)});\n"

    def test(self):
        f, lanes = self.f, self.lanes
        step = f.step_of("l")
        code = [f"static void test_{self.name}(void) {{",
                "  for (int trial = 0; trial < 12; trial++) {",
                "    fresh();",
                f"    int active[{lanes}], last = 0, any = 0;",
                f"    for (int i = 0; i < {lanes}; i++)"]
        if self.masked:
            code.append(f"      active[i] = trial == 0 ? 1 : trial == 1 ? 0 : "
                        f"trial < 6 ? i <= trial * {lanes} / 8 : rnd() & 1;")
        else:
            code.append("      active[i] = 1;")
        low = -64 if step > 0 else -64 - step * (lanes - 1)
        high = 63 - step * (lanes - 1) if step > 0 else 63
        code += [f"    for (int i = 0; i < {lanes}; i++)",
                 "      if (active[i]) { last = i; any = 1; }",
                 f"    int l0 = {low} + (int)(rnd() % {high - low + 1});",
                 f"    if (trial & 1) l0 = {max(low, min(0, high))};",
                 "    int n = rnd() % 65, u0 = rnd() % 6;",
                 "    pl_base = guarded((last + 1) * sizeof(double), 4);",
                 "    for (int i = 0; i <= last; i++) pl_base[i] = i * 0.5;"]
        scalars, vectors = [], []
        for name, ty, shape in f.params:
            value = {"l": "l0", "pl": "pl_base"}.get(name, name)
            if shape != "v":
                vectors.append(value)
                scalars.append({"l": f"l0 + i * {step}",
                                "pl": "pl_base + i"}.get(name, name))
                continue
            count = self.pieces(ty)[1]
            code += [f"    union {{ {ty} e[{lanes}]; {self.vector(ty)} "
                     f"p[{count}]; }} {name};",
                     f"    fill({name}.e, \"{ty}\", {lanes});"]
            vectors += [f"{name}.p[{i}]" for i in range(count)]
            scalars.append(f"{name}.e[i]")
        if self.masked:
            ty = self.characteristic()
            per, count = self.pieces(ty)
            if self.isa == "e":
                code += [f"    {self.mask()} mask[{count}] = {{0}};",
                         f"    for (int i = 0; i < {lanes}; i++)",
                         f"      if (active[i]) mask[i / {per}] |= "
                         f"({self.mask()})1 << (i % {per});"]
                vectors += [f"mask[{i}]" for i in range(count)]
            else:
                whole = self.mask().lstrip("V0123456789")
                code += [f"    union {{ {whole} e[{lanes}]; {self.mask()} "
                         f"p[{count}]; }} mask;",
                         f"    for (int i = 0; i < {lanes}; i++) "
                         "mask.e[i] = active[i] ? -1 : 0;"]
                vectors += [f"mask.p[{i}]" for i in range(count)]
        call = f"{self.name}({', '.join(vectors)})"
        if f.result == "void":
            code.append(f"    {call};")
        else:
            count = self.pieces(f.result)[1]
            target = "got.all" if count > 1 else "got.p[0]"
            whole = f"struct S_{self.name} all;" if count > 1 else ""
            code += [f"    union {{ {f.result} e[{lanes}]; "
                     f"{self.vector(f.result)} p[{count}]; {whole} }} got;",
                     f"    {target} = {call};"]
        reference = f"r_{f.name}({', '.join(scalars)})".replace(
            "out", "out_ref")
        code.append(f"    for (int i = 0; i < {lanes}; i++) {{")
        code.append("      if (!active[i]) continue;")
        if f.result == "void":
            code.append(f"      {reference};")
        else:
            code += [f"      {f.result} want = {reference};",
                     f"      CHECK(\"{self.name}\", i, got.e[i], want);"]
        code += ["    }", f"    check_out(\"{self.name}\");",
                 "    (void)any; (void)n; (void)u0;", "  }", "}"]
        return "\n".join(code) + "\n"


def inlined(function):
    """The function under another name, for loops that take it in."""
    text = function.text.split("\n", 1)[1]
    return ("static inline __attribute__((always_inline)) "
            + re.sub(r"\bf(\d+)\(", r"g\1(", text, count=1))


def loop_of(function, prefix, name="loop"):
    """A loop over successive values of `l`, and the sum of what it gives."""
    f = function
    arrays = [(n, t) for n, t, s in f.params if s == "v"]
    params = ["int l0", "int n", "const int *restrict in",
              "const float *restrict fin", "int *restrict out", "int u0",
              "const double *restrict pl", "int count"]
    params += [f"const {t} *restrict {n}" for n, t in arrays]
    values = []
    for param, _, shape in f.params:
        values.append({"l": f"l0 + i * {f.step_of('l')}",
                       "pl": "pl + i"}.get(
                           param, f"{param}[i]" if shape == "v" else param))
    callee = f.name.replace("f", "g") if name == "outer" and not prefix else \
        prefix + f.name
    call = f"{callee}({', '.join(values)})"
    pragma = "" if prefix else "#pragma omp simd\n"
    if f.result == "void":
        params.append("int *restrict r")
        body = f"{call};"
    else:
        params.append(f"{f.result} *restrict r")
        body = f"r[i] = {call};"
        if name == "outer" and f.result not in ("float", "double"):
            body = f"{{ {body} sum += (unsigned)r[i]; }}"
            pragma = pragma and "#pragma omp simd reduction(+:sum)\n"
    head = f"unsigned {prefix}{name}_{f.name}({', '.join(params)})"
    return head, (f"{head} {{\n  unsigned sum = 1;\n{pragma}"
                  f"  for (int i = 0; i < count; i++)\n    {body}\n"
                  "  return sum;\n}\n")


def loop_test(function, kind="loop"):
    f = function
    step = f.step_of("l")
    arrays = [(n, t) for n, t, s in f.params if s == "v"]
    result = "int" if f.result == "void" else f.result
    limit = 127 // abs(step)
    code = [f"static void test_{kind}_{f.name}(void) {{",
            "  for (int trial = 0; trial < 6; trial++) {",
            "    fresh();",
            f"    int count = trial == 0 ? 0 : 1 + rnd() % {limit};",
            f"    int l0 = {-64 if step > 0 else 63};",
            "    int n = rnd() % 65, u0 = rnd() % 6;",
            "    pl_base = guarded(count * sizeof(double), 4);",
            "    for (int i = 0; i < count; i++) pl_base[i] = i * 0.5;",
            f"    {result} *r = guarded(count * sizeof({result}), 5);",
            f"    static {result} want[128];",
            "    for (int i = 0; i < count; i++) want[i] = r[i] = 1;"]
    values = "l0, n, in, fin, out, u0, pl_base, count"
    names = []
    for name, ty in arrays:
        code += [f"    static {ty} {name}[128];",
                 f"    fill({name}, \"{ty}\", 128);"]
        names.append(name)
    rest = "".join(f", {n}" for n in names)
    code += [f"    unsigned sum = {kind}_{f.name}({values}{rest}, r);",
             f"    unsigned want_sum = r_{kind}_{f.name}("
             f"{values.replace('out', 'out_ref')}{rest}, want);",
             f"    CHECK(\"sum of {kind} {f.name}\", -1, sum, want_sum);",
             "    for (int i = 0; i < count; i++)",
             f"      CHECK(\"{kind} of {f.name}\", i, r[i], want[i]);",
             f"    check_out(\"{kind} of {f.name}\");", "  }", "}"]
    return "\n".join(code) + "\n"


def run(command, **more):
    return subprocess.run(command, check=True, text=True, **more)


def compare(options, seed, folder):
    """Returns the numbers of checks and of mismatches, and the remarks."""
    all_functions = functions(seed, options.functions)
    with open(f"{folder}/tested.c", "w", encoding="utf-8") as file:
        for f in all_functions:
            file.write(f.text)
        for f in all_functions:
            file.write(loop_of(f, "")[1])
            file.write(inlined(f) + loop_of(f, "", "outer")[1])
    with open(f"{folder}/scalar.c", "w", encoding="utf-8") as file:
        for f in all_functions:
            file.write(re.sub(r"\bf(\d+)\(", r"r_f\1(",
                              re.sub(r"#pragma.*\n", "", f.text)))
        for f in all_functions:
            file.write(loop_of(f, "r_")[1])
            file.write(loop_of(f, "r_", "outer")[1])
    common = ["-w", "-ffp-contract=off", "-fno-math-errno"]
    names = run([options.clang, "-O1", "-fopenmp-simd", "-S", "-emit-llvm",
                 "-Xclang", "-disable-llvm-passes", "-w",
                 f"{folder}/tested.c", "-o", "-"],
                capture_output=True).stdout
    by_name = {f.name: f for f in all_functions}
    isas = supported()
    variants = []
    for name in sorted(set(re.findall(r'"(_ZGV\w+)"', names))):
        v = Variant(by_name[name.rsplit("_", 1)[1]], name)
        if v.isa in isas and v.testable():
            variants.append(v)

    with open(f"{folder}/harness.c", "w", encoding="utf-8") as file:
        file.write(RUNTIME)
        for ty, width in TYPES.items():
            for lanes in (2, 4, 8, 16, 32, 64):
                if 8 <= lanes * width // 8 <= 64:
                    file.write(f"typedef {ty} V{lanes}{ty} __attribute__(("
                               f"vector_size({lanes * width // 8})));\n")
        for f in all_functions:
            file.write(f.prototype.replace(f.name, "r_" + f.name, 1) + ";\n")
            for kind in ("loop", "outer"):
                file.write(loop_of(f, "", kind)[0] + ";\n")
                file.write(loop_of(f, "r_", kind)[0] + ";\n")
                file.write(loop_test(f, kind))
        for v in variants:
            file.write(v.declaration() + v.test())
        file.write("int main(void) {\n")
        for f in all_functions:
            file.write(f"  state = {seed}; test_loop_{f.name}();\n")
            file.write(f"  state = {seed}; test_outer_{f.name}();\n")
        for v in variants:
            file.write(f"  state = {seed}; test_{v.name}();\n")
        file.write('  printf("%ld checks, %ld bad\\n", checks, bad);\n'
                   "  return bad != 0;\n}\n")
    remarks = f"{folder}/remarks"
    with open(remarks, "w", encoding="utf-8") as file:
        run([options.clang, *common, *options.flags.split(), "-fopenmp-simd",
             f"-fpass-plugin={options.plugin}", "-Rpass=simd-function",
             "-Rpass-missed=simd-function", "-c", f"{folder}/tested.c", "-o",
             f"{folder}/tested.o"], stderr=file)
    run([options.clang, *common, "-O1", "-c", f"{folder}/scalar.c", "-o",
         f"{folder}/scalar.o"])
    run([options.harness, "-w", "-O0", f"-m{FLAG[isas[-1]]}", "-c",
         f"{folder}/harness.c", "-o", f"{folder}/harness.o"])
    run([options.clang, f"{folder}/tested.o", f"{folder}/scalar.o",
         f"{folder}/harness.o", "-lm", "-o", f"{folder}/harness"])
    result = subprocess.run([f"{folder}/harness"], text=True, timeout=120,
                            capture_output=True, check=False)
    with open(remarks, encoding="utf-8") as file:
        text = file.read()
    found = re.search(r"(\d+) checks, (\d+) bad", result.stdout)
    if not found:
        print(f"seed {seed}: ended with {result.returncode}")
        print(result.stdout[-500:])
        return 0, 1, len(variants), text
    if result.returncode:
        print("\n".join(result.stdout.splitlines()[:10]))
    return int(found[1]), int(found[2]), len(variants), text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--harness", help="compiler of what calls the variants")
    parser.add_argument("--flags", default="-O2 -march=native")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--units", type=int, default=1)
    parser.add_argument("--functions", type=int, default=100)
    parser.add_argument("--keep", help="folder for what is compiled")
    options = parser.parse_args()
    options.harness = options.harness or options.clang
    totals = [0, 0, 0, 0, 0, 0, 0]
    for seed in range(options.seed, options.seed + options.units):
        with tempfile.TemporaryDirectory() as folder:
            if options.keep:
                folder = os.path.join(options.keep, str(seed))
                os.makedirs(folder, exist_ok=True)
            checks, bad, variants, text = compare(options, seed, folder)
        made = text.count("made vector variant")
        missed = text.count("for each lane:")
        loops = text.count("vectorized outer loop")
        refused = text.count("outer loop not vectorized")
        if bad:
            print(f"seed {seed}: {bad} bad")
        for i, value in enumerate((checks, bad, variants, made, missed,
                                   loops, refused)):
            totals[i] += value
    print(f"{options.units * options.functions} functions, {totals[3]} "
          f"variants widened, {totals[4]} by lane, {totals[2]} called, "
          f"{totals[5]} outer loops widened, {totals[6]} not, "
          f"{totals[0]} comparisons, {totals[1]} mismatches")
    return 1 if totals[1] else 0


if __name__ == "__main__":
    sys.exit(main())
