# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tabulates the cost of map operations over the number of live entries."""

import argparse
import os
import sys

from interleave import Variant, interleave, keys_of, report

SHAPES = ["disjoint", "sliding", "heavy", "nested", "random"]
ENTRIES = [1000, 10000, 100000, 1000000]
# Cost with the most live entries over that with the fewest.
TARGET = 4.0


def subjects(folder):
    """(name, command without shape and entries, environment, shapes)"""
    cls = os.path.join(folder, "class")
    abi = os.path.join(folder, "abi")
    accx = {"LD_LIBRARY_PATH": os.environ["ACCX_LIB"]}
    stock = {"LD_LIBRARY_PATH": os.environ["ACCX_STOCK_LIB"]}
    return [("class-mirror", [cls, "mirror"], {}, SHAPES),
            ("class-fused", [cls, "fused"], {}, SHAPES),
            ("abi-mirror", [abi], accx, SHAPES),
            ("abi-fused", [abi], dict(accx, ACCX_DIRECTORY="fused"), SHAPES),
            ("abi-stock", [abi], stock, ["disjoint"])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=int(
        os.environ.get("BENCH_ROUNDS", "3")))
    parser.add_argument("--subject", action="append")
    parser.add_argument("--shape", action="append")
    parser.add_argument("--entries", type=int, action="append")
    options = parser.parse_args()

    failed = False
    counts = options.entries or ENTRIES
    for name, command, env, shapes in subjects(options.folder):
        if options.subject and name not in options.subject:
            continue
        for shape in shapes:
            if options.shape and shape not in options.shape:
                continue
            # The sizes are what is compared here: they alternate.
            variants = [Variant(count, [*command, shape, str(count)], env)
                        for count in counts]
            result = interleave(variants, options.rounds, timeout=300)
            first = result[counts[0]]
            for count, series in result.items():
                if not series.ok:
                    print(f"# {name} {shape} {count}: {series.failure}")
                    failed |= name != "abi-stock"
                for key in keys_of({count: series}):
                    ratio = series.median(key) / first.median(key)
                    missed = ratio > TARGET and name != "abi-stock"
                    report(f"directory-{shape}-{key}", name, count,
                           series.median(key) / 1e6,
                           f"growth={ratio:.2f}{'!' if missed else ''}",
                           series.ok or name == "abi-stock")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
