#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds in a trace of overlap.c a copy on one queue that begins and ends while a
kernel of another queue is under way: overlap.py TRACE.json"""

import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    slices = [e for e in events if e.get("ph") == "X"]
    for e in slices:
        e["end"] = e["ts"] + e["dur"]
    launches = [e for e in slices if e["cat"] == "launch"]
    copies = [e for e in slices if e["cat"] == "transfer"]
    waits = [e for e in slices if e["cat"] == "wait"]
    # The last launch of the spinning kernel, and the copy queued after it.
    for launch in reversed(launches):
        for copy in copies:
            if copy["ts"] < launch["end"] or copy["args"]["bytes"] < 1 << 28:
                continue
            until = [w["end"] for w in waits if w["ts"] > launch["end"]
                     and w["args"].get("queue") != copy["args"].get("queue")]
            if until and copy["end"] < max(until):
                print(f"copy of {copy['dur']:.0f} us inside of a kernel's "
                      f"{max(until) - launch['ts']:.0f} us")
                return 0
    print("no overlap in the trace")
    return 1


if __name__ == "__main__":
    sys.exit(main())
