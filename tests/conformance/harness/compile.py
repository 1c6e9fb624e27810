# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles once: a cache of compiler runs keyed by everything they read.

As a program: compile.py CACHE_DIR COMPILER [ARGUMENT...], a stand-in for the
compiler. Exit status, both output streams and the file named by -o are stored
and replayed, so that every library under test runs the very same binary.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

HEADERS = (".h", ".hpp", ".inc", ".def")
# Libraries of the system: their contents are no input worth hashing.
KNOWN_LIBRARIES = {"m", "dl", "omp", "pthread", "stdc++"}


def _hash_file(digest, path):
    with open(path, "rb") as file:
        digest.update(hashlib.sha256(file.read()).digest())


def _hash_headers(digest, directory, recurse):
    for root, folders, files in os.walk(directory):
        folders.sort()
        if not recurse:
            folders.clear()
        for name in sorted(files):
            if name.endswith(HEADERS):
                digest.update(name.encode())
                _hash_file(digest, os.path.join(root, name))


def _libraries(arguments):
    following = zip(arguments, arguments[1:] + [""])
    for argument, after in following:
        if argument == "-l":
            yield after
        elif argument.startswith("-l") and not argument.startswith("-lib"):
            yield argument[2:]


def _key(compiler, arguments, environment):
    """The key of a compilation, or None where the cache cannot know it."""
    if any(name not in KNOWN_LIBRARIES for name in _libraries(arguments)):
        return None
    digest = hashlib.sha256()
    real = os.path.realpath(compiler)
    stat = os.stat(real)
    # clang and clang++ are one file and differ by the name they are run by.
    digest.update(f"{compiler} {real} {stat.st_size} {stat.st_mtime_ns}".encode())
    # -L and include directories of the tests are named, their files hashed.
    include_next = False
    for position, argument in enumerate(arguments):
        if position and arguments[position - 1] == "-o":
            argument = os.path.splitext(argument)[1]
        digest.update(argument.encode() + b"\0")
        if include_next or (argument.startswith("-I") and len(argument) > 2):
            _hash_headers(digest, argument if include_next else argument[2:], True)
        include_next = argument == "-I"
        if not argument.startswith("-") and os.path.isfile(argument):
            _hash_file(digest, argument)
            _hash_headers(digest, os.path.dirname(argument) or ".", False)
    return digest.hexdigest()


def compile_cached(cache, compiler, arguments):
    """Returns (exit status, stdout, stderr) of the compiler, run or replayed."""
    environment = dict(os.environ)
    # The library path under test must not reach the compiler.
    environment.pop("LD_LIBRARY_PATH", None)
    output = None
    if "-o" in arguments[:-1]:
        output = arguments[len(arguments) - arguments[::-1].index("-o")]
    key = _key(compiler, arguments, environment) if output else None
    entry = os.path.join(cache, key[:2], key) if key else None
    if entry and os.path.isdir(entry):
        with open(os.path.join(entry, "status"), encoding="ascii") as file:
            status = int(file.read())
        streams = []
        for name in ("stdout", "stderr"):
            with open(os.path.join(entry, name), "rb") as file:
                streams.append(file.read())
        if os.path.exists(output):
            os.remove(output)
        stored = os.path.join(entry, "output")
        if os.path.exists(stored):
            shutil.copy2(stored, output)
        return status, streams[0], streams[1]

    if output and os.path.isfile(output):
        os.remove(output)
    result = subprocess.run(
        [compiler] + arguments, env=environment, capture_output=True, check=False
    )
    # A compiler killed from outside says nothing about the program.
    if entry and result.returncode >= 0:
        _store(cache, entry, result, output)
    return result.returncode, result.stdout, result.stderr


def _store(cache, entry, result, output):
    os.makedirs(os.path.dirname(entry), exist_ok=True)
    fresh = tempfile.mkdtemp(dir=cache)
    contents = {
        "status": str(result.returncode).encode(),
        "stdout": result.stdout,
        "stderr": result.stderr,
    }
    for name, data in contents.items():
        with open(os.path.join(fresh, name), "wb") as file:
            file.write(data)
    if os.path.isfile(output):
        shutil.copy2(output, os.path.join(fresh, "output"))
    try:
        os.rename(fresh, entry)
    except OSError:
        # Another process stored the same compilation first.
        shutil.rmtree(fresh)


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    status, out, err = compile_cached(sys.argv[1], sys.argv[2], sys.argv[3:])
    sys.stdout.buffer.write(out)
    sys.stderr.buffer.write(err)
    return status


if __name__ == "__main__":
    sys.exit(main())
