#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the pages under docs/ that are made from the sources.

  generate-docs.py            writes the pages
  generate-docs.py --check    says which pages are out of date; exit status 1
                              if there is one

Some pages are made as a whole; in others only what stands between two markers
is, and the rest is written by hand.
"""

import argparse
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPDX = "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"

TOKEN = re.compile(
    r"""(?://|\#)[^\n]*     # a comment, a line of the preprocessor
      | "(?:[^"\\]|\\.)*"   # a string
      | [A-Za-z_]\w*
      | -?\d+
      | [(),|]""",
    re.VERBOSE,
)


def rows_of(path):
    """Rows NAME(arguments...) of a .def file, adjacent strings joined.

    Gives pairs of the row's name and its arguments; strings come unquoted.
    """
    tokens = [t for t in TOKEN.findall(path.read_text()) if t[0] not in "/#"]
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


READERS = {
    "runtime": "## Read by libomp\n",
    "host": "## Host devices\n",
    "cuda": "## NVIDIA's GPUs\n",
    "mpi": "## Messages\n",
    "driver": "## The compiler drivers\n",
}

# Names of environment variables in the sources; those of OpenMP's threads are
# libomp's and not listed one by one.
VARIABLE = re.compile(
    r'"((?:ACCX|ACC|NVCOMPILER_ACC|PGI_ACC|LIBOMPTARGET|OMPTARGET)_[A-Z0-9_]+)"'
)


def check_variables(known):
    """Every variable that a source names must have a row."""
    for room in ("runtime", "libomptarget-plugin", "driver", "mpi", "passes"):
        for path in sorted((ROOT / room).rglob("*.cpp")):
            for name in VARIABLE.findall(path.read_text()):
                if name not in known:
                    raise SystemExit(
                        f"{path.relative_to(ROOT)} names {name}, which is in no "
                        "table: add a row to runtime/support/Environment.def, or "
                        "to OtherVariables.def there"
                    )


def environment_page():
    support = ROOT / "runtime/support"
    lines = [
        SPDX,
        "# Environment variables\n",
        "Made from `runtime/support/Environment.def` and `OtherVariables.def` by "
        "`scripts/generate-docs.py`;\nchange it there.\n",
        "The variables are read once, when the runtime is loaded. An empty "
        "variable counts as\nunset. For a value that is not accepted one line "
        "on stderr says so, and the default\nis used. A name that begins with "
        "`ACCX_` and is nearly one of these gives one line, too:\n"
        "`accx: ACCX_TRACEE is not a variable of accx; did you mean "
        "ACCX_TRACE?`\n",
        "## The runtime\n",
    ]
    heading = [
        "| variable | default | accepted | meaning |",
        "| --- | --- | --- | --- |",
    ]
    lines += heading
    known = set()
    for kind, arguments in rows_of(support / "Environment.def"):
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
        known.add(name)
        lines.append(f"| `{name}` | {shown} | {accepted} | {text} |")
    others = rows_of(support / "OtherVariables.def")
    for reader, title in READERS.items():
        lines += ["", title] + heading
        for _, (who, name, default, accepted, text) in others:
            if who != reader:
                continue
            known.add(name)
            lines.append(f"| `{name}` | {default} | {accepted} | {text} |")
    check_variables(known)
    return "\n".join(lines) + "\n"


# What stands in the parentheses, by the table's ArgumentForm.
ARGUMENTS = {
    "None": "",
    "Variables": "(list)",
    "Reduction": "(operator: list)",
    "Expression": "(expr)",
    "OptionalExpr": "[(expr)]",
    "Expressions": "(expr, ...)",
    "Values": "(expr, ...)",
    "Sizes": "(size, ...)",
    "GangLevel": "[(num: expr, static: size, dim: 1..3)]",
    "GangDimension": "[(dim: 1..3)]",
    "Level": "[(key: expr)]",
    "Wait": "[([devnum: expr :] [queues:] expr, ...)]",
    "Collapse": "([force:] n)",
    "DefaultKind": "(none|present)",
    "DeviceTypes": "(name, ...)",
    "Name": "(name)",
    "Function": "[(name)]",
    "Ranges": "(array[pivot:before:after], ...)",
    "FilePlace": "(expr[, offset])",
    "MessagePeer": "(rank, tag, communicator)",
}


class OpenAcc:
    """The rows of Directives.def, by kind."""

    def __init__(self, path):
        self.rows = rows_of(path)
        self.directives = self.of("ACC_DIRECTIVE")
        self.combined = self.of("ACC_COMBINED")
        self.clauses = self.of("ACC_CLAUSE")
        self.allowed = {name: rest for name, *rest in self.of("ACC_ALLOW")}
        self.spelled = {name: spelling for name, spelling, *_ in self.clauses}
        self.modifiers = {name: rest for name, *rest in self.of("ACC_MODIFIER")}
        self.forms = {(d, c): form for d, c, form in self.of("ACC_FORM")}

    def of(self, kind):
        return [arguments for name, arguments in self.rows if name == kind]

    def aliases(self, clause):
        """Other spellings, each with the directive on which alone it is one."""
        found = [(a[0], None) for a in self.of("ACC_ALIAS") if a[1] == clause]
        for spelling, target, directive in self.of("ACC_ALIAS_ON"):
            if target == clause:
                found.append((spelling, directive))
        return found

    def directive(self, name):
        return next(d[1] for d in self.directives if d[0] == name)

    def own_argument(self, name):
        """What may stand directly behind the directive's name."""
        if "Argument" not in self.allowed[name]:
            return ""
        form = self.forms.get((name, "Argument"), "Variables")
        if name in ("ReadFile", "WriteFile", "Send", "Recv"):
            return "(data)"  # one item
        if name != "Cache" and form == "Variables":
            return ARGUMENTS[form]  # its modifier is the cache's
        return self.argument("Argument", form)

    def clause_list(self, names):
        return ", ".join(f"`{self.spelled[n]}`" for n in names if n != "Argument")

    def argument(self, clause, form):
        text = ARGUMENTS[form]
        words = self.modifiers.get(clause, [])
        if form == "DefaultKind" and words:
            text = f"({'|'.join(words)})"
        if form == "Variables" and words:
            text = f"([{'|'.join(words)}:] list)"
        elif form == "Level":
            text = f"[([{words[0]}:] expr)]"
        return text


def cell(text):
    return text.replace("|", "\\|")


def openacc_tables():
    table = OpenAcc(ROOT / "passes/frontend/parse/Directives.def")
    lines = [
        "## Directives\n",
        "| directive | becomes | clauses |",
        "| --- | --- | --- |",
    ]
    for name, spelling, _, becomes in table.directives:
        shown = spelling + table.own_argument(name)
        clauses = table.clause_list(table.allowed[name])
        lines.append(f"| `{cell(shown)}` | {cell(becomes)} | {clauses} |")
    for name, spelling, becomes in table.combined:
        both = f"those of `{table.directive(name)}` and of `loop`"
        lines.append(f"| `{spelling}` | {cell(becomes)} | {both} |")

    lines += [
        "\n## Clauses\n",
        "| clause | becomes | on |",
        "| --- | --- | --- |",
    ]
    for name, spelling, form, flags, becomes in table.clauses:
        if name == "Argument":
            continue
        shown = [f"`{cell(spelling + table.argument(name, form))}`"]
        for directive, *_ in table.directives:
            other = table.forms.get((directive, name))
            if other and other != form:
                text = cell(spelling + table.argument(name, other))
                shown.append(f"on {table.directive(directive)} `{text}`")
        for alias, only in table.aliases(name):
            where = f"on {table.directive(only)} " if only else ""
            shown.append(f"{where}`{alias}`")
        places = [
            f"`{spelling}`"
            for directive, spelling, *_ in table.directives
            if name in table.allowed[directive]
        ]
        lines.append(
            f"| {', '.join(shown)} | {cell(becomes)} | {', '.join(places)} |"
        )
    lines.append(
        "\nOf `reduction` the operator is one of "
        + ", ".join(f"`{w}`" for w in table.modifiers["Reduction"])
        + "."
    )

    lines += ["\n## Which clauses go together\n"]
    for name, *clauses in table.of("ACC_REQUIRE"):
        text = table.clause_list(clauses)
        needs = f"at least one of {text}" if len(clauses) > 1 else text
        lines.append(f"- `{table.directive(name)}` needs {needs}.")
    for name, *clauses in table.of("ACC_EXCLUSIVE"):
        lines.append(
            f"- `{table.directive(name)}` takes one of "
            f"{table.clause_list(clauses)} at most."
        )

    def having(flag):
        names = [c[0] for c in table.clauses if flag in c[3].split("|")]
        return table.clause_list(names)

    lines += [
        f"- Clauses that may be repeated: {having('Repeats')}; on `update` "
        "`self`, too.",
        f"- Clauses that may stand behind `device_type`: {having('PerDevice')}. "
        "Each may stand once\n  in front of the first `device_type` and once "
        "behind each.",
        f"- A list item stands only once in the data clauses of a directive: "
        f"{having('Mapping')}.\n  Of `copy`, `copyin`, `copyout` and `create`, "
        "what two say of one item is joined, with a warning:\n  `copyin(a) "
        "copyout(a)` is `copy(a)`; not on `enter data` and `exit data`.",
        f"- Whole variables only, no sub-arrays: {having('NoSections')}.",
        f"- Integer literals of {having('Positive')} are 1 or more. A "
        "`num_gangs`, `num_workers` or\n  `vector_length` below is ignored, "
        "with a warning.",
    ]
    return "\n".join(lines) + "\n"


BEGIN = "<!-- begin: made from {} by scripts/generate-docs.py -->\n"
END = "<!-- end -->\n"


def between_markers(name, source, make):
    """The page as it is, with what stands between its markers made anew."""
    begin = BEGIN.format(source)
    page = (ROOT / name).read_text()
    if page.count(begin) != 1 or page.count(END) != 1:
        raise SystemExit(f"{name}: expected one each of {begin}{END}")
    head, rest = page.split(begin)
    _, tail = rest.split(END)
    return f"{head}{begin}\n{make()}\n{END}{tail}"


def openacc_page():
    return between_markers(
        "docs/openacc.md", "passes/frontend/parse/Directives.def", openacc_tables
    )


# Every generated page, and the function that makes it.
PAGES = {
    "docs/environment.md": environment_page,
    "docs/openacc.md": openacc_page,
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
