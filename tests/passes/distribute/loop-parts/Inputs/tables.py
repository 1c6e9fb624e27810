# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the tables of accx/kernel_parts.h in a module's text, on standard
# input: one line a kernel, one line an access. Arguments are %number:bits, s
# with a sign, z without.
import re
import struct
import sys

HEADER = struct.Struct("<IHHIIIIII")
ACCESS = struct.Struct("<IIII")
TERM = struct.Struct("<qIIII")
FLAGS = {0: "", 1: " writes-loaded", 2: " writes-unknown",
         3: " writes-loaded writes-unknown"}


def data_of(text):
    return bytes(int(hexadecimal, 16) if hexadecimal else ord(plain)
                 for hexadecimal, plain
                 in re.findall(r"\\([0-9A-F]{2})|(.)", text, re.S))


def argument(word):
    sign = "z" if word >> 24 else "s"
    return f"%{word & 0xffff}:{word >> 16 & 0xff}{sign}"


def terms(data, at, count):
    found = []
    for _ in range(count):
        factor, *words, _ = TERM.unpack_from(data, at)
        at += TERM.size
        found.append("*".join([str(factor)] + [argument(w) for w in words if w]))
    return " + ".join(sorted(found)) or "0", at


def show(name, data):
    magic, version, flags, total, args, first, last, accesses, _ = \
        HEADER.unpack_from(data)
    assert magic == 0x50584341 and version == 1 and total == len(data)
    uses = data[HEADER.size:HEADER.size + args]
    kernel = re.sub(r"^__omp_offloading_\w+?_\w+?_|_l\d+_accx_parts$", "", name)
    loop = "no loop" if flags & 4 else f"part %{first}..%{last}"
    once = [i for i, u in enumerate(uses) if u & 4]
    print(f"{kernel}: {loop}"
          f" reads {[i for i, u in enumerate(uses) if u & 1 and i]}"
          f" writes {[i for i, u in enumerate(uses) if u & 2 and i]}"
          + (f" once {once}" if once else "") + FLAGS[flags & 3])
    at = (HEADER.size + args + 7) // 8 * 8
    for _ in range(accesses):
        arg, is_write, starts, steps = ACCESS.unpack_from(data, at)
        start, at = terms(data, at + ACCESS.size, starts)
        step, at = terms(data, at, steps)
        print(f"  {'write' if is_write else 'read'} %{arg}"
              f" start {start} step {step}")
    assert at == len(data)


for name, text in re.findall(
        r'^@(\w+_accx_parts) = .*? constant \[\d+ x i8\] c"(.*?)", align 8',
        sys.stdin.read(), re.M):
    show(name, data_of(text))
