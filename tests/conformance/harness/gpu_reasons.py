# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why tests that pass on host devices cannot pass on a GPU, by suite and name."""

import re

NO_CLAUSE = ("the test: what a pointer points to has no data clause, and the GPU "
             "has memory of its own")

REASONS = [
    ("vv50", "requires_unified_shared_memory",
     "needs unified shared memory; the GPU cannot access pageable memory"),
    ("vv50", r"/(allocate/test_allocate_on_device|"
     r"requires/test_requires_dynamic_allocators)\.c$",
     "LLVM 19's device library has no omp_alloc"),
    ("vv50", r"task.*_reduction.*_device\.c$",
     "LLVM 19's device library has no reductions of tasks"),
    ("vv50", r"/test_task_affinity_device\.c$",
     "LLVM 19's device library has no affinity of tasks"),
    ("vv50", r"target_requires_atomic_default_mem_order_(acq_rel|seq_cst)\.c$",
     "LLVM 19 has no acquiring loads for NVPTX"),
    ("openacc", r"^(init|set|shutdown)_device_type(_num)?\.c(pp)?:T2$",
     "asks for the processor as a device of type multicore"),
    ("openacc", r"_[lr]shift_", "the test: its check adds up the orders it tried "
     "before, and refuses orders other than the sequential one"),
    ("openacc", r"^kernel_implicit_data_attributes\.c(pp)?:T2$", NO_CLAUSE),
    ("openacc", r"^kernels_loop_reduction_or_loop\.c(pp)?:T1$", NO_CLAUSE),
    ("openacc", r"^(parallel|serial)_implicit_data_attributes\.c(pp)?:T4$", NO_CLAUSE),
    ("openacc", r"^serial_default_copy\.c(pp)?:T1$", NO_CLAUSE),
]


def reason(suite, name):
    """One sentence, or None."""
    for where, pattern, text in REASONS:
        if where == suite and re.search(pattern, name):
            return text
    return None
