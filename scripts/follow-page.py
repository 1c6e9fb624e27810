#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what a page tells its reader to do, and compares what comes out.

  follow-page.py PAGE [RUNNER...]
    PAGE    in Markdown; its blocks that begin with `$ ` are followed in order
    RUNNER  what runs a shell command given as its last argument; bash -c

Every line that the page shows below a command has to be in what the command
prints, to stdout or stderr. A line there may have more words between: pages
leave columns out. Exit status 1 if a command fails or a line is missing.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```[a-z]*\n(\$ .*?)^```", re.MULTILINE | re.DOTALL)


def commands(text):
    """[(command, lines below it)] of a page."""
    found = []
    for block in BLOCK.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif line.strip():
                found[-1][1].append(line)
    return found


def shows(line, wanted):
    """Whether all words of the wanted line are in the line, in their order."""
    words = iter(line.split())
    return all(word in words for word in wanted.split())


def main():
    page = pathlib.Path(sys.argv[1])
    runner = sys.argv[2:] or ["bash", "-c"]
    wrong = 0
    found = commands(page.read_text())
    for command, lines in found:
        print("$", command, flush=True)
        run = subprocess.run(
            runner + [command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        printed = run.stdout.splitlines()
        missing = [w for w in lines if not any(shows(p, w) for p in printed)]
        if run.returncode or missing:
            wrong += 1
            print(run.stdout, end="")
            print(f"{page.name}: exit status {run.returncode}")
        for line in missing:
            print(f"{page.name}: not printed: {line}")
    print(f"{page.name}: {len(found)} commands, {wrong} wrong")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
