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
    if (Status S = copyBytes({*A.Devices[I], C.Loc}, Copy); S.failed()) {
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
