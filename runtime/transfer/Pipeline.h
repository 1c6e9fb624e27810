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
// Several pieces are under way at once, each in a pinned block of its own;
// where the host reaches the device's memory pieces lie in that. Pieces are
// started in order and end in any.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_PIPELINE_H
#define ACCX_TRANSFER_PIPELINE_H

#include "accx/channel.h"
#include "accx/plugin.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// What accx_piece_t points to: libraries' name for accx::Piece.
struct accx_piece_s {}; // NOLINT(readability-identifier-naming)

namespace accx {

class CopiesLeft;
class Device;
class Piece;

/// Memory of another process that is to be copied instead of pieces.
struct ShareOffer {
  uint64_t Owner = 0;
  std::vector<accx_share_part> Parts;
  size_t Bytes = 0;
  std::function<void(int)> Taken;
};

/// What became of a piece or of a transfer: 0 or a negative error number.
struct MoveResult {
  size_t Bytes = 0;
  int Code = 0;
  std::string Text;
  /// The piece's memory may still be written: it is not used again.
  bool Keeps = false;
  /// Of a transfer whose last copies to the device are under way: see
  /// LeavingCopies.
  std::shared_ptr<CopiesLeft> Left;
};

/// Copies to the device that a transfer has queued, and what they need.
class CopiesLeft {
public:
  virtual ~CopiesLeft() = default;
  /// Whether they have ended; \p Result gets code and text then. By one thread
  /// at a time.
  virtual bool ended(MoveResult &Result) = 0;
};

/// While it lives, transfers of the calling thread return when nothing but
/// copies to the device is left, which are in order on their queue.
class LeavingCopies {
  const bool Before;

public:
  explicit LeavingCopies(bool May);
  ~LeavingCopies();
  LeavingCopies(const LeavingCopies &) = delete;
  LeavingCopies &operator=(const LeavingCopies &) = delete;
};

/// Moves pieces of one stream. Called by one thread at a time.
class Mover {
public:
  virtual ~Mover() = default;
  /// Moves bytes \p At.. of the stream, \p Size of them, from or to \p Data,
  /// and calls P.end() then, on any thread, also before it returns. Does not
  /// block.
  virtual void start(void *Data, size_t At, size_t Size, Piece &P) = 0;
  /// As accx_stream::offer.
  virtual bool offer(const std::vector<accx_share_part> &, Piece &) {
    return false;
  }
  /// Whether offer() may be called.
  bool Offers = false;
  /// Another process's answer ends pieces, as soon as that one comes to it.
  bool IsMessage = false;
};

/// A piece under way.
class Piece : public accx_piece_s {
public:
  /// Once, from any thread; *this may be gone when it returns. Fewer bytes than
  /// the piece has end an incoming stream.
  void end(MoveResult R);
  /// As __accx_piece_take().
  void take(ShareOffer Offer);
  Mover &mover() const;

protected:
  Piece() = default;
  ~Piece() = default;
};

/// Rows of device memory, or of the host's. The order is that of the bytes.
using Section = accx_section;

/// One stream of bytes between memory and a mover.
struct Stream {
  bool Out = false;
  std::vector<Section> Sections;
  /// The host reaches the sections: pieces lie in them where they are runs.
  bool OnHost = false;
  /// Largest first piece; 0: as the others.
  size_t FirstBytes = 0;
  /// Largest piece; 0: one piece for all. An empty stream has one, empty piece
  /// if this is 0 or FirstBytes is not.
  size_t PieceBytes = 0;
  /// Pieces end where host memory that is a run does, to lie in it, unless they
  /// were small then. Not for movers to which their borders matter.
  bool CutsAtRows = false;
  /// Pieces with the mover at once.
  unsigned Depth = 1;
  Mover *To = nullptr;
};

/// Moves all \p Streams at the same time; returns when all have ended, and
/// everything is in memory. With \p Joint each stream is one piece, and all are
/// started together, once those that go out are in host memory. \p Queue is one
/// of \p D's plugin; earlier work on it comes first. \p D null: all memory is
/// the host's. On failure nothing of it is under way any more but what pieces
/// keep. Bytes: moved altogether.
MoveResult runPipeline(Device *D, accx_queue Queue, std::vector<Stream> Streams,
                       bool Joint = false);

} // namespace accx

#endif // ACCX_TRANSFER_PIPELINE_H
