# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lit suites: which files are tests, and what their RUN lines may say.

import os

import lit.formats

config.name = "accx"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs", "random", "unit", "CatchMain.cpp"]
config.test_source_root = os.path.join(config.accx_source, "tests")
config.test_exec_root = config.site_dir

lib = os.path.join(config.accx_build, "lib")
include = os.path.join(config.accx_source, "include")
tools = config.llvm_tools_dir

# Ours goes first in both searches: clang names -lomptarget itself and would
# otherwise find LLVM's.
offload = (
    "-O2 -Wall -I{inc} -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "
    "-L{lib} -Wl,-rpath,{lib}"
).format(inc=include, lib=lib)

# A substitution that begins another one's name must come after it.
config.substitutions += [
    ("%clangxx", "{}/clang++ {}".format(tools, offload)),
    ("%clang", "{}/clang {}".format(tools, offload)),
    # A silent fall-back to the host would pass any test.
    ("%run", "env OMP_TARGET_OFFLOAD=MANDATORY"),
    ("%accx_lib", lib),
    ("%random", os.path.join(config.test_source_root, "random")),
    ("%accx_include", include),
    (r"\bFileCheck\b", os.path.join(tools, "FileCheck")),
    (r"(?<![-\w])not(?![-\w])", os.path.join(tools, "not")),
    (r"\bopt\b", os.path.join(tools, "opt")),
]

# Nothing of the caller's settings may change what a test sees.
for name in list(config.environment):
    if name.startswith(("OMP_", "LIBOMPTARGET_", "ACCX_", "ACC_")):
        del config.environment[name]
config.environment["LD_LIBRARY_PATH"] = ""

# A program that hangs is a failure of its own, not of the whole suite.
lit_config.maxIndividualTestTime = 300

if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("nvidia-gpu")
