//===- ReadOnlyMemory.h - Constants of the program --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant tables are mapped like other arrays, `tofrom` where no clause names
// them. They cannot have changed on the device, and cannot be written here:
// nothing is copied back to them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_READONLYMEMORY_H
#define ACCX_SUPPORT_READONLYMEMORY_H

#include <cstdint>
#include <span>

namespace accx {

/// A range of addresses that is not written.
struct ReadOnlyRange {
  uintptr_t Begin, End;
};

/// Whether [\p Begin, \p End) lies in one of \p Ranges, which are sorted and
/// do not overlap.
bool liesIn(std::span<const ReadOnlyRange> Ranges, uintptr_t Begin,
            uintptr_t End);

/// The largest range between two of \p Ranges, which are sorted.
ReadOnlyRange largestGap(std::span<const ReadOnlyRange> Ranges);

/// Whether [\p Begin, \p End) lies in a segment of the program or of one of its
/// libraries that is not writable. Libraries that were loaded later than the
/// first call are known from the next renewReadOnly() on. Thread-safe.
bool isReadOnly(uintptr_t Begin, uintptr_t End);
/// A library has been loaded.
void renewReadOnly();

} // namespace accx

#endif // ACCX_SUPPORT_READONLYMEMORY_H
