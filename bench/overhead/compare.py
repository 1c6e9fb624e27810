# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the overhead binary on stock libomptarget and on accx."""

import argparse
import math
import os
import sys

from interleave import Variant, interleave, keys_of, report

CASES = ["empty", "maps8", "enter1000x64B", "enter1000x4KiB",
         "alloc1000x4KiB", "scalar", "reduction", "parallel", "nowait"]
FORMS = ["1t", "2pthreads", "2omp"]
TARGET = 1.05


def stopped_in_libomp(result):
    """Whether every library's program died of libomp's own assertions."""
    return all("Assertion failure at kmp_" in series.failure
               for series in result.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--rounds", type=int, default=int(
        os.environ.get("BENCH_ROUNDS", "11")))
    parser.add_argument("--case", action="append")
    parser.add_argument("--form", action="append")
    parser.add_argument("--only", choices=["stock", "accx"])
    options = parser.parse_args()

    libraries = {"stock": os.environ["ACCX_STOCK_LIB"],
                 "accx": os.environ["ACCX_LIB"]}
    if options.only:
        libraries = {options.only: libraries[options.only]}
    missing = [path for path in libraries.values() if not os.path.exists(
        os.path.join(path, "libomptarget.so.19.1"))]
    if missing:
        sys.exit(f"overhead: no libomptarget.so.19.1 in {', '.join(missing)}")

    failed = False
    for form in options.form or FORMS:
        for case in options.case or CASES:
            variants = [
                Variant(name, [options.binary, form, case],
                        {"LD_LIBRARY_PATH": path})
                for name, path in libraries.items()]
            result = interleave(variants, options.rounds)
            libomp = stopped_in_libomp(result)
            for name, series in result.items():
                if not series.ok:
                    failed |= name == "accx" and not libomp
                    print(f"# {name} {case}:{form}: {series.failure}")
            if libomp:
                print(f"# {case}:{form}: LLVM's libomp stopped the program on "
                      "both libraries, no result")
                continue
            for name, series in result.items():
                # A rival's failure is a remark; ours has no excuse.
                if not series.values and name == "accx":
                    report("overhead", name, f"{case}:{form}", math.nan,
                           "failed", False)
            for key in keys_of(result):
                base = result["stock"].median(key) if "stock" in result \
                    else math.nan
                for name, series in result.items():
                    median = series.median(key)
                    if math.isnan(median):
                        continue
                    metric = f"spread={series.spread(key):.2f}"
                    if name == "accx" and not math.isnan(base):
                        ratio = median / base
                        mark = "" if ratio <= TARGET else "!"
                        metric = f"ratio={ratio:.3f}{mark};" + metric
                    report("overhead", name, key, median / 1e6, metric,
                           series.ok or name == "stock")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
