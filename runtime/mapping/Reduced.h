//===- Reduced.h - Variables that a kernel reduces to -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that one thread of a kernel reads and writes once, when everything
// else is done, needs no place on the device: it is in memory of the host's
// that the device reaches. Its copies, and the waits for these, are saved.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_REDUCED_H
#define ACCX_MAPPING_REDUCED_H

#include "device/Device.h"

#include <vector>

namespace accx {

/// Those of one region, side by side: the device reads from so far by the line.
/// Not thread-safe.
class ReducedVariables {
  struct Variable {
    void *Host;
    size_t Offset;
    size_t Size;
  };
  std::vector<Variable> All;
  Device *D = nullptr;
  ScratchBlock Block;
  size_t Used = 0;

public:
  /// Largest variable that is taken, and all of them together.
  static constexpr size_t Limit = 64, LimitTogether = 256;

  ReducedVariables() = default;
  ~ReducedVariables() { clear(); }
  ReducedVariables(const ReducedVariables &) = delete;
  ReducedVariables &operator=(const ReducedVariables &) = delete;

  /// Where a kernel of \p On finds the \p Size bytes at \p Host; null if there
  /// is no room for them.
  void *add(Device &On, void *Host, size_t Size);
  /// The kernel is over: gives the program its values.
  void deliver();
  /// Gives the memory back. Nothing of the device's uses it any more.
  void clear();
};

} // namespace accx

#endif // ACCX_MAPPING_REDUCED_H
