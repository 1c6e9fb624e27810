#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directives on processors beside natural loops by Clang alone, in turns.

    compare.py [--cuda] FOLDER [ROUNDS] [BENCHMARK...]

FOLDER has host-channels, host-directives, and natural loops: host-rivals, in
parallel by OpenMP, and host-serial, the same without any directive. Each round
runs all of them once; times are medians of ROUNDS (3) medians. With --cuda
programs with channel types on a GPU beside CUDA: channels-1 and channel-rivals.
Ends with 1 if a result is wrong.
"""
import collections
import os
import statistics
import subprocess
import sys

# Rivals: program and name of the column.
Programs = collections.namedtuple("Programs", "plugin rivals parts")
HOST = Programs("host", {"host-rivals": "OpenMP", "host-serial": "serial"}, {
    "host-channels": ["pathfinder", "hotspot", "dyadic", "reduction"],
    "host-directives": ["matmul", "n-body"]})
CUDA = Programs("cuda", {"channel-rivals": "CUDA"}, {
    "channels-1": ["pathfinder", "hotspot", "dyadic", "reduction"]})


def run(programs, program, name, times, prefix):
    env = dict(os.environ, LIBOMPTARGET_PLUGIN=programs.plugin,
               OMP_TARGET_OFFLOAD="MANDATORY")
    sizes = ["host"] if programs is HOST else []
    done = subprocess.run([program, *sizes, name], env=env, text=True,
                          stdout=subprocess.PIPE, check=False)
    right = done.returncode == 0
    for line in done.stdout.splitlines():
        if not line.startswith("RESULT,"):
            continue
        _, bench, _, size, ms, _, state = line.split(",")
        right = right and state == "ok"
        times.setdefault((prefix, bench, int(size)), []).append(float(ms))
    return right


def rival_of(times, rival, bench, size):
    """The natural loop of the same benchmark, or the same tile's program."""
    keys = [k for k in times if k[0] == rival and k[2] == size]
    same = [k for k in keys if k[1] == bench]
    return same or [k for k in keys if bench.startswith(k[1])]


def main():
    rest = sys.argv[1:]
    programs = CUDA if "--cuda" in rest else HOST
    rest = [argument for argument in rest if argument != "--cuda"]
    folder = rest.pop(0)
    rounds = int(rest.pop(0)) if rest and rest[0].isdigit() else 3
    times, right = {}, True
    for _ in range(rounds):
        for program, names in programs.parts.items():
            for name in (n for n in names if not rest or n in rest):
                for rival in programs.rivals:
                    right &= run(programs, f"{folder}/{rival}", name, times,
                                 rival)
                right &= run(programs, f"{folder}/{program}", name, times, "fcw")
    columns = [c for n in programs.rivals.values() for c in (n, f"fcw / {n}")]
    print("| | fcw |", " | ".join(columns), "|\n" + "| --- " * (2 + len(columns))
          + "|")
    for (prefix, bench, size), values in times.items():
        if prefix != "fcw":
            continue
        ours, cells = statistics.median(values), []
        for rival in programs.rivals:
            names = rival_of(times, rival, bench, size)
            theirs = statistics.median(times[names[0]]) if names else None
            cells += [f"{theirs:.3g}", f"{ours / theirs:.2f}"] if names else [
                "", ""]
        if any(cells):
            print(f"| {bench} {size:,} | {ours:.3g} |", " | ".join(cells), "|")
    print("all results right" if right else "WRONG RESULTS")
    return not right


sys.exit(main())
