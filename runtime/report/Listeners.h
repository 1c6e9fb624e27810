//===- Listeners.h - Who is told of activities ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The four listeners behind ActivityScope: lines on stderr, the trace file, the
// totals and the table of times.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_LISTENERS_H
#define ACCX_REPORT_LISTENERS_H

#include "report/Activity.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace accx {

/// An activity that ended. Times are nanoseconds of the steady clock.
struct FinishedActivity {
  ActivityKind Kind;
  const ActivityInfo &Info;
  uint64_t Begin;
  uint64_t Nanoseconds;
  /// Of a copy to Info.Peer: all bytes to that device so far, with these.
  uint64_t PeerBytes = 0;
};

/// "launch", "transfer", "wait", "region", "allocation".
std::string_view kindName(ActivityKind Kind);
/// Info.What, or the direction's name where it is empty.
std::string_view whatName(const ActivityInfo &Info);

/// Prints one line.
void notifyActivity(const FinishedActivity &Activity);

/// Opens the trace file; says why on stderr if it cannot. "%p" in the name
/// becomes the process id, a limit of 0 is none.
bool openTrace(const std::string &Name, uint64_t LimitBytes);
void traceActivity(const FinishedActivity &Activity);
/// Makes the file complete up to now; \p Last ends recording.
void flushTrace(bool Last);
/// For a child that was forked off: the file is the parent's.
void abandonTrace();

/// As flushActivityListeners(), when the process is about to end.
void endActivityListeners();

void countActivity(const FinishedActivity &Activity);
/// Prints the totals if they changed since they were printed last.
void printStats();

/// Adds it to the table of ACCX_TIME.
void timeActivity(const FinishedActivity &Activity);
/// Prints the table if it changed since it was printed last.
void printTimes();

} // namespace accx

#endif // ACCX_REPORT_LISTENERS_H
