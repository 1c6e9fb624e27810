//===- FakeStreams.h - What ran on the fake devices -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_PLUGIN_CUDA_FAKESTREAMS_H
#define ACCX_TESTS_PLUGIN_CUDA_FAKESTREAMS_H

#include <cstddef>
#include <string>
#include <vector>

/// A kernel that ran.
struct FakeKernel {
  /// "name<blocks x threads>(arguments) ".
  std::string Text;
  /// How many kernels of each device were sure to have ended.
  std::vector<size_t> Before;
};

#endif // ACCX_TESTS_PLUGIN_CUDA_FAKESTREAMS_H
