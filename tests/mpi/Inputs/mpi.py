#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs a test's program once for each MPI library there is.

  mpi.py --tree BUILD build COMPILER SOURCE... -o FILE
  mpi.py --tree BUILD run RANKS [NAME=VALUE...] FILE ARGUMENT...

A library counts as there if its libaccx-mpi was built. The programs are
FILE.openmpi and FILE.mpich; outputs come one after the other, each behind a
line `== openmpi`. The exit status is that of the first that fails.
"""

import os
import shlex
import shutil
import subprocess
import sys

NAMES = ("openmpi", "mpich")

# Two cores and a container have to do: ranks yield, and do not try to read
# each other's memory.
SETTINGS = {
    "openmpi": {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_btl": "self,vader",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
        "OMPI_MCA_pml": "ob1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    },
    "mpich": {
        "UCX_TLS": "self,sm",
        "UCX_LOG_LEVEL": "error",
        "HYDRA_IFACE": "lo",
    },
}


def tool(name, library):
    return shutil.which(f"{name}.{library}") or shutil.which(name)


def flags_of(library):
    """What the library's compiler adds: headers, folders and libraries."""
    compiler = tool("mpicc", library)
    if library == "openmpi":
        asked = [["--showme:compile"], ["--showme:link"]]
    else:
        asked = [["-compile_info"], ["-link_info"]]
    words = []
    for question in asked:
        answer = subprocess.run(
            [compiler] + question, capture_output=True, text=True, check=True
        )
        words += shlex.split(answer.stdout)
    return [w for w in words if w[:2] in ("-I", "-L", "-l")]


def build(tree, library, compiler, arguments):
    include = os.path.join(os.path.dirname(__file__), "../../../include")
    out = arguments.index("-o") + 1
    arguments = list(arguments)
    arguments[out] += "." + library
    folder = os.path.join(tree, "lib")
    # Ours first: its MPI_Init and the like stand before the library's own.
    command = shlex.split(compiler) + arguments
    command += ["-I" + include, "-L" + folder, "-Wl,-rpath," + folder]
    command += ["-laccx-mpi-" + library] + flags_of(library)
    return subprocess.run(command, check=False).returncode


def run(library, arguments):
    environment = dict(os.environ, **SETTINGS[library])
    ranks, *rest = arguments
    while "=" in rest[0] and "/" not in rest[0].split("=")[0]:
        name, value = rest.pop(0).split("=", 1)
        environment[name] = value
    print("==", library, flush=True)
    command = [tool("mpirun", library), "-n", ranks, rest[0] + "." + library]
    return subprocess.run(command + rest[1:], env=environment, check=False).returncode


def main():
    _, flag, tree, action, *rest = sys.argv
    assert flag == "--tree"
    libraries = [
        n for n in NAMES if os.path.exists(f"{tree}/lib/libaccx-mpi-{n}.so")
    ]
    assert libraries, "no libaccx-mpi was built"
    for library in libraries:
        if action == "build":
            status = build(tree, library, rest[0], rest[1:])
        else:
            status = run(library, rest)
        if status:
            print(f"mpi.py: {action} with {library}: status {status}")
            sys.exit(1)


if __name__ == "__main__":
    main()
