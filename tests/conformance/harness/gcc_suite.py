# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GCC's OpenACC tests: which there are, what their directives ask for, and how
one runs."""

import fnmatch
import os
import re
import subprocess
import time
from dataclasses import dataclass, field

from . import compile as compiling
from . import limit
from .libraries import SetupError

FOLDERS = ("libgomp.oacc-c", "libgomp.oacc-c-c++-common")
OUTPUT_LIMIT = 20000
# What GCC's own driver passes for a device with memory of its own.
FLAGS = ("-O2", "-DACC_MEM_SHARED=0")
# These ask for a device type by macro and know GCC's three only.
PORTED = "Not ported to this ACC_DEVICE_TYPE"
# GCC's builtin for the number of a gang, a worker or a lane. Where offloading
# is on, such tests demand GCC's own way of dealing out iterations: they run as
# GCC runs them without a device, on the host with one of each.
NUMBERED = "__builtin_goacc_parlevel"
ON_HOST = ("-DACC_DEVICE_TYPE_host=1", "-DACC_MEM_SHARED=1",
           "-D__builtin_goacc_parlevel_id(Level)=0",
           "-D__builtin_goacc_parlevel_size(Level)=1")
# Of the options that tests add, those that are no business of GCC's passes.
OPTION = re.compile(r"-([DIWglw]|fno-inline$|O|std=|pthread$)")
TRUE_TARGETS = ("*-*-*", "lto", "weak_undefined", "c")
DIRECTIVE = re.compile(r"\{\s+(dg-[\w-]+)((?:\s+.*)?)\}")


def _words(text):
    """Tcl's words of one line: "quoted", {braced} or plain."""
    words, position = [], 0
    while position < len(text):
        start = text[position]
        if start.isspace():
            position += 1
            continue
        if start == '"':
            end = position + 1
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            words.append(_unescape(text[position + 1:end]))
            position = end + 1
        elif start == "{":
            depth, end = 0, position
            while end < len(text):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
                if not depth:
                    break
            words.append(text[position + 1:end - 1].strip())
            position = end
        else:
            end = position
            while end < len(text) and not text[end].isspace():
                end += 1
            words.append(text[position:end])
            position = end
    return words


def _unescape(text):
    special = {"n": "\n", "r": "\r", "t": "\t"}
    return re.sub(r"\\(.)", lambda m: special.get(m[1], m[1]), text)


def selected(condition):
    """Whether a selector, as `{ ! openacc_host_selected }`, means us: a device
    with memory of its own that is neither GCC's NVIDIA nor its Radeon."""
    condition = re.sub(r"^(target|xfail)\b", "", condition.strip()).strip()
    tokens = re.findall(r"&&|\|\||!|[{}]|[^\s{}!]+", condition)
    text = []
    for token in tokens:
        if token in "{}":
            text.append("(" if token == "{" else ")")
        elif token in ("&&", "||", "!"):
            text.append({"&&": " and ", "||": " or ", "!": " not "}[token])
        else:
            if text and text[-1] in ("True", "False"):
                text.append(" or ")
            text.append(str(token in TRUE_TARGETS))
    return bool(eval("".join(text) or "True"))  # made of six known words only


@dataclass
class GccTest:
    """One source with what its directives say."""

    name: str
    path: str
    kind: str = "run"
    excluded: str = ""
    options: list = field(default_factory=list)
    sources: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    fails: bool = False
    on_host: bool = False
    own_output: list = field(default_factory=list)


def parse(name, path):
    """Reads one test's directives."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    test = GccTest(name, path)
    program = "\n".join(
        line for line in text.splitlines() if not DIRECTIVE.search(line))
    for match in DIRECTIVE.finditer(text):
        _apply(test, match[1], _words(match[2]), program)
    test.on_host = any(
        NUMBERED in part for part in [text] + _included(path, text))
    if PORTED in text:
        test.options.append("-DACC_DEVICE_TYPE_host=1")
    return test


def _included(path, text):
    """The texts of the headers beside a test that it includes."""
    found = []
    for name in re.findall(r'#include "([^"/]+)"', text):
        header = os.path.join(os.path.dirname(path), name)
        if os.path.isfile(header):
            with open(header, encoding="utf-8", errors="replace") as file:
                found.append(file.read())
    return found


def _apply(test, directive, words, program):
    where = next((word for word in words
                  if re.match(r"(target|xfail)\b", word)), "")
    if directive == "dg-do":
        test.kind = words[0]
        if where and not selected(where):
            test.excluded = "asks for " + re.sub(r"^target\s+", "", where)
    elif directive == "dg-skip-if":
        _skip(test, words)
    elif directive == "dg-require-effective-target":
        if words[0] not in TRUE_TARGETS:
            test.excluded = test.excluded or "asks for " + words[0]
    elif directive in ("dg-options", "dg-additional-options"):
        if not where or selected(where):
            test.options += [word for word in words[0].split()
                             if OPTION.match(word)]
    elif directive == "dg-additional-sources":
        test.sources += words[0].split()
    elif directive == "dg-set-target-env-var":
        test.environment[words[0]] = words[1]
    elif directive == "dg-shouldfail":
        test.fails = len(words) < 2 or selected(words[1])
    elif directive == "dg-output" and words[0]:
        if where.startswith("target") and not selected(where):
            return
        # What a program prints stands in its source; the rest is libgomp's.
        literal = re.sub(r"\(\n\|\r\n\|\r\)[+$]*|\.\*", "", words[0]).strip()
        own = literal in program or re.sub(r"=?\d+$", "", literal) in program
        if own and not where.startswith("xfail"):
            # Tcl's ".*" crosses lines: what follows is searched anyway.
            test.own_output.append(re.sub(r"^\.\*|\.\*$", "", words[0]))


def _skip(test, words):
    targets = words[1] if len(words) > 1 else "*-*-*"
    if not selected(targets):
        return
    given = FLAGS + tuple(test.options)

    def names(position):
        found = _words(words[position]) if len(words) > position else []
        return [pattern for pattern in found if pattern]

    def matches(patterns):
        return any(fnmatch.fnmatch(flag, pattern)
                   for pattern in patterns for flag in given)

    include, exclude = names(2) or ["*"], names(3)
    if matches(include) and not matches(exclude):
        test.excluded = test.excluded or words[0] or "skipped by dg-skip-if"


def find_tests(root):
    """All C tests below GCC's libgomp/testsuite folder."""
    tests = []
    for folder in FOLDERS:
        below = os.path.join(root, folder)
        if not os.path.isdir(below):
            raise SetupError(f"no GCC OpenACC tests in {root}")
        tests += [parse(name, os.path.join(below, name))
                  for name in sorted(os.listdir(below)) if name.endswith(".c")]
    return tests


class GccRunner:
    """Compiles and runs tests with one compiler."""

    def __init__(self, compiler, work, options):
        self.compiler = compiler
        self.options = options
        self.work = os.path.join(work, "gcc-oacc-" + compiler.name)
        os.makedirs(self.work, exist_ok=True)

    def compile(self, test):
        """(program, command, exit status of the compiler, its messages)"""
        program = os.path.join(self.work, f"{test.name}.{os.getpid()}.out")
        folder = os.path.dirname(test.path)
        libraries = [flag for flag in test.options if flag.startswith("-l")]
        arguments = list(self.compiler.flags)
        arguments += ON_HOST if test.on_host else FLAGS[1:]
        arguments.append("-I" + os.path.normpath(
            os.path.join(folder, "../../../include")))
        arguments += [flag for flag in test.options if flag not in libraries]
        arguments += [test.path] + [os.path.join(folder, name)
                                    for name in test.sources]
        arguments += ["-o", program, "-lm"] + libraries
        command = [self.compiler.path(test.path)] + arguments
        status, out, err = compiling.compile_cached(
            self.compiler.cache, "/usr/bin/timeout",
            ["-s", "KILL", str(self.options.compile_timeout)] + command)
        return program, command, status, (out + err).decode(errors="replace")

    def run(self, test):
        """A record of the test's outcome for the results file."""
        program, command, status, messages = self.compile(test)
        entry = {"name": test.name, "command": command,
                 "output": messages[:OUTPUT_LIMIT], "seconds": 0}
        if status:
            entry["result"] = "NOCOMPILE"
            return entry
        begin = time.monotonic()
        environment = dict(self.compiler.environment, **test.environment)
        if test.on_host:
            environment["ACC_DEVICE_TYPE"] = "host"
            environment.pop("OMP_TARGET_OFFLOAD", None)
        status, output, timed_out = limit.run(
            [program], self.options.timeout, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", cwd=self.work)
        entry["seconds"] = round(time.monotonic() - begin, 2)
        if os.path.exists(program):
            os.remove(program)
        result, why = judge(test, status, output, timed_out)
        entry["result"] = result
        entry["status"] = status
        entry["output"] = f"{why}exit status {status}\n{output[-OUTPUT_LIMIT:]}"
        return entry


def judge(test, status, output, timed_out):
    """(code, why): what one run says."""
    if timed_out:
        return "TIMEOUT", ""
    if bool(status) != test.fails:
        word = "CRASH" if status < 0 else "FAIL"
        return word, "should fail; " if test.fails else ""
    # What the tests expect is an error that is told, or a check of their own.
    if test.fails and status < 0 and status != -6:
        return "CRASH", "should fail, not crash; "
    position = 0
    for pattern in test.own_output:
        found = re.compile(pattern).search(output, position)
        if not found:
            return "FAIL", f"does not print {pattern!r}; "
        position = found.end()
    return "PASS", ""
