# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs rival variants alternately and reduces what they print to medians.

A measured program prints lines `MEASURE,<key>,<number>` and, where a result is
wrong, `BAD,<key>`; it exits with 0 only when every result was right.
"""

import os
import re
import statistics
import subprocess
from collections import defaultdict, namedtuple

Variant = namedtuple("Variant", "name command env")
STATS = re.compile(r"accx stats: device (\d+): (.*)")


class Series:
    """Everything one variant printed over all rounds."""

    def __init__(self):
        self.values = defaultdict(list)
        self.stats = defaultdict(int)
        self.failure = ""

    @property
    def ok(self):
        return not self.failure

    def median(self, key):
        values = self.values.get(key)
        return statistics.median(values) if values else float("nan")

    def spread(self, key):
        """Interquartile range over the median."""
        values = self.values.get(key, [])
        if len(values) < 4:
            return float("nan")
        low, _, high = statistics.quantiles(values, n=4)
        return (high - low) / statistics.median(values)


def parse_stats(text):
    """Sums the counters of ACCX_STATS=1 over all devices."""
    # Totals may be printed more than once; a device's last line counts.
    lines = {match.group(1): match.group(2) for match in STATS.finditer(text)}
    total = defaultdict(int)
    for line in lines.values():
        for pair in line.split():
            key, _, value = pair.partition("=")
            if value.isdigit():
                total[key] += int(value)
    return total


def _run_once(variant, series, timeout):
    env = dict(os.environ, **variant.env)
    try:
        done = subprocess.run(variant.command, env=env, capture_output=True,
                              text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        series.failure = series.failure or f"no end after {timeout} s"
        return
    bad = [line for line in done.stdout.splitlines()
           if line.startswith("BAD,")]
    if bad:
        series.failure = series.failure or bad[0]
    elif done.returncode:
        words = done.stderr.strip().splitlines() or ["no message"]
        series.failure = series.failure or (
            f"exit {done.returncode}: {words[0][:160]}")
    for line in done.stdout.splitlines():
        if line.startswith("MEASURE,"):
            _, key, value = line.split(",")
            series.values[key].append(float(value))
    stats = parse_stats(done.stderr)
    if stats:
        series.stats = stats


def count(variant, timeout=120):
    """Runs a variant once for its ACCX_STATS totals, apart from all timing."""
    series = Series()
    _run_once(variant._replace(env=dict(variant.env, ACCX_STATS="1")), series,
              timeout)
    return series


def interleave(variants, rounds, timeout=120):
    """Runs A B, B A, A B, ...; returns a Series for each variant's name.

    A variant that failed twice is not run again.
    """
    result = {v.name: Series() for v in variants}
    failures = defaultdict(int)
    for turn in range(rounds):
        for variant in variants if turn % 2 == 0 else reversed(variants):
            series = result[variant.name]
            if failures[variant.name] >= 2:
                continue
            before, series.failure = series.failure, ""
            _run_once(variant, series, timeout)
            if series.failure:
                failures[variant.name] += 1
            series.failure = series.failure or before
    return result


def keys_of(result):
    """Keys in the order of their first appearance."""
    seen = {}
    for series in result.values():
        for key in series.values:
            seen.setdefault(key)
    return list(seen)


def report(bench, impl, size, milliseconds, metric, ok):
    print(f"RESULT,{bench},{impl},{size},{milliseconds:.6g},{metric},"
          f"{'ok' if ok else 'BAD'}", flush=True)
