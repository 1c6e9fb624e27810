//===- Send.h - A message out -----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_SEND_H
#define ACCX_MPI_SEND_H

#include "Message.h"
#include "Wire.h"

namespace accx::mpi {

/// See Wire.h for what is sent. Device memory may be offered first:
///
///   offer -> answer "copied": that was all
///         -> answer "declined": the whole message as if there had been none
class Send final : public Message {
public:
  Send(MPI_Comm Comm, int Dest, int Tag, size_t Total);

  /// \p P stands for all of it, which is \p Parts; rank \p World has their
  /// descriptors.
  void offer(const Piece &P, std::vector<accx_share_part> Parts, int World);

private:
  void enter() override;
  bool step() override;
  void giveUp() override;
  bool hasBegun() const override { return HasPosted; }
  std::string soFar() const override;

  bool allPosted() const { return HasPosted && Posted >= Total; }
  void postMore();
  void post(const Piece &P);
  void postFirst(const Piece &P);
  void postNotice(Trailer End, const std::vector<accx_share_part> &Of);
  void postRest();
  void postOffer();
  void answered(Answer A);
  void postGivenUp();

  const size_t Total;
  const size_t Chunk;
  size_t Posted = 0;
  bool HasPosted = false;
  bool HasLeft = false;
  /// Of an offer.
  Piece Offered;
  std::vector<accx_share_part> Parts;
  int World = -1;
  bool IsOffering = false;
  bool WasDeclined = false;
  Requests::Id AnswerRequest = 0;
};

} // namespace accx::mpi

#endif // ACCX_MPI_SEND_H
