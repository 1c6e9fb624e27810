/*===- accx/channel.h - Transfers that a library carries out --------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* For libraries that move data of devices by events, as libaccx-mpi does;
|* programs use accx/event.h and accx/mpi.h. The runtime cuts device memory into
|* pieces, has them in host memory (in place where the host reaches the device's
|* memory, else in pinned buffers, several under way), and the library moves
|* these; it never sees a device.
|*
|*   device memory --copy--> pinned piece --library--> elsewhere    ACCX_OUT
|*   device memory <--copy-- pinned piece <--library-- elsewhere    ACCX_IN
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_CHANNEL_H
#define ACCX_CHANNEL_H

#include <accx/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A piece under way; the runtime's. */
typedef struct accx_piece_s *accx_piece_t;

enum { ACCX_IN = 0, ACCX_OUT = 1 };

/** `status` of a piece that was offered: the other side cannot take the memory,
    move pieces instead. */
#define ACCX_MOVE_PIECES 2

/** Part of one allocation of a device that other processes of the machine can
    map. */
typedef struct accx_share_part {
  uint64_t id;    /**< Of the allocation, among those of its process. */
  uint64_t bytes; /**< Of the allocation. */
  uint64_t at;    /**< Where the part begins in it. */
  uint64_t size;  /**< Of the part. */
  /** Stands for the allocation. Of an offer: the runtime's, as long as the
      memory lives. Of what is taken: the caller's; -1 if the allocation was
      taken before. */
  int fd;
  int reserved; /**< 0 */
} accx_share_part;

/** One stream of bytes, in or out. Functions are called by one thread at a
   time, must not block, and must not call MPI or the like unless that may be
   called on any thread. */
typedef struct accx_stream {
  /** ACCX_IN or ACCX_OUT. */
  int direction;
  /** Device or host memory as in accx/event.h. */
  void *address;
  size_t size;
  /** The first piece is at most so large; 0: as the others. */
  size_t first_bytes;
  /** Largest piece; 0: one piece, whatever its size (also if it is empty). */
  size_t piece_bytes;
  /** Pieces that may be under way with the library; at least 1. */
  unsigned depth;
  /** Given to the functions. */
  void *self;
  /** Starts moving bytes `at`.. of the stream, which are in, or go to, host
      memory at `data`. Pieces are started in order and may end in any.
      accx_piece_end() tells of the end, from any thread, also from within. */
  void (*start)(void *self, void *data, size_t at, size_t size,
                accx_piece_t piece);
  /** ACCX_OUT; may be null. Called before any start where the memory is a
      device's that other processes can map, as a whole in these parts, and is
      complete: 0: not wanted. 1: the other side is asked to copy it;
      __accx_piece_end() tells when it has, with the whole size, or with
      ACCX_MOVE_PIECES if it cannot. */
  int (*offer)(void *self, int nparts, const accx_share_part *parts,
               accx_piece_t piece);
} accx_stream;

/** One operation of `nstreams` streams that run at the same time. With `joint`,
    the library wants all of them at once, as collective operations do: each
    has one piece; those that go out are in host memory before any start, and
    all are started together. */
typedef struct accx_transfer {
  int nstreams;
  const accx_stream *streams;
  int joint;
  /** "send to 3, tag 7": for messages and traces; copied. */
  const char *what;
  /** Path for statistics: "message". A literal. */
  const char *path;
  /** Called once, after the last piece has ended, or without any if the
      operation did not start: `status` is what the event will have. May be
      null. */
  void (*finish)(void *self, int status);
  void *self;
} accx_transfer;

/** Queues the operation as the functions of accx/event.h do. Where it returns a
    negative number and gives no event none of the functions is called. */
int __accx_transfer(int queue, const accx_transfer *transfer, int nwait,
                    const accx_event_t *wait, accx_event_t *event);
/** `size` bytes of the piece were moved: all of them, fewer at the end of an
    ACCX_IN stream only, which ends there. A negative `status` with one line of
    text fails the operation. `keeps` not 0: the piece's memory may still be
    written, by what was given up; it is not used again. */
void __accx_piece_end(accx_piece_t piece, size_t size, int status,
                      const char *message, int keeps);
/** The first piece of an ACCX_IN stream is no piece: all the stream's `size`
    bytes, at most what it has room for, are memory of process number `owner`,
    which the runtime copies. `taken` is called once, from any thread: 0, and
   the piece is to be ended with the whole size, other pieces that were started
   with 0 bytes; or negative if that memory cannot be used, and the piece is
   started anew. What the allocations are is remembered by owner and id. */
void __accx_piece_take(accx_piece_t piece, uint64_t owner, int nparts,
                       const accx_share_part *parts, size_t size,
                       void (*taken)(void *self, int status));

/** Calls `progress` until it is removed: on the runtime's own thread (`waiting`
    is 0) again and again for as long as it returns 1, something is under way,
   or 2, something got on (then it is called again at once); and on the
   program's threads that wait for events or queues or ask for their status
   (`waiting` is 1), whatever it returned. By several threads at once. */
typedef int (*accx_progress_fn)(int waiting);
void __accx_progress_add(accx_progress_fn progress);
void __accx_progress_remove(accx_progress_fn progress);
/** There is something under way again. Costs little. */
void __accx_progress_wake(void);

/** An event that accx_event_complete does not end, but this: as user events are
    ended, with one line of text. */
int __accx_event_create(accx_event_t *event);
void __accx_event_end(accx_event_t event, int status, const char *message);
/** Keeps `data` with the event until it goes, once an event; `drop` is called
    then. */
int __accx_event_attach(accx_event_t event, void *data, void (*drop)(void *));
/** What was attached; null if nothing was. */
void *__accx_event_attached(accx_event_t event);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_CHANNEL_H */
