//===- Pages.h - Which pages of a window are committed ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse bit map over the pages of a window.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_PAGES_H
#define ACCX_DIRECTORY_PAGES_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace accx {

/// Chunks of bits come into being when a page in them is first committed.
class Pages {
  static constexpr size_t ChunkPages = 4096;
  using Chunk = std::array<uint64_t, ChunkPages / 64>;
  std::vector<std::unique_ptr<Chunk>> Chunks;

  /// The first page in [P, End) whose bit is \p State, or End.
  size_t seek(size_t P, size_t End, bool State) const {
    while (P < End) {
      const Chunk *C = Chunks[P / ChunkPages].get();
      if (!C) {
        if (!State)
          return P;
        P = (P / ChunkPages + 1) * ChunkPages;
        continue;
      }
      uint64_t Word = (*C)[P % ChunkPages / 64];
      if (!State)
        Word = ~Word;
      Word = Word >> (P % 64) << (P % 64);
      if (Word)
        return std::min(End, P / 64 * 64 + std::countr_zero(Word));
      P = (P / 64 + 1) * 64;
    }
    return End;
  }

public:
  explicit Pages(size_t Num) : Chunks((Num + ChunkPages - 1) / ChunkPages) {}

  /// Calls Visit(first, end) for each maximal run of pages in [First, End)
  /// whose bit is \p State, until it returns false. The run at hand may be
  /// changed. Returns whether all were seen.
  template <typename F>
  bool forEachRun(size_t First, size_t End, bool State, F &&Visit) const {
    for (size_t P = seek(First, End, State); P < End; P = seek(P, End, State)) {
      size_t Stop = seek(P, End, !State);
      if (!Visit(P, Stop))
        return false;
      P = Stop;
    }
    return true;
  }

  void set(size_t First, size_t End, bool State) {
    for (size_t P = First; P < End;) {
      auto &C = Chunks[P / ChunkPages];
      if (!C)
        C = std::make_unique<Chunk>();
      size_t Stop = std::min(End, (P / 64 + 1) * 64);
      uint64_t Mask = ~uint64_t(0) >> (64 - (Stop - P)) << (P % 64);
      uint64_t &Word = (*C)[P % ChunkPages / 64];
      Word = State ? Word | Mask : Word & ~Mask;
      P = Stop;
    }
  }
};

} // namespace accx

#endif // ACCX_DIRECTORY_PAGES_H
