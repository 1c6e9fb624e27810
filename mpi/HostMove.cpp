//===- HostMove.cpp - Messages of the host's memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMove.h"

#include "Settings.h"

#include <algorithm>
#include <cerrno>

using namespace accx::mpi;

namespace {

constexpr unsigned Depth = 4;

} // namespace

std::shared_ptr<HostMove> HostMove::send(const void *From, size_t Size,
                                         int Dest, int Tag, MPI_Comm Comm) {
  auto *Data = static_cast<char *>(const_cast<void *>(From));
  std::shared_ptr<HostMove> New(new HostMove(Data, Size));
  New->M = std::make_shared<Send>(Comm, Dest, Tag, Size);
  return New;
}

std::shared_ptr<HostMove> HostMove::receive(void *To, size_t Size, int Source,
                                            int Tag, MPI_Comm Comm) {
  std::shared_ptr<HostMove> New(new HostMove(static_cast<char *>(To), Size));
  auto In = std::make_shared<Receive>(Comm, Source, Tag, Size, nullptr);
  New->Result = In->Result;
  New->M = std::move(In);
  return New;
}

void HostMove::begin(std::function<void(HostMove &)> Then) {
  AtEnd = std::move(Then);
  Chunk = Settings::get().Chunk;
  Self = shared_from_this();
  if (Engine::get().post([this] { feed(); }))
    return;
  Status = -ECANCELED;
  HasEnded = true;
  AtEnd(*this);
  Self = nullptr;
}

ReceiveResult HostMove::result() const {
  return Result ? *Result : ReceiveResult();
}

void HostMove::feed() {
  if (IsFeeding)
    return; // A piece ended at once.
  IsFeeding = true;
  while (!IsLast && UnderWay < Depth) {
    const size_t Bytes =
        std::min(Size - Next, HasBegun ? Chunk : firstPart(Size, Chunk));
    Piece P;
    P.Data = Data + Next;
    P.At = Next;
    P.Size = Bytes;
    P.Owner = this;
    HasBegun = true;
    Next += Bytes;
    IsLast = Next == Size;
    ++UnderWay;
    M->give(P);
  }
  IsFeeding = false;
  if (UnderWay || HasEnded)
    return;
  HasEnded.store(true, std::memory_order_release);
  M->finished(Status);
  const auto Last = std::move(Self);
  AtEnd(*this);
}

void HostMove::pieceEnded(size_t, int Code, const std::string &) {
  --UnderWay;
  if (Code < 0 && Status == 0)
    Status = Code;
  // A message that is shorter than its room ends the pieces.
  if (Code < 0 || (Result && Result->IsKnown && Next >= Result->Size))
    IsLast = true;
  feed();
}

void HostMove::cancel() {
  if (HasEnded)
    return;
  // Before the end, which the status is asked for at.
  WasCancelled = true;
  if (!M->cancel(-ECANCELED, "MPI_Cancel was called"))
    WasCancelled = false;
}
