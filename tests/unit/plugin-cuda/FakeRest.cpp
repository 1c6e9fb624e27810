//===- FakeRest.cpp - What the fake CUDA driver does not do ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every other function that the plugin looks for.
//
//===----------------------------------------------------------------------===//

#include "DriverTypes.h"

using namespace accx::cuda;

#define CUDA_FUNCTION(Member, Symbol, ...)                                     \
  extern "C" [[gnu::weak, gnu::visibility("default")]] CUresult Symbol(        \
      __VA_ARGS__) {                                                           \
    return CUDA_ERROR_NOT_SUPPORTED;                                           \
  }
#include "Driver.def"
