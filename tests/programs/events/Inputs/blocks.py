#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the code of a page to files that can be compiled.

  blocks.py PAGE FOLDER
    FOLDER/program<n>.c   a block that is a whole program
    FOLDER/parts.c        the other blocks in C, each as a function
    FOLDER/mpi.c          those with messages
    FOLDER/parts.cpp      the blocks in C++
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^```(c|cpp)\n(.*?)^```", re.MULTILINE | re.DOTALL)

HEAD_C = """#include <accx/event.h>
#include <omp.h>
#include <stdio.h>
enum { N = 1000, M = 100, left = 0, right = 0 };
static float f(int i) { return (float)i; }
static void g(float *P, int i) { P[i] += 1; }
#pragma acc routine(f) seq
#pragma acc routine(g) seq
"""
HEAD_MPI = "#include <accx/mpi.h>\n" + HEAD_C
BEGIN_C = """void part%d(float *A, float *B, float *Host, int In, int Out, off_t At) {
  enum { Bytes = N * 4 };
  accx_event_t Loaded = NULL, Squared = NULL, Written = NULL, Received = NULL;
  (void)Loaded, (void)Squared, (void)Written, (void)Received, (void)B;
  (void)f, (void)g;
  (void)Host, (void)In, (void)Out, (void)At;
"""
BEGIN_MPI = BEGIN_C + """  int argc = 0, level;
  char **argv = NULL;
  MPI_Request Request;
  (void)argc, (void)argv, (void)level, (void)Request;
"""
BEGIN_CPP = """void part%d(float *a, int n, int in, int out, std::size_t bytes) {
"""


def main():
    page, folder = map(pathlib.Path, sys.argv[1:3])
    files = {"parts.c": [HEAD_C], "mpi.c": [HEAD_MPI], "parts.cpp": []}
    programs = 0
    for number, (language, text) in enumerate(BLOCK.findall(page.read_text())):
        text = text.replace("\n...\n", "\n")
        if "int main(" in text:
            (folder / f"program{programs}.{language}").write_text(text)
            programs += 1
            continue
        # Directives of the front end only: functions of their own.
        name, begin = "parts.c", BEGIN_C
        if language == "cpp":
            name, begin = "parts.cpp", BEGIN_CPP
        elif "MPI_" in text:
            name, begin = "mpi.c", BEGIN_MPI
        lines = [line for line in text.splitlines() if not line.startswith("#include")]
        if language == "cpp" and not files[name]:
            files[name].append("#include <accx/event.hpp>\n")
        body = "\n".join(lines)
        if not re.search(r"^\w[\w:<> ]* \w+\(.*\) \{$", body, re.MULTILINE):
            body = begin % number + body + "\n}"
        files[name].append(body + "\n")
    for name, parts in files.items():
        (folder / name).write_text("".join(parts))
    print(programs, "programs")


if __name__ == "__main__":
    main()
