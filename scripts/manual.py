#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a manual page of a driver's help text.

usage: manual.py accxcc < help text > accxcc.1

The help's first line says what the program is. A line at the margin that ends
with a colon begins a list; in a list a line is an option or variable, two
blanks, and what it means, which further lines go on with. What the help says
about the machine it runs on is left out.
"""

import re
import sys

FILES = [
    ("/usr/lib/accx/lib", "the runtime, its device plugins and the compiler plugin"),
    ("/usr/lib/accx/include", "openacc.h and the headers beside it"),
    ("/usr/share/doc/accx", "documentation and examples"),
    ("$XDG_CACHE_HOME/accx/gpus", "the GPUs that the CUDA driver last named"),
]


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def entries(lines):
    """[(term, meaning)]; a line without a meaning goes with the next."""
    found = []
    for line in lines:
        match = re.match(r"^  (\S.*?)(?:  +(\S.*))?$", line)
        if match and not line.startswith("   "):
            found.append([match[1], match[2] or ""])
        elif found:
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
    return found


def sections(text):
    """The help as [(title or None, lines)], cut where the machine begins."""
    parts = [(None, [])]
    for line in text.splitlines():
        if line.startswith("On this machine"):
            break
        if line and not line.startswith(" ") and line.endswith(":"):
            parts.append((line[:-1], []))
        elif line and not line.startswith(" "):
            if parts[-1][0] is not None:
                parts.append((None, []))
            parts[-1][1].append(line)
        elif line:
            parts[-1][1].append(line)
    return parts


def page(name, text):
    head, _, rest = text.partition("\n")
    summary, _, version = head.partition(": ")[2].rpartition(" by ")
    out = [
        f'.TH {name.upper()} 1 "" "{escaped(version)}" "User Commands"',
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(summary)}",
        ".SH SYNOPSIS",
        f".B {escaped(name)}",
        "[\\fIoption\\fR]... \\fIfile\\fR...",
        ".SH DESCRIPTION",
    ]
    for title, lines in sections(rest):
        if title is None:
            if lines:
                out += [".PP", escaped(" ".join(lines))]
            continue
        *before, title = re.split(r"\. ", title)
        if before:
            out += [".PP", escaped(". ".join(before) + ".")]
        if title == "Environment":
            out.append(".SH ENVIRONMENT")
        else:
            out.append(f".SS {escaped(title)}")
        for term, meaning in entries(lines):
            out += [".TP", f"\\fB{escaped(term)}\\fR", escaped(meaning) or "\\&"]
    out.append(".SH FILES")
    for term, meaning in FILES:
        out += [".TP", f"\\fI{escaped(term)}\\fR", escaped(meaning)]
    out += [".SH SEE ALSO", ".BR clang\\-19 (1),", ".BR ccache (1)"]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1], sys.stdin.read()))
