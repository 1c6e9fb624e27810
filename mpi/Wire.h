//===- Wire.h - How a message of bytes becomes messages of MPI --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Up to PlainBytes a message is one MPI message of just its bytes: MPI_Send and
// MPI_Recv of the program may be its other side. A longer one is
//
//   firstPart() bytes of data, Trailer | chunk | chunk | ... | rest
//
// all with the program's tag and communicator, and often nothing but the first.
// Its length tells the receiver that the first one has a trailer. MPI keeps
// their order, and the library begins no message on either side before the
// earlier one that it could be mistaken for is wholly with MPI.
//
// Between ranks of a machine a notice may come instead of the first one: memory
// is offered, or the sender has given up.
//
//   accx_share_part | ... | Trailer
//
// It is short, so that MPI sends it at once. No message of the program's is
// mistaken for one: a notice has its sender's key, which is chance that only
// ranks of the machine were told of in MPI_Init.
//
// A sender that gives up half way sends the chunks that are missing empty, so
// that what comes after them is still understood.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_WIRE_H
#define ACCX_MPI_WIRE_H

#include <accx/channel.h>
#include <accx/mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace accx::mpi {

constexpr size_t PlainBytes = ACCX_MPI_PLAIN_BYTES;

struct Trailer {
  static constexpr uint32_t Number = 0x41434358; // ACCX
  static constexpr uint16_t Current = 1;
  enum : uint16_t {
    /// Of a notice: an answer is awaited.
    Offer = 1,
    /// Of a notice: the sender has given up.
    GivenUp = 2,
  };

  uint32_t Magic = Number;
  uint16_t Version = Current;
  uint16_t Flags = 0;
  uint64_t Total = 0;
  uint64_t Chunk = 0;
  /// Of an offer: its number, the tag of the answer.
  uint32_t Op = 0;
  /// Of a notice: how many parts come before it, its process, and that one's
  /// key.
  uint32_t Parts = 0;
  uint64_t Owner = 0;
  uint64_t Key[2] = {};
  uint64_t Reserved = 0;
};
static_assert(sizeof(Trailer) == 64);

/// The shortest MPI message of data with a trailer.
constexpr size_t ShortestLong = PlainBytes + sizeof(Trailer);

/// Parts that a notice can have.
constexpr size_t MostParts =
    (PlainBytes - sizeof(Trailer)) / sizeof(accx_share_part);

/// Whether a message of \p Size bytes can be a notice.
inline bool hasNoticeSize(size_t Size) {
  return Size >= sizeof(Trailer) && Size <= PlainBytes &&
         (Size - sizeof(Trailer)) % sizeof(accx_share_part) == 0;
}

/// Data in the first message of a long one. Each further message has to meet
/// its other side anew, which takes as long as to move some hundred KiB.
inline size_t firstPart(size_t Total, size_t Chunk) {
  constexpr size_t Largest = size_t(1) << 20;
  return std::min(Total, std::clamp(Chunk, PlainBytes, Largest));
}

/// Bytes of the chunk that begins at \p At of a message.
inline size_t chunkAt(size_t At, size_t Total, size_t Chunk) {
  return std::min(Chunk, Total - At);
}

/// What a receiver answers to an offer.
enum class Answer : uint32_t { Copied, Declined };

} // namespace accx::mpi

#endif // ACCX_MPI_WIRE_H
