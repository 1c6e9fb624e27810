# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why a test did not pass, in one line without places: tests of one cause make
one group of a report."""

import re

SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL",
           11: "SIGSEGV"}


def first_error(messages):
    """The first line of a compiler's output that says what is wrong."""
    lines = messages.splitlines()
    # The last words of ld, clang and the linker wrapper say only that it failed.
    for pattern in (r"\b(?:fatal |internal compiler )?error: "
                    r"(?!ld returned|\w+ command failed|'[^']*' failed)",
                    r"undefined (?:reference|symbol)|multiple definition",
                    r"PLEASE submit a bug|Assertion|Stack dump"):
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
