//===- Variant.h - What a test runs on --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin and directory that ACCX_TEST_VARIANT asks for.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_HARNESS_VARIANT_H
#define ACCX_TESTS_HARNESS_VARIANT_H

#include "fault/Control.h"

#include <string>
#include <vector>

namespace harness {

/// The variant's name, e.g. "async-mirror".
std::string variant();

/// Sets the fault plugin's faults. Only where the variant has that plugin.
void setFaults(const char *Faults);
/// What the fault plugin was asked to launch since the last call.
std::vector<accx_launch> takeLaunches();

/// Calls for events that the fault plugin got since the last call.
accx_fault_event_calls takeEventCalls();

/// Faults for the life of a scope.
class FaultScope {
public:
  explicit FaultScope(const char *Faults) { setFaults(Faults); }
  ~FaultScope() { setFaults(""); }
  FaultScope(const FaultScope &) = delete;
  FaultScope &operator=(const FaultScope &) = delete;
};

} // namespace harness

#endif // ACCX_TESTS_HARNESS_VARIANT_H
