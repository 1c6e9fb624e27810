# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one command under a time limit and passes its fate on unchanged.

As a program: limit.py SECONDS MARKER COMMAND [ARGUMENT...]. A command that
dies of a signal makes this program die of the same signal, because tests that
expect a crash (`not --crash`) look for exactly that. A command that runs past
its limit is killed with its whole process group, leaves its name in the file
MARKER, and makes this program exit with 124.
"""

import os
import resource
import signal
import subprocess
import sys

TIMED_OUT = 124


def run(command, seconds, **options):
    """Returns (exit status as of subprocess, output, whether it timed out)."""
    child = subprocess.Popen(command, start_new_session=True, **options)
    try:
        output, _ = child.communicate(timeout=seconds)
        return child.returncode, output, False
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output, _ = child.communicate()
        return TIMED_OUT, output, True
    except BaseException:
        os.killpg(child.pid, signal.SIGKILL)
        raise


def main():
    seconds, marker, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    # lit stops its tests with a signal: take the test's processes along.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    status, _, timed_out = run(command, seconds)
    if timed_out:
        with open(marker, "a", encoding="utf-8") as file:
            file.write(command[0] + "\n")
        return TIMED_OUT
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(main())
