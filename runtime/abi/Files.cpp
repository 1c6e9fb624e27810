//===- Files.cpp - accx_read and its kin ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files as events (accx/event.h): checks arguments, settles positions of
// streams, queues the operations of transfer/FileTransfer.h.
//
//===----------------------------------------------------------------------===//

#include "abi/Operations.h"
#include "device/QueuePoint.h"
#include "transfer/FileTransfer.h"
#include "transfer/SmallRead.h"

#include <accx/event.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits>

using namespace accx;
using acc::OperationCall;
using acc::PlacedSections;

namespace {

constexpr off_t LastOffset = std::numeric_limits<off_t>::max();

/// The bytes of all rows. Gives 0 or a negative error number.
int sumBytes(const accx_section *Rows, int Num, size_t &Bytes) {
  Bytes = 0;
  for (int I = 0; I < Num; ++I) {
    const accx_section &R = Rows[I];
    size_t Part = 0, Extent = 0;
    if (__builtin_mul_overflow(R.width, R.height, &Part) ||
        __builtin_add_overflow(Bytes, Part, &Bytes) ||
        (R.height > 1 &&
         (__builtin_mul_overflow(R.pitch, R.height - 1, &Extent) ||
          __builtin_add_overflow(Extent, R.width, &Extent))))
      return -EOVERFLOW;
    if (Part && (!R.address || (R.height > 1 && R.pitch < R.width)))
      return -EINVAL;
  }
  return Bytes > static_cast<size_t>(LastOffset) ? -EOVERFLOW : 0;
}

int checkEnd(off_t Offset, size_t Bytes) {
  return Offset > 0 && Bytes > static_cast<size_t>(LastOffset - Offset)
             ? -EOVERFLOW
             : 0;
}

/// A small read of what is in the page cache, without a thread. False: it was
/// not done.
bool readAtOnce(const OperationCall &Call, Device *D,
                const PlacedSections &Placed, FilePlace Place) {
  if (!D || Placed.OnHost || Placed.Sections.size() != 1 ||
      Placed.Sections[0].height != 1 || Place.Stream || Place.Offset < 0 ||
      Placed.Sections[0].width > SmallReadBytes)
    return false;
  AsyncQueue *Queue = nullptr;
  if (Call.findQueue(D, Queue) != 0 || !Queue)
    return false;
  for (int I = 0; I < Call.NumWait; ++I)
    if (!Call.Wait[I] || acc::eventOf(Call.Wait[I])->status() != 0)
      return false;
  AsyncQueue &Q = *Queue;
  std::lock_guard Lock(Q.Order);
  acc::setPlace(Q, Call.Self);
  const Section &To = Placed.Sections[0];
  if (!accx::readAtOnce(Q, To.address, To.width, Place.Fd, Place.Offset,
                        Placed.Pins))
    return false;
  if (Call.Event) {
    auto *Point = new QueuePoint;
    Point->set(Q, Q.mark());
    *Call.Event = Point;
  }
  return true;
}

/// Queues it once arguments make sense.
int queue(const OperationCall &Call, bool Out, const accx_section *Rows,
          int Num, FilePlace Place) {
  Device *D = acc::currentDevice(Call.Self);
  PlacedSections Placed;
  if (!acc::place(D, Rows, Num, Placed))
    return -EINVAL;
  if (!Out && readAtOnce(Call, D, Placed, Place))
    return 0;
  return queueOperation(
      Call, D, Out ? "write" : "read",
      [Placed = std::move(Placed), Out, Place](Device *On, accx_queue Queue) {
        return moveFile(On, Queue, Placed.Sections, Placed.OnHost, Out, Place);
      });
}

int moveSections(const OperationCall &Call, bool Out, const accx_section *Rows,
                 int Num, int Fd, off_t Offset) {
  if (int Code = Call.check())
    return Code;
  if (Num < 0 || (Num && !Rows) || Offset < -1)
    return -EINVAL;
  size_t Bytes = 0;
  if (int Code = sumBytes(Rows, Num, Bytes))
    return Code;
  if (int Code = checkEnd(Offset, Bytes))
    return Code;
  return queue(Call, Out, Rows, Num, {Fd, Offset, nullptr});
}

/// Where the stream is, which moves on by \p Bytes. Gives 0 or a negative error
/// number.
int takePosition(std::FILE *Stream, bool Out, size_t Bytes, FilePlace &Place) {
  Place = {fileno(Stream), -1, Stream};
  // Streams over memory or cookies, and over pipes: in order, through their
  // buffer, when it is their turn.
  if (Place.Fd < 0 || lseek(Place.Fd, 0, SEEK_CUR) < 0)
    return 0;
  // What the program wrote before comes before, and what it had read ahead
  // stands for the file no longer.
  if (fflush(Stream) != 0)
    return errno ? -errno : -EIO;
  const int Flags = fcntl(Place.Fd, F_GETFL);
  Place.Stream = nullptr;
  if (Out && Flags >= 0 && Flags & O_APPEND)
    return 0; // Its end is not known before.
  const off_t Offset = ftello(Stream);
  if (Offset < 0)
    return -errno;
  if (int Code = checkEnd(Offset, Bytes))
    return Code;
  if (fseeko(Stream, Offset + static_cast<off_t>(Bytes), SEEK_SET) != 0)
    return -errno;
  // To seek, the C library may read what is about to be written; flushing makes
  // it forget that.
  if (Out && fflush(Stream) != 0)
    return errno ? -errno : -EIO;
  Place.Offset = Offset;
  return 0;
}

int moveStream(const OperationCall &Call, bool Out, void *Data, size_t Bytes,
               std::FILE *Stream) {
  if (int Code = Call.check())
    return Code;
  const accx_section Row = {Data, Bytes, 1, Bytes};
  size_t Sum = 0;
  if (int Code = sumBytes(&Row, 1, Sum))
    return Code;
  if (!Stream)
    return -EINVAL;
  FilePlace Place;
  flockfile(Stream);
  const int Code = takePosition(Stream, Out, Bytes, Place);
  funlockfile(Stream);
  return Code ? Code : queue(Call, Out, &Row, 1, Place);
}

} // namespace

ACCX_ABI int accx_read(int Queue, void *To, int Fd, off_t Offset, size_t Size,
                       int NWait, const accx_event_t *Wait,
                       accx_event_t *Event) {
  ACCX_ROUTINE(accx_read);
  const accx_section Row = {To, Size, 1, Size};
  return moveSections({Self, Queue, NWait, Wait, Event}, /*Out=*/false, &Row, 1,
                      Fd, Offset);
}

ACCX_ABI int accx_write(int Queue, const void *From, int Fd, off_t Offset,
                        size_t Size, int NWait, const accx_event_t *Wait,
                        accx_event_t *Event) {
  ACCX_ROUTINE(accx_write);
  const accx_section Row = {const_cast<void *>(From), Size, 1, Size};
  return moveSections({Self, Queue, NWait, Wait, Event}, /*Out=*/true, &Row, 1,
                      Fd, Offset);
}

ACCX_ABI int accx_readv(int Queue, int NSections, const accx_section *To,
                        int Fd, off_t Offset, int NWait,
                        const accx_event_t *Wait, accx_event_t *Event) {
  ACCX_ROUTINE(accx_readv);
  return moveSections({Self, Queue, NWait, Wait, Event}, /*Out=*/false, To,
                      NSections, Fd, Offset);
}

ACCX_ABI int accx_writev(int Queue, int NSections, const accx_section *From,
                         int Fd, off_t Offset, int NWait,
                         const accx_event_t *Wait, accx_event_t *Event) {
  ACCX_ROUTINE(accx_writev);
  return moveSections({Self, Queue, NWait, Wait, Event}, /*Out=*/true, From,
                      NSections, Fd, Offset);
}

ACCX_ABI int accx_fread(int Queue, void *To, size_t Size, std::FILE *Stream,
                        int NWait, const accx_event_t *Wait,
                        accx_event_t *Event) {
  ACCX_ROUTINE(accx_fread);
  return moveStream({Self, Queue, NWait, Wait, Event}, /*Out=*/false, To, Size,
                    Stream);
}

ACCX_ABI int accx_fwrite(int Queue, const void *From, size_t Size,
                         std::FILE *Stream, int NWait, const accx_event_t *Wait,
                         accx_event_t *Event) {
  ACCX_ROUTINE(accx_fwrite);
  return moveStream({Self, Queue, NWait, Wait, Event}, /*Out=*/true,
                    const_cast<void *>(From), Size, Stream);
}
