/*===- accx/channel.h - Transfers that a library carries out ----------------===*\
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

/** One stream of bytes, in or out. */
typedef struct accx_stream {
  /** ACCX_IN or ACCX_OUT. */
  int direction;
  /** Device or host memory as in accx/event.h. */
  void *address;
  size_t size;
  /** Largest piece; 0: one piece, whatever its size (also if it is empty). */
  size_t piece_bytes;
  /** Pieces that may be under way with the library; at least 1. */
  unsigned depth;
  /** Given to start. */
  void *self;
  /** Starts moving bytes `at`.. of the stream, which are in, or go to, host
      memory at `data`. Pieces are started in order and may end in any. Must not
      block and must not call MPI or the like unless it may on any thread;
      accx_piece_end() tells of the end, from any thread, also from within. */
  void (*start)(void *self, void *data, size_t at, size_t size,
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

/** Queues the operation as the functions of accx/event.h do. */
int __accx_transfer(int queue, const accx_transfer *transfer, int nwait,
                    const accx_event_t *wait, accx_event_t *event);
/** `size` bytes of the piece were moved: all of them, fewer at the end of an
    ACCX_IN stream only, which ends there. A negative `status` with one line of
    text fails the operation. `keeps` not 0: the piece's memory may still be
    written, by what was given up; it is not used again. */
void __accx_piece_end(accx_piece_t piece, size_t size, int status,
                      const char *message, int keeps);

/** Calls `progress` until it is removed: on the runtime's own thread while
    `busy` (it returns whether anything is under way; then it is called again
    soon), and on threads that wait for events or queues (`waiting` is 1). */
typedef int (*accx_progress_fn)(int waiting);
void __accx_progress_add(accx_progress_fn progress);
void __accx_progress_remove(accx_progress_fn progress);
/** There is something under way again. Costs little. */
void __accx_progress_wake(void);

/** An event that accx_event_complete does not end, but this: as user events are
    ended, with one line of text. */
int __accx_event_create(const char *what, accx_event_t *event);
void __accx_event_end(accx_event_t event, int status, const char *message);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_CHANNEL_H */
