//===- HostBlocks.h - Memory that the program took --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is linked with --accx-check has its calls of malloc, new and
// their like led here. What a construct maps of such memory has to lie in one
// block, and has to be on no device any more when it is freed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_HOSTBLOCKS_H
#define ACCX_MAPPING_HOSTBLOCKS_H

#include "directory/Directory.h"

#include <atomic>

namespace accx {

struct Ident;

/// All functions are thread-safe.
namespace blocks {

namespace detail {
extern std::atomic<bool> Noted;
} // namespace detail

/// Whether any block was noted.
inline bool any() { return detail::Noted.load(std::memory_order_relaxed); }

/// The program got \p Size bytes at \p Memory.
void take(void *Memory, size_t Size);
/// It gave the block at \p Memory back: tells where part of it is mapped.
void give(void *Memory);

/// Ends the program where \p Mapped begins in a block and ends behind it. With
/// ACCX_CHECK=2 a message, with 0 nothing.
void check(const Ident *Loc, const void *Name, HostRange Mapped);

} // namespace blocks

} // namespace accx

#endif // ACCX_MAPPING_HOSTBLOCKS_H
