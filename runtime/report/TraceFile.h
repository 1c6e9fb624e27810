//===- TraceFile.h - Name and lock of the trace file -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which file a process writes: two processes never write the same one.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_TRACEFILE_H
#define ACCX_REPORT_TRACEFILE_H

#include <string>

namespace accx {

/// Opens and empties the file \p Pattern, in which "%p" stands for \p Process,
/// and locks it until it is closed. If another process has it locked, that is
/// "trace.<process>.json" instead of "trace.json", and stderr says so. Gives
/// its descriptor and \p Name, or says why on stderr and gives -1.
int openTraceFile(const std::string &Pattern, int Process, std::string &Name);

} // namespace accx

#endif // ACCX_REPORT_TRACEFILE_H
