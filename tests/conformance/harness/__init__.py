# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs foreign test suites on two offload runtimes and compares them."""
