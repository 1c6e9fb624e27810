#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for dead links in the pages: files and headings that are not there.

  check-links.py            the repository's pages in Markdown
  check-links.py FOLDER     the pages in FOLDER: on the web (scripts/web.sh),
                            or in Markdown if there are none

Addresses of other sites are not asked. Exit status 1 if a link is dead.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()]*\))?)\)")


def slug(heading):
    """A heading's anchor, as GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[`*]", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def markdown_anchors(text):
    anchors = set()
    for heading in re.findall(r"^#{1,6} +(.+?)\s*$", FENCE.sub("", text), re.MULTILINE):
        name, number = slug(heading), 0
        while (name if not number else f"{name}-{number}") in anchors:
            number += 1
        anchors.add(name if not number else f"{name}-{number}")
    return anchors


class Html(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


def read(path):
    """(anchors, links) of a page."""
    text = path.read_text()
    if path.suffix == ".html":
        page = Html(text)
        return page.anchors, page.links
    plain = CODE.sub("", FENCE.sub("", text))
    return markdown_anchors(text), LINK.findall(plain)


def pages(folder):
    if folder:
        return sorted(folder.rglob("*.html")) or sorted(folder.rglob("*.md"))
    return sorted(
        p
        for p in ROOT.rglob("*.md")
        if not p.relative_to(ROOT).parts[0].startswith(("build", ".git"))
    )


def main():
    folder = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    found = {p: read(p) for p in pages(folder)}
    dead = links = 0
    for page, (anchors, targets) in found.items():
        for target in targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or target.startswith("//"):
                continue
            links += 1
            path = (page.parent / urllib.parse.unquote(parts.path)).resolve()
            if not parts.path:
                path = page
            why = ""
            if not path.exists():
                why = "there is no such file"
            elif page.suffix == ".html" and path.is_dir():
                why = "it is a folder"
            elif parts.fragment and path in found:
                if parts.fragment not in found[path][0]:
                    why = "there is no such heading"
            if why:
                dead += 1
                shown = page.relative_to(folder or ROOT)
                print(f"{shown}: dead link {target}: {why}")
    print(f"{len(found)} pages, {links} links, {dead} dead")
    if not found:
        print("no pages")
    return 1 if dead or not found else 0


if __name__ == "__main__":
    sys.exit(main())
