#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies a program and damages the device image inside it.

usage: damage.py truncate|symbols|magic PROGRAM OUTPUT

The image is the second ELF file in the program. `truncate` fills its second
half with zeros, `symbols` makes its symbol table point outside, `magic`
destroys its first bytes.
"""

import os
import struct
import sys

PT_DYNAMIC = 2
DT_SYMTAB = 6


def damage(how, data):
    start = data.find(b"\x7fELF", 4)
    if start < 0:
        sys.exit("no image in the program")
    header = struct.unpack_from("<16sHHIQQQIHHHHHH", data, start)
    program_headers, section_headers = header[5], header[6]
    size = section_headers + header[11] * header[12]
    if how == "truncate":
        half = size // 2
        data[start + half : start + size] = bytes(size - half)
    elif how == "magic":
        data[start : start + 4] = b"GONE"
    elif how == "symbols":
        for i in range(header[10]):
            kind, _, offset, _, _, length, _, _ = struct.unpack_from(
                "<IIQQQQQQ", data, start + program_headers + 56 * i
            )
            if kind != PT_DYNAMIC:
                continue
            for entry in range(start + offset, start + offset + length, 16):
                if struct.unpack_from("<q", data, entry)[0] == DT_SYMTAB:
                    struct.pack_into("<Q", data, entry + 8, 1 << 60)
                    return
        sys.exit("no symbol table in the image")
    else:
        sys.exit(__doc__)


def main():
    how, program, output = sys.argv[1:]
    with open(program, "rb") as file:
        data = bytearray(file.read())
    damage(how, data)
    with open(output, "wb") as file:
        file.write(data)
    os.chmod(output, 0o755)


if __name__ == "__main__":
    main()
