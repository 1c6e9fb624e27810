//===- Runs.h - The bytes of sections in order ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections as one stream of bytes: which rows a part of the stream is.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_RUNS_H
#define ACCX_TRANSFER_RUNS_H

#include "transfer/Pipeline.h"

#include <algorithm>
#include <vector>

namespace accx {

class SectionRuns {
  std::vector<Section> Sections;
  /// Bytes before each section, and all.
  std::vector<size_t> Before;

  static bool isRun(const Section &S) {
    return S.height <= 1 || S.pitch == S.width;
  }
  size_t find(size_t At) const {
    return static_cast<size_t>(
        std::upper_bound(Before.begin(), Before.end(), At) - Before.begin() -
        1);
  }

public:
  explicit SectionRuns(const std::vector<Section> &All) {
    size_t Sum = 0;
    for (const Section &S : All)
      if (S.width && S.height) {
        Sections.push_back(S);
        Before.push_back(Sum);
        Sum += S.width * S.height;
      }
    Before.push_back(Sum);
  }

  size_t bytes() const { return Before.back(); }

  /// Bytes from \p At < bytes() on that lie one behind the other.
  size_t runFrom(size_t At) const {
    const size_t I = find(At);
    const Section &S = Sections[I];
    return isRun(S) ? Before[I + 1] - At : S.width - (At - Before[I]) % S.width;
  }
  char *addressOf(size_t At) const {
    if (Sections.empty())
      return nullptr;
    const size_t I = std::min(find(At), Sections.size() - 1);
    const Section &S = Sections[I];
    const size_t In = At - Before[I];
    char *Begin = static_cast<char *>(S.address);
    return isRun(S) ? Begin + In
                    : Begin + In / S.width * S.pitch + In % S.width;
  }

  /// Calls \p Fn(address, offset from At, width, height, pitch) for the rows
  /// that are bytes [\p At, \p At + \p Size), until it returns a failed status.
  template <typename Fn> auto forEach(size_t At, size_t Size, Fn Call) const {
    decltype(Call(static_cast<char *>(nullptr), At, At, At, At)) Result{};
    const size_t End = At + Size;
    for (size_t Pos = At; Pos < End && Result.ok();) {
      const size_t I = find(Pos);
      const Section &S = Sections[I];
      const size_t Left = std::min(End, Before[I + 1]) - Pos;
      size_t Width = std::min(runFrom(Pos), Left), Height = 1;
      // Whole rows go together.
      if (!isRun(S) && (Pos - Before[I]) % S.width == 0 && Left >= S.width) {
        Width = S.width;
        Height = Left / S.width;
      }
      Result = Call(addressOf(Pos), Pos - At, Width, Height, S.pitch);
      Pos += Width * Height;
    }
    return Result;
  }
};

} // namespace accx

#endif // ACCX_TRANSFER_RUNS_H
