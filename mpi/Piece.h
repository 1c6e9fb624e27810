//===- Piece.h - A piece of a message in host memory ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_PIECE_H
#define ACCX_MPI_PIECE_H

#include <accx/channel.h>

#include <cstddef>
#include <string>

namespace accx::mpi {

/// Who cuts memory of the host into pieces, where the runtime does not.
class PieceOwner {
public:
  virtual void pieceEnded(size_t Size, int Status, const std::string &Text) = 0;

protected:
  ~PieceOwner() = default;
};

/// Bytes At.. of a message. Exactly one of Runtime and Owner is set, and is
/// told of the end once.
struct Piece {
  char *Data = nullptr;
  size_t At = 0;
  size_t Size = 0;
  accx_piece_t Runtime = nullptr;
  PieceOwner *Owner = nullptr;

  void end(size_t Moved, int Status = 0, const std::string &Text = {},
           bool Keeps = false) const {
    if (Owner)
      Owner->pieceEnded(Moved, Status, Text);
    else
      __accx_piece_end(Runtime, Moved, Status, Status < 0 ? Text.c_str() : "",
                       Keeps);
  }
};

} // namespace accx::mpi

#endif // ACCX_MPI_PIECE_H
