//===- Listed.h - Devices that a directive lists ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_LISTED_H
#define ACCX_ABI_LISTED_H

#include "abi/Policy.h"

#include <string>
#include <vector>

namespace accx {

/// `devices(...)` of a directive.
struct DeviceNumbers {
  std::string Directive; ///< For messages.
  const Ident *Loc;
  const int *Numbers;
  int Count;   ///< -1: all devices of the default device's plugin.
  bool OfType; ///< Numbers count among the current device's type, as OpenACC's.
};

/// The devices, ready for use, each once and in order; leaves late regions
/// alone. None where constructs run on the host. Ends the program if there is
/// no device of a number.
std::vector<Device *> listedDevices(const DeviceNumbers &Devices);

} // namespace accx

#endif // ACCX_ABI_LISTED_H
