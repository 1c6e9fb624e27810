//===- Update.cpp - Updates of replicated arrays --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Update.h.
//
//===----------------------------------------------------------------------===//

#include "distribute/Update.h"

#include "distribute/Spread.h"
#include "mapping/Strided.h"
#include "report/Report.h"

using namespace accx;

namespace {

/// Performs \p Copy, to \p Other. On asynchronous queues it comes after what is
/// queued on the construct's own, which may write the host's bytes, and before
/// what follows there: a wait for that queue is enough.
Status copyTo(Device &Other, Construct C, const accx_copy &Copy) {
  if (asyncScope::current() == asyncScope::None)
    return copyBytes({Other, C.Loc}, Copy);
  // In the devices' order, as queues are locked one after the other.
  const bool OtherFirst = Other.id() < C.D.id();
  ConstructQueue First(OtherFirst ? Other : C.D);
  ConstructQueue Second(OtherFirst ? C.D : Other);
  for (ConstructQueue *Q : {&First, &Second})
    if (Status S = Q->openFor(C.Loc); S.failed())
      return S;
  ConstructQueue &To = OtherFirst ? First : Second;
  ConstructQueue &Own = OtherFirst ? Second : First;
  To.async()->waitFor(*Own.async());
  Status S = To.finish(Other.copy(To.handle(), Copy));
  Own.async()->waitFor(*To.async());
  return S;
}

/// Copies \p U to the copies of \p A on devices other than that of \p C, on the
/// same queue of theirs.
Status updateOthers(Construct C, const SpreadArray &A, const UpdateItem &U) {
  const size_t Offset = U.Host.Begin - A.Host.Begin;
  for (size_t I = 0; I < A.Devices.size(); ++I) {
    if (A.Devices[I] == &C.D)
      continue;
    accx_copy Copy = {};
    Copy.direction = ACCX_TO_DEVICE;
    Copy.dst = reinterpret_cast<void *>(A.deviceAddress(I) + Offset);
    Copy.src = reinterpret_cast<const void *>(U.Host.Begin);
    Copy.width = U.Host.size();
    Copy.height = 1;
    if (Status S = copyTo(*A.Devices[I], C, Copy); S.failed()) {
      S = std::move(S).within("copying '" + itemName(U.Name) + "' to device " +
                              std::to_string(A.Devices[I]->id()) + " failed");
      error("%s", S.text().c_str());
      return S;
    }
  }
  return Status();
}

[[gnu::cold]] Status updateReplicas(Construct C, const MapArrays &Arrays) {
  MapItems Items;
  Items.assign(Arrays, C.Loc);
  std::vector<UpdateItem> Sections;
  for (size_t I = 0; I < Items.size(); ++I)
    appendSections(Items[I], static_cast<uint32_t>(I), Sections);
  for (const UpdateItem &U : Sections) {
    SpreadRef A =
        U.ToDevice && !U.Host.empty() ? findSpread(U.Host.Begin) : nullptr;
    if (!A || !A->Replicated || A->OnHost || !A->Host.contains(U.Host) ||
        A->indexOf(C.D) < 0)
      continue;
    if (Status S = updateOthers(C, *A, U); S.failed())
      return S;
  }
  return Status();
}

} // namespace

Status accx::updateEverywhere(Construct C, const MapArrays &Arrays) {
  Status S = dataUpdate(C, Arrays);
  if (S.failed() || !anyReplicated()) [[likely]]
    return S;
  return updateReplicas(C, Arrays);
}
