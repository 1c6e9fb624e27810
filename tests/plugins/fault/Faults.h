//===- Faults.h - Which calls fail ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what ACCX_FAULT asks for and decides, call by call, what fails.
//
//===----------------------------------------------------------------------===//
//
// ACCX_FAULT is a list of faults, separated by commas:
//
//   <operation>[@<device>]:<n>     the n-th such call fails, counted from 1
//   <operation>[@<device>]:<n>+    and every later one
//
// Operations are the plugin's functions (alloc, commit, launch, ...), with
// copies told apart by direction (copy_to, copy_from, copy_within, copy_peer),
// and two of their own: `trap` is a kernel that runs and then traps, `lost` is
// the n-th copy, fill or launch, with which the device goes away for good.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_FAULT_FAULTS_H
#define ACCX_TESTS_FAULT_FAULTS_H

#include "accx/plugin.h"

#include <string>
#include <string_view>

namespace fault {

/// Takes \p List, as in ACCX_FAULT, in place of what there was; counts start
/// anew. Empty, or what is wrong with it. Devices that are lost stay lost.
std::string setFaults(std::string_view List);

/// Gives devices the numbers that ACCX_FAULT uses.
void nameDevice(accx_device Device, uint32_t Ordinal);

/// Counts one call of \p Operation on \p Device (null: none in particular).
/// ACCX_OK, or the status it has to return, with its text noted.
accx_status count(const char *Operation, accx_device Device);

/// Like count() for a copy, fill or launch, which `lost` counts too.
accx_status countWork(const char *Operation, accx_device Device);

/// Notes \p Text for last_error() on this thread and returns \p Code.
accx_status fail(accx_status Code, const std::string &Text);
/// The text noted last on this thread, or null if the last failure was not
/// made here.
const char *notedText();
void forgetText();

} // namespace fault

#endif // ACCX_TESTS_FAULT_FAULTS_H
