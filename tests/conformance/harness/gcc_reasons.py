# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GCC's OpenACC tests that are not counted, and those that do not pass, with
what was found in each."""

INTERNAL = {}

REASONS = {}
