#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directives on processors beside natural loops by Clang alone, in turns.

    compare.py [--cuda] FOLDER [ROUNDS] [BENCHMARK...]

FOLDER has host-channels, host-directives and host-rivals. Each round runs all
of them once; times are medians of ROUNDS (3) medians. With --cuda programs with
channel types on a GPU beside CUDA: channels-1 and channel-rivals. Ends with 1 if
a result is wrong.
"""
import collections
import os
import statistics
import subprocess
import sys

Programs = collections.namedtuple("Programs", "plugin rival rival_name parts")
HOST = Programs("host", "host-rivals", "plain", {
    "host-channels": ["pathfinder", "hotspot", "dyadic", "reduction"],
    "host-directives": ["matmul", "n-body"]})
CUDA = Programs("cuda", "channel-rivals", "CUDA", {
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


def rival_of(times, bench, size):
    """The natural loop of the same benchmark, or the same tile's program."""
    keys = [k for k in times if k[0] == "rival" and k[2] == size]
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
                right &= run(programs, f"{folder}/{programs.rival}", name, times,
                             "rival")
                right &= run(programs, f"{folder}/{program}", name, times, "fcw")
    print(f"| | fcw | {programs.rival_name} | fcw / {programs.rival_name} |\n"
          "| --- | --- | --- | --- |")
    for (prefix, bench, size), values in times.items():
        names = rival_of(times, bench, size) if prefix == "fcw" else []
        if names:
            ours = statistics.median(values)
            theirs = statistics.median(times[names[0]])
            print(f"| {bench} {size:,} | {ours:.3g} | {theirs:.3g} | "
                  f"{ours / theirs:.2f} |")
    print("all results right" if right else "WRONG RESULTS")
    return not right


sys.exit(main())
