// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mapping rules written down a second time, with lists and loops only.

#ifndef ACCX_TESTS_DIRECTORY_MODEL_H
#define ACCX_TESTS_DIRECTORY_MODEL_H

#include "directory/Directory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace accx::test {

/// A small host address space.
inline constexpr uintptr_t SpaceBegin = 0x100000;
inline constexpr size_t SpaceSize = 4096;
inline size_t offsetOf(uintptr_t A) { return A - SpaceBegin; }

/// A set of bytes of it.
class Bytes {
  std::array<uint64_t, SpaceSize / 64> Words{};

public:
  void set(HostRange R) {
    for (size_t I = offsetOf(R.Begin), End = offsetOf(R.End); I < End;) {
      size_t Stop = std::min(End, (I / 64 + 1) * 64);
      Words[I / 64] |= ~uint64_t(0) >> (64 - (Stop - I)) << (I % 64);
      I = Stop;
    }
  }
  void set(size_t I) { Words[I / 64] |= uint64_t(1) << (I % 64); }
  bool operator[](size_t I) const { return Words[I / 64] >> (I % 64) & 1; }
  bool none() const { return *this == Bytes(); }
  bool any() const { return !none(); }
  size_t count() const {
    size_t N = 0;
    for (uint64_t W : Words)
      N += std::popcount(W);
    return N;
  }
  Bytes &operator|=(const Bytes &B) {
    for (size_t I = 0; I < Words.size(); ++I)
      Words[I] |= B.Words[I];
    return *this;
  }
  Bytes &operator&=(const Bytes &B) {
    for (size_t I = 0; I < Words.size(); ++I)
      Words[I] &= B.Words[I];
    return *this;
  }
  Bytes operator~() const {
    Bytes B;
    for (size_t I = 0; I < Words.size(); ++I)
      B.Words[I] = ~Words[I];
    return B;
  }
  friend Bytes operator|(Bytes A, const Bytes &B) { return A |= B; }
  friend Bytes operator&(Bytes A, const Bytes &B) { return A &= B; }
  friend bool operator==(const Bytes &, const Bytes &) = default;
};

inline Bytes bytesOf(HostRange R) {
  Bytes B;
  B.set(R);
  return B;
}

struct ModelEntry {
  unsigned Id = 0;
  HostRange Host;
  uintptr_t Base = 0;
  uint64_t Dyn = 0, Hold = 0;
  bool Permanent = false, Associated = false;
  /// Permanent, and not at the distance of what it overlapped when it came.
  bool Foreign = false;
  /// Another construct found it, or tried to, or it overlapped with others.
  bool Joined = false;
  bool Busy = false;
  /// Left the directory; a plan still copies from or to it.
  bool Leaving = false;
  /// How many plans copy without making it busy.
  unsigned Holds = 0;
};

/// A pointer whose device copy holds a device address.
struct ModelPointer {
  uintptr_t Slot = 0;
  HostRange Pointee;
  uintptr_t Base = 0;
  /// The pointee was covered ever since.
  bool Valid = true;
  /// Some of its own bytes were not.
  bool Broken = false;
};

struct ModelState {
  std::vector<ModelEntry> Entries;
  std::vector<ModelPointer> Pointers;

  ModelEntry *byId(unsigned Id);
  ModelEntry *live(HostRange R);
  ModelEntry *resolve(HostRange R);
  Bytes covered() const;
  bool covers(HostRange R) const;
  Bytes pointerBytes() const;
  ModelPointer *pointerAt(uintptr_t Slot);
  /// After something left: forgets pointers that are gone, and so on.
  void checkPointers();
};

/// What a construct must do.
struct Prediction {
  Outcome Result = Outcome::Done;
  ErrorCode Code = ErrorCode::Unknown;
  struct ItemResult {
    Resolution How = Resolution::Absent;
    unsigned Id = 0;
    bool Last = false;
    uint64_t Dyn = 0, Hold = 0;
  };
  std::vector<ItemResult> Items;
  Bytes ToDevice, FromDevice;
  /// What no entry covered before.
  Bytes Fresh;
  /// Whether a byte may be copied twice.
  bool Repeats = false;
  /// Pointers that must be stored on the device: they are new there.
  std::vector<uintptr_t> Attach;
  /// Pointers that must be stored if their value changed.
  std::vector<uintptr_t> Reattach;
  std::vector<unsigned> Created, Left;
};

/// Each takes the state before and leaves the state after, which is to be
/// dropped unless the prediction is Done. Ids of pinned entries stand in
/// \p Pinned, 0 where an item has none.
Prediction predictEnter(ModelState &S, std::span<const EnterItem> Items,
                        bool Strict, unsigned &NextId);
Prediction predictExit(ModelState &S, std::span<const ExitItem> Items,
                       std::span<const unsigned> Pinned);
Prediction predictUpdate(ModelState &S, std::span<const UpdateItem> Items);

} // namespace accx::test

#endif // ACCX_TESTS_DIRECTORY_MODEL_H
