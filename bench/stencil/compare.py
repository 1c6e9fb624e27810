# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the forms of the plane-streaming stencil in time and bytes."""

import argparse
import os
import sys

from interleave import Variant, count, interleave, report


def variants_for(binary, size, planes, sweeps):
    """The name says form and library; `fused` is the paper's own strategy."""
    stock = {"LD_LIBRARY_PATH": os.environ["ACCX_STOCK_LIB"]}
    accx = {"LD_LIBRARY_PATH": os.environ["ACCX_LIB"]}
    fused = dict(accx, ACCX_DIRECTORY="fused")

    def command(form):
        return [binary, form, str(size), str(planes), str(sweeps)]

    return [Variant("openacc1-stock", command("one"), stock),
            Variant("openacc2-stock", command("two"), stock),
            Variant("openacc1", command("one"), accx),
            Variant("openacc2", command("two"), accx),
            Variant("partial", command("partial"), accx),
            Variant("partial-fused", command("partial"), fused),
            Variant("resident", command("resident"), accx)]


def check_bytes(stats, size, planes, sweeps):
    """Whether the partial forms copied in each plane just once a sweep."""
    plane = 4 * size * size
    runs = sweeps + 1
    exact = {"openacc1": 3 * (planes - 2), "partial": planes,
             "partial-fused": planes, "resident": planes}
    good = True
    for name, expected in exact.items():
        moved = stats[name].get("h2d_bytes", 0)
        # Beside the planes go only scalars and what the image needs.
        if not 0 <= moved - runs * expected * plane < 0.01 * runs * plane:
            print(f"# {name}: {moved} bytes to the device, expected "
                  f"{runs * expected * plane}")
            good = False
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--rounds", type=int, default=int(
        os.environ.get("BENCH_ROUNDS", "7")))
    parser.add_argument("--planes", type=int, default=66)
    parser.add_argument("--sweeps", type=int, default=5)
    parser.add_argument("--size", type=int, action="append")
    parser.add_argument("--threads", type=int,
                        help="threads of a kernel; unset: all cores")
    options = parser.parse_args()
    if options.threads:
        os.environ["OMP_NUM_THREADS"] = str(options.threads)

    failed = False
    for size in options.size or [64, 128, 255, 256, 512, 1024]:
        variants = variants_for(options.binary, size, options.planes,
                                options.sweeps)
        result = interleave(variants, options.rounds)
        stats = {v.name: count(v).stats for v in variants
                 if not v.name.endswith("-stock")}
        label = f"{size}x{size}x{options.planes}"
        good = check_bytes(stats, size, options.planes, options.sweeps)
        base = result["openacc1"]
        whole = stats["openacc1"]
        for name, series in result.items():
            if not series.ok:
                print(f"# {name} {label}: {series.failure}")
                failed |= not name.endswith("-stock")
            if not series.values:
                continue
            milliseconds = series.median("ms")
            best = min(series.values["best"])
            metric = (f"time={milliseconds / base.median('ms'):.3f};"
                      f"best={best:.4g}ms;cpu={series.median('cpu'):.4g}ms")
            moved = stats.get(name, {})
            if moved.get("h2d_bytes") and whole.get("h2d_bytes"):
                both = moved["h2d_bytes"] + moved["d2h_bytes"]
                metric += (f";h2d={moved['h2d_bytes'] / whole['h2d_bytes']:.3f}"
                           f";both="
                           f"{both / (whole['h2d_bytes'] + whole['d2h_bytes']):.3f}")
            report("stencil", name, label, milliseconds, metric,
                   series.ok and (good or not name.startswith("partial")))
        failed |= not good
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
