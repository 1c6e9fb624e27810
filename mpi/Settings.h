//===- Settings.h - What the environment says of messages -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_SETTINGS_H
#define ACCX_MPI_SETTINGS_H

#include <chrono>
#include <cstddef>

namespace accx::mpi {

/// Read once.
struct Settings {
  /// Bytes of each MPI message of a long one, behind the first. All ranks have
  /// to have the same; MPI_Init sees to it.
  size_t Chunk;
  /// How long a message waits for its other side; zero: for ever.
  std::chrono::nanoseconds Timeout;
  /// Device memory of so many bytes is offered to ranks of the same node.
  size_t ShareFrom;

  static Settings &get();
};

} // namespace accx::mpi

#endif // ACCX_MPI_SETTINGS_H
