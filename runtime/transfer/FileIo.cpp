//===- FileIo.cpp - Whole reads and writes of descriptors -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileIo.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FileIo.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

using namespace accx;

namespace {

constexpr int WriteSignals[] = {SIGPIPE, SIGXFSZ};

/// Blocks until the descriptor is ready, or has an error that the next call
/// tells of. Gives an errno.
int waitFor(int Fd, short Events) {
  pollfd P = {Fd, Events, 0};
  while (poll(&P, 1, -1) < 0)
    if (errno != EINTR)
      return errno;
  return P.revents & POLLNVAL ? EBADF : 0;
}

/// Calls \p Some(Done, Rest), which moves some bytes, until all are moved.
template <typename Fn>
IoResult moveAll(int Fd, size_t Size, short Events, Fn Some) {
  IoResult R;
  while (R.Bytes < Size) {
    // The system takes no more at once.
    const size_t Rest = std::min<size_t>(Size - R.Bytes, SSIZE_MAX);
    const ssize_t Count = Some(R.Bytes, Rest);
    if (Count > 0) {
      R.Bytes += static_cast<size_t>(Count);
      continue;
    }
    if (Count == 0) {
      // A file that takes nothing and says nothing would be asked for ever.
      if (Events == POLLOUT)
        R.Error = EIO;
      break;
    }
    if (errno == EINTR)
      continue;
    R.Error = errno;
    if (R.Error == EAGAIN && (R.Error = waitFor(Fd, Events)) == 0)
      continue;
    break;
  }
  return R;
}

char *at(void *Data, size_t Done) { return static_cast<char *>(Data) + Done; }
const char *at(const void *Data, size_t Done) {
  return static_cast<const char *>(Data) + Done;
}

/// The same for a stream. \p Some gives 0 at errors and at the end.
template <typename Fn>
IoResult moveStream(std::FILE *Stream, size_t Size, short Events, Fn Some) {
  IoResult R;
  while (R.Bytes < Size) {
    errno = 0;
    R.Bytes += Some(R.Bytes, Size - R.Bytes);
    if (R.Bytes == Size || feof(Stream))
      break;
    if (!ferror(Stream))
      continue;
    R.Error = errno ? errno : EIO;
    const int Fd = fileno(Stream);
    if (R.Error == EAGAIN && Fd >= 0)
      R.Error = waitFor(Fd, Events);
    else if (R.Error == EINTR)
      R.Error = 0;
    if (R.Error)
      break;
    clearerr(Stream);
  }
  return R;
}

} // namespace

IoResult accx::readAt(int Fd, void *To, size_t Size, off_t Offset) {
  return moveAll(Fd, Size, POLLIN, [=](size_t Done, size_t Rest) {
    return pread(Fd, at(To, Done), Rest, Offset + static_cast<off_t>(Done));
  });
}

IoResult accx::writeAt(int Fd, const void *From, size_t Size, off_t Offset) {
  return moveAll(Fd, Size, POLLOUT, [=](size_t Done, size_t Rest) {
    return pwrite(Fd, at(From, Done), Rest, Offset + static_cast<off_t>(Done));
  });
}

IoResult accx::readNext(int Fd, void *To, size_t Size) {
  return moveAll(Fd, Size, POLLIN, [=](size_t Done, size_t Rest) {
    return read(Fd, at(To, Done), Rest);
  });
}

IoResult accx::writeNext(int Fd, const void *From, size_t Size) {
  return moveAll(Fd, Size, POLLOUT, [=](size_t Done, size_t Rest) {
    return write(Fd, at(From, Done), Rest);
  });
}

IoResult accx::readStream(std::FILE *Stream, void *To, size_t Size) {
  return moveStream(Stream, Size, POLLIN, [=](size_t Done, size_t Rest) {
    return fread(at(To, Done), 1, Rest, Stream);
  });
}

IoResult accx::writeStream(std::FILE *Stream, const void *From, size_t Size) {
  IoResult R = moveStream(Stream, Size, POLLOUT, [=](size_t Done, size_t Rest) {
    return fwrite(at(From, Done), 1, Rest, Stream);
  });
  while (R.Error == 0 && fflush(Stream) != 0) {
    R.Error = errno ? errno : EIO;
    const int Fd = fileno(Stream);
    if (R.Error == EAGAIN && Fd >= 0)
      R.Error = waitFor(Fd, POLLOUT);
    else if (R.Error == EINTR)
      R.Error = 0;
    if (R.Error == 0)
      clearerr(Stream);
  }
  return R;
}

std::string accx::descriptorName(int Fd) {
  const std::string Number = std::to_string(Fd);
  char Path[4096];
  const ssize_t Length =
      readlink(("/proc/self/fd/" + Number).c_str(), Path, sizeof(Path));
  return Length > 0 ? std::string(Path, static_cast<size_t>(Length))
                    : "descriptor " + Number;
}

NoWriteSignals::NoWriteSignals() {
  sigset_t Ours, Pending;
  sigemptyset(&Ours);
  for (int Signal : WriteSignals)
    sigaddset(&Ours, Signal);
  pthread_sigmask(SIG_BLOCK, &Ours, &Before);
  sigpending(&Pending);
  for (int I = 0; I < 2; ++I)
    WasPending[I] = sigismember(&Pending, WriteSignals[I]) == 1;
}

NoWriteSignals::~NoWriteSignals() {
  const int SavedErrno = errno;
  for (int I = 0; I < 2; ++I) {
    if (WasPending[I])
      continue;
    sigset_t One;
    sigemptyset(&One);
    sigaddset(&One, WriteSignals[I]);
    const timespec Now = {0, 0};
    while (sigtimedwait(&One, nullptr, &Now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  errno = SavedErrno;
}
