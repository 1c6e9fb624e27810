# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why tests that pass on host devices cannot pass on a GPU, by suite and name."""

import re

NO_CLAUSE = ("the test: what a pointer points to has no data clause, and the GPU "
             "has memory of its own")

REASONS = [
    ("vv50", "requires_unified_shared_memory",
     "needs unified shared memory; the GPU cannot access pageable memory"),
    ("openacc", r"^(init|set|shutdown)_device_type(_num)?\.c:T2$",
     "asks for the processor as a device of type multicore"),
    ("openacc", r"_[lr]shift_", "the test: its check adds up the orders it tried "
     "before, and refuses orders other than the sequential one"),
    ("openacc", r"^(parallel_private\.c:T1|serial_private\.c:T1|serial_firstprivate)",
     "a private sub-array of run-time length: Clang 19 has no variable-length "
     "arrays on GPUs"),
    ("openacc", r"^kernel_implicit_data_attributes\.c:T2$", NO_CLAUSE),
    ("openacc", r"^kernels_loop_reduction_or_loop\.c:T1$", NO_CLAUSE),
    ("openacc", r"^(parallel|serial)_implicit_data_attributes\.c:T4$", NO_CLAUSE),
    ("openacc", r"^serial_default_copy\.c:T1$", NO_CLAUSE),
]


def reason(suite, name):
    """One sentence, or None."""
    for where, pattern, text in REASONS:
        if where == suite and re.search(pattern, name):
            return text
    return None
