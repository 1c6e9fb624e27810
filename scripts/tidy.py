#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy on the runtime, the device plugins, the passes and messages.

Most of a source's time goes to the headers of LLVM that it includes. Sources
of one folder, and of folders near it, are therefore looked at together, as one
translation unit that includes them: those that define no name twice. Where such
a unit has something to say, its halves are looked at, down to single sources:
what is found in these is what counts.

usage: tidy.py [-j JOBS] [-p BUILD] [FOLDER...]
Exit status 1 where clang-tidy found something.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOTS = ("runtime/", "libomptarget-plugin/", "passes/", "mpi/")
AT_ONCE = 120


def commands(build, root, folders):
    """{source: command line} of the sources to look at."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"]).resolve()
        if not path.is_relative_to(root) or not path.exists():
            continue
        name = str(path.relative_to(root))
        if name.startswith(folders) and name not in found:
            found[name] = entry
    return found


def flags(entry):
    """A command line without compiler, source, output and precompiled headers.

    Targets that differ in these alone are looked at together.
    """
    words = entry.get("arguments") or shlex.split(entry["command"])
    words = re.sub(r"-Xclang\0-include(-pch)?\0-Xclang\0[^\0]*\0", "",
                   "\0".join(words)).split("\0")
    kept = []
    skip = False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MF", "-MT"):
            skip = True
        elif word != "-MD" and not word.endswith(("clang++-19", "clang-19")):
            kept.append(word)
    return tuple(kept)


def defined(source):
    """Names that a source defines at the left margin, as far as a look tells.

    A function's name stands before the first parenthesis. One that is written
    with its class or namespace is no name of the source's own.
    """
    text = re.sub(r"(?m)^(#|//|}|(using )?namespace\b).*", "",
                  source.read_text(encoding="utf-8"))
    types = re.findall(r"(?m)^(?:class|struct|enum(?: class)?|union|using)"
                       r"\s+(\w+)\b(?! *(?:;|::))", text)
    others = re.findall(r"(?m)^[A-Za-z_][^;{}()=]*?(?<![:~\w])(\w+) ?[({=;\[]",
                        text)
    counters = re.findall(r"(?m)^STATISTIC\((\w+)", text)
    return {*types, *others, *counters}


def groups(root, found):
    """Sources with the same flags and no name twice, AT_ONCE at most."""
    together = {}
    for name, entry in sorted(found.items()):
        key = (name.split("/")[0], flags(entry), entry["directory"])
        units = together.setdefault(key, [])
        names = defined(root / name)
        for unit in units:
            if len(unit[0]) < AT_ONCE and not unit[1] & names:
                break
        else:
            unit = ([], set())
            units.append(unit)
        unit[0].append(name)
        unit[1].update(names)
    for (_, words, directory), units in together.items():
        for sources, _ in units:
            yield words, directory, sources


def tidy(root, words, directory, source):
    """clang-tidy's status and what it says of one source."""
    run = subprocess.run(
        ["clang-tidy-19", "--quiet", f"--config-file={root / '.clang-tidy'}",
         str(source), "--", *words],
        cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False)
    said = [line for line in run.stdout.splitlines()
            if not re.fullmatch(r"\d+ warnings? generated\."
                                r"|\[[0-9/]+\] Processing file .*", line)]
    return run.returncode, said


def look(root, out, words, directory, names):
    """What clang-tidy finds in sources of one folder."""
    if len(names) == 1:
        status, said = tidy(root, words, directory, root / names[0])
        if status == 0:
            return []
        return said or [f"{names[0]}: clang-tidy ended with {status}"]
    label = f"{names[0]}-{len(names)}".replace("/", "-")
    unit = out / f"{label}.cpp"
    unit.write_text("".join(
        f'#include "{root / name}" // NOLINT\n#undef DEBUG_TYPE\n'
        for name in names))
    status, _ = tidy(root, words, directory, unit)
    if status == 0:
        return []
    half = len(names) // 2
    return [line for part in (names[:half], names[half:])
            for line in look(root, out, words, directory, part)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("-p", type=pathlib.Path, default="build")
    parser.add_argument("folders", nargs="*", default=list(ROOTS))
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    build = options.p.resolve()
    out = build / "tidy"
    out.mkdir(exist_ok=True)
    found = commands(build, root, tuple(options.folders))
    if not found:
        sys.exit("tidy: the build has no sources to look at")
    # The long ones first, so that none is left alone at the end.
    units = sorted(groups(root, found), key=lambda unit: -len(unit[-1]))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for said in pool.map(
                lambda unit: look(root, out, *unit), units):
            bad += bool(said)
            print("\n".join(said), end="\n" if said else "", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
