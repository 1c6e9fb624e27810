#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trip counts 1 to 64, 100, 1,000 and 100,000: ours against the intrinsics.

Usage: sweeps.py [PROCESSES [ROUNDS]]

Prints, for each kernel, geometric means over the trip counts of the intrinsics'
time, and of clang's, over ours; then the single figures at 100 and above. All
are medians over processes: see medians.py.
"""

import sys

from medians import geomean, run

KERNELS = ["add_float", "conditional_sum", "radar", "average_u8", "stride_2",
           "black_scholes", "argmin", "last_value", "conditional_last"]
SHORT, LONG = list(range(1, 65)), [100, 1000, 100000]
processes = int(sys.argv[1]) if len(sys.argv) > 1 else 5
rounds = sys.argv[2] if len(sys.argv) > 2 else "21"

all_wrong = 0
every = []
for kernel in KERNELS:
    ratios, wrong = run(["-r", rounds, "-k", kernel,
                         *map(str, SHORT + LONG)], processes)
    all_wrong += wrong
    hand = {n: ratios[f"{kernel}-{n}", "intrinsics"] for n in SHORT + LONG}
    clang = {n: ratios[f"{kernel}-{n}", "clang"] for n in SHORT + LONG}
    every.append(geomean(hand.values()))
    single = " ".join(f"at{n}={hand[n]:.2f}/{clang[n]:.2f}" for n in LONG)
    short = [hand[n] for n in SHORT], [clang[n] for n in SHORT]
    print(f"{kernel:17} of intrinsics {geomean(short[0]):.2f} (lowest "
          f"{min(short[0]):.2f}), of clang {geomean(short[1]):.2f} (lowest "
          f"{min(short[1]):.2f}); {single}", flush=True)
print(f"geometric mean of all, of intrinsics: {geomean(every):.3f}; "
      f"{all_wrong} wrong results of ours")
sys.exit(all_wrong != 0)
