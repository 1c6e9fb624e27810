//===- Privates.cpp - Private arguments of a launch -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Privates.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Privates.h"

#include "mapping/Phases.h"

#include <algorithm>
#include <cstring>

using namespace accx;

namespace {

/// The alignment the program's object happens to have, as far as a device copy
/// needs it.
uint64_t alignmentOf(const void *Host) {
  auto Address = reinterpret_cast<uintptr_t>(Host);
  return std::clamp<uint64_t>(Address & -Address, 1, 256);
}

uint64_t alignUp(uint64_t Value, uint64_t Alignment) {
  return (Value + Alignment - 1) & ~(Alignment - 1);
}

/// Whether a later item stores captured pointers into argument \p Arg.
bool isLambda(const MapArrays &Arrays, int Arg) {
  return Arg + 1 < Arrays.Num && memberOf(Arrays.type(Arg + 1)) == Arg;
}

} // namespace

/// Takes the block of another launch that holds just these values.
bool PrivateArguments::borrow() {
  for (const PrivateArguments *Other : Others) {
    if (!Other->ReadOnly || Other->PackedBytes != PackedBytes ||
        std::memcmp(Other->Packed, Packed, PackedBytes) != 0)
      continue;
    Block = Other->Block;
    return Borrowed = true;
  }
  return false;
}

bool PrivateArguments::hold(const MapArrays &Arrays) const {
  return Arguments.empty() ||
         (ReadOnly && std::all_of(Arguments.begin(), Arguments.end(),
                                  [&](const Argument &A) {
                                    return std::memcmp(Packed + A.Offset,
                                                       Arrays.Ptrs[A.Arg],
                                                       A.Size) == 0;
                                  }));
}

Status PrivateArguments::place(ConstructQueue &Q, const MapArrays &Arrays) {
  uint64_t Used = 0;
  auto Add = [&](int I, bool Copy, bool Pack) {
    Used = alignUp(Used, alignmentOf(Arrays.Ptrs[I]));
    const uint64_t Size = std::max<int64_t>(Arrays.Sizes[I], 0);
    Arguments.push_back({I, Used, Size, Copy, Pack});
    Used += Size;
  };
  auto ForEach = [&](auto Visit) {
    for (int I = 0; I < Arrays.Num; ++I) {
      const uint64_t Type = Arrays.type(I);
      if (!(Type & MapPrivate) || (Type & MapLiteral) ||
          !(Type & MapTargetParam))
        continue;
      const bool Copy = Type & MapTo;
      Visit(I, Copy,
            Copy && (Q.isLeft() ||
                     static_cast<uint64_t>(Arrays.Sizes[I]) <= PackLimit ||
                     isLambda(Arrays, I)));
    }
  };
  ForEach([&](int I, bool Copy, bool Pack) {
    if (Pack)
      Add(I, Copy, true);
  });
  PackedBytes = Used;
  ForEach([&](int I, bool Copy, bool Pack) {
    if (!Pack)
      Add(I, Copy, false);
  });
  if (Arguments.empty())
    return Status();
  if (PackedBytes) {
    Packed = Q.stage(PackedBytes);
    // What lies between them is compared, too.
    std::memset(Packed, 0, PackedBytes);
    for (const Argument &A : Arguments)
      if (A.Packed)
        std::memcpy(Packed + A.Offset, Arrays.Ptrs[A.Arg], A.Size);
  }
  // Lambdas are patched later.
  ReadOnly &=
      PackedBytes == Used &&
      std::none_of(Arguments.begin(), Arguments.end(),
                   [&](const Argument &A) { return isLambda(Arrays, A.Arg); });
  if (ReadOnly && borrow())
    return Status();

  auto Taken =
      withMemory(D, Holding::Entries, [&] { return D.scratch().take(Used); });
  if (!Taken.ok())
    return Taken.takeStatus().within("private arguments of " +
                                     std::to_string(Used) + " bytes");
  Block = *Taken;
  return Status();
}

uintptr_t PrivateArguments::address(int Arg) const {
  auto It = std::find_if(Arguments.begin(), Arguments.end(),
                         [&](const Argument &A) { return A.Arg == Arg; });
  assert(It != Arguments.end() && "not a private argument");
  return reinterpret_cast<uintptr_t>(Block.Address) + It->Offset;
}

bool PrivateArguments::patch(int Arg, uint64_t Offset, uintptr_t Value) {
  auto It = std::find_if(Arguments.begin(), Arguments.end(),
                         [&](const Argument &A) { return A.Arg == Arg; });
  if (It == Arguments.end() || !It->Packed || Offset + sizeof(Value) > It->Size)
    return false;
  std::memcpy(Packed + It->Offset + Offset, &Value, sizeof(Value));
  return true;
}

Status PrivateArguments::transfer(ConstructQueue &Q, const MapArrays &Arrays) {
  const auto Base = reinterpret_cast<uintptr_t>(Block.Address);
  if (PackedBytes && !Borrowed)
    if (Status S = D.toDevice(Q.handle(), Base, Packed, PackedBytes);
        S.failed())
      return std::move(S).within("copying firstprivate values");
  for (const Argument &A : Arguments) {
    if (!A.Copy || A.Packed || !A.Size)
      continue;
    if (Status S = D.toDevice(Q.handle(), Base + A.Offset, Arrays.Ptrs[A.Arg],
                              A.Size, Arrays.name(A.Arg));
        S.failed())
      return std::move(S).within("copying firstprivate '" +
                                 itemName(Arrays.name(A.Arg)) + "'");
  }
  return Status();
}
