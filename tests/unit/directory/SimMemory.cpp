// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bookkeeping of simulated device memory.

#include "SimMemory.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace accx::test {

SimMemory::~SimMemory() {
  // Whoever took memory gave it back, unless a test has failed already.
  if (std::uncaught_exceptions())
    return;
  if (Held || Errors || !Regions.empty()) {
    std::fprintf(stderr, "device memory: %zu bytes left, %u misuses\n",
                 size_t(Held), Errors);
    std::abort();
  }
}

bool SimMemory::fails() {
  if (FailAfter < 0 || FailAfter-- > 0)
    return false;
  Failed = true;
  return true;
}

void SimMemory::scribble(uint8_t *Begin, size_t Size) {
  for (size_t I = 0; I < Size; ++I)
    Begin[I] = Garbage += 37;
}

SimMemory::Region *SimMemory::find(uintptr_t Address, uintptr_t &Begin) {
  if (LastRegion && Address >= Last &&
      Address < Last + LastRegion->Bytes.size()) {
    Begin = Last;
    return LastRegion;
  }
  auto At = Regions.upper_bound(Address);
  if (At == Regions.begin())
    return nullptr;
  --At;
  if (Address >= At->first + At->second.Bytes.size())
    return nullptr;
  Begin = Last = At->first;
  return LastRegion = &At->second;
}

Expected<uintptr_t> SimMemory::reserve(size_t Size) {
  if (!L.CanReserve)
    return Status(ErrorCode::Unsupported, "no reservations here");
  ++Reserves;
  uintptr_t A =
      (Next + L.Granularity - 1) / L.Granularity * L.Granularity + L.Skew;
  Next = A + Size + 4096;
  Region &R = Regions[A];
  R.Bytes.resize(Size);
  R.Usable.resize(Size / L.Granularity + 1);
  return A;
}

void SimMemory::unreserve(uintptr_t Address, size_t Size) {
  auto At = Regions.find(Address);
  if (At == Regions.end() || At->second.Bytes.size() != Size ||
      At->second.Usable.empty()) {
    ++Errors;
    return;
  }
  for (bool Page : At->second.Usable)
    Errors += Page;
  Regions.erase(At);
  LastRegion = nullptr;
}

Status SimMemory::commit(uintptr_t Address, size_t Size) {
  if (fails())
    return Status(ErrorCode::OutOfMemory, "no pages");
  ++Commits;
  uintptr_t Begin = 0;
  Region *R = find(Address, Begin);
  if (!R || R->Usable.empty() || Address % L.Granularity ||
      Size % L.Granularity || Address + Size > Begin + R->Bytes.size()) {
    ++Errors;
    return Status(ErrorCode::Invalid, "not a page of a reservation");
  }
  for (uintptr_t A = Address; A < Address + Size; A += L.Granularity) {
    Errors += R->Usable[(A - Begin) / L.Granularity];
    R->Usable[(A - Begin) / L.Granularity] = true;
  }
  scribble(&R->Bytes[Address - Begin], Size);
  Held += Size;
  return Status();
}

void SimMemory::decommit(uintptr_t Address, size_t Size) {
  uintptr_t Begin = 0;
  Region *R = find(Address, Begin);
  if (!R || R->Usable.empty() || Address % L.Granularity ||
      Size % L.Granularity || Address + Size > Begin + R->Bytes.size()) {
    ++Errors;
    return;
  }
  for (uintptr_t A = Address; A < Address + Size; A += L.Granularity) {
    Errors += !R->Usable[(A - Begin) / L.Granularity];
    R->Usable[(A - Begin) / L.Granularity] = false;
  }
  scribble(&R->Bytes[Address - Begin], Size);
  Held -= Size;
}

Expected<uintptr_t> SimMemory::allocate(size_t Size) {
  if (fails())
    return Status(ErrorCode::OutOfMemory, "no memory");
  ++Allocations;
  uintptr_t A = (Next + 255) / 256 * 256;
  Next = A + Size + 512;
  Region &R = Regions[A];
  R.Bytes.resize(Size);
  scribble(R.Bytes.data(), Size);
  Held += Size;
  return A;
}

void SimMemory::release(uintptr_t Address) {
  ++Releases;
  auto At = Regions.find(Address);
  if (At == Regions.end() || !At->second.Usable.empty()) {
    ++Errors;
    return;
  }
  Held -= At->second.Bytes.size();
  Regions.erase(At);
  LastRegion = nullptr;
}

uint8_t *SimMemory::at(uintptr_t Address, size_t Size) {
  uintptr_t Begin = 0;
  Region *R = find(Address, Begin);
  if (!R || Address + Size > Begin + R->Bytes.size())
    return nullptr;
  // Pages need not be aligned to where the reservation begins.
  if (!R->Usable.empty())
    for (uintptr_t A = Address / L.Granularity * L.Granularity;
         A < Address + Size; A += L.Granularity)
      if (A < Begin || !R->Usable[(A - Begin) / L.Granularity])
        return nullptr;
  return &R->Bytes[Address - Begin];
}

} // namespace accx::test
