# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the OpenACC validation suite that a right compiler fails.

Each test is named with what is wrong in it, as read in its source. The sources
of C++ are those of C, mostly; where they differ the name says which is meant.
They are run and counted like all others; a report sets their failures apart.
"""

TWICE = "the source includes two headers that both define n: no C compiler"
DEFAULT_NONE = "n has no data clause under default(none)"
NVIDIA = "asks for an NVIDIA device"
COUNTED = ("reads on the host what, by the reference counts, stays on a device "
           "with memory of its own")
RACE = "reads what an async queue may not have written yet, without a wait"
UNALLOCATED = ("writes rows that were never allocated, where the device has "
               "memory of its own")
ROUNDING = "compares a float sum of ten thousand to 1e-8 with one in another order"

FAULTS = {
    **{f"declare_copyin.c:T{n}": TWICE for n in range(1, 6)},
    **{f"declare_device_resident.c:T{n}": TWICE for n in range(1, 4)},
    "parallel_implicit_data_attributes.c:T1": DEFAULT_NONE,
    "serial_implicit_data_attributes.c:T1": DEFAULT_NONE,
    "parallel_implicit_data_attributes.c:T2":
        "expects that adding 1 a hundred times changes nothing",
    "loop_collapse_force.c:T1":
        "writes ten times n elements into arrays of ten, which have no data "
        "clause",
    **{f"parallel_loop_reduction_add_general_type_check_pt2.c:T{n}": ROUNDING
       for n in (5, 8)},
    "kernels_if.c:T3": "compares an array that the device never wrote",
    "set_device_type.c:T1": "expects the host to be the current device",
    "acc_memcpy_d2d.c:T1": NVIDIA,
    "init_device_type_num_nvidia.c:T1": NVIDIA,
    "init_device_type_nvidia.c:T1": NVIDIA,
    "set_device_type_num_nvidia.c:T1": NVIDIA,
    "set_device_type_nvidia.c:T1": NVIDIA,
    "shutdown_device_type_num_nvidia.c:T1": NVIDIA,
    "wait_devnum.c:T1": NVIDIA,
    "acc_copyin_async.c:T4": COUNTED,
    "acc_copyout_finalize_async.c:T1": COUNTED,
    "acc_copyout_finalize_async.c:T3": COUNTED,
    "acc_copyout_finalize_async.c:T4": COUNTED,
    "acc_copyin_async.c:T1": RACE,
    "acc_copyout_async.c:T4": RACE,
    "acc_create_async.c:T4": RACE,
    "acc_delete_async.c:T2": RACE,
    "acc_copyin_async.c:T5": "overwrites an array while a queue copies it",
    **{f"declare_function_scope_{test}": UNALLOCATED for test in (
        "copy.c:T2", "copy.c:T3", "copyin.c:T2", "copyin.c:T3", "copyout.c:T2",
        "copyout.c:T3", "copyout.c:T4", "create.c:T2", "create.c:T3",
        "deviceptr.c:T2", "present.c:T2")},
    **{f"declare_create.c:T{n}": "`update` outside of any function"
       for n in range(1, 7)},
    "acc_delete_finalize_async.cpp:T2": RACE,
    "data_async.c:T1":
        "a construct inside of `data async(1)` is not on that queue, and may "
        "come before the copies (2.6.5); it fails in some runs only",
    "acc_wait_any.cpp:T1":
        "compares on the host what copyin never copies back, and waits for a "
        "queue whose number it has not set",
    "declare_function_scope_deviceptr.cpp:T1": COUNTED,
    "parallel_if.cpp:T2": "uses `devtest`, and declares `dev_test`",
}


def fault_of(name):
    """What is wrong in the test of that name, or None. A source of C++ has the
    fault of the one of C unless it is named itself."""
    return FAULTS.get(name) or FAULTS.get(name.replace(".cpp:", ".c:"))
