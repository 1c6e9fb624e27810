//===- Strided.cpp - Non-contiguous updates -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Strided.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Strided.h"

#include "report/Source.h"

using namespace accx;

namespace {

/// Visits the start offset of every run. \p Dims are the outer dimensions; the
/// innermost is the run itself.
template <typename Fn>
void forEachRun(std::span<const NonContigDim> Dims, uint64_t Offset, Fn Visit) {
  if (Dims.empty()) {
    Visit(Offset);
    return;
  }
  const NonContigDim &D = Dims.front();
  for (uint64_t I = 0; I < D.Count; ++I)
    forEachRun(Dims.subspan(1), Offset + (D.Offset + I) * D.Stride, Visit);
}

/// How many operations from \p First on form rows of one pitched transfer.
size_t rowsFrom(const std::vector<Operation> &Ops, size_t First) {
  const Operation &A = Ops[First];
  if (A.NumSkips ||
      (A.Kind != Operation::ToDevice && A.Kind != Operation::FromDevice))
    return 1;
  size_t Rows = 1;
  uintptr_t Step = 0;
  for (; First + Rows < Ops.size(); ++Rows) {
    const Operation &Last = Ops[First + Rows - 1];
    const Operation &Next = Ops[First + Rows];
    const uintptr_t HostStep = Next.Host - Last.Host;
    if (Next.Kind != A.Kind || Next.NumSkips || Next.Size != A.Size ||
        Next.Part != A.Part || Next.Device - Last.Device != HostStep ||
        Next.Host < Last.Host + A.Size || (Step && HostStep != Step))
      break;
    Step = HostStep;
  }
  return Rows;
}

} // namespace

void accx::appendSections(const MapItem &Item, uint32_t Part,
                          std::vector<UpdateItem> &Out) {
  UpdateItem U = {};
  U.Part = Part;
  U.ToDevice = Item.has(MapTo);
  U.FromDevice = Item.has(MapFrom);
  U.Present = Item.has(MapPresent);
  U.Name = Item.Name;
  if (!Item.has(MapNonContig)) {
    U.Host = Item.range();
    Out.push_back(U);
    return;
  }
  const auto *First = static_cast<const NonContigDim *>(Item.Begin);
  const std::span Dims(First, static_cast<size_t>(Item.Size));
  if (Dims.empty())
    return;
  const NonContigDim &Run = Dims.back();
  const uint64_t Length = Run.Count * Run.Stride;
  if (!Length)
    return;
  const size_t FirstOut = Out.size();
  const auto Base = reinterpret_cast<uintptr_t>(Item.Base);
  forEachRun(Dims.first(Dims.size() - 1), Run.Offset * Run.Stride,
             [&](uint64_t Offset) {
               const uintptr_t Begin = Base + Offset;
               if (Out.size() > FirstOut && Out.back().Host.End == Begin) {
                 Out.back().Host.End += Length;
                 return;
               }
               U.Host = {Begin, Begin + Length};
               Out.push_back(U);
             });
}

Status accx::performMerged(ConstructQueue &Q, const Plan &P) {
  const auto &Ops = P.Operations;
  for (size_t I = 0; I < Ops.size();) {
    const size_t Rows = rowsFrom(Ops, I);
    if (Rows == 1) {
      if (Status S = perform(Q, P, Ops[I]); S.failed())
        return S;
      ++I;
      continue;
    }
    const Operation &Op = Ops[I];
    const size_t Pitch = Ops[I + 1].Host - Op.Host;
    auto *Host = reinterpret_cast<void *>(Op.Host);
    auto *Device = reinterpret_cast<void *>(Op.Device);
    const bool ToDevice = Op.Kind == Operation::ToDevice;
    accx_copy Copy = {ToDevice ? ACCX_TO_DEVICE : ACCX_FROM_DEVICE,
                      ToDevice ? Device : Host,
                      ToDevice ? Host : Device,
                      Op.Size,
                      Rows,
                      Pitch,
                      Pitch,
                      nullptr};
    if (Status S = Q.device().copy(Q.handle(), Copy, Op.Name); S.failed())
      return std::move(S).within("updating '" + itemName(Op.Name) + "'");
    I += Rows;
  }
  return Status();
}
