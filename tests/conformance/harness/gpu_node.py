#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what gpu.py packed, on a node with a GPU: needs nothing but Python.

Usage: gpu_node.py [-j JOBS] [--only REGEX] RESULTS.json
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
OUTPUT_LIMIT = 4000


def run_one(test, folder, seconds):
    """The record of one test: how it ended and what it printed last."""
    environment = {
        key: value for key, value in os.environ.items()
        if not key.startswith(("OMP_", "KMP_", "LIBOMP", "ACCX_", "ACC_"))
    }
    environment.update({
        "OMP_TARGET_OFFLOAD": "MANDATORY", "LIBOMPTARGET_PLUGIN": "cuda",
        "LD_LIBRARY_PATH": os.path.join(HERE, "lib"),
    })
    environment.update(test["environment"])
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            [os.path.join(folder, test["program"])], env=environment, cwd=folder,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        timed_out = False
        try:
            status = child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
            os.killpg(child.pid, signal.SIGKILL)
            status = child.wait()
        output.seek(0)
        text = output.read().decode(errors="replace")
    return {"suite": test["suite"], "name": test["name"], "status": status,
            "timed_out": timed_out, "output": text[-OUTPUT_LIMIT:],
            "seconds": round(time.monotonic() - begin, 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("results")
    options = parser.parse_args()
    with open(os.path.join(HERE, "tests.json"), encoding="utf-8") as file:
        tests = [test for test in json.load(file)
                 if re.search(options.only, test["name"])]
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(os.path.join(HERE, "programs.tar.xz")) as archive:
            archive.extractall(folder)
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(
                lambda test: run_one(test, folder, options.timeout), tests))
            # Programs that share a GPU can also disturb each other.
            again = [number for number, result in enumerate(results)
                     if result["status"] or result["timed_out"]]
        for number in again:
            results[number]["alone"] = run_one(
                tests[number], folder, options.timeout)
    with open(options.results, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    print(f"{len(results)} run, {len(again)} run again alone, "
          f"{sum(r['status'] == 0 for r in results)} ended with 0")
    return 0


if __name__ == "__main__":
    sys.exit(main())
