//===- Control.h - Steering the fault plugin from a test --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions the fault plugin exports beside its entry, for tests that find it
// with dlopen() and dlsym() in their own process.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_FAULT_CONTROL_H
#define ACCX_TESTS_FAULT_CONTROL_H

#include "accx/plugin.h"

extern "C" {

/// Replaces the faults; the list is ACCX_FAULT's. 0 if it makes no sense.
int accx_fault_set(const char *Faults);

/// Gives the launches since the last call, at most \p Max, oldest first, with
/// null for their arguments. Returns how many.
unsigned accx_fault_take_launches(accx_launch *Out, unsigned Max);

/// Calls for events since the last call.
struct accx_fault_event_calls {
  unsigned long Records, Waits, Queries, Meetings;
};
accx_fault_event_calls accx_fault_take_event_calls(void);

/// Mappings of other processes' memory that are open.
unsigned accx_fault_num_imports(void);
}

#endif // ACCX_TESTS_FAULT_CONTROL_H
