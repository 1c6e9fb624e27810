#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trip counts 1 to 64, 100, 1,000 and 100,000: ours against the intrinsics.

Usage: sweeps.py [ROUNDS]

Runs run.sh for each kernel and prints geometric means over the trip counts of
the intrinsics' time, and of clang's, over ours; then the single figures at
100 and above.
"""

import math
import os
import re
import subprocess
import sys

KERNELS = ["add_float", "conditional_sum", "radar", "average_u8", "stride_2",
           "black_scholes", "argmin", "last_value", "conditional_last"]
SHORT, LONG = list(range(1, 65)), [100, 1000, 100000]
rounds = sys.argv[1] if len(sys.argv) > 1 else "51"
here = os.path.dirname(os.path.abspath(__file__))


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


wrong = 0
every = []
for kernel in KERNELS:
    done = subprocess.run(
        [os.path.join(here, "run.sh"), "-r", rounds, "-k", kernel,
         *map(str, SHORT + LONG)], text=True, stdout=subprocess.PIPE)
    times = {}
    for build, n, time, verdict in re.findall(
            r"RESULT,simd,(\w+),\w+-(\d+),([^,]+),[^,]+,(\w+)", done.stdout):
        times[build, int(n)] = float(time)
        wrong += verdict != "ok" and build.startswith("accx")
    if not times:
        sys.exit(done.stdout or "no results")
    ours = {n: times["accx", n] for n in SHORT + LONG}
    hand = [times["intrinsics", n] / ours[n] for n in SHORT]
    clang = [times["clang", n] / ours[n] for n in SHORT]
    every.append(geomean([times["intrinsics", n] / ours[n]
                          for n in SHORT + LONG]))
    single = " ".join(
        f"at{n}={times['intrinsics', n] / ours[n]:.2f}/"
        f"{times['clang', n] / ours[n]:.2f}" for n in LONG)
    print(f"{kernel:17} of intrinsics {geomean(hand):.2f} (lowest "
          f"{min(hand):.2f}), of clang {geomean(clang):.2f} (lowest "
          f"{min(clang):.2f}); {single}", flush=True)
print(f"geometric mean of all, of intrinsics: {geomean(every):.3f}; "
      f"{wrong} wrong results of ours")
sys.exit(wrong != 0)
