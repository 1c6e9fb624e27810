#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the documentation and the examples into a package's tree.

  package-docs.py ROOT PREFIX
    ROOT    the package's tree; all goes under ROOT/usr/share/doc/accx
    PREFIX  where the headers are in it: usr/lib/accx

A link between pages stays. One to an example or a header leads to where the
package has it; of one to anything else, as tests, only the text stays.
"""

import os
import pathlib
import re
import shutil
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ["demo", "installed", "openacc", "openarc", "tutorial"]
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")


def main():
    root, prefix = pathlib.Path(sys.argv[1]), sys.argv[2]
    place = root / "usr/share/doc/accx"
    for name in EXAMPLES:
        shutil.copytree(
            SOURCE / "examples" / name,
            place / "examples" / name,
            # It installs a build tree, which no package has.
            ignore=shutil.ignore_patterns("check.sh"),
        )

    def link(page, match):
        """A page's link as the installed page needs it."""
        text, target, heading = match.groups()
        if ":" in target:
            return match.group(0)
        path = pathlib.Path(os.path.normpath((SOURCE / page).parent / target))
        path = path.relative_to(SOURCE)
        where = {
            "docs": place.joinpath(*path.parts[1:]),
            "examples": place / path,
            "include": root / prefix / path,
        }.get(path.parts[0])
        if where is None or not (where.exists() or path.suffix == ".md"):
            return text
        start = (place / page.relative_to("docs")).parent
        return f"[{text}]({os.path.relpath(where, start)}{heading or ''})"

    for page in sorted((SOURCE / "docs").rglob("*.md")):
        page = page.relative_to(SOURCE)
        text = LINK.sub(lambda m: link(page, m), (SOURCE / page).read_text())
        out = place / page.relative_to("docs")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)


if __name__ == "__main__":
    main()
