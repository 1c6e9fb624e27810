# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run of the OpenACC validation suite gave: tables, causes, changes."""

import re

from .outcome import RANK

CODES = ("PASS", "FAIL", "NOCOMPILE", "CRASH", "TIMEOUT")
# The longest construct a source's name begins with names its group.
FEATURES = (
    "acc_", "atomic", "data", "declare", "enter_data", "exit_data", "host_data",
    "init", "kernels", "kernels_loop", "loop", "parallel", "parallel_loop",
    "routine", "serial", "serial_loop", "set", "shutdown", "update", "wait",
)
SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL",
           11: "SIGSEGV"}


def feature(source):
    """The construct that a source is named for; `acc_` is the runtime API."""
    fitting = [name for name in FEATURES if source.startswith(name)]
    return max(fitting, key=len).rstrip("_") if fitting else "other"


def first_error(messages):
    """The first line of a compiler's output that says what is wrong."""
    lines = messages.splitlines()
    # The last words of ld, clang and the linker wrapper say only that it failed.
    for pattern in (r"\b(?:fatal |internal compiler )?error: "
                    r"(?!ld returned|\w+ command failed|'[^']*' failed)",
                    r"undefined (?:reference|symbol)|multiple definition",
                    r"PLEASE submit a bug|Assertion|Stack dump",
                    r"accvv: the compiler"):
        for line in lines:
            if re.search(pattern, line):
                return line.strip()
    return lines[0].strip() if lines else "no message"


def cause(test):
    """Why a recorded test did not pass, without places: the key of a group."""
    if test["result"] == "NOCOMPILE":
        line = first_error(test["output"])
        line = re.sub(r"^.*?\b((?:fatal |internal compiler )?error:)", r"\1", line)
        return re.sub(r"^.*?((?:undefined|multiple|duplicate) )", r"\1", line)
    if test["result"] == "CRASH":
        signal = -test["status"]
        return first_message(test, f"ended by {SIGNALS.get(signal, signal)}")
    if test["result"] == "TIMEOUT":
        return first_message(test, "did not end")
    return first_message(test, "wrong result")


def first_message(test, text):
    for line in test.get("stderr", "").splitlines():
        if line.strip():
            line = re.sub(r"0x[0-9a-f]+", "0x...", line.strip())
            return f"{text}; stderr: {line}"
    return text


def print_totals(tests):
    """One line a feature, and the sum."""
    rows = {}
    for test in tests:
        row = rows.setdefault(feature(test["name"]), dict.fromkeys(CODES, 0))
        row[test["result"]] += 1
    total = {code: sum(row[code] for row in rows.values()) for code in CODES}
    print(f"{'':14} {'tests':>5} " + " ".join(f"{code:>9}" for code in CODES))
    for name, row in sorted(rows.items()) + [("all", total)]:
        print(f"{name:14} {sum(row.values()):5} " +
              " ".join(f"{row[code]:9}" for code in CODES))


def groups(tests):
    """Failures by cause: [(cause, result, [test])], the largest first."""
    found = {}
    for test in tests:
        if test["result"] != "PASS":
            found.setdefault((test["result"], cause(test)), []).append(test)
    return [(why, code, part) for (code, why), part in
            sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))]


def unexplained(tests):
    """Those that fail and are not known to be wrong themselves."""
    return [test for test in tests
            if test["result"] != "PASS" and "fault" not in test]


def print_faults(tests):
    """The failing tests that are wrong themselves, with what is wrong."""
    faults = {}
    for test in tests:
        if test["result"] != "PASS" and "fault" in test:
            faults.setdefault(test["fault"], []).append(test["name"])
    if faults:
        print(f"\nFaults of the tests: {sum(map(len, faults.values()))}\n")
    for fault, names in faults.items():
        print(f"- {fault}: {' '.join(names)}")


def print_groups(tests, markdown=False):
    """Every test that fails without a fault of its own, under its cause."""
    for why, code, part in groups(unexplained(tests)):
        head = f"{len(part)} {code}: {why}"
        print(f"\n### {head}\n" if markdown else f"\n{head}")
        by_feature = {}
        for test in part:
            by_feature.setdefault(feature(test["name"]), []).append(test["name"])
        for name, members in sorted(by_feature.items()):
            mark = "- " if markdown else "  "
            print(f"{mark}{name}: {' '.join(members)}")
        if markdown and code == "NOCOMPILE":
            print("\n```\n" + excerpt(part[0]["output"]) + "\n```")


def excerpt(messages, count=6):
    """The first error with the lines that show its place."""
    lines = messages.splitlines()
    error = first_error(messages)
    for index, line in enumerate(lines):
        if line.strip() == error:
            return "\n".join(lines[index:index + count])
    return "\n".join(lines[:count])


def rank(test):
    return RANK[test["result"]]


def compare(old, new):
    """Prints where the two records differ; the number of tests that are worse
    in the second, one that is missing there included."""
    before = {test["name"]: test for test in old["tests"]}
    after = {test["name"]: test for test in new["tests"]}
    worse = []
    better = []
    for name, test in before.items():
        other = after.get(name)
        if other is None or rank(other) < rank(test):
            worse.append((test, other))
        elif rank(other) > rank(test):
            better.append((test, other))
    for title, pairs in (("better", better), ("worse", worse)):
        for test, other in pairs:
            now = other["result"] if other else "MISSING"
            why = f"  {cause(other)}" if other and now != "PASS" else ""
            print(f"{title}: {test['name']}  {test['result']} -> {now}{why}")
    added = len(set(after) - set(before))
    print(f"{len(before)} tests: {len(worse)} worse, {len(better)} better, "
          f"{len(before) - len(worse) - len(better)} equal"
          + (f"; {added} only in the second" if added else ""))
    return len(worse)
