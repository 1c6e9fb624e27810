# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit configuration that runs LLVM's offload tests on a chosen runtime.

It defines the substitutions those tests use for one host target. Unlike
LLVM's own configuration no run path leads to a runtime: LD_LIBRARY_PATH alone
decides which libomptarget a test's binary meets.
"""

import os
import shlex

import lit.formats

Params = lit_config.params
Llvm = Params["llvm"]
Triple = Params["triple"]
Root = os.path.dirname(__file__)
Tools = Params["tools"]
Python = shlex.quote(Params["python"])

config.name = "offload"
config.suffixes = [".c", ".cpp", ".cc"]
config.excludes = ["Inputs", "fortran"]
config.test_source_root = Params["source"]
config.test_exec_root = Params["exec"]
config.test_format = lit.formats.ShTest(execute_external=True)

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(Llvm, "bin"), config.environment["PATH"]]
)
config.environment["LD_LIBRARY_PATH"] = Params["library_path"]
for Setting in filter(None, Params["environment"].split("\n")):
    Name, _, Value = Setting.partition("=")
    config.environment[Name] = Value

config.target_triple = Triple
for Feature in Params["features"].split(","):
    config.available_features.add(Feature)
config.available_features.add(Triple)

Quoted = {
    Name: shlex.quote(os.path.join(Llvm, Path))
    for Name, Path in {
        "c": "bin/clang",
        "cxx": "bin/clang++",
        "check": "bin/FileCheck",
        "not": "bin/not",
        "lib": "lib",
        "devicertl": "lib/libomptarget.devicertl.a",
    }.items()
}
Cache = f"{Python} {Tools}/compile.py {shlex.quote(Params['cache'])}"
Flags = f"-I {shlex.quote(Params['source'])} -L {Quoted['lib']} -nogpulib"
Clang = {Name: f"{Cache} {Quoted[Name]}" for Name in ("c", "cxx")}
Offload = f"-fopenmp {Flags} -fopenmp-targets={Triple}"
Run = (
    f"{Python} {Tools}/limit.py {Params['timeout']} "
    f"{shlex.quote(Params['marker'])} %t"
)
Check = f"{Quoted['check']} %s"

# Commands without their target suffix, as the tests name them.
Commands = {
    "%libomptarget-run-": Run,
    "%libomptarget-run-fail-": f"{Quoted['not']} --crash {Run}",
    "%clang-": f"{Clang['c']} {Offload}",
    "%clangxx-": f"{Clang['cxx']} {Offload}",
    "%fcheck-": Check,
    "%fcheck-plain-": Quoted["check"],
}
for Verb, Language, Level in (
    ("compile", "c", ""),
    ("compilexx", "cxx", ""),
    ("compileopt", "c", "-O3 "),
    ("compileoptxx", "cxx", "-O3 "),
):
    Compile = (
        f"{Clang[Language]} {Offload} {Level}%s -o %t {Quoted['devicertl']}"
    )
    Commands[f"%libomptarget-{Verb}-"] = Compile
    Commands[f"%libomptarget-{Verb}-and-run-"] = f"{Compile} && {Run}"
    Commands[f"%libomptarget-{Verb}-run-and-check-"] = (
        f"{Compile} && {Run} | {Check}"
    )
    if Verb == "compilexx":
        # The tests write this one with the suffix in the middle.
        ForceUsm = Compile.replace("-fopenmp ", "-fopenmp -fopenmp-force-usm ", 1)

Ignored = "echo ignored-command"
# Reads its input: a writer that met a closed pipe would fail the test.
IgnoredCheck = "sh -c 'cat > /dev/null' ignored-command"
Table = {"%libomptarget-compilexxx-generic-force-usm": ForceUsm}
for Name, Command in Commands.items():
    Table[Name + "generic"] = Command
    Table[Name + Triple] = Command
    for Other in Params["other_targets"].split(","):
        Table[Name + Other] = (
            IgnoredCheck if Name.startswith("%fcheck") else Ignored
        )
Table.update(
    {
        "%clangxx": Clang["cxx"],
        "%clang": Clang["c"],
        "%openmp_flags": "-fopenmp",
        "%flags": Flags,
        "%not": Quoted["not"],
    }
)
# LLVM's `not` refuses a program that dies of a signal unless told to expect it,
# and the one test that uses it on a run (requires.c) wants a fatal error.
Table["(?<!%)not %libomptarget-run-generic"] = (
    f"{Quoted['not']} --crash {Run}"
)
# Longest first: no name may be taken for the head of a longer one.
config.substitutions.extend(
    sorted(Table.items(), key=lambda Pair: -len(Pair[0]))
)
