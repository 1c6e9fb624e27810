# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why tests that pass on host devices cannot pass on a GPU, by suite and name."""

import re

REASONS = [
]


def reason(suite, name):
    """One sentence, or None."""
    for where, pattern, text in REASONS:
        if where == suite and re.search(pattern, name):
            return text
    return None
