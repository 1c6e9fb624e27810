//===- Pipeline.h - Device memory in pieces through the host ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer between a device and something else that the host has to carry
// out: a file, a message. Memory is cut into pieces, which are in host memory
// while a mover moves them.
//
//   out:  device --copy--> piece --Mover::start()--> elsewhere
//   in:   device <--copy-- piece <--Mover::start()-- elsewhere
//
// Several pieces are under way at once, each in a pinned block of its own; where
// the host reaches the device's memory pieces lie in that. Pieces are started in
// order and end in any.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_PIPELINE_H
#define ACCX_TRANSFER_PIPELINE_H

#include "accx/event.h"
#include "accx/plugin.h"
#include "event/Event.h"

#include <cstddef>
#include <string>
#include <vector>

namespace accx {

class Device;
class Piece;

/// Moves pieces of one stream. Called by one thread at a time.
class Mover {
public:
  virtual ~Mover() = default;
  /// Moves bytes \p At.. of the stream, \p Size of them, from or to \p Data, and
  /// calls P.end() then, on any thread, also before it returns. Does not block.
  virtual void start(void *Data, size_t At, size_t Size, Piece &P) = 0;
};

/// What became of a piece or of a transfer: 0 or a negative error number.
struct MoveResult {
  size_t Bytes = 0;
  int Code = 0;
  std::string Text;
  /// The piece's memory may still be written: it is not used again.
  bool Keeps = false;
};

/// A piece under way.
class Piece {
public:
  /// Once, from any thread; *this may be gone when it returns. Fewer bytes than
  /// the piece has end an incoming stream.
  void end(MoveResult R);

protected:
  Piece() = default;
  ~Piece() = default;
};

/// One stream of bytes between device memory and a mover.
struct Stream {
  bool Out = false;
  /// Bytes in order, addresses of the device (or of the host where there is
  /// none, or Host says so).
  std::vector<accx_section> Sections;
  bool Host = false;
  /// Largest piece; 0: one piece for all, even if that is empty.
  size_t PieceBytes = 0;
  /// Pieces with the mover at once.
  unsigned Depth = 1;
  Mover *To = nullptr;

  size_t bytes() const;
};

/// Moves all \p Streams at the same time; returns when all have ended, and
/// everything is in memory. With \p Joint each stream is one piece, and all are
/// started together, once those that go out are in host memory. \p Queue is the
/// device's, or null; \p D null: all memory is the host's. \p What names the
/// operation for messages. On failure nothing of it is under way any more but
/// what pieces keep. Bytes: moved altogether.
MoveResult runPipeline(Device *D, accx_queue Queue, std::vector<Stream> &Streams,
                       bool Joint, const std::string &What);

/// Blocks that are pinned for \p D's plugin (or plain, if it is null or has
/// nothing to pin), kept for the next transfer. Thread-safe.
class PinnedBlock {
  Device *D = nullptr;
  void *Data = nullptr;
  size_t Size = 0;

public:
  PinnedBlock() = default;
  /// At least \p Size bytes, aligned to 4096. Null data: no memory.
  PinnedBlock(Device *D, size_t Size);
  ~PinnedBlock();
  PinnedBlock(PinnedBlock &&O) noexcept
      : D(O.D), Data(O.Data), Size(O.Size) {
    O.Data = nullptr;
  }
  PinnedBlock &operator=(PinnedBlock &&O) noexcept;
  void *data() const { return Data; }
  /// Gives it up: somebody may still write it.
  void leak() { Data = nullptr; }
};

} // namespace accx

#endif // ACCX_TRANSFER_PIPELINE_H
