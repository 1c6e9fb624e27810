#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries programs of random_spread.py on host devices.

  try_spread.py --accxcc build/bin/accxcc --count 50 --devices 1,2,3,4,8 SEED...

Compiles and runs the program of each seed, prints what it says of wrong cases,
and ends with how many cases were right on how many devices. A wrong case is
written alone, with the fewest operations that still show it, as SEED-NUMBER.c
in the current folder. Seeds may be ranges: 1-200.
"""

import argparse
import os
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--accxcc", required=True)
parser.add_argument("--count", default="50")
parser.add_argument("--devices", default="1,2,3,4,8")
parser.add_argument("--level", default="-O2")
parser.add_argument("--generator", default="", help="further options of the generator")
parser.add_argument("--no-shrink", action="store_true")
parser.add_argument("seeds", nargs="+")
options = parser.parse_args()
generator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "random_spread.py")


def build(name, *arguments):
    """Gives what the compiler says if it fails."""
    with open(f"{name}.c", "w", encoding="ascii") as file:
        subprocess.run([sys.executable, generator, *arguments, *options.generator.split()], check=True, stdout=file)
    done = subprocess.run([*options.accxcc.split(), options.level, "-w", "--accx-targets=host",
                           f"{name}.c", "-o", name], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else ""


def run(name, devices, *cases):
    """(whether all is right, cases tried, what it says)"""
    environment = dict(os.environ, OMP_TARGET_OFFLOAD="MANDATORY", LIBOMPTARGET_PLUGIN="host",
                       ACCX_HOST_DEVICES=str(devices), SPREAD_VERBOSE="1")
    try:
        done = subprocess.run(["./" + name, *cases], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return False, 0, f"on {devices} devices: no end"
    tried = re.search(r"(\d+) of (\d+) cases right", done.stdout)
    if done.returncode == 0 and tried:
        return True, int(tried[2]), ""
    begun = re.findall(r"^case (\d+)$", done.stderr, re.M)
    said = "\n".join(line for line in (done.stdout + done.stderr).splitlines()
                     if "cases right" not in line and not re.fullmatch(r"case \d+", line)
                     and "OMP: " not in line and "accx: " not in line
                     and "accx message: " not in line)
    if not tried:
        said = f"case {begun[-1] if begun else 0}: exit {done.returncode}\n{said}"
    return False, int(tried[2]) if tried else len(begun), f"on {devices} devices: {said}"


def wrong(seed, number, devices, ops):
    name = f"{seed}-{number}"
    arguments = [seed, options.count, "--only", number]
    if ops is not None:
        arguments += ["--ops", ",".join(map(str, ops))]
    if build(name, *arguments):
        return True
    return not run(name, devices)[0]


def shrink(seed, number, devices):
    with open(f"{seed}-{number}.c", "w", encoding="ascii") as file:
        subprocess.run([sys.executable, generator, seed, options.count, "--only", number,
                        *options.generator.split()], check=True, stdout=file)
    with open(f"{seed}-{number}.c", encoding="ascii") as file:
        text = file.read()
    device = text[text.index(f"device{number}("):]
    ops = [int(k) for k in re.findall(r"// operation (\d+)", device)]
    for op in list(ops):
        fewer = [k for k in ops if k != op]
        if wrong(seed, number, devices, fewer):
            ops = fewer
    wrong(seed, number, devices, ops)
    print(f"  {seed}-{number}.c: random_spread.py {seed} {options.count} --only {number}"
          f" --ops {','.join(map(str, ops))}")


def seeds():
    for seed in options.seeds:
        first, _, last = seed.partition("-")
        yield from map(str, range(int(first), int(last or first) + 1))


bad = total = 0
for seed in seeds():
    said = build(f"s{seed}", seed, options.count)
    if said:
        print(f"seed {seed} does not compile:\n{said[:2000]}")
        bad += 1
        continue
    shown = set()
    for devices in options.devices.split(","):
        right, tried, said = run(f"s{seed}", devices)
        total += tried
        if right:
            continue
        print(f"seed {seed} {said[:3000]}", flush=True)
        bad += 1
        for number in set(re.findall(r"case (\d+):", said)) - shown:
            shown.add(number)
            if not options.no_shrink:
                shrink(seed, number, devices)
    for left in (f"s{seed}", f"s{seed}.c"):
        os.remove(left)
print(f"{total} cases run, {bad} programs wrong")
sys.exit(bad != 0)
