# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs LLVM's and GCC's own tests on accx, and compares with other runtimes."""
