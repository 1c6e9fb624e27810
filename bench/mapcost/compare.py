# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares directives with hand-written plugin calls, program by program."""

import argparse
import os
import sys

from interleave import Variant, interleave, report

KIB, MIB = 1 << 10, 1 << 20
SIZES = [64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB]
# The product of larger matrices is all computation and takes minutes.
LARGEST = {"matmul": 16 * MIB}
TARGET = 1.05
TARGET_FROM = MIB


def label(size):
    return f"{size // MIB}MiB" if size >= MIB else f"{size // KIB}KiB"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=int(
        os.environ.get("BENCH_ROUNDS", "7")))
    parser.add_argument("--program", action="append")
    parser.add_argument("--size", type=int, action="append")
    parser.add_argument("--stock", action="store_true",
                        help="run the directives on stock libomptarget too")
    options = parser.parse_args()

    library = os.environ["ACCX_LIB"]
    with open(os.path.join(options.folder, "symbols")) as file:
        symbols = file.read().split()
    byhand = os.path.join(options.folder, "byhand")
    openmp = os.path.join(options.folder, "openmp")
    image = os.path.join(options.folder, "kernels.so")
    plugin = os.path.join(library, "libaccx.rtl.host.so")

    failed = False
    for program in options.program or ["vecadd", "matmul", "hydro"]:
        for size in options.size or SIZES:
            if size > LARGEST.get(program, size):
                continue
            command = [program, str(size)]
            written = [byhand, *command, plugin, image, *symbols]
            variants = [
                Variant("byhand", written, {}),
                # At the host's distances, as the mirror places arrays.
                Variant("byhand-mirror", written, {"MAPCOST_LAYOUT": "host"}),
                Variant("accx", [openmp, *command],
                        {"LD_LIBRARY_PATH": library})]
            if options.stock:
                variants.append(Variant(
                    "stock", [openmp, *command],
                    {"LD_LIBRARY_PATH": os.environ["ACCX_STOCK_LIB"]}))
            result = interleave(variants, options.rounds)
            base = result["byhand"].median("ms")
            mirror = result["byhand-mirror"].median("ms")
            for name, series in result.items():
                if not series.ok:
                    print(f"# {name} {program} {label(size)}: "
                          f"{series.failure}")
                    failed |= name != "stock"
                if not series.values:
                    continue
                ratio = series.median("ms") / base
                missed = (name == "accx" and size >= TARGET_FROM
                          and ratio > TARGET)
                report(f"mapcost-{program}", name, label(size),
                       series.median("ms"),
                       f"ratio={ratio:.3f}{'!' if missed else ''};"
                       f"to-mirror={series.median('ms') / mirror:.3f};"
                       f"spread={series.spread('ms'):.2f}",
                       series.ok or name == "stock")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
