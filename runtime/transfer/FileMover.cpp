//===- FileMover.cpp - Pieces of an operation on a file -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileMover.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FileMover.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>

using namespace accx;

namespace {

uint64_t now() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

} // namespace

FileMover::Outcome FileMover::outcome() {
  std::lock_guard Lock(Mutex);
  if (FailedAt <= EndsAt && FailedAt != SIZE_MAX)
    return {FailedAt, FailedWith};
  return {std::min(EndsAt, Total), 0};
}

FileMover::Way FileMover::way(FilePath P) {
  std::lock_guard Lock(Mutex);
  return Meters[static_cast<int>(P)].Sum;
}

FileMover::Way FileMover::sample(FilePath P, size_t AtLeast) {
  std::lock_guard Lock(Mutex);
  Meter &M = Meters[static_cast<int>(P)];
  Way Now = M.Sum;
  if (M.UnderWay)
    Now.Nanoseconds += now() - M.Since;
  const Way Since = {Now.Bytes - M.Sampled.Bytes,
                     Now.Nanoseconds - M.Sampled.Nanoseconds};
  if (Since.Bytes < AtLeast)
    return {};
  M.Sampled = Now;
  return Since;
}

void FileMover::began(FilePath P) {
  std::lock_guard Lock(Mutex);
  Meter &M = Meters[static_cast<int>(P)];
  if (M.UnderWay++ == 0)
    M.Since = now();
}

void FileMover::ended(FilePath P, size_t Bytes) {
  std::lock_guard Lock(Mutex);
  Meter &M = Meters[static_cast<int>(P)];
  M.Sum.Bytes += Bytes;
  if (--M.UnderWay == 0)
    M.Sum.Nanoseconds += now() - M.Since;
}

bool FileMover::leavesOut(size_t At, IoResult &R) {
  std::lock_guard Lock(Mutex);
  R = {0, At > FailedAt ? ECANCELED : 0};
  return At > FailedAt || At >= EndsAt;
}

void FileMover::finish(size_t At, size_t Size, IoResult R, Piece &P) {
  MoveResult Result;
  Result.Bytes = R.Bytes;
  Result.Code = -R.Error;
  if (R.Error)
    Result.Text = strerror(R.Error);
  {
    std::lock_guard Lock(Mutex);
    const size_t Until = At + R.Bytes;
    if (R.Error && Until < FailedAt) {
      FailedAt = Until;
      FailedWith = R.Error;
    } else if (!R.Error && R.Bytes < Size) {
      EndsAt = std::min(EndsAt, Until);
    }
  }
  P.end(std::move(Result));
}

//===- In order -----------------------------------------------------------===//

FilePath OrderedFileMover::path() const {
  return Place.Stream        ? FilePath::Stream
         : Place.Offset >= 0 ? FilePath::Pool
                             : FilePath::Ordered;
}

IoResult OrderedFileMover::move(void *Data, size_t At, size_t Size) const {
  const off_t Offset = Place.Offset + static_cast<off_t>(At);
  switch (path()) {
  case FilePath::Stream:
    return Out ? writeStream(Place.Stream, Data, Size)
               : readStream(Place.Stream, Data, Size);
  case FilePath::Ordered:
    return Out ? writeNext(Place.Fd, Data, Size)
               : readNext(Place.Fd, Data, Size);
  default:
    return Out ? writeAt(Place.Fd, Data, Size, Offset)
               : readAt(Place.Fd, Data, Size, Offset);
  }
}

void OrderedFileMover::start(void *Data, size_t At, size_t Size, Piece &P) {
  IoResult R;
  if (!leavesOut(At, R)) {
    // The thread may be the program's.
    std::optional<NoWriteSignals> Quiet;
    if (Out)
      Quiet.emplace();
    began(path());
    R = move(Data, At, Size);
    ended(path(), R.Bytes);
  }
  finish(At, Size, R, P);
}

//===- By several threads -------------------------------------------------===//

void PooledFileMover::start(void *Data, size_t At, size_t Size, Piece &P) {
  Moving M = {static_cast<char *>(Data), At, Size, &P, {}, 0, false};
  if (writesDirectly()) {
    std::unique_lock Lock(Mutex);
    ++UnderWay;
    Lock.unlock();
    // What is before the first page: nothing else is under way yet, and it is
    // little.
    if (At == 0 && Choice.direct()->middleOf(Data, Size, offset(0)).empty()) {
      NoWriteSignals Quiet;
      throughCache(M);
      return;
    }
  }
  if (Helps && InPool >= Pool.limit()) {
    std::optional<NoWriteSignals> Quiet;
    if (Out)
      Quiet.emplace();
    work(M);
    return;
  }
  M.IsPools = true;
  ++InPool;
  Pool.run([this, M] { work(M); }, M.Data);
}

void PooledFileMover::work(Moving M) {
  if (IoResult R; leavesOut(M.At, R))
    return over(M, R);
  if (const DirectFile *File = Choice.direct()) {
    const auto Middle = File->middleOf(M.Data, M.Size, offset(M.At));
    if (!Middle.empty() &&
        Choice.take(offset(M.At), M.Size) == FilePath::Direct) {
      M.Middle = Middle;
      return direct(M);
    }
  }
  throughCache(M);
}

void PooledFileMover::direct(const Moving &M) {
  const int Fd = Choice.direct()->descriptor();
  char *Data = M.Data + M.Middle.Begin;
  const size_t Size = M.Middle.End - M.Middle.Begin;
  const off_t Offset = offset(M.At + M.Middle.Begin);
  began(FilePath::Direct);
  if (Ring.available() &&
      Ring.start(Out, Fd, Data, Size, Offset,
                 [this, M](ssize_t Result) { directEnded(M, Result); }))
    return;
  const IoResult R =
      Out ? writeAt(Fd, Data, Size, Offset) : readAt(Fd, Data, Size, Offset);
  directEnded(M, R.Bytes ? static_cast<ssize_t>(R.Bytes) : -R.Error);
}

/// On the ring's thread, or the pool's.
void PooledFileMover::directEnded(Moving M, ssize_t Result) {
  M.Done = Result > 0 ? static_cast<size_t>(Result) : 0;
  ended(FilePath::Direct, M.Done);
  if (Result == -EINVAL || Result == -EOPNOTSUPP)
    Choice.giveUp(static_cast<int>(-Result));
  else if (const Way W = sample(FilePath::Direct, size_t(32) << 20); W.Bytes)
    Choice.measured(FilePath::Direct, W.Bytes, W.Nanoseconds);
  if (M.Done == M.Size)
    return over(M, {M.Size, 0});
  // The ends, and what did not work, whatever the reason: the page cache has no
  // rules, and tells errors better.
  if (!waitsForOthers(M))
    Pool.run([this, M] { throughCache(M); });
}

/// Ends are written into the page cache when nothing next to them is written
/// past it: the kernel throws pages away then, which must not be changed
/// meanwhile, and large ones reach far.
bool PooledFileMover::waitsForOthers(const Moving &M) {
  if (!Out)
    return false;
  std::lock_guard Lock(Mutex);
  if (UnderWay == Waiting.size() + 1)
    return false;
  Waiting.push_back(M);
  return true;
}

IoResult PooledFileMover::move(const Moving &M, size_t From, size_t To) {
  if (From == To)
    return {};
  began(FilePath::Pool);
  const IoResult R =
      Out ? writeAt(Place.Fd, M.Data + From, To - From, offset(M.At + From))
          : readAt(Place.Fd, M.Data + From, To - From, offset(M.At + From));
  ended(FilePath::Pool, R.Bytes);
  if (const Way W = sample(FilePath::Pool, size_t(32) << 20); W.Bytes)
    Choice.measured(FilePath::Pool, W.Bytes, W.Nanoseconds);
  return R;
}

void PooledFileMover::throughCache(const Moving &M) {
  IoResult R = move(M, 0, M.Middle.Begin);
  if (R.Bytes == M.Middle.Begin && !R.Error) {
    const size_t Done = M.Middle.Begin + M.Done;
    R = move(M, Done, M.Size);
    R.Bytes += Done;
  }
  over(M, R);
}

void PooledFileMover::over(const Moving &M, IoResult R) {
  if (M.IsPools)
    --InPool;
  std::vector<Moving> Ready;
  if (writesDirectly()) {
    std::lock_guard Lock(Mutex);
    if (--UnderWay == Waiting.size())
      Ready.swap(Waiting);
  }
  finish(M.At, M.Size, R, *M.P);
  // *this lives as long as pieces of it are under way.
  for (const Moving &Next : Ready)
    Pool.run([this, Next] { throughCache(Next); });
}
