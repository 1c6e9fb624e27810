//===- DeviceEnvironment.h - getenv() of device code ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that mean something else in an image than in its program.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_DEVICEENVIRONMENT_H
#define ACCX_PLUGIN_HOST_DEVICEENVIRONMENT_H

namespace accx::host {

/// What images call as getenv(). An image that counts what it executes has the
/// counters' run-time in it, as the program has, and both would write the file
/// that LLVM_PROFILE_FILE names; the images' file gets another name, in which
/// all devices' counters are added up.
char *deviceEnvironment(const char *Name);

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_DEVICEENVIRONMENT_H
