#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes web pages of the repository's pages: web.py FOLDER. See web.sh.

Links between pages lead to the web pages; links to sources lead to copies.
"""

import importlib.util
import pathlib
import re
import shutil
import sys

import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent

spec = importlib.util.spec_from_file_location("links", ROOT / "scripts/check-links.py")
links = importlib.util.module_from_spec(spec)
spec.loader.exec_module(links)

STYLE = """
body { margin: 0; font: 16px/1.55 "DejaVu Sans", sans-serif; color: #222; }
nav { position: fixed; top: 0; bottom: 0; width: 15em; overflow-y: auto;
  padding: 1em; box-sizing: border-box; background: #f3f5f7; font-size: 14px; }
nav a { display: block; padding: 2px 0; color: #245; text-decoration: none; }
nav a.here { font-weight: bold; } nav b { display: block; margin-top: 1em; }
main { margin-left: 15em; padding: 1em 2em; max-width: 56em; }
pre { background: #f6f8fa; padding: .8em 1em; overflow-x: auto; line-height: 1.35; }
code { font: 14px "DejaVu Sans Mono", monospace; }
p code, li code, td code { background: #f3f5f7; padding: 0 .2em; }
table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #ccd; padding: .3em .6em; text-align: left;
  vertical-align: top; }
th { background: #f3f5f7; }
@media (max-width: 50em) { body { display: flex; flex-direction: column-reverse; }
  nav { position: static; width: auto; }
  main { margin-left: 0; padding: 1em; max-width: 100%; box-sizing: border-box; } }
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - accx</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<nav>
{menu}
</nav>
<main>
{body}
</main>
</body>
</html>
"""


def title_of(text, path):
    found = re.search(r"^# +(.+?)\s*$", links.FENCE.sub("", text), re.MULTILINE)
    return found.group(1).replace("`", "") if found else path.stem


def target_of(path):
    """Where a page or a source lies in the web folder."""
    relative = path.relative_to(ROOT)
    if path.suffix == ".md":
        return relative.with_suffix(".html")
    return pathlib.Path("source") / (str(relative) + ".txt")


def up(target):
    return "../" * (len(target.parts) - 1)


def menu(pages, titles, here):
    groups = {}
    for page in pages:
        groups.setdefault(str(page.relative_to(ROOT).parent), []).append(page)
    order = sorted(groups, key=lambda g: (g != ".", g != "docs", g))
    index = (ROOT / "docs/index.md").read_text()
    for group in groups.values():  # as the index lists them, it itself first
        group.sort(key=lambda p: (p.name != "index.md", index.find(f"{p.name})")))
    lines = []
    for group in order:
        if group != ".":
            lines.append(f"<b>{group}</b>")
        for page in groups[group]:
            mark = ' class="here"' if page == here else ""
            address = up(target_of(here)) + str(target_of(page))
            lines.append(f'<a{mark} href="{address}">{titles[page]}</a>')
    return "\n".join(lines)


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    pages = links.pages(None)
    texts = {p: p.read_text() for p in pages}
    titles = {p: title_of(texts[p], p) for p in pages}
    copies = set()
    for page in pages:
        target = target_of(page)

        def lead(match):
            address = match.group(2)
            path, _, anchor = address.partition("#")
            if not path or "://" in address or address.startswith("mailto:"):
                return match.group(0)
            to = (page.parent / path).resolve()
            if to.is_dir():
                index = to / "README.md"
                to = index if index in texts else next(iter(sorted(
                    p for p in to.rglob("*") if p.is_file())))
            if to.suffix != ".md":
                copies.add(to)
            new = up(target) + str(target_of(to)) + ("#" + anchor if anchor else "")
            return f'{match.group(1)}"{new}"'

        body = markdown.markdown(
            texts[page],
            extensions=["tables", "fenced_code", "sane_lists", "toc"],
            extension_configs={
                "toc": {"slugify": lambda text, _: links.slug(text)}
            },
        )
        body = re.sub(r'(<a href=)"([^"]*)"', lead, body)
        written = out / target
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(
            PAGE.format(
                title=titles[page],
                up=up(target),
                menu=menu(pages, titles, page),
                body=body,
            )
        )
    for source in copies:
        copy = out / target_of(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
    (out / "style.css").write_text(STYLE)
    shutil.copyfile(out / "README.html", out / "index.html")
    print(f"{len(pages)} pages in {out}")


if __name__ == "__main__":
    main()
