//===- Directory.h - The mapping directory of one device --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is mapped on one device, where it lies there, and which bytes must move
// when a construct maps, unmaps or updates host ranges.
//
//===----------------------------------------------------------------------===//
//
// The directory holds *entries*: host ranges with a dynamic and a hold count.
// Entries may overlap.
//
//   host     |....[==== E1 ====]..............|
//            |.........[======= E2 =======]...|      E2 came second: only the
//                                                    bytes E1 did not cover
//                              [-- copied -]         were copied in
//
// Resolution: a range resolves to the entry equal to it, else to the smallest
// entry that contains it, among equals the lowest start. A zero-length range
// resolves by address: to the smallest entry that contains the address, else
// to the entry next to the right if the address lies between that entry's base
// and its start (the base pointer of a section that starts further on).
//
// Entering (explicit maps): a range that resolves increments that entry. Else a
// new entry is created, and if the map copies, the bytes that no entry covered
// before are copied in. Implicit maps that touch bytes that were present before
// their construct never extend: they resolve to an entry that overlaps them
// (the one that covers the first byte, smallest first, else the first to the
// right). Where only entries of their own construct overlap them, they enter as
// explicit maps do. `present` needs every byte of the range covered by entries
// (one or several).
//
// Leaving: the range resolves as above and the entry is decremented. A range
// that does not resolve changes nothing. When both counts of an entry reach
// zero it leaves: the requested range minus the bytes that other entries still
// cover is copied out if the map copies. What only the construct had that
// leaves, and its kernel does not write, is as it was and is not copied.
//
// Device addresses: entries are placed by one of two strategies (Placement.h):
// in windows that mirror the host's addresses, or in fused blocks. Whatever the
// strategy, at any time all entries that overlap lie at one common distance
// from their host addresses.
//
// Concurrency: nothing here locks. The owner calls every function under one
// mutex per directory, performs the operations of a Plan without it, then takes
// it again for settle(). An entry whose bytes are still moving is *busy*; a
// construct that meets a busy entry gets Outcome::Wait, has changed nothing,
// and must be asked again after some settle() or unpin(). A construct is asked
// for as a whole, so nobody waits while others wait for it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_DIRECTORY_H
#define ACCX_DIRECTORY_DIRECTORY_H

#include "support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accx {

/// Host bytes [Begin, End).
struct HostRange {
  uintptr_t Begin = 0;
  uintptr_t End = 0;

  size_t size() const { return End - Begin; }
  bool empty() const { return Begin == End; }
  bool contains(HostRange R) const { return Begin <= R.Begin && R.End <= End; }
  bool overlaps(HostRange R) const { return Begin < R.End && R.Begin < End; }
  friend bool operator==(HostRange, HostRange) = default;
};

/// Device memory as placements see it. Implemented over a device plugin, and
/// over plain arrays in tests. Called with the directory's mutex held.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  /// Unit of commit(); a power of two. 0: windows are not possible.
  virtual size_t granularity() const = 0;
  /// Memory of the device in bytes, for budgets.
  virtual uint64_t capacity() const = 0;
  virtual Expected<uintptr_t> reserve(size_t Size) = 0;
  virtual void unreserve(uintptr_t Address, size_t Size) = 0;
  virtual Status commit(uintptr_t Address, size_t Size) = 0;
  virtual void decommit(uintptr_t Address, size_t Size) = 0;
  /// Aligned to at least 256.
  virtual Expected<uintptr_t> allocate(size_t Size) = 0;
  virtual void release(uintptr_t Address) = 0;
};

/// Where an entry lies: a window or a fused block. See Placement.h.
struct Home;

/// One mapped host range. Owned by the directory. An entry with pins stays
/// allocated after it left the directory, until the last unpin().
struct Entry {
  HostRange Host;
  /// Base address of the array or struct the section belongs to.
  uintptr_t Base = 0;
  /// The program's name record for messages (";a;file;line;col;;"), or null.
  const void *Name = nullptr;
  uint64_t DynCount = 0;
  uint64_t HoldCount = 0;
  /// Declare target globals and associated pointers: stay whatever is counted.
  /// The dynamic count does not change; holds are counted for the owner to see.
  bool Permanent : 1 = false;
  /// Its bytes are not only those of the construct that made it: another one
  /// found it, or it overlaps with other entries.
  bool Joined : 1 = false;
  /// Made by associate(); only these can be disassociated. Who found the entry
  /// may ask without the mutex.
  bool Associated = false;
  /// Transfers of this entry's bytes are under way.
  bool Busy = false;
  /// Out of the directory; lives on for its pins only.
  bool Gone = false;
  uint32_t Pins = 0;
  /// Device address = host address + Delta, modulo 2^64.
  uintptr_t Delta = 0;
  Home *Where = nullptr;
  /// The place of the construct that made it, as in Ident, or null.
  const char *Place = nullptr;

  uintptr_t device() const { return Host.Begin + Delta; }
  uint64_t totalCount() const { return DynCount + HoldCount; }
};

/// One step of a plan, in order.
struct Operation {
  enum KindTy : uint8_t {
    ToDevice,     ///< Host -> Device, Size bytes.
    FromDevice,   ///< Device -> Host, Size bytes.
    WithinDevice, ///< Device2 -> Device, Size bytes (growth of fused blocks).
    Attach        ///< Store the 8-byte value Device2 at Device.
  };
  KindTy Kind;
  uintptr_t Host = 0;
  uintptr_t Device = 0;
  uintptr_t Device2 = 0;
  size_t Size = 0;
  /// Attached pointers inside the range: Plan::Skips[FirstSkip, +NumSkips), in
  /// ascending order. FromDevice must not touch these host bytes at any time;
  /// ToDevice must leave the given device values in these device bytes.
  uint32_t FirstSkip = 0;
  uint32_t NumSkips = 0;
  /// Of an update: UpdateItem::Part.
  uint32_t Part = 0;
  const void *Name = nullptr;
};

/// An attached pointer inside the range of an operation.
struct Skip {
  size_t Offset;         ///< From the start of the range. 8 bytes are skipped.
  uintptr_t DeviceValue; ///< What the device's copy of the pointer holds.
};

/// What a construct has to do once the mutex is released. Reusable: clear()
/// keeps capacity.
class Plan {
public:
  std::vector<Operation> Operations;
  std::vector<Skip> Skips;
  /// Entries to settle: created or growing ones, and leaving ones.
  std::vector<Entry *> Busy;
  std::vector<Entry *> Leaving;
  /// Entries that operations read or write without making them busy; pinned
  /// until settle().
  std::vector<Entry *> Held;
  /// Fused blocks to free at settle().
  std::vector<uintptr_t> Freed;

  bool empty() const {
    return Operations.empty() && Busy.empty() && Leaving.empty() &&
           Held.empty() && Freed.empty();
  }
  void clear() {
    Operations.clear();
    Skips.clear();
    Busy.clear();
    Leaving.clear();
    Held.clear();
    Freed.clear();
  }
};

enum class Outcome {
  Done,  ///< Everything was changed; the plan is to be carried out.
  Wait,  ///< Nothing was changed; ask again after a settle() or unpin().
  Failed ///< Nothing was changed; see the status.
};

/// How a range was resolved.
enum class Resolution : uint8_t {
  Absent,   ///< Not on the device (zero-length or implicit misses, exits).
  Existing, ///< Resolved to an entry that was there.
  Created,  ///< A new entry was made by this item.
  Shared    ///< The device uses the host's bytes (unified memory).
};

/// One map clause item on entry to a construct.
struct EnterItem {
  // In.
  HostRange Host;
  uintptr_t Base = 0;
  const void *Name = nullptr;
  /// The construct's place, as in Ident, or null.
  const char *Place = nullptr;
  /// Host address of the pointer to attach to this item's device copy
  /// (PTR_AND_OBJ); 0: none. `Base` is then the pointer's host value.
  uintptr_t Slot = 0;
  /// Index of the struct item this one is a member of, else -1. Members copy
  /// in what of their range their construct made newly present.
  int32_t Parent = -1;
  bool CopyIn = false;    ///< to
  bool Always = false;    ///< copy even if present
  bool Implicit = false;  ///< not written by the program
  bool Present = false;   ///< error if not present
  bool Hold = false;      ///< count in HoldCount
  bool Count = true;      ///< false: an existing entry's count stays
  bool CountSlot = false; ///< likewise for the entry of the slot
  /// What is not present stays absent.
  bool NoCreate = false;
  /// The hull of members that are items of their own, named as their Parent: it
  /// counts in an entry that is exactly it, and needs none where they lie
  /// together.
  bool Frame = false;
  bool MayShare = false; ///< unified memory: use host bytes if not present
  /// Keep the entry allocated until unpin(): set for target regions.
  bool Pin = false;

  // Out.
  Resolution Result = Resolution::Absent;
  Entry *Target = nullptr; ///< Null when absent or shared.
  /// Device address of Host.Begin; the host address when shared or absent.
  uintptr_t Device = 0;
  /// False: found in an entry that takes no count for it, on exit neither: one
  /// that a later item of the construct made, or around a frame.
  bool Counted = true;
};

/// One map clause item on exit from a construct.
struct ExitItem {
  // In.
  HostRange Host;
  /// The entry this construct pinned on entry; else null and Host is resolved.
  Entry *Pinned = nullptr;
  /// The pin goes on: what the construct queued still uses the memory.
  bool KeepPin = false;
  int32_t Parent = -1;
  const void *Name = nullptr;
  bool CopyOut = false; ///< from
  /// The construct made the entry, and its kernel does not write these bytes:
  /// nothing is copied out unless the entry was joined.
  bool Unwritten = false;
  bool Always = false;  ///< copy even if not last
  bool Delete = false;  ///< zero the count (the hold count if Hold)
  bool Present = false; ///< error if not present
  bool Hold = false;
  bool Implicit = false; ///< resolve partial overlap like enter() does
  bool Frame = false;    ///< as in EnterItem
  bool NoParts = false; ///< error if it does not resolve, but parts are present
  bool Count = true;

  // Out.
  Resolution Result = Resolution::Absent;
  Entry *Target = nullptr;
  uintptr_t Device = 0;
  bool Last = false; ///< The entry leaves with this item.
  /// The entry as it was, also where Target is null because it is gone.
  HostRange Whole;
  const void *EntryName = nullptr;
  bool Permanent = false;
  uint64_t DynAfter = 0; ///< Counts right after this item.
  uint64_t HoldAfter = 0;
};

/// One motion clause item of an update.
struct UpdateItem {
  HostRange Host;
  bool ToDevice = false;
  bool FromDevice = false;
  bool Present = false;
  /// The caller's, handed on to the operations: what has different ones must
  /// not be copied together, as it may lie in different allocations.
  uint32_t Part = 0;
  const void *Name = nullptr;
  // Out.
  Resolution Result = Resolution::Absent;
  Entry *Target = nullptr;
  uintptr_t Device = 0;
};

struct DirectoryOptions {
  enum StrategyTy { Mirror, Fused } Strategy = Mirror;
  /// ACCX_STRICT_MAP: a map that would extend an entry is an error.
  bool Strict = false;
  /// Mirror: span of host addresses behind one window.
  size_t WindowBytes = size_t(1) << 40;
  /// Mirror: arrays that begin so many bytes behind a multiple of HeaderUnit,
  /// as large ones of the C library's allocator do, have windows in which they
  /// begin on a unit of the commits. 0: they are like others.
  size_t HeaderBytes = 16;
  size_t HeaderUnit = 4096;
  /// Mirror: committed bytes beyond this share of the capacity (in 1/256) must
  /// not exceed BudgetRatio times the mapped bytes; new entries are then fused.
  unsigned BudgetShare = 64;
  unsigned BudgetRatio = 8;
};

struct DirectoryStats {
  size_t Entries = 0;
  uint64_t MappedBytes = 0;    ///< Sum of the entries' sizes.
  uint64_t CommittedBytes = 0; ///< Device memory held, windows and blocks.
  size_t Windows = 0;
  size_t Blocks = 0;
};

/// See the head of this file. Not thread-safe; see Concurrency there.
class Directory {
public:
  Directory(DeviceMemory &Memory, DirectoryOptions Options = {});
  ~Directory();
  Directory(const Directory &) = delete;
  Directory &operator=(const Directory &) = delete;

  /// Maps all items of one construct. On Failed, \p Error says why: NotPresent,
  /// Extension or OutOfMemory, with the host address and size in the text, and
  /// \p FailedItem is the index of the item.
  Outcome enter(std::span<EnterItem> Items, Plan &P, Status &Error,
                size_t &FailedItem);

  /// Like enter() if that would only count: every item is there, or is empty,
  /// and needs no operation and no wait. Otherwise changes nothing and returns
  /// false.
  bool enterPresent(std::span<EnterItem> Items);

  /// Unmaps all items of one construct, last item first. Pins of items with
  /// `Pinned` end here, unless they say `KeepPin`.
  Outcome exit(std::span<ExitItem> Items, Plan &P, Status &Error,
               size_t &FailedItem);

  /// Like exit(), for a thread with target regions under way that hold the
  /// counts of \p Held, an entry for each. Does what needs no copy and what
  /// they cannot tell: an entry stays for others, or leaves without a copy
  /// (`Last`), and its memory with the last pin. Until then its range must not
  /// be entered again. Otherwise changes nothing and returns false.
  bool exitBeside(std::span<ExitItem> Items,
                  std::span<const Entry *const> Held);

  /// Plans the copies of an update. Ranges that do not resolve are skipped
  /// (Result == Absent) unless Present.
  Outcome update(std::span<UpdateItem> Items, Plan &P, Status &Error,
                 size_t &FailedItem);

  /// The plan's operations were carried out (or failed for good): busy entries
  /// become usable, leaving ones go, freed blocks are released.
  void settle(Plan &P);

  /// Ends one pin of \p E without an exit (a construct that failed).
  void unpin(Entry *E);

  /// Resolves without changing anything. Null when absent.
  Entry *find(HostRange R) const;
  /// Whether bytes of \p R are mapped, or are on their way out.
  bool touches(HostRange R) const;
  /// Whether entries cover every byte of \p R (not empty).
  bool covered(HostRange R) const;

  /// Adds a permanent entry at a device address that is not ours.
  /// \p Associated: made by omp_target_associate_ptr. Fails (Extension) if the
  /// range overlaps an entry at another distance; the same association twice
  /// is no error.
  Status associate(HostRange R, uintptr_t Device, const void *Name,
                   bool Associated);
  /// Ends an association that starts at \p Begin.
  Status disassociate(uintptr_t Begin);
  /// Removes permanent entries of an unloaded image: exactly \p R.
  void forget(HostRange R);

  /// Names and places of entries that lie in \p Object, which is about to be
  /// unloaded, become copies that stay.
  void keepTexts(HostRange Object);

  /// Gives idle device memory back: committed pages and blocks that no entry
  /// uses. The caller made sure that nothing queued uses them. Returns bytes.
  uint64_t trim();

  DirectoryStats stats() const;
  /// An entry with bytes in \p Size bytes, at least one, at the device address
  /// \p Device; null if there is none.
  const Entry *entryAt(uintptr_t Device, size_t Size) const;
  /// All entries in ascending order of start, then end.
  std::vector<const Entry *> entries() const;

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace accx

#endif // ACCX_DIRECTORY_DIRECTORY_H
