#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code that two builds generate for bench/ and examples/, compared.

A change of passes/ that must not change code shows by this that it does not; any
other change shows what it reaches. Every C and C++ source of both folders is
compiled by the two builds with the flags of its run.sh, to text: the image of
host devices, PTX, and the host's code of both. Text is compared one function at
a time. What has no effect is left out of it: comments, the numbers of local
labels, the hash of the unit in kernels' names, the builds' folders.

Nothing is linked or run, and no GPU is needed. Sources that neither build
compiles, for one reason, are listed and do not count; headers of MPI and a CUDA
toolkit are used where this machine has them. Where texts differ, both builds
compile twice more. A function for which they once made the same code is printed
as `varies` and does not count: the compiler's memory decides about its code.

A line of output: source#variant, target/text, function, lines before -> after.

usage: compare-code.py BEFORE AFTER [--only PATTERN] [-j N] [--keep DIR]
BEFORE and AFTER are build folders, with bin/ and lib/. PATTERN is a regular
expression for paths of sources. DIR/before and DIR/after get the texts as they
are compared, for diff -r.
Exit status 1 where something differs, 2 where nothing could be compared.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What is compiled of a source, by target: name of the text, options for it.
GPU = "sm_90"
TEXTS = {
    "host": (("image", "--accx-targets=host --offload-device-only"),
             ("host", "--accx-targets=host --offload-host-only")),
    GPU: (("ptx", f"--accx-targets={GPU} --offload-device-only"),
          ("host", f"--accx-targets={GPU} --offload-host-only")),
    # The passes of host code alone, as clang-19 with the plugin has them.
    "plain": (("host", ""),),
}

# How a source is compiled: the first pattern that fits it, with pairs of targets
# and flags. They are those of bench/*/run.sh and scripts/demo.sh, and where
# these say -march=native, a processor with AVX-512: the same on every machine.
BOTH = f"host {GPU}"
WIDE = "-O3 -march=sapphirerapids"
SIMD = (f"-std=gnu11 {WIDE} -ffast-math -DNDEBUG -falign-functions=64 "
        "-fveclib=libmvec -DTABLE=accx -mllvm -accx-simd-remainder")


def each(targets, flags, *values):
    """A pair for each value that takes the place of {}."""
    return [(targets, flags.format(value)) for value in values]


PLAIN = each(BOTH, "-O3 {}", "", "-DPLAIN=1")
FLAGS = (
    ("examples/*", [(BOTH, "-O3")]),
    ("bench/apps/apps.cpp",
     each(BOTH, "-O2 -std=gnu++20 {}", "", "-DSPELL_OPENMP")),
    ("bench/distribute/*", PLAIN),
    ("bench/gridloop/directives.c",
     [("host", "-O2")] + each(
         GPU, "-O2 -DINDEX={} -Xclang -mllvm -Xclang -accx-grid-loop",
         "int", "size_t")),
    ("bench/gridloop/variants.c",
     [("host", "-O2")]
     + each(GPU, "-O2 -DINDEX={}", "int", "unsigned", "long", "size_t")
     + each(GPU, "-O2 -DALONE={}", 1, 4, 8, 11, 13)),
    ("bench/gridloop/*.cpp", [(BOTH, "-O2 -std=c++17")]),
    ("bench/lanes/*",
     [("host", "-O2 -DSPELL_OPENMP")]
     + each(GPU, "-O2 {} -Xclang -mllvm -Xclang -accx-simt-lanes=0", "",
            "-DSPELL_OPENMP")
     + each(GPU, "-O2 {}", "", "-DSPELL_OPENMP")),
    ("bench/scale/grids.c", PLAIN),
    ("bench/scale/loops.c", PLAIN),
    ("bench/scale/*", [(BOTH, "-O3")]),
    ("bench/simd/kernels.c",
     each("plain", f"{SIMD} {{}}", "", "-mprefer-vector-width=512")),
    ("bench/simd/threads-kernels.c",
     [("plain", f"-std=gnu11 {WIDE} -fno-math-errno -ffp-contract=off -fopenmp "
       "-fveclib=libmvec -DIMPL=simd")]),
    ("bench/simd/*", [("plain", f"{WIDE} -DTABLE=accx")]),
    ("bench/simd-function/*",
     [("host", f"-fopenmp-simd {WIDE} -ffp-contract=off -DIMPL=accx")]),
    ("bench/smc/directives.c",
     each("host", "-O2 -DSIZE=131 -DTILED={}", 0, 1, 2)
     + each(GPU, "-O2 -ffast-math -DTILED={}", 0, 1, 2)
     + [("host", f"{WIDE} -DSIZE=1024")]),
    ("bench/smc/channels.c",
     each(BOTH, "-O2 -DTILED={}", 0, 1) + [("host", f"{WIDE} -DSIZE=1024")]),
    ("bench/smc/openarc.c", each(BOTH, "-O2 -DPROGRAM={}", 0, 1, 2)),
    ("bench/smc/host-rivals.c", [("host", WIDE)]),
    ("bench/workitems/*", [("host", f"{WIDE} -ffast-math")]),
    ("*.cpp", [(BOTH, "-O2 -std=gnu++20")]),
    ("*", [(BOTH, "-O2")]),
)

Job = collections.namedtuple("Job", "source variant target text options")
Side = collections.namedtuple("Side", "name build flags")


def jobs_of(source):
    """The texts to compile of one source."""
    pairs = next(pairs for pattern, pairs in FLAGS
                 if fnmatch.fnmatch(source, pattern))
    for number, (targets, flags) in enumerate(pairs, 1):
        variant = f"#{number}" if len(pairs) > 1 else ""
        for target in targets.split():
            for text, options in TEXTS[target]:
                yield Job(source, variant, target, text,
                          f"{options} {flags}".split())


def compiler(side, target, source):
    """The command without a source's own flags."""
    cxx = source.endswith(".cpp")
    if target == "plain":
        plugin = side.build / "lib" / "libaccx.so"
        return ["clang++-19" if cxx else "clang-19",
                f"-fplugin={plugin}", f"-fpass-plugin={plugin}"]
    # For a build folder without headers; those of the build come first.
    headers = ["include", "include/accx/gpu"] if target == GPU else ["include"]
    return [str(side.build / "bin" / ("accxc++" if cxx else "accxcc")),
            *(f"-isystem{ROOT / folder}" for folder in headers)]


def build(side, job):
    """{function: its lines} of a text; (error) alone where there is none."""
    command = [*compiler(side, job.target, job.source), *job.options, *side.flags,
               "-S", "-o", "-", job.source]
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("ACCX_")}
    run = subprocess.run(command, cwd=ROOT, env=environment, text=True,
                         errors="replace", stdin=subprocess.DEVNULL,
                         capture_output=True, check=False)
    messages = same_names(run.stderr, side).splitlines()
    if run.returncode:
        lines = [line for line in messages if "error:" in line] or messages[-1:]
        return {"(error)": lines[:1]}
    return {**functions(same_names(run.stdout, side), job.text),
            "(messages)": messages}


def same_names(text, side):
    """Text without what tells the build and the unit."""
    text = text.replace(str(side.build / "include"), str(ROOT / "include"))
    text = text.replace(str(side.build), "BUILD")
    # Messages may name files that Clang makes up.
    text = re.sub(r"/tmp/[\w.-]+-[0-9a-f]{6}\b", "TEMP", text)
    return re.sub(r"(__omp_offloading_)[0-9a-f]+_[0-9a-f]+_", r"\1", text)


# Labels and names whose number counts functions or labels of the whole unit.
NUMBERED = re.compile(
    r"((?:\.L|\$L__)(?:BB|CPI|JTI|func_begin|func_end|tmp|exception|cst_begin|"
    r"cst_end|ttbase|ttbaseref)|GCC_except_table|__local_depot|prototype_)(\d+)")
STRING = re.compile(r"\s*\.(ascii|asciz|string)\b")
DROPPED = re.compile(r"\s*$|\s*\.(ident|addrsig|addrsig_sym|file)\b")
COMMENT = {"host": "#", "image": "#", "ptx": "//"}
# Constants come first, and their section in front of the comment.
X86 = re.compile(r"(?:^\s+\.(?:section|text)\b[^\n]*\n)*"
                 r"^[^\n]*# -- Begin function (\S+)\n.*?# -- End function\n",
                 re.MULTILINE | re.DOTALL)
# A declaration ends in a semicolon, before any brace.
PTX = re.compile(r"^(?:\.\w+ )*\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$.]+)"
                 r"\s*\([^;{]*\{.*?^\}", re.MULTILINE | re.DOTALL)


def functions(text, kind):
    """{function: its lines}, normalized; (data) is all that is in none."""
    pattern = PTX if kind == "ptx" else X86
    parts = {found[1]: found[0] for found in pattern.finditer(text)}
    parts["(data)"] = pattern.sub("", text)
    return {name: normalized(part, COMMENT[kind])
            for name, part in parts.items()}


def normalized(part, comment):
    """The lines that count, with labels numbered from 0 in each function."""
    known = {}

    def number(match):
        return f"{match[1]}@{known.setdefault(match[0], len(known))}"

    lines = [line if STRING.match(line) else line.split(comment)[0].rstrip()
             for line in part.splitlines()]
    return [NUMBERED.sub(number, line) for line in lines
            if not DROPPED.match(line)]


def keep(folder, side, job, parts):
    """Writes the text that is compared."""
    name = job.source.replace("/", "-") + job.variant.replace("#", "-")
    path = folder / side / f"{name}-{job.target}-{job.text}.s"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"==== {part}\n" + "\n".join(lines) + "\n"
                            for part, lines in sorted(parts.items())))


def compare(sides, job, folder):
    """Number of functions, lines for those that differ and for those that
    vary by themselves, and why nothing was compared."""
    runs = [[build(side, job)] for side in sides]
    if folder:
        for side, (parts,) in zip(sides, runs):
            keep(folder, side.name, job, parts)
    old, new = (parts for parts, in runs)
    if old == new and "(error)" in old:
        return 0, [], [], " ".join(old["(error)"])
    names = {*old, *new}
    if old != new:
        # Does it differ between runs of one build?
        for side, outcomes in zip(sides, runs):
            outcomes += [build(side, job) for _ in range(2)]
        if "(error)" in names:
            names = {"(error)"}
    differ, vary = [], []
    for name in sorted(names):
        line = (f"{job.source}{job.variant} {job.target}/{job.text} {name} "
                + " -> ".join(str(len(parts[name])) if name in parts else "none"
                              for parts in (old, new)))
        if name == "(error)":
            line += ": " + " ".join(old.get(name) or new[name])
        versions = [{str(parts.get(name)) for parts in outcomes}
                    for outcomes in runs]
        if versions[0].isdisjoint(versions[1]):
            differ.append(line)
        elif len(versions[0] | versions[1]) > 1:
            vary.append(f"varies: {line}")
    return sum(name[0] != "(" for name in names), differ, vary, None


def sources(pattern):
    """Paths of the sources, from the tree's root."""
    for folder in ("bench", "examples"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix in (".c", ".cpp") and re.search(pattern, name):
                yield name


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("-j", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR")
    # For a test of this script: flags that make the code differ.
    parser.add_argument("--after-flags", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    # Where the headers of Open MPI are, if they are here.
    said = subprocess.getoutput("mpicc.openmpi --showme:compile")
    common = [word for word in said.split() if word.startswith("-I")]
    sides = (Side("before", options.before.resolve(), common),
             Side("after", options.after.resolve(),
                  common + shlex.split(options.after_flags)))
    for side in sides:
        if not (side.build / "lib" / "libaccx.so").exists():
            sys.exit(f"compare-code: no lib/libaccx.so in {side.build}")
    jobs = [job for source in sources(options.only) for job in jobs_of(source)]
    compared, left_out = set(), {}
    total = differences = 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for job, (count, differ, vary, reason) in zip(jobs, pool.map(
                lambda job: compare(sides, job, options.keep), jobs)):
            if reason:
                left_out.setdefault(reason, {})[job.source] = True
            else:
                compared.add(job.source)
            total += count
            differences += len(differ)
            for line in differ + vary:
                print(line, flush=True)
    for reason, names in left_out.items():
        print(f"left out: {' '.join(names)}: {reason}")
    print(f"{len(compared)} sources, {total} functions compared, "
          f"{differences} differ")
    sys.exit(1 if differences else 0 if total else 2)


if __name__ == "__main__":
    main()
