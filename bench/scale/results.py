# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads RESULT lines of bench/scale; what model.py and table.py share."""

import re
import statistics
import sys
from collections import defaultdict, namedtuple

Result = namedtuple("Result", "bench impl devices size ms metric ok")


def read(paths):
    """All RESULT lines of files, or of standard input."""
    found = []
    for path in paths or ["-"]:
        with (sys.stdin if path == "-" else open(path)) as lines:
            for line in lines:
                part = line.rstrip("\n").split(",")
                if part[0] != "RESULT" or len(part) < 7:
                    continue
                impl, _, count = part[2].rpartition("-")
                if not count.isdigit() or not impl:
                    impl, count = part[2], "0"
                found.append(Result(part[1], impl, int(count), part[3],
                                    float(part[4]), ",".join(part[5:-1]),
                                    part[-1] == "ok"))
    return found


def medians(results):
    """{bench: {size: {(impl, devices): ms}}} of the right ones."""
    times = defaultdict(list)
    for r in results:
        if r.ok:
            times[r.bench, r.size, r.impl, r.devices].append(r.ms)
    table = defaultdict(lambda: defaultdict(dict))
    for (bench, size, impl, devices), ms in times.items():
        table[bench][size][impl, devices] = statistics.median(ms)
    return table


def sum_of(result):
    """The sum that all forms of a size must have, or None."""
    match = re.search(r"sum (\S+)", result.metric)
    return float(match.group(1)) if match else None
