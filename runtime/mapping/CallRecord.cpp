//===- CallRecord.cpp - Whether a region is met again ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CallRecord.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/CallRecord.h"

#include "mapping/Regions.h"

#include <algorithm>
#include <cstring>

using namespace accx;

/// Whether a launch of the kernel leaves nothing of its own with the device.
static bool keepsNothing(const Kernel &K) {
  const auto Keeps = [](const std::optional<Descriptor> &Desc) {
    return Desc && (Desc->usesWorkspace() || Desc->passGeometry());
  };
  return !Keeps(K.descriptor()) &&
         std::none_of(
             K.steps().begin(), K.steps().end(),
             [&](const Kernel::Step &Step) { return Keeps(Step.Desc); }) &&
         !(K.wholeGrid() && Keeps(K.wholeGrid()->Desc));
}

/// Whether the argument only says where something is. Pointers that are
/// attached, and captures, may have changed since.
static bool isPlain(const MapArrays &Arrays, int Arg) {
  const uint64_t Type = Arrays.type(Arg);
  if (Type & MapLiteral)
    return Type & MapTargetParam && !(Type & MapPtrAndObj);
  return !(Type & (MapPtrAndObj | MapMemberOf)) && !Arrays.mapper(Arg);
}

void CallRecord::set(const void *Host, const Ident *Place,
                     const KernelArgs &Args, const Kernel &K) {
  const MapArrays Arrays = arraysOf(Args);
  MayRepeat = keepsNothing(K);
  for (int I = 0; I < Arrays.Num && MayRepeat; ++I)
    MayRepeat = isPlain(Arrays, I);
  if (!MayRepeat)
    return;
  HostPtr = Host;
  Loc = Place;
  Version = Args.Version;
  BasePtrs.assign(Args.BasePtrs, Args.BasePtrs + Arrays.Num);
  Ptrs.assign(Args.Ptrs, Args.Ptrs + Arrays.Num);
  Sizes.assign(Args.Sizes, Args.Sizes + Arrays.Num);
  Types.assign(Args.Types, Args.Types + Arrays.Num);
}

bool CallRecord::isRepeatedBy(const void *Host, const Ident *Place,
                              const KernelArgs &Args,
                              const PrivateArguments &Privates) const {
  if (!MayRepeat || HostPtr != Host || Loc != Place ||
      Version != Args.Version || Types.size() != Args.NumArgs ||
      std::memcmp(Types.data(), Args.Types, Args.NumArgs * sizeof(int64_t)))
    return false;
  for (size_t I = 0; I < Types.size(); ++I)
    if (!(Types[I] & MapLiteral) &&
        (BasePtrs[I] != Args.BasePtrs[I] || Ptrs[I] != Args.Ptrs[I] ||
         Sizes[I] != Args.Sizes[I] || (Args.Mappers && Args.Mappers[I])))
      return false;
  return Privates.hold(arraysOf(Args));
}

void CallRecord::passLiterals(const KernelArgs &Args,
                              std::vector<void *> &Passed) {
  const MapArrays Arrays = arraysOf(Args);
  forEachParameter(Arrays, hasEnvironment(Args), [&](int Arg, unsigned Param) {
    if (Arrays.type(Arg) & MapLiteral)
      Passed[Param] = Arrays.BasePtrs[Arg];
  });
}
