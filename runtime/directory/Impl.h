//===- Impl.h - Inside of the directory -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a directory, shared by the sources that implement it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_IMPL_H
#define ACCX_DIRECTORY_IMPL_H

#include "directory/Directory.h"
#include "directory/Entries.h"
#include "directory/Placement.h"
#include "directory/Shadows.h"

namespace accx {

/// Each construct is planned in two steps: first everything that can fail, with
/// enough noted down to undo it, then everything that cannot.
struct Directory::Impl {
  Impl(DeviceMemory &Memory, DirectoryOptions Options);

  struct CountNote {
    Node *Entry;
    uint64_t Dyn, Hold;
  };
  struct NewNote {
    Node *Entry;
    size_t Item;
    size_t FirstGap, NumGaps; ///< In Gaps.
  };
  struct LeftNote {
    Node *Entry;
    size_t FirstGap, NumGaps; ///< In Gaps.
  };

  // Enter.cpp
  /// What an item of enter() or its slot asks for.
  struct Request {
    HostRange Host;
    uintptr_t Base;
    const void *Name;
    const char *Place;
    bool Implicit, Present, Hold, Count, MayShare, Frame = false,
                                                   NoCreate = false;
  };
  struct Answer {
    Outcome Result;
    Resolution How = Resolution::Absent;
    Node *Target = nullptr;
    bool Counted = true;
  };
  size_t takePresent(std::span<EnterItem> Items);
  void untake(std::span<EnterItem> Items, size_t Num);
  void pinEntered(std::span<EnterItem> Items);
  Outcome enter(std::span<EnterItem> Items, Plan &P, Status &Error,
                size_t &FailedItem);
  bool enterPresent(std::span<EnterItem> Items);
  Outcome enterRest(std::span<EnterItem> Items, size_t First, Plan &P,
                    Status &Error, size_t &FailedItem);
  Outcome findLate(std::span<EnterItem> Items, Status &Error);
  Node *entryOfMembers(std::span<const EnterItem> Items, size_t Frame);
  Answer request(const Request &Q, size_t Item, Status &Error);
  Node *create(const Request &Q, size_t Item, bool Overlaps);
  void undoEnter();
  void planEnter(std::span<EnterItem> Items, Plan &P);
  void planPointers(std::span<EnterItem> Items);
  void planCopyIn(EnterItem &It, const NewNote *New, Plan &P);
  void sortGaps();
  void planMoves(Plan &P);
  void planAttaches(Plan &P);
  void setBusy(Plan &P, Node *N);
  Status explain(ErrorCode Code, HostRange R, const Status &Cause);

  // Exit.cpp
  Outcome exit(std::span<ExitItem> Items, Plan &P, Status &Error,
               size_t &FailedItem);
  Outcome exitRest(std::span<ExitItem> Items, size_t Num, Plan &P,
                   Status &Error, size_t &FailedItem);
  Outcome exitItem(ExitItem &It, Status &Error);
  bool exitBeside(std::span<ExitItem> Items,
                  std::span<const Entry *const> Held);
  bool countBeside(ExitItem &It, std::span<const Entry *const> Held,
                   std::vector<Node *> &Going);
  bool hasParts(HostRange R) const;
  void leave(Node *N);
  void undoExit();
  void clearExit();
  void planExit(std::span<ExitItem> Items, Plan &P);
  void planCopyOut(std::span<ExitItem> Items, ExitItem &It, Plan &P);
  void finishExit(std::span<ExitItem> Items, Plan &P);

  // Copies.cpp
  /// Plans the copy of \p R between the host and \p R + \p Delta, but for
  /// attached pointers. Returns whether there was anything to copy.
  bool planCopy(Plan &P, Operation::KindTy Kind, HostRange R, uintptr_t Delta,
                const void *Name);
  /// \p Whole minus \p Ranges' complement: plans the copies of what is in both.
  bool planCommon(Plan &P, Operation::KindTy Kind, HostRange Whole,
                  std::span<const HostRange> Sorted, uintptr_t Delta,
                  const void *Name);
  void pruneShadows(HostRange Vacated);
  Outcome update(std::span<UpdateItem> Items, Plan &P, Status &Error,
                 size_t &FailedItem);

  // Directory.cpp
  void hold(Plan &P, Node *N);
  void unpin(Node *N);
  /// \p N has departed and nothing copies from or to it any more.
  void retire(Node *N);
  void settle(Plan &P);
  void remove(Node *N);
  Status associate(HostRange R, uintptr_t Device, const void *Name,
                   bool Associated);

  const DirectoryOptions Options;
  EntrySet Entries;
  Shadows Attached;
  Placement Homes;

  // Notes on the construct at hand; empty between constructs.
  std::vector<CountNote> Counts;
  std::vector<NewNote> News;
  std::vector<Node *> Created;
  std::vector<Link> Links;
  std::vector<uintptr_t> ToAttach; ///< Host addresses of pointers.
  std::vector<LeftNote> Left;
  /// Host ranges that became present, or absent, by the construct; disjoint.
  std::vector<HostRange> Gaps;
  std::vector<HostRange> SortedGaps;
  PlacementResult Placed;
  std::vector<Shadow *> Scratch;
};

/// "host range 0x1000 (64 bytes)".
std::string describe(HostRange R);

inline Node *nodeOf(Entry *E) { return static_cast<Node *>(E); }

} // namespace accx

#endif // ACCX_DIRECTORY_IMPL_H
