//===- Pieces.h - Copies of a queue, packed ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All but large copies between the program's memory and the device go through
// pinned memory of the queue, many at a time.
//
//===----------------------------------------------------------------------===//
//
//  to the device:   program --(at once)--> block --(device reads)--> device
//  from the device: device --(device writes)--> block --(later)--> program
//
// A block collects pieces of one direction until something else is queued, or
// until it pays to send what there is; then one kernel moves them, or, if they
// are few, a copy each. "Later" is when the queue is waited for, or, if an
// event may tell others of the copy before that, in a host function on the
// stream. Helpers fill and empty what is long.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_PIECES_H
#define ACCX_PLUGIN_CUDA_PIECES_H

#include "PieceKernel.h"
#include "Status.h"

#include <array>
#include <cstddef>

namespace accx::cuda {

class Device;
class Helpers;

/// Not thread-safe, as queues are not. The device's context is current in all
/// calls.
class Pieces {
public:
  Pieces(Device &D, CUstream Stream) : D(D), Stream(Stream) {}
  ~Pieces();

  /// Copies up to this size are taken, wherever the program has them. Longer
  /// ones, of pageable memory, may be.
  static size_t limit(const Device &D);

  /// \p Src is read at once.
  accx_status toDevice(CUdeviceptr Dst, const void *Src, size_t Size);
  accx_status fromDevice(void *Dst, CUdeviceptr Src, size_t Size);

  /// Whether nothing was collected.
  bool isEmpty() const { return !Filling; }
  /// Queues what was collected. Call before anything else goes to the stream.
  accx_status flush() { return Filling ? flushBlock() : ACCX_OK; }
  /// After flush(): lets what comes next on the stream, an event, find
  /// everything delivered.
  accx_status deliverInOrder();
  /// The stream was waited for: everything is at its place then.
  void settle(bool Success);
  /// Whether [\p Host, \p Host + \p Size) will still be written.
  bool overlapsUndelivered(const void *Host, size_t Size) const;

private:
  static constexpr size_t BlockBytes = size_t(512) << 10;
  /// So much is sent while the rest is collected.
  static constexpr size_t SendBytes = BlockBytes / 2;
  /// A piece is not shorter than that for a block's end.
  static constexpr size_t LeastPart = size_t(64) << 10;
  static constexpr unsigned MaxPieces = 512;
  static constexpr unsigned NumBlocks = 8;
  /// From this many on a kernel moves them.
  static constexpr unsigned MinPacked = 4;

  struct Block {
    char *Memory = nullptr; ///< Pinned; the list of pieces, then their bytes.
    CUevent Done = nullptr;
    size_t Used = 0;
    unsigned Count = 0;
    bool FromDevice = false;
    bool InFlight = false;
    /// Done was recorded behind it.
    bool Recorded = false;
    /// A host function on the stream delivers it.
    bool Delegated = false;

    Helpers *Hands = nullptr;

    Piece *list() const { return reinterpret_cast<Piece *>(Memory); }
    char *bytes() const { return Memory + MaxPieces * sizeof(Piece); }
    void deliver() const;
    /// Whether a piece goes there: pieces of a block arrive in any order.
    bool writes(CUdeviceptr Begin, size_t Size) const;
    void reset();
  };

  /// Room for one more piece, of at most \p Size, in a block of that direction;
  /// its size into \p Taken.
  accx_status place(bool FromDevice, size_t Size, CUdeviceptr OnDevice,
                    char *&Bytes, size_t &Taken);
  /// Ends the piece; sends the block if it has enough.
  accx_status add(const Piece &P);
  accx_status nextBlock(bool FromDevice);
  accx_status prepare(Block &B);
  accx_status flushBlock();

  Device &D;
  const CUstream Stream;
  std::array<Block, NumBlocks> Blocks;
  unsigned Next = 0; ///< The block taken longest ago.
  Block *Filling = nullptr;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_PIECES_H
