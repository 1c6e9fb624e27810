#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The foreign suites on a GPU: compiles them here, judges what a node ran.

gpu.py build --vv-dir DIR --acc-dir DIR --out DIR   on a machine with clang
DIR/gpu_node.py RESULTS.json                        on the node
gpu.py report RESULTS.json [--host FILE ...]        anywhere; FILE: what run.py
    and openacc.py wrote on host devices. Exit status 1 if a test that passes
    there does not pass on the GPU and no reason is known.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor

from harness import vv_suite
from harness.acc_compilers import open_compiler
from harness.acc_faults import fault_of
from harness.acc_suite import Runner, find_tests
from harness.gpu_reasons import reason
from harness.libraries import LLVM, SONAME

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build")
    add = build.add_argument
    add("--vv-dir", default=os.environ.get("OPENMP_VV_DIR"))
    add("--acc-dir", default=os.environ.get("OPENACC_VV_DIR"))
    add("--out", required=True)
    add("--arch", default="sm_90")
    add("--cuda", default=os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    add("--build", default=os.path.join(REPOSITORY, "build"))
    add("--work", default=os.path.join(REPOSITORY, "build/conformance"))
    add("--filter", default="")
    add("--language", choices=("c", "c++"), nargs="+", default=["c"],
        help="of the OpenACC suite's tests")
    add("-j", "--jobs", type=int, default=os.cpu_count())
    report = commands.add_parser("report")
    report.add_argument("results")
    report.add_argument("--host", action="append", default=[])
    report.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def compile_vv(options):
    """OpenMP_VV's C tests: [(suite, name, environment, program or None)]"""
    targets = ["-fopenmp-targets=nvptx64-nvidia-cuda",
               f"--offload-arch={options.arch}", f"--cuda-path={options.cuda}",
               f"--libomptarget-nvptx-bc-path={os.path.join(LLVM, 'lib')}"]
    found = []
    for name in vv_suite.VERSIONS:
        suite = vv_suite.VvSuite(name, options.vv_dir,
                                 os.path.join(options.work, "gpu"), options, targets)
        tests = [test for test in suite.tests()
                 if test.endswith(".c") and re.search(options.filter, test)]
        with ThreadPoolExecutor(options.jobs) as pool:
            for test, (program, status, _) in zip(
                    tests, pool.map(suite.compile, tests)):
                settings = dict(setting.split("=", 1) for setting
                                in vv_suite.test_environment(test))
                found.append((name, test, settings, None if status else program))
    return found


def compile_acc(options):
    """The tests of the OpenACC suite, in the same form."""
    options.flag = ["-O2", f"--accx-targets={options.arch}"]
    options.env, options.seed, options.compile_timeout = [], 1, 300
    os.environ["CUDA_PATH"] = options.cuda
    runner = Runner(open_compiler("accx", options), options.acc_dir,
                    os.path.join(options.work, "gpu"), options)
    tests = [test for language in options.language
             for test in find_tests(options.acc_dir, language)
             if re.search(options.filter, test.name)]
    with ThreadPoolExecutor(options.jobs) as pool:
        built = pool.map(runner.compile_alone, tests)
        return [("openacc", test.name, {}, None if status else program)
                for test, (program, _, status, _) in zip(tests, built)]


def build(options):
    options.work = os.path.abspath(options.work)
    options.build = os.path.abspath(options.build)
    os.makedirs(os.path.join(options.work, "gpu"), exist_ok=True)
    found = []
    if options.vv_dir:
        found += compile_vv(options)
    if options.acc_dir:
        found += compile_acc(options)
    library = os.path.join(options.out, "lib")
    shutil.rmtree(library, ignore_errors=True)
    os.makedirs(library)
    for file in (SONAME, "libaccx.rtl.cuda.so", "libaccx.rtl.host.so"):
        shutil.copy(os.path.join(options.build, "lib", file), library)
    shutil.copy(os.path.join(LLVM, "lib", "libomp.so.5"), library)
    subprocess.run(["strip", "--strip-unneeded"] + [
        os.path.join(library, file) for file in os.listdir(library)], check=True)
    shutil.copy(os.path.join(HERE, "harness", "gpu_node.py"), options.out)
    tests = []
    with tarfile.open(os.path.join(options.out, "programs.tar.xz"), "w:xz",
                      preset=3) as archive:
        for number, (suite, name, settings, program) in enumerate(found):
            if not program:
                continue
            tests.append({"suite": suite, "name": name, "program": str(number),
                          "environment": settings})
            archive.add(program, arcname=str(number))
    with open(os.path.join(options.out, "tests.json"), "w", encoding="utf-8") as file:
        json.dump(tests, file)
    failed = [f"{suite} {name}" for suite, name, _, program in found if not program]
    print(f"{len(tests)} programs, {len(failed)} do not compile")
    for name in failed:
        print("  " + name)
    return 0


def outcome_of(result):
    """PASS, FAIL, ... of a record of gpu_node.py."""
    if "alone" in result:
        result = result["alone"]
    if result["suite"] == "openacc":
        if result["timed_out"]:
            return "TIMEOUT"
        return ("CRASH" if result["status"] < 0 else
                "FAIL" if result["status"] else "PASS")
    return str(vv_suite.judge(result["status"], result["output"],
                              result["timed_out"]))


def host_outcomes(files):
    """{(suite, name): outcome} of host devices."""
    found = {}
    for path in files:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        for test in record.get("tests", ()):
            found["openacc", test["name"]] = test["result"]
        for part in record.get("comparisons", ()):
            if part["policy"] == "mandatory":
                for test in part["tests"]:
                    found[part["suite"], test["name"]] = test["ours"][0]
    return found


def report(options):
    with open(options.results, encoding="utf-8") as file:
        results = json.load(file)
    host = host_outcomes(options.host)
    counts, unexplained = {}, 0
    line = "| {} `{}` | {} | {} |" if options.markdown else "{} {}: {} ({})"
    for result in results:
        code = outcome_of(result)
        group = counts.setdefault(result["suite"], {})
        group[code] = group.get(code, 0) + 1
        on_host = host.get((result["suite"], result["name"]), "")
        if code.startswith("PASS") or (on_host and not on_host.startswith("PASS")):
            continue
        if fault_of(result["name"]):
            continue
        why = reason(result["suite"], result["name"])
        unexplained += not why
        print(line.format(result["suite"], result["name"], code,
                          why or "no reason known"))
    for suite, group in counts.items():
        print(f"{suite}: {sum(group.values())} run, " + ", ".join(
            f"{count} {code}" for code, count in sorted(group.items())))
    passing = {key for key, value in host.items() if value.startswith("PASS")}
    missing = passing - {(r["suite"], r["name"]) for r in results}
    missing = sorted(key for key in missing if key[0] in counts and (
        key[1].endswith(".c") or key[0] == "openacc"))
    for suite, name in missing:
        why = reason(suite, name)
        unexplained += not why
        print(line.format(suite, name, "not compiled for the GPU",
                          why or "no reason known"))
    print(f"unexplained: {unexplained}")
    return 1 if unexplained else 0


def main():
    options = parse_arguments()
    return build(options) if options.command == "build" else report(options)


if __name__ == "__main__":
    sys.exit(main())
