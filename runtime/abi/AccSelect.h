//===- AccSelect.h - OpenACC's current device -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_ACCSELECT_H
#define ACCX_ABI_ACCSELECT_H

namespace accx {

/// Makes the device that ACC_DEVICE_TYPE and ACC_DEVICE_NUM name, if they are
/// set, the calling thread's default device, once a thread. Ends the program if
/// there is no such device.
void applyAccEnvironment();

} // namespace accx

#endif // ACCX_ABI_ACCSELECT_H
