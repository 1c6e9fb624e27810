//===- Placement.h - Where entries lie on the device ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives device addresses to the entries a construct creates.
//
//===----------------------------------------------------------------------===//
//
// Two kinds of homes:
//
//  Window: a reserved span of device addresses at a constant distance from a
//   span of host addresses, with memory behind the pages that were used so far.
//   Entries in one window never move. A span may have a second window, for
//   arrays that lie behind a header of the allocator: accesses of threads side
//   by side to an array that does not begin on a line of the cache take two
//   lines each.
//
//  Block: device memory for the hull of a group of entries that overlap or have
//   the same base. A new entry that joins a group and lies in its hull uses the
//   block as it is; else the group moves into a larger block:
//
//     host     |..[== E1 ==]...[= new =]..|
//     block 1     [== E1 ==]                     freed when the copy is done
//                   | copied on the device
//     block 2     [== E1 ==   ...= new =]
//
// The mirror strategy uses windows wherever it can, and blocks where a window
// is impossible, would waste too much, or would break up an array.
//
// Invariant: live entries that overlap have the same Delta, and the same home
// unless one is permanent memory of the program.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_PLACEMENT_H
#define ACCX_DIRECTORY_PLACEMENT_H

#include "directory/Bases.h"
#include "directory/Directory.h"
#include "directory/Entries.h"
#include "directory/Pages.h"
#include "directory/Shadows.h"

namespace accx {

struct Home {
  enum KindTy : uint8_t { WindowKind, BlockKind } Kind;
  uintptr_t Delta = 0;
  HostRange Host;
};

struct Window : Home {
  Window(HostRange R, size_t Header, size_t NumPages)
      : Home{WindowKind, 0, R}, Header(Header), Committed(NumPages) {}
  /// Host begins so many bytes behind the span.
  size_t Header = 0;
  /// Reserving failed once: not tried again.
  bool Impossible = false;
  uintptr_t Reserved = 0;
  size_t ReservedSize = 0;
  Pages Committed;
};

struct Block : Home {
  Block() : Home{BlockKind, 0, {}} {}
  uintptr_t Memory = 0;
  size_t MemorySize = 0;
  /// Everything that keeps the block: live entries and departed ones.
  Node *Members = nullptr;
  size_t LiveBytes = 0; ///< Sum of the live members' sizes.
  uint32_t Group = 0;   ///< Scratch of Fused.cpp.
};

/// Two entries of a construct's plan that overlap; the first one is new.
struct Link {
  Node *New;
  Node *Old;
};

/// Bytes that change their place on the device.
struct Move {
  HostRange Host;
  uintptr_t OldDelta;
  uintptr_t NewDelta;
};

/// What placing did besides giving addresses.
struct PlacementResult {
  std::vector<Move> Moves;
  std::vector<Node *> Moved; ///< Entries that were there before.
  std::vector<uintptr_t> Freed;
  Node *Culprit = nullptr; ///< The new entry that could not be placed.
  Status Error;
  bool Unplain = false; ///< For Placement's own use.

  void clear() {
    Moves.clear();
    Moved.clear();
    Freed.clear();
    Culprit = nullptr;
    Error = Status();
    Unplain = false;
  }
};

class Placement {
public:
  Placement(DeviceMemory &Memory, const DirectoryOptions &Options,
            EntrySet &Entries, const Shadows &Attached);
  ~Placement();

  /// Whether everything lies in windows, one a span. What overlaps a new entry
  /// then matters only if that entry is the first that does not.
  bool plain() const {
    return Options.Strategy == DirectoryOptions::Mirror && Blocks.empty() &&
           Strangers.empty() && !HasHeaders;
  }
  /// Places live entries that have no place yet, all or none. \p Links has, for
  /// each new entry, enough of what it overlaps to find the homes of all of it;
  /// it may be empty if everything was plain().
  Outcome place(std::span<Node *const> Created, std::span<const Link> Links,
                PlacementResult &R);

  /// \p N has just been taken out of the live entries.
  void depart(Node *N);
  /// Puts \p N, which departed, back.
  void comeBack(Node *N);
  /// Nothing needs the memory of \p N, which departed, any more.
  void leave(Node *N);
  /// \p N, permanent, shares the place of \p Other.
  void join(Node *N, const Node *Other);
  /// A permanent entry without a home came or went.
  void addStranger(Node *N) {
    N->OnDevice = {N->device(), N->device() + N->Host.size()};
    Strangers.insert(N);
  }
  void removeStranger(Node *N) { Strangers.remove(N); }
  /// Releases a block that was emptied by a move.
  void release(uintptr_t Memory);

  uint64_t trim();
  void addStats(DirectoryStats &S) const;
  /// A live entry that has bytes in \p OnDevice, a range of device addresses
  /// that is not empty; null if there is none.
  const Node *entryAt(HostRange OnDevice) const;

private:
  // Placement.cpp
  Outcome placeAll(std::span<Node *const> Created, std::span<const Link> Links,
                   bool Plain, PlacementResult &R);
  void setPlace(Node *N, Home *H);
  void clearPlace(Node *N);
  void startBases();
  Status takeMemory(size_t Size, uintptr_t &Address, size_t &Got, bool &Reused);
  void keepIdle(uintptr_t Address, size_t Size);
  static unsigned idleClass(size_t Size);

  // Mirror.cpp
  Window *windowOf(const Node *N, std::span<const Link> Links);
  Window *windowOf(HostRange R, size_t Header);
  Window *reserve(HostRange Span, size_t Header);
  bool wantsBlock(const Node *N, Window &W, std::span<const Link> Links);
  bool overBudget(const Node *N, Window &W);
  Status commit(Window &W, HostRange R);
  void undoCommits();
  size_t firstPage(const Window &W, HostRange R) const;
  size_t endPage(const Window &W, HostRange R) const;
  template <typename F> void forEachIdleRun(F &&Visit);
  uint64_t trimWindows();

  // Fused.cpp
  struct Group {
    uint32_t Parent;
    HostRange Hull;
    uint64_t Parts; ///< Sum of the sizes of what is in the hull.
    bool Bound;     ///< Has entries that were there before.
  };
  struct GroupMember {
    uint32_t Root;
    Node *Entry; ///< A new entry, or one pulled out of a window;
    Block *Old;  ///< or a block.
  };
  /// What one group gets.
  struct Room {
    size_t First, End; ///< In Members.
    HostRange Hull;
    Block *Into; ///< A block that is large enough, or null.
    uintptr_t Memory;
    size_t MemorySize;
    bool Reused;
  };
  Outcome fuse(std::span<const Link> Links, PlacementResult &R);
  uint32_t newGroup(HostRange Hull, uint64_t Parts, bool Bound);
  uint32_t rootOf(uint32_t G);
  void unite(uint32_t A, uint32_t B);
  uint32_t groupOf(Block *B);
  bool absurd(uint32_t A, uint32_t B);
  bool touch(Node *E, uint32_t G);
  bool gatherOverlaps(std::span<const Link> Links, PlacementResult &R);
  void gatherBases();
  void gatherMates(Node *N);
  bool pullNeighbours(PlacementResult &R);
  void nestGroups();
  void collect();
  Outcome prepare(Room &Rm, PlacementResult &R);
  void apply(const Room &Rm, PlacementResult &R);
  void moveRanges(std::vector<HostRange> &Ranges, uintptr_t Old, uintptr_t New,
                  PlacementResult &R);

  DeviceMemory &Memory;
  EntrySet &Entries;
  const Shadows &Attached;
  const DirectoryOptions Options;
  const size_t Granularity;
  const uint64_t Capacity;
  unsigned SpanBits = 0;

  std::vector<std::unique_ptr<Window>> Windows; ///< Ascending.
  /// Without and with a header.
  Window *LastWindow[2] = {};
  bool HasHeaders = false;
  uint64_t PageBytes = 0;
  uint64_t WindowMapped = 0;
  /// What the budget last found: committed bytes that entries do not touch.
  uint64_t IdleBytes = 0;
  uint64_t Changes = 0, IdleKnownAt = 0;
  struct Run {
    Window *W;
    size_t First, End;
  };
  std::vector<Run> CommittedNow;

  /// By device addresses.
  RangeIndex<Node, &Node::OnDevice> Strangers;
  bool BasesOn = false;
  Bases SameBase;
  RangeIndex<Block, &Block::Host> Blocks;
  Pool<Block> BlockStorage;
  uint64_t BlockBytes = 0;
  struct Chunk {
    uintptr_t Address;
    size_t Size;
  };
  /// Blocks nobody uses, by eighths of a power of two of size.
  std::vector<Chunk> Idle[512];
  uint64_t IdleBlockBytes = 0;
  /// Blocks that live in Freed lists of plans only.
  std::vector<Chunk> Retired;

  std::vector<Group> Groups;
  std::vector<Node *> Pulled;
  std::vector<Node *> Candidates;
  std::vector<Link> AllLinks;
  std::vector<Block *> Involved;
  std::vector<GroupMember> Members;
  std::vector<Room> Rooms;
  std::vector<HostRange> Ranges;
};

} // namespace accx

#endif // ACCX_DIRECTORY_PLACEMENT_H
