//===- Announce.h - Telling tools about map items ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LIBOMPTARGET_INFO lines and OMPT events for what happens to each map item, in
// the order tools expect: an item's mapping, then its transfers.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_ANNOUNCE_H
#define ACCX_MAPPING_ANNOUNCE_H

#include "mapping/Phases.h"
#include "report/Ompt.h"
#include "report/Report.h"

#include <string>

namespace accx {

/// Whether anybody wants to know about map items.
inline bool announcing() {
  return infoEnabled(InfoMappingExists | InfoMappingChanged) || ompt::enabled();
}

/// Collects one line an item with the mutex held, when counts are what they
/// are; speaks later, between the transfers.
class Announcer {
  int Device;
  struct Line {
    uint32_t Bit;
    std::string Text;
    HostRange Host;
    uintptr_t Slot;
    uintptr_t DeviceAddress;
    size_t Size;
    bool Created;
    bool Removed;
  };
  std::vector<Line> Lines;
  size_t Next = 0;

  void speak(const Line &L);

public:
  explicit Announcer(int Device) : Device(Device) {}

  /// With the mutex held, after Directory::enter() or exit().
  void collect(const std::vector<EnterItem> &Items);
  void collect(const std::vector<ExitItem> &Items);

  /// Speaks about all items up to the one operation \p Op belongs to.
  void before(const Operation &Op);
  /// Speaks about the rest.
  void finish();
  /// After the entries went: "Removing map entry" lines and delete events.
  void removed();
};

/// "Mapping exists ..." of a plain look-up (LIBOMPTARGET_INFO bit 2). Call with
/// the mutex held.
void announceLookup(int Device, const Entry &E, uintptr_t Host, int64_t Size);

/// The list of a construct's arguments (LIBOMPTARGET_INFO bit 1).
void announceArguments(int Device, const Ident *Loc, const MapArrays &Arrays,
                       const char *What);

} // namespace accx

#endif // ACCX_MAPPING_ANNOUNCE_H
