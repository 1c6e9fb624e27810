//===- FileMover.h - Pieces of an operation on a file -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The movers of files for pipelines: one call after the other where order
// counts, or many at once where every byte has its place.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILEMOVER_H
#define ACCX_TRANSFER_FILEMOVER_H

#include "transfer/FileChoice.h"
#include "transfer/FileIo.h"
#include "transfer/FilePool.h"
#include "transfer/FileRing.h"
#include "transfer/Pipeline.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace accx {

/// Where bytes of a file are.
struct FilePlace {
  int Fd = -1;
  /// -1: the descriptor's position.
  off_t Offset = -1;
  /// Not null: through the stream, as it cannot be positioned.
  std::FILE *Stream = nullptr;
};

/// What both have: how far the operation got, and by which paths.
class FileMover : public Mover {
public:
  /// How far the bytes are complete from the beginning, and why no further.
  struct Outcome {
    size_t Bytes = 0;
    int Error = 0; ///< An errno; 0 with fewer bytes: the file has no more.
  };
  Outcome outcome();

  /// Bytes by one path, and the time in which any of them were under way.
  struct Way {
    size_t Bytes = 0;
    uint64_t Nanoseconds = 0;
  };
  Way way(FilePath P);

  /// What was measured since the last sample, if it is at least \p AtLeast
  /// bytes; none otherwise.
  Way sample(FilePath P, size_t AtLeast);

protected:
  FileMover(FilePlace Place, bool Out, size_t Total)
      : Place(Place), Out(Out), Total(Total) {}

  void began(FilePath P);
  void ended(FilePath P, size_t Bytes);
  /// Whether what is at \p At is of no use any more, as earlier bytes failed or
  /// the file ends before; \p R is what it ends with then.
  bool leavesOut(size_t At, IoResult &R);
  /// Ends a piece. *this may be gone when it returns.
  void finish(size_t At, size_t Size, IoResult R, Piece &P);

  const FilePlace Place;
  const bool Out;
  const size_t Total;

private:
  struct Meter {
    unsigned UnderWay = 0;
    uint64_t Since = 0;
    Way Sum, Sampled;
  };

  std::mutex Mutex;
  /// Guarded by Mutex. The first byte that failed, and the file's end.
  size_t FailedAt = SIZE_MAX;
  int FailedWith = 0;
  size_t EndsAt = SIZE_MAX;
  Meter Meters[NumFilePaths];
};

/// Moves each piece before start() returns: pipes and streams, whose bytes have
/// no place but their order, and single pieces, which nothing can overlap with.
class OrderedFileMover : public FileMover {
public:
  OrderedFileMover(FilePlace Place, bool Out, size_t Total)
      : FileMover(Place, Out, Total) {}
  void start(void *Data, size_t At, size_t Size, Piece &P) override;
  FilePath path() const;

private:
  IoResult move(void *Data, size_t At, size_t Size) const;
};

/// Moves pieces at their offsets in any order, by the threads of a pool and by
/// the kernel itself.
class PooledFileMover : public FileMover {
public:
  PooledFileMover(FilePlace Place, bool Out, size_t Total, FilePool &Pool,
                  FileRing &Ring, FileChoice &Choice, bool Helps)
      : FileMover(Place, Out, Total), Helps(Helps), Pool(Pool), Ring(Ring),
        Choice(Choice) {}
  void start(void *Data, size_t At, size_t Size, Piece &P) override;

private:
  /// A piece, what of it goes past the page cache, and what of that is done.
  struct Moving {
    char *Data;
    size_t At, Size;
    Piece *P;
    DirectFile::Middle Middle;
    size_t Done;
    bool IsPools;
  };

  off_t offset(size_t At) const {
    return Place.Offset + static_cast<off_t>(At);
  }
  bool writesDirectly() const { return Out && Choice.direct(); }
  void work(Moving M);
  void direct(const Moving &M);
  void directEnded(Moving M, ssize_t Result);
  bool waitsForOthers(const Moving &M);
  void throughCache(const Moving &M);
  IoResult move(const Moving &M, size_t From, size_t To);
  void over(const Moving &M, IoResult R);

  /// Whether the thread that starts pieces may move some itself, as it has
  /// nothing else to do, when all others are at work.
  const bool Helps;
  FilePool &Pool;
  FileRing &Ring;
  FileChoice &Choice;
  std::atomic<unsigned> InPool{0};
  std::mutex Mutex;
  /// Guarded by Mutex. Pieces under way where some are written past the page
  /// cache; and those of them whose ends wait until no others are.
  size_t UnderWay = 0;
  std::vector<Moving> Waiting;
};

} // namespace accx

#endif // ACCX_TRANSFER_FILEMOVER_H
