#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of run.sh as medians over several processes.

Usage: medians.py [PROCESSES [ROUNDS]]

Where the loader puts stack and arrays makes single kernels faster or slower by
a half, one build's as well as another's: a process has its builds under equal
conditions, but not under those of the next. Every figure is the median of its
ratios in all processes.
"""

import math
import os
import re
import statistics
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))


def run(arguments, processes):
    """Ratios of times to ours in each process, by kernel and trip count, and
    builds; how many of our results are wrong."""
    ratios, wrong = {}, 0
    for process in range(processes):
        # The first time builds, too.
        only = {"ACCX_SIMD_ONLY": "run"} if process else {}
        done = subprocess.run([os.path.join(here, "run.sh"), *arguments],
                              env={**os.environ, **only}, text=True,
                              stdout=subprocess.PIPE)
        times = {}
        for build, row, time, verdict in re.findall(
                r"RESULT,simd,(\w+),([\w-]+),([^,]+),[^,]+,(\w+)", done.stdout):
            times.setdefault(row, {})[build] = float(time)
            wrong += verdict != "ok" and build.startswith("accx")
        if not times:
            sys.exit(done.stdout or "no results")
        for row, builds in times.items():
            for build, time in builds.items():
                ratios.setdefault((row, build), []).append(
                    time / builds["accx"])
    return {key: statistics.median(each)
            for key, each in ratios.items()}, wrong


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def main():
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    rounds = sys.argv[2] if len(sys.argv) > 2 else "51"
    ratios, wrong = run(["-r", rounds], processes)
    rows = list(dict.fromkeys(row for row, _ in ratios))
    builds = list(dict.fromkeys(build for _, build in ratios))
    for row in rows:
        scalar = ratios[row, "scalar"]
        best = {name: min(ratios[row, build] for build in builds
                          if build.startswith(name)) for name in
                ("clang", "gcc") if any(b.startswith(name) for b in builds)}
        print(f"{row:22} clang {scalar / ratios[row, 'clang']:4.1f}  best "
              f"{scalar / best['clang']:4.1f}  gcc "
              f"{scalar / best.get('gcc', math.inf):4.1f}  accx {scalar:4.1f}  "
              f"intrinsics {scalar / ratios[row, 'intrinsics']:4.1f} (first "
              f"{scalar / ratios[row, 'intrinsics_first']:3.1f})  of "
              f"intrinsics {ratios[row, 'intrinsics']:.2f}  of clang "
              f"{ratios[row, 'clang']:.2f}")
    for rival in ("intrinsics", "clang"):
        every = [ratios[row, rival] for row in rows]
        print(f"RESULT,simd,medians,of-{rival},0,geomean={geomean(every):.3f};"
              f"lowest={min(every):.2f},{'BAD' if wrong else 'ok'}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
