//===- HostMove.h - Messages of the host's memory ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MPI_Send and its kin with MPI_CL_MEM are: the messages that accx_send
// and accx_recv are, without a queue of the runtime. Gives the message its
// pieces as the runtime would.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_HOSTMOVE_H
#define ACCX_MPI_HOSTMOVE_H

#include "Receive.h"
#include "Send.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace accx::mpi {

class HostMove final : public PieceOwner,
                       public std::enable_shared_from_this<HostMove> {
public:
  static std::shared_ptr<HostMove> send(const void *From, size_t Size, int Dest,
                                        int Tag, MPI_Comm Comm);
  static std::shared_ptr<HostMove> receive(void *To, size_t Size, int Source,
                                           int Tag, MPI_Comm Comm);

  /// \p AtEnd is called with the engine.
  void begin(std::function<void(HostMove &)> AtEnd);
  /// Takes back a receive that no message has come for; with the engine.
  void cancel();

  /// What follows may be asked for on any thread then.
  bool hasEnded() const { return HasEnded.load(std::memory_order_acquire); }
  /// 0 or a negative error number.
  int status() const { return Status; }
  bool wasCancelled() const { return WasCancelled; }
  /// Of what was received.
  ReceiveResult result() const;
  void pieceEnded(size_t Size, int Code, const std::string &Text) override;

private:
  HostMove(char *Data, size_t Size) : Data(Data), Size(Size) {}
  void feed();

  char *const Data;
  const size_t Size;
  std::shared_ptr<Message> M;
  std::shared_ptr<ReceiveResult> Result;
  std::function<void(HostMove &)> AtEnd;
  /// Until it has ended: the message's pieces point here.
  std::shared_ptr<HostMove> Self;
  size_t Chunk = 0;
  size_t Next = 0;
  unsigned UnderWay = 0;
  bool HasBegun = false;
  std::atomic<bool> HasEnded{false};
  bool IsLast = false; ///< No more pieces.
  bool IsFeeding = false;
  bool WasCancelled = false;
  int Status = 0;
};

} // namespace accx::mpi

#endif // ACCX_MPI_HOSTMOVE_H
