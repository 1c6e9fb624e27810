//===- FileRing.cpp - Reads and writes that no thread waits for -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileRing.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FileRing.h"

using namespace accx;

FileRing &FileRing::get() {
  static FileRing &Ring = *new FileRing;
  return Ring;
}

#ifdef ACCX_HAS_LIBURING

#include "transfer/FilePool.h"

#include <cerrno>
#include <cstring>
#include <liburing.h>
#include <mutex>
#include <utility>

namespace {

/// More than all pieces of a few operations.
constexpr unsigned NumEntries = 128;

struct Request {
  FileRing::Done Then;
};

} // namespace

struct FileRing::Impl {
  /// Guards what is submitted; makes requests known to the ring's thread.
  std::mutex Mutex;
  io_uring Uring = {};
  bool Tried = false;
  bool Open = false;
  unsigned UnderWay = 0;
  pthread_t Thread = {};

  void loop();
};

FileRing::FileRing() : Ring(new Impl) {}
FileRing::~FileRing() { stop(); }

bool FileRing::available() {
  std::lock_guard Lock(Ring->Mutex);
  if (Ring->Tried)
    return Ring->Open;
  Ring->Tried = true;
  if (int Code = io_uring_queue_init(NumEntries, &Ring->Uring, 0); Code < 0) {
    Why = std::string("no io_uring: ") + strerror(-Code);
    return false;
  }
  if (!startThread(
          "accx-file-ring", [R = Ring.get()] { R->loop(); }, Ring->Thread)) {
    Why = "no io_uring: no thread";
    io_uring_queue_exit(&Ring->Uring);
    return false;
  }
  return Ring->Open = true;
}

std::string FileRing::whyNot() {
  std::lock_guard Lock(Ring->Mutex);
  return Why;
}

bool FileRing::start(bool Out, int Fd, void *Data, size_t Size, off_t Offset,
                     Done Then) {
  std::lock_guard Lock(Ring->Mutex);
  // Never more than the completion queue holds.
  if (!Ring->Open || Ring->UnderWay >= NumEntries ||
      Size > static_cast<size_t>(1) << 30)
    return false;
  io_uring_sqe *Entry = io_uring_get_sqe(&Ring->Uring);
  if (!Entry)
    return false;
  const auto At = static_cast<uint64_t>(Offset);
  const auto Bytes = static_cast<unsigned>(Size);
  if (Out)
    io_uring_prep_write(Entry, Fd, Data, Bytes, At);
  else
    io_uring_prep_read(Entry, Fd, Data, Bytes, At);
  auto *R = new Request{std::move(Then)};
  io_uring_sqe_set_data(Entry, R);
  ++Ring->UnderWay;
  // What is not taken now, as the kernel is short of memory, goes with the
  // next call; nobody else may make that.
  int Code = 0;
  do
    Code = io_uring_submit(&Ring->Uring);
  while (Code == -EINTR || Code == -EAGAIN || Code == -EBUSY || Code == 0);
  if (Code > 0)
    return true;
  // The program closed descriptors that are not its own: the entry stays where
  // nobody submits it.
  delete R;
  --Ring->UnderWay;
  Ring->Open = false;
  Why = std::string("no io_uring any more: ") + strerror(-Code);
  return false;
}

void FileRing::stop() {
  std::unique_lock Lock(Ring->Mutex);
  Ring->Tried = false;
  if (!std::exchange(Ring->Open, false))
    return;
  io_uring_sqe *Entry = io_uring_get_sqe(&Ring->Uring);
  io_uring_prep_nop(Entry);
  io_uring_sqe_set_data(Entry, nullptr);
  io_uring_submit(&Ring->Uring);
  Lock.unlock();
  pthread_join(Ring->Thread, nullptr);
  io_uring_queue_exit(&Ring->Uring);
}

void FileRing::Impl::loop() {
  while (true) {
    io_uring_cqe *Entry = nullptr;
    if (int Code = io_uring_wait_cqe(&Uring, &Entry); Code < 0) {
      if (Code == -EINTR || Code == -EAGAIN)
        continue;
      return;
    }
    auto *R = static_cast<Request *>(io_uring_cqe_get_data(Entry));
    const ssize_t Result = Entry->res;
    io_uring_cqe_seen(&Uring, Entry);
    if (!R)
      return;
    {
      std::lock_guard Lock(Mutex);
      --UnderWay;
    }
    const std::unique_ptr<Request> Owner(R);
    R->Then(Result);
  }
}

#else

struct FileRing::Impl {};

FileRing::FileRing() : Why("no io_uring: built without liburing") {}
FileRing::~FileRing() = default;
bool FileRing::available() { return false; }
std::string FileRing::whyNot() { return Why; }
bool FileRing::start(bool, int, void *, size_t, off_t, Done) { return false; }
void FileRing::stop() {}

#endif
