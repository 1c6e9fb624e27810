// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Empty: its target holds the headers that test programs share, precompiled.
