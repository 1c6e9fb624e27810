//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds libcuda and its functions; current contexts; what its errors mean.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_DRIVER_H
#define ACCX_PLUGIN_CUDA_DRIVER_H

#include "DriverTypes.h"
#include "Status.h"

namespace accx::cuda {

/// The driver's functions; all null until load() succeeded.
struct Driver {
#define CUDA_FUNCTION(Member, Symbol, ...) CUresult (*Member)(__VA_ARGS__);
#include "Driver.def"

  /// Opens \p Path, or libcuda.so.1 if it is empty, and starts the driver.
  /// Found says whether there is a driver with a device; a machine without one
  /// is no failure. A driver that is there and does not work is.
  accx_status load(const char *Path, bool &Found);
};

/// The one driver of the process.
inline constinit Driver Cu = {};

/// Whether \p Result ends the life of the context it came from.
bool isSticky(CUresult Result);

/// Records "<text>: <error's name> (<its meaning>)" and returns the status that
/// stands for \p Result. For errors of a device see Device::failure.
[[gnu::format(printf, 2, 3), gnu::cold]] accx_status
driverFailure(CUresult Result, const char *Format, ...);

/// Makes a context current for its own life. The program may use CUDA too: its
/// context is current again afterwards. A thread that had none keeps ours, so
/// that the usual call only asks.
class ContextScope {
  CUcontext Before = nullptr;
  bool Restore = false;

public:
  explicit ContextScope(CUcontext Context) {
    Cu.CtxGetCurrent(&Before);
    if (Before == Context) [[likely]]
      return;
    Cu.CtxSetCurrent(Context);
    Restore = Before != nullptr;
  }
  ~ContextScope() {
    if (Restore) [[unlikely]]
      Cu.CtxSetCurrent(Before);
  }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_DRIVER_H
