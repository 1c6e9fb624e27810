#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The short table of RESULT lines of bench/scale.

A `!` behind a figure means that it missed its target. Exit status 1: a result
was wrong, or forms disagree.

usage: table.py [FILE...]
"""

import sys
from collections import defaultdict

import results

LOOPS = ("scale-jacobi", "scale-hydro", "scale-product", "scale-nbody",
         "scale-sum")
PAPER = ("scale-thermo", "scale-matmul", "scale-heat")
# Speed-up on two devices, by case and size.
WANTED = {("scale-jacobi", "16384"): 1.93, ("scale-jacobi", "2048"): 1.0,
          ("scale-product", "8192"): 1.9, ("scale-nbody", "131072"): 1.9,
          ("scale-sum", "1073741824"): 1.9}
# Milliseconds: 1.1 of the hand-written probe with windows by the driver.
MOST = {("scale-jacobi", "4096", 2): 1.1 * 0.0389}
# Efficiency on four and eight, at the largest sizes.
LARGEST = {("scale-jacobi", "32768"), ("scale-product", "16384"),
           ("scale-nbody", "524288"), ("scale-sum", "4294967296"),
           ("scale-hydro", "8192")}


def mark(text, good):
    return text if good else text + "!"


def print_table(title, head, rows):
    if not rows:
        return
    print(f"== {title}")
    rows = [head] + rows
    wide = [max(len(r[i]) for r in rows) for i in range(len(head))]
    for r in rows:
        print("  ".join(c.ljust(w) if i < 1 else c.rjust(w)
                        for i, (c, w) in enumerate(zip(r, wide))))


def fastest(times, start, devices):
    """The least time of implementations that begin so, and which it was."""
    found = [(ms, impl) for (impl, n), ms in times.items()
             if impl.startswith(start) and n == devices]
    return min(found) if found else (None, "")


def number(ms):
    return "-" if ms is None else f"{ms:.4f}" if ms < 10 else f"{ms:.1f}"


def ratio(ours, other, limit):
    return "-" if not ours or not other else mark(
        f"{ours / other:.2f}", ours / other <= limit)


def loops(table):
    rows = []
    for bench in LOOPS:
        sizes = sorted(table.get(bench, {}).items(), key=lambda s: int(s[0]))
        for size, times in sizes:
            one = times.get(("accx-spread", 1))
            plain = times.get(("accx-plain", 1))
            for n in sorted({n for _, n in times}):
                ours = times.get(("accx-spread", n))
                # Tiles are another algorithm, with a column of its own.
                cuda = [(ms, impl) for (impl, c), ms in times.items()
                        if c == n and impl.startswith("cuda") and
                        impl != "cuda-tiled"]
                rival, how = min(cuda) if cuda else (None, "")
                gains = []
                for base in (one, plain):
                    gain = base / ours if base and ours else None
                    wanted = 0
                    if n == 2:
                        wanted = WANTED.get((bench, size), 0)
                    elif n > 2 and (bench, size) in LARGEST:
                        wanted = n * (0.95 if n <= 4 else 0.9)
                    gains.append("-" if gain is None or n == 1 and base == one
                                 else mark(f"{gain:.2f}", gain >= wanted))
                limit = MOST.get((bench, size, n), float("inf"))
                rows.append([f"{bench[6:]} {size}", str(n),
                             mark(number(ours), not ours or ours <= limit),
                             *gains, number(rival), how[5:],
                             ratio(ours, rival, 1.05),
                             number(times.get(("cuda-tiled", n)))])
    print_table("one source, ms a step", ["case", "N", "accx", "gain",
                                          "of plain", "cuda", "halo", "ratio",
                                          "tiled"], rows)


def paper(table):
    rows = []
    for bench in PAPER:
        sizes = sorted(table.get(bench, {}).items(), key=lambda s: int(s[0]))
        for size, times in sizes:
            for n in sorted({n for _, n in times}):
                rival, _ = fastest(times, "cuda", n)
                row = [f"{bench[6:]} {size}", str(n)]
                for form in ("hybrid", "deviceid", "spread"):
                    ours = times.get((f"accx-{form}", n))
                    row += [number(ours), ratio(ours, rival, 1.05)]
                rows.append(row + [number(rival)])
    print_table("the paper's programs, ms with copies",
                ["case", "N", "hybrid", "ratio", "deviceid", "ratio", "spread",
                 "ratio", "cuda"], rows)


def copies(table, found):
    rows = []
    times = table.get("peer", {})
    for size in times:
        for (impl, _), ms in times[size].items():
            if not impl.startswith("accx-") or impl == "accx-data":
                continue
            what = impl[5:]
            rival = times[size].get((f"cuda-{what}", 0))
            text = number(ms)
            if what == "pair":
                text = mark(text, ms <= 0.010)
            speed = "-"
            if what in ("large", "rectangle") and rival:
                least = 0.95 if what == "large" else 0.9
                speed = mark(f"{rival / ms:.2f}", rival / ms >= least)
            rows.append([f"{what} {size}", text, number(rival), speed])
    for bench in ("grant-first", "grant", "copy-slowest", "copy-fastest",
                  "window-slowest", "window-fastest"):
        for size, all_times in table.get("scale-" + bench, {}).items():
            for (impl, n), ms in sorted(all_times.items()):
                if impl == "accx":
                    rival = all_times.get(("cuda", n))
                    rows.append([f"{bench} {size} on {n}", number(ms),
                                 number(rival),
                                 f"{rival / ms:.2f}" if rival else "-"])
    for bench, sizes in sorted(table.items()):
        if bench.startswith("scale-steps-"):
            rows += [[f"{bench[6:]} on {n}", "-", number(ms), "-"]
                     for all_times in sizes.values()
                     for (_, n), ms in sorted(all_times.items())]
    print_table("between devices, ms", ["copy", "accx", "cuda", "speed"], rows)
    rows = []
    peer = next((float(size[:-3]) * 2 ** 20 / ms / 1e6
                 for size in times if size.endswith("MiB")
                 for (impl, _), ms in times[size].items()
                 if impl == "cuda-large" and ms), None)
    for r in found:
        if r.bench == "events-message" and r.size == "256MiB":
            speed = 256 * 2 ** 20 / r.ms / 1e6
            part = "-"
            if peer:
                good = r.impl != "accx" or speed >= 0.9 * peer
                part = mark(f"{speed / peer:.2f}", good)
            rows.append([r.impl, f"{speed:.1f}", part])
    print_table("message of 256 MiB", ["form", "GB/s", "of a peer copy"], rows)


def himeno(table):
    rows = []
    for size, times in table.get("events-himeno", {}).items():
        by = {impl: ms for (impl, _), ms in times.items()}
        rival = min((ms for impl, ms in by.items() if impl.startswith("cuda")),
                    default=None)
        ours, serial = by.get("accx-events"), by.get("accx-serial")
        rows.append([size, number(ours), number(by.get("accx-hand")),
                     mark(number(serial), not ours or not serial or
                          ours < serial), number(rival),
                     ratio(ours, rival, 1.05)])
    print_table("Himeno, ms a step", ["size", "events", "hand", "serial",
                                      "cuda", "ratio"], rows)


def disagreements(found):
    """Forms of a size whose sums differ."""
    sums = defaultdict(list)
    for r in found:
        value = results.sum_of(r)
        if value and r.bench.startswith("scale-"):
            sums[r.bench, r.size].append((value, f"{r.impl}-{r.devices}"))
    bad = []
    for (bench, size), values in sums.items():
        low, high = min(values), max(values)
        if high[0] - low[0] > 1e-3 * max(abs(low[0]), abs(high[0])):
            bad.append(f"{bench} {size}: {low[1]} has {low[0]:.6e}, {high[1]} "
                       f"has {high[0]:.6e}")
    return bad


def main():
    found = results.read(sys.argv[1:])
    table = results.medians(found)
    loops(table)
    paper(table)
    copies(table, found)
    himeno(table)
    for kind in ("fault", "random", "memcheck"):
        tests = [r for r in found if r.bench.startswith(f"scale-{kind}") and
                 r.metric == "test"]
        if tests:
            right = sum(r.ok for r in tests)
            print(f"== {kind}: {right} of {len(tests)} right")
    wrong = [f"{r.bench} {r.impl} {r.devices} {r.size}: wrong" for r in found
             if not r.ok] + disagreements(found)
    print(f"== {len(found)} results, {len(wrong)} bad")
    for line in wrong[:20]:
        print("BAD " + line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
