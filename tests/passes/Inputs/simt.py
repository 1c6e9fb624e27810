#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a program for an NVIDIA GPU so that it runs on a processor.

Its device code, with all passes, becomes the processor's; simt.c has the rest.
No code of device libraries: what kernels call must be arithmetic.

Usage: simt.py CLANG PLUGIN INCLUDE SOURCE OUT [FLAG...]
"""

import itertools
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REGISTERS = ("tid.x", "ntid.x", "ctaid.x", "nctaid.x", "ctaid.y", "nctaid.y",
             "ctaid.z", "nctaid.z")


def run(arguments):
    done = subprocess.run(arguments, text=True, capture_output=True, check=False)
    sys.stderr.write(done.stderr)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


# Names of PTX and of LLVM.
UPDATES = {"add.u": "add", "add.f": "fadd", "and.b": "and", "or.b": "or",
           "xor.b": "xor", "min.s": "min", "max.s": "max", "min.u": "umin",
           "max.u": "umax"}


def with_atomics(code):
    """Reductions without a result as LLVM's atomics."""
    numbers = itertools.count()
    return re.sub(
        r'(?:tail )?call void asm sideeffect "red\.global\.(\w+\.\w)\d+ [^"]*", '
        r'"[^"]*"\(ptr (\S+), ([^)]*)\).*',
        lambda m: f"%simt.red.{next(numbers)} = atomicrmw {UPDATES[m[1]]} "
        f"ptr {m[2]}, {m[3]} monotonic", code)


def for_processor(code):
    """NVPTX code as x86-64 code: one space of addresses, calls for registers."""
    code = re.sub(
        r"^(@\S+ = .*?)addrspace\(3\) (.*?)(, align \d+)?$",
        lambda m: m[1] + m[2].replace("poison", "zeroinitializer")
        + ', section "simt_shared"' + (m[3] or ""),
        code, flags=re.M)
    code = code.replace("addrspacecast", "bitcast")
    code = re.sub(r" ?addrspace\(\d+\)", "", code)
    code = re.sub(r"^target (triple|datalayout).*$", "", code, flags=re.M)
    code = re.sub(r'"target-(cpu|features)"="[^"]*"', "", code)
    code = with_atomics(code)
    for name in REGISTERS:
        code = code.replace("@llvm.nvvm.read.ptx.sreg." + name + "(",
                            "@simt_" + name.replace(".", "_") + "(")
    code = code.replace("@llvm.nvvm.barrier0(", "@simt_barrier(")
    code = code.replace("@llvm.nvvm.bar.warp.sync(", "@simt_warp_barrier(")
    code = code.replace("@llvm.nvvm.shfl.sync.down.i32(", "@simt_shfl_down(")
    # Values are where they are.
    code = re.sub(r'^.* call void asm sideeffect "", .*$', "", code,
                  flags=re.M)
    # Kernels run one after the other here.
    code = code.replace('"griddepcontrol.wait;"', '""')
    code = code.replace("@vprintf(", "@simt_vprintf(")
    code = re.sub(r'"mov\.b\d+ \$0, \$1;", "=[rl],[rl]"', '"", "=r,0"', code)
    code = re.sub(r"\bweak_odr protected", "weak_odr", code)
    # Registers are calls now, and barriers change memory.
    drop = re.compile(r"\b(nocallback|speculatable|nofree|nosync"
                      r"|willreturn|memory\([^)]*\))")
    return re.sub(r"^attributes #\d+ = .*$",
                  lambda m: drop.sub("", m[0]).replace("{", "{ nounwind", 1), code,
                  flags=re.M)


def main():
    clang, plugin, include, source, out, *flags = sys.argv[1:]
    common = [clang, "-O2", "-w", "-fopenmp",
              "-fopenmp-targets=nvptx64-nvidia-cuda", "--offload-arch=sm_90",
              "-nogpulib", "-nogpuinc", "-Wno-unknown-cuda-version",
              "-fplugin=" + plugin, "-fpass-plugin=" + plugin, *flags, source]
    with tempfile.TemporaryDirectory() as folder:
        device, host, runtime = (os.path.join(folder, name)
                                 for name in ("device.ll", "host.o", "simt.o"))
        code = run([*common, "--offload-device-only", "-S", "-emit-llvm", "-o",
                    "-"])
        with open(device, "w", encoding="utf-8") as file:
            file.write(for_processor(code))
        run([*common, "--offload-host-only", "-c", "-o", host])
        run([clang, "-O0", "-w", "-fPIC", "-c", "-x", "ir", device,
             "-o", device + ".o"])
        run([clang, "-O1", "-U_FORTIFY_SOURCE", "-I" + include, "-c",
             os.path.join(HERE, "simt.c"), "-o", runtime])
        more = []
        if "_accx_grid(" in code:
            root = os.path.dirname(include)
            more = [os.path.join(folder, "grid.o"),
                    os.path.join(os.path.dirname(plugin), "libaccx_engine.a"),
                    "-lstdc++"]
            run([clang, "-O0", "-std=c++20", "-I" + include,
                 "-I" + os.path.join(root, "runtime"), "-c",
                 os.path.join(HERE, "simt-grid.cpp"), "-o", more[0]])
        run([clang, "-rdynamic", host, device + ".o", runtime, *more, "-o", out,
             "-lm", "-Wl,--unresolved-symbols=ignore-all"])


if __name__ == "__main__":
    main()
