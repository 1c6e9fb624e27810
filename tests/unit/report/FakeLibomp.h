// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of libomp that the runtime's OMPT connection uses, and a tool.

#ifndef ACCX_TESTS_REPORT_FAKELIBOMP_H
#define ACCX_TESTS_REPORT_FAKELIBOMP_H

#include <omp-tools.h>

/// Which callbacks the tool has registered: "emi", "plain", "both", "host"
/// (none for targets) or "inactive" (there is no tool). Set before connecting.
extern const char *ToolMode;

/// Makes the calling thread one that libomp knows.
void registerThread(uint64_t TaskData, uint64_t TargetTaskData);
/// What libomp does when the process ends.
void endTool();

#endif // ACCX_TESTS_REPORT_FAKELIBOMP_H
