#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the pages under docs/ that are made from the sources.

  generate-docs.py            writes the pages
  generate-docs.py --check    says which pages are out of date; exit status 1
                              if there is one
"""

import argparse
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPDX = "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"

TOKEN = re.compile(
    r"""//[^\n]*            # a comment
      | "(?:[^"\\]|\\.)*"   # a string
      | [A-Za-z_]\w*
      | -?\d+
      | [(),]""",
    re.VERBOSE,
)


def rows_of(path):
    """Rows NAME(arguments...) of a .def file, adjacent strings joined.

    Gives pairs of the row's name and its arguments; strings come unquoted.
    """
    tokens = [t for t in TOKEN.findall(path.read_text()) if t[:2] != "//"]
    rows = []
    position = 0
    while position < len(tokens):
        kind = tokens[position]
        if tokens[position + 1 : position + 2] != ["("]:
            raise SystemExit(f"{path}: '{kind}' begins no row")
        position += 2
        arguments = [""]
        while tokens[position] != ")":
            token = tokens[position]
            if token == ",":
                arguments.append("")
            elif token[0] == '"':
                arguments[-1] += token[1:-1].replace('\\"', '"')
            else:
                arguments[-1] += token
            position += 1
        position += 1
        rows.append((kind, arguments))
    return rows


# For each kind of row: what is accepted, where the row does not say so itself.
ACCEPTED = {
    "FLAG": "`1`, `true`, `yes`, `on` or `0`, `false`, `no`, `off`",
    "NUMBER": "an integer, decimal or `0x...`",
    "COUNT": "an integer of 0 or more, decimal or `0x...`",
    "TEXT": "any text",
}


def environment_page():
    source = ROOT / "runtime/support/Environment.def"
    lines = [
        SPDX,
        "# Environment variables of the runtime\n",
        "Made from `runtime/support/Environment.def` by "
        "`scripts/generate-docs.py`; change it there.\n",
        "The variables are read once, when the runtime is loaded. An empty "
        "variable counts as\nunset. For a value that is not accepted one line "
        "on stderr says so, and the default\nis used.\n",
        "Device plugins read variables of their own, named after the plugin: "
        "`ACCX_HOST_*`,\n`ACCX_CUDA_*`.\n",
        "| variable | default | accepted | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for kind, arguments in rows_of(source):
        if kind == "CHOICE":
            _, name, default, values, text = arguments
            accepted = " or ".join(f"`{v}`" for v in values.split("|"))
        else:
            _, name, default, text = arguments
            accepted = ACCEPTED[kind]
        if kind == "FLAG":
            default = {"false": "0", "true": "1"}[default]
        shown = f"`{default}`" if default else "unset"
        text = text.replace("|", "\\|")
        lines.append(f"| `{name}` | {shown} | {accepted} | {text} |")
    return "\n".join(lines) + "\n"


# Every generated page, and the function that makes it.
PAGES = {
    "docs/environment.md": environment_page,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    stale = False
    for name, make in PAGES.items():
        path = ROOT / name
        wanted = make()
        present = path.read_text() if path.exists() else ""
        if wanted == present:
            continue
        if not options.check:
            path.write_text(wanted)
            print(f"wrote {name}")
            continue
        stale = True
        sys.stdout.writelines(
            difflib.unified_diff(
                present.splitlines(True), wanted.splitlines(True), name, "made"
            )
        )
        print(f"{name} is out of date: run scripts/generate-docs.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
