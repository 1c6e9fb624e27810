#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps RESULT lines of benchmarks and makes the table of all of them.

  bench-table.py record [LOG...]  adds the lines of logs, or of standard input, to
                                  docs/benchmarks/results/, a file a machine
  bench-table.py table [--check]  writes docs/benchmarks/index.md of these files;
                                  --check says whether it is up to date

A log is what scripts/bench.sh or a bundle's `run.sh bench` prints: its head says
which accx ran on which machine (bench/common/header.sh), `#: bench NAME` which
folder of bench/ the lines below are of. bench/rivals.csv says which
implementations are ours and which are their rivals, bench/targets.csv up to
which ratio a target is met. --root takes another tree's folders, for tests.
"""

import argparse
import csv
import pathlib
import re
import statistics
import sys

FIELDS = ("accx", "conditions", "folder", "bench", "impl", "size", "ms")
RESULT = re.compile(r"RESULT,([^,]*),([^,]*),([^,]*),([^,]*),(.*),(ok|BAD)$")
HEAD = re.compile(r"#: (accx|hardware|conditions|bench)\b *(.*)$")
PAGE = """<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# All results

Made from `docs/benchmarks/results/` by `scripts/bench.sh --table`; do not change it by hand.
[testing.md](../internals/testing.md#benchmarks) says how results come there.

A row compares the time of accx with the fastest of its rivals in the same run, on the same
machine; ratios below 1 are for accx. A `!` behind a ratio is a target missed; where the target is
empty, none is set. "accx" is the commit that ran, or the version where figures were taken from
a page's tables: [cuda.md](cuda.md), [scale.md](scale.md) and
[runtime-host.md](runtime-host.md) have these, with their methods. Bandwidths of those pages
stand here as the times that they mean.

The sections are the folders of `bench/`, and [bench/README.md](../../bench/README.md) says
what each asks; `driver` are the programs of `tests/gpu/bench`, beside the CUDA driver.
"""


class Rule:
    """A row of rivals.csv. Ours and a rival that both have a group, such as a
    number of devices, belong together where it is the same."""

    def __init__(self, row):
        self.where = [re.compile(row[name]) for name in ("folder", "bench")]
        self.ours, self.rivals = re.compile(row["ours"]), re.compile(row["rivals"])

    def applies(self, folder, bench):
        return all(p.fullmatch(t) for p, t in zip(self.where, (folder, bench)))

    def rivals_of(self, impl, impls):
        """The rivals among impls, or None where impl is not ours."""
        ours = self.ours.fullmatch(impl)
        if not ours:
            return None
        found = []
        for other in impls:
            rival = self.rivals.fullmatch(other)
            groups = rival and zip(ours.groups(), rival.groups())
            if rival and all(a == b or None in (a, b) for a, b in groups):
                found.append(other)
        return found


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(
            line for line in file if not line.startswith("#")))


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def read_log(lines, name):
    """({hardware: rows}, number of lines that say BAD) of one log."""
    head, rows, bad = {"conditions": ""}, {}, 0
    for line in lines:
        line = line.rstrip()
        if match := HEAD.match(line):
            head[match[1]] = match[2]
            continue
        match = RESULT.match(line)
        if not match:
            continue
        missing = [n for n in ("accx", "hardware", "bench") if not head.get(n)]
        if missing:
            sys.exit(f"{name}: no line `#: {missing[0]} ...` ahead of {line}")
        bench, impl, size, ms, _, verdict = match.groups()
        if verdict == "BAD":
            bad += 1
            print(f"left out: {line}", file=sys.stderr)
        elif float(ms) > 0:  # 0: a check without a time
            rows.setdefault(head["hardware"], []).append(
                (head["accx"], head["conditions"], head["bench"], bench, impl, size,
                 ms))
    if not rows:
        sys.exit(f"{name}: no results")
    return rows, bad


def record(root, logs):
    """Adds the logs' results; 1 if one of them is wrong."""
    folder, wrong = root / "docs/benchmarks/results", 0
    folder.mkdir(parents=True, exist_ok=True)
    for log in logs or ["-"]:
        with open(0 if log == "-" else log, encoding="utf-8") as file:
            found, bad = read_log(file, log)
        wrong |= bad > 0
        for hardware, rows in found.items():
            path = folder / f"{slug(hardware)}.csv"
            is_new = not path.exists()
            with open(path, "a", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                if is_new:
                    file.write(f"# {hardware}\n")
                    writer.writerow(FIELDS)
                writer.writerows(rows)
            print(f"{len(rows)} results to {path.relative_to(root)}")
    return wrong


def groups_of(rows):
    """{(accx, conditions, folder, bench, size): {implementation: its median}},
    what was recorded last behind all else."""
    found = {}
    for row in rows:
        key = tuple(row[n] for n in ("accx", "conditions", "folder", "bench", "size"))
        found[key] = impls = found.pop(key, {})
        impls.setdefault(row["impl"], []).append(float(row["ms"]))
    return {key: {impl: statistics.median(times) for impl, times in impls.items()}
            for key, impls in found.items()}


def duration(ms):
    """Three digits in the unit that people would take."""
    for unit, scale in (("ns", 1e6), ("us", 1e3), ("ms", 1), ("s", 1e-3)):
        value = ms * scale
        if value < 999.5 or unit == "s":
            break
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f} {unit}"


def rows_of(hardware, results, rules, targets):
    """{folder: {key: cells}}: for each of ours its newest run."""
    table = {}
    for key, impls in groups_of(results).items():
        accx, conditions, folder, bench, size = key
        rule = next((r for r in rules if r.applies(folder, bench)), None)
        for impl, ours in impls.items() if rule else ():
            rivals = rule.rivals_of(impl, impls)
            if rivals is None:
                continue
            best, ratio, target = "", "", ""
            limit = next((t["ratio"] for t in targets if all(re.fullmatch(
                t[n], v) for n, v in (("folder", folder), ("bench", bench),
                                      ("size", size)))), None)
            if rivals:
                rival = min(rivals, key=impls.get)
                best = f"{duration(impls[rival])}, {rival}"
                value = ours / impls[rival]
                ratio, target = f"{value:.2f}", limit or ""
                # What is shown decides: 1.05 meets a target of 1.05.
                if limit and float(ratio) > float(limit):
                    ratio += "!"
            name = f"{bench}, {size}" + ("" if impl == "accx" else f": {impl}")
            rows = table.setdefault(folder, {})
            # A newer run takes the place of an older one.
            rows[bench, size, impl, conditions] = (
                name, duration(ours), best, ratio, target, hardware, conditions,
                accx)
    return table


def make_page(root):
    rules = [Rule(row) for row in read_csv(root / "bench/rivals.csv")]
    targets = read_csv(root / "bench/targets.csv")
    folders = {}
    for path in sorted((root / "docs/benchmarks/results").glob("*.csv")):
        with open(path, encoding="utf-8") as file:
            hardware = file.readline().lstrip("# ").rstrip()
        found = rows_of(hardware, read_csv(path), rules, targets)
        for folder, rows in found.items():
            folders.setdefault(folder, []).extend(rows.values())
    lines = [PAGE]
    heading = ("row", "ours", "best rival", "ratio", "target", "hardware",
               "conditions", "accx")
    for folder, rows in sorted(folders.items()):
        shown = [n for n in range(len(heading)) if n != 6 or any(r[n] for r in rows)]
        lines += [f"## {folder}\n",
                  "| " + " | ".join(heading[n] for n in shown) + " |",
                  "| --- " * len(shown) + "|"]
        lines += ["| " + " | ".join(row[n].replace("|", "\\|") for n in shown) + " |"
                  for row in rows] + [""]
    return "\n".join(lines).rstrip() + "\n"


def table(root, is_check):
    path, wanted = root / "docs/benchmarks/index.md", make_page(root)
    present = path.read_text(encoding="utf-8") if path.exists() else ""
    if wanted != present and is_check:
        print(f"{path.relative_to(root)} is out of date: run scripts/bench.sh --table")
        return 1
    if wanted != present:
        path.write_text(wanted, encoding="utf-8")
        print(f"wrote {path.relative_to(root)}")
    return 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record").add_argument("log", nargs="*")
    commands.add_parser("table").add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.command == "record":
        return record(options.root, options.log)
    return table(options.root, options.check)


if __name__ == "__main__":
    sys.exit(main())
