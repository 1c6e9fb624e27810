//===- Entries.h - The set of entries ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of one directory and how ranges resolve to them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_ENTRIES_H
#define ACCX_DIRECTORY_ENTRIES_H

#include "directory/Directory.h"
#include "directory/Index.h"
#include "directory/Pool.h"
#include "directory/Table.h"

namespace accx {

struct BaseGroup;

/// An entry with what only the directory needs. The entry itself fills the
/// first cache line but for Where.
struct alignas(64) Node : Entry {
  /// Left the directory; copies out of it are under way. Implies Busy.
  bool Leaving = false;
  /// Made by the construct that is being planned.
  bool Fresh = false;
  /// The plan of the construct that takes it out touches its bytes.
  bool Touched = false;
  uint32_t Group = 0; ///< Scratch of Fused.cpp and Exit.cpp.
  /// How many plans copy from or to it without making it busy; pins as well.
  uint32_t Holds = 0;
  /// Entries with the same base and home; see Bases.h.
  BaseGroup *Mates = nullptr;
  Node *PrevMate = nullptr, *NextMate = nullptr;
  /// Members of a fused block.
  Node *PrevMember = nullptr, *NextMember = nullptr;
  Node *PrevBusy = nullptr, *NextBusy = nullptr;
  /// Of an entry without a home; see Placement::addStranger().
  HostRange OnDevice;
};
static_assert(offsetof(Entry, Where) == 64);

/// Live entries resolve; departed ones are out of the directory but have copies
/// or pins that outlast them.
class EntrySet {
public:
  RangeIndex<Node, &Node::Host> Live;
  RangeIndex<Node, &Node::Host> Departed;
  uint64_t MappedBytes = 0;
  /// Sums over all entries, departed ones too.
  size_t Pins = 0;
  size_t Holds = 0;

  Node *create() { return Nodes.create(); }
  void destroy(Node *N) { Nodes.destroy(N); }

  void link(Node *N) {
    Exact.insert(hashOf(N->Host.Begin, N->Host.End), N);
    Live.insert(N);
    MappedBytes += N->Host.size();
  }
  void unlink(Node *N) {
    Exact.erase(hashOf(N->Host.Begin, N->Host.End), N);
    Live.remove(N);
    MappedBytes -= N->Host.size();
  }

  Node *exact(HostRange R) const {
    return Exact.find(hashOf(R.Begin, R.End),
                      [&](const Node *N) { return N->Host == R; });
  }
  /// The entry a range resolves to; also for empty ranges.
  Node *resolve(HostRange R) const;
  /// The entry an implicit map resolves to that is in no entry.
  Node *touched(HostRange R) const;
  /// Whether what overlaps \p R was made by the construct that is entering.
  bool onlyFresh(HostRange R) const;

  void setBusy(Node *N);
  void clearBusy(Node *N);
  /// Whether no transfer and no kernel is known to be under way.
  bool quiet() const { return NumBusy == 0 && Pins == 0; }
  /// Whether plans copy from or to entries that overlap \p R.
  bool copiesOverlap(HostRange R) const {
    auto Unheld = [](Node *N) { return N->Holds == 0; };
    return busyOverlaps(R) || (Holds && (!Live.forEachOverlap(R, Unheld) ||
                                         !Departed.forEachOverlap(R, Unheld)));
  }
  /// Whether a busy entry, live or departed, overlaps \p R (not empty).
  bool busyOverlaps(HostRange R) const;
  /// Whether \p R, which does not resolve, has to wait for copies of entries
  /// that departed: those overlap it, or contain its address if it is empty.
  bool leavingMeets(HostRange R) const;

private:
  Table<Node> Exact;
  Node *FirstBusy = nullptr;
  size_t NumBusy = 0;
  Pool<Node> Nodes;
};

} // namespace accx

#endif // ACCX_DIRECTORY_ENTRIES_H
