// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One directory on simulated memory, and short words for what tests do to it.

#ifndef ACCX_TESTS_DIRECTORY_RIG_H
#define ACCX_TESTS_DIRECTORY_RIG_H

#include "SimMemory.h"

#include <initializer_list>
#include <string>

namespace accx::test {

/// Host addresses in tests are offsets from here.
inline constexpr uintptr_t H = 0x100000;

inline HostRange at(uintptr_t Offset, size_t Size) {
  return {H + Offset, H + Offset + Size};
}

/// Map items in the words of the clauses.
inline EnterItem alloc(uintptr_t Offset, size_t Size) {
  EnterItem It;
  It.Host = at(Offset, Size);
  It.Base = It.Host.Begin;
  return It;
}
inline EnterItem to(uintptr_t Offset, size_t Size) {
  EnterItem It = alloc(Offset, Size);
  It.CopyIn = true;
  return It;
}
inline ExitItem release(uintptr_t Offset, size_t Size) {
  ExitItem It;
  It.Host = at(Offset, Size);
  return It;
}
inline ExitItem from(uintptr_t Offset, size_t Size) {
  ExitItem It = release(Offset, Size);
  It.CopyOut = true;
  return It;
}
inline ExitItem remove(uintptr_t Offset, size_t Size) {
  ExitItem It = release(Offset, Size);
  It.Delete = true;
  return It;
}

inline DirectoryOptions mirror() {
  DirectoryOptions O;
  O.WindowBytes = size_t(1) << 20;
  O.HeaderBytes = 0;
  return O;
}
inline DirectoryOptions fused() {
  DirectoryOptions O;
  O.Strategy = DirectoryOptions::Fused;
  return O;
}
inline DirectoryOptions strict() {
  DirectoryOptions O = mirror();
  O.Strict = true;
  return O;
}

/// What became of one construct. Its plan is settled by finish() or the next
/// construct's creation from it.
struct Construct {
  Outcome Result = Outcome::Failed;
  Plan P;
  Status Error;
  size_t FailedItem = ~size_t(0);
  std::vector<EnterItem> In;
  std::vector<ExitItem> Out;

  /// "to 0+16, from 32+8", with "!24" for a pointer that is skipped, "move"
  /// and "attach"; empty if nothing is to be done.
  std::string operations() const;
};

class Rig {
public:
  explicit Rig(DirectoryOptions O = mirror(), SimMemory::Limits L = {})
      : Memory(L), D(Memory, O) {}

  /// Plans and leaves the plan to the caller.
  Construct start(std::vector<EnterItem> Items);
  Construct startExit(std::vector<ExitItem> Items);
  /// Plans, carries out on the simulated memory, settles. The plan's
  /// operations stay readable in the text that is returned; "wait" or the
  /// name of the error if nothing was done.
  std::string enter(std::vector<EnterItem> Items);
  std::string exit(std::vector<ExitItem> Items);
  std::string update(std::vector<UpdateItem> Items);
  void perform(const Plan &P);
  void finish(Construct &C);

  /// Both counts of the entry with exactly this range, "-" without one.
  std::string counts(uintptr_t Offset, size_t Size) const;
  Entry *entry(uintptr_t Offset, size_t Size) const;
  /// "0+16 8+16": the ranges of all entries.
  std::string entries() const;

  uint8_t &host(uintptr_t Offset) { return Host[Offset]; }
  /// The device's copy of a mapped byte.
  uint8_t &device(uintptr_t Offset);
  /// The device's copy of a mapped pointer.
  uintptr_t devicePointer(uintptr_t Offset);

  SimMemory Memory;
  Directory D;

private:
  std::vector<uint8_t> Host = std::vector<uint8_t>(1 << 20);
};

} // namespace accx::test

#endif // ACCX_TESTS_DIRECTORY_RIG_H
