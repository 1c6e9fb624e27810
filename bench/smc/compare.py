#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directives on processors beside natural loops by Clang alone, in turns.

    compare.py FOLDER [ROUNDS] [BENCHMARK...]

FOLDER has host-channels, host-directives and host-rivals. Each round runs all
of them once; times are medians of ROUNDS (3) medians. Ends with 1 if a result
is wrong.
"""
import os
import statistics
import subprocess
import sys

PARTS = {"host-channels": ["pathfinder", "hotspot", "dyadic", "reduction"],
         "host-directives": ["matmul", "n-body"]}


def run(program, names, times, prefix):
    env = dict(os.environ, LIBOMPTARGET_PLUGIN="host",
               OMP_TARGET_OFFLOAD="MANDATORY")
    done = subprocess.run([program, "host"] + names, env=env, text=True,
                          stdout=subprocess.PIPE, check=False)
    right = done.returncode == 0
    for line in done.stdout.splitlines():
        if not line.startswith("RESULT,"):
            continue
        _, bench, _, size, ms, _, state = line.split(",")
        right = right and state == "ok"
        times.setdefault((prefix, bench, int(size)), []).append(float(ms))
    return right


def main():
    folder, rest = sys.argv[1], sys.argv[2:]
    rounds = int(rest.pop(0)) if rest and rest[0].isdigit() else 3
    times, right = {}, True
    for _ in range(rounds):
        for program, names in PARTS.items():
            wanted = [name for name in names if not rest or name in rest]
            for name in wanted:
                right &= run(f"{folder}/host-rivals", [name], times, "plain")
                right &= run(f"{folder}/{program}", [name], times, "fcw")
    print("| | fcw | plain | fcw / plain |\n| --- | --- | --- | --- |")
    for (prefix, bench, size), values in times.items():
        if prefix != "fcw":
            continue
        names = [k for k in times if k[0] == "plain" and k[2] == size
                 and bench.startswith(k[1])]
        ours = statistics.median(values)
        if names:
            plain = statistics.median(times[names[0]])
            print(f"| {bench} {size:,} | {ours:.3g} | {plain:.3g} | "
                  f"{ours / plain:.2f} |")
    print("all results right" if right else "WRONG RESULTS")
    return not right


sys.exit(main())
