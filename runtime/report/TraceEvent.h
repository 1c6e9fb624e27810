//===- TraceEvent.h - Activities as Chrome trace events ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes single events of the Chrome trace format. Each begins with ",\n" and
// has no other newline, so that events can be counted and appended.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_TRACEEVENT_H
#define ACCX_REPORT_TRACEEVENT_H

#include "report/Listeners.h"

#include <cstddef>
#include <string_view>

namespace accx {

/// Appends JSON to memory that its user knows to be large enough.
class JsonWriter {
  char *At;

public:
  explicit JsonWriter(char *Begin) : At(Begin) {}
  char *end() const { return At; }

  void raw(std::string_view Text);
  void number(uint64_t Value);
  /// Nanoseconds as microseconds, which is the format's unit.
  void microseconds(uint64_t Nanoseconds);
  /// Part of a string: escaped, UTF-8 whatever \p Text is, at most MaxText
  /// bytes of it.
  void text(std::string_view Text);

  /// Longer texts are cut.
  static constexpr size_t MaxText = 2048;
  /// Most bytes that text() appends for \p Text.
  static size_t textBound(std::string_view Text);
};

/// An activity as a complete event; a copy to another device with a counter of
/// the bytes between the two.
class ActivityEvent {
  const FinishedActivity &Activity;
  SourceLocation At;
  std::string_view Kernel, Item, What;
  std::string Label; ///< The kernel's name for people.

public:
  explicit ActivityEvent(const FinishedActivity &Activity);

  /// Most bytes that write() needs.
  size_t bound() const;
  /// Gives the end of what it wrote.
  char *write(char *To, int Process, int Thread) const;

private:
  char *writePeer(char *To, int Process, int Thread) const;
};

/// The event that names a thread ("thread_name") or process ("process_name").
std::string nameEvent(std::string_view What, std::string_view Name, int Process,
                      int Thread);
/// An instant with a text, for notes about the trace itself.
std::string noteEvent(std::string_view Text, uint64_t Nanoseconds, int Process,
                      int Thread);

} // namespace accx

#endif // ACCX_REPORT_TRACEEVENT_H
