/*===- accx/event.h - Events, and files as events -------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* One graph of kernels, copies, files, messages (accx/mpi.h) and what the
|* program itself does: every operation may wait for events and is one, so that
|* no thread of the program waits in between (docs/events.md; after Takizawa et
|* al., "Optimized Data Transfers Based on the OpenCL Event Management
|* Mechanism", 2015).
|*
|* Conventions:
|*  - A function returns 0 or a negative error number: -EINVAL for arguments
|*    that make no sense, -ENOMEM, and what its own text says. Operations that
|*    are queued tell of later failures by their event.
|*  - `queue` is an async argument of OpenACC on the thread's current device:
|*    what is queued there is done in order, constructs with async(queue) among
|*    it. With acc_async_sync (-2) the call waits, and returns the operation's
|*    error. Numbers alone are needed: OpenMP programs use them, too.
|*  - An address is a host address of data that is present on the device, whose
|*    copy there is meant; or a device address; or, where it is neither, memory
|*    of the host. It has to be one of these as a whole, and to stay so until
|*    the operation has ended.
|*  - `nwait` and `wait` are events after whose end the operation starts; the
|*    list is read before the call returns, and the events may be released then.
|*  - `event` may be null. Otherwise *event is the operation's, which the caller
|*    releases, also before it has ended.
|*  - What waits for an event that failed fails itself, with -ECANCELED, and
does
|*    nothing. So does what stands behind it on its queue. Who asks such an
event
|*    for its status, or waits for it, has been told: the queue then takes new
|*    work. Failures that nobody asked for end the program at the next wait for
|*    the queue.
|*  - Where constructs run on the host, the calling thread does everything at
|*    once.
|*  - Any thread may call anything at any time.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_EVENT_H
#define ACCX_EVENT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct accx_event_object *accx_event_t;

/*===- Events -------------------------------------------------------------===*/

/** Waits until all have ended. Returns 0, or the status of the first in the
   list that failed. */
int accx_event_wait(int n, const accx_event_t *events);
/** 0: it has ended well; 1: it is under way; negative: it failed. */
int accx_event_status(accx_event_t event);
/** What failed and why, one line that names file and offset, or peer, or place;
    "" unless it failed. Lives as long as the event. */
const char *accx_event_message(accx_event_t event);
/** When the operation was queued, handed over (what it waits for has ended),
    started, and ended: nanoseconds of CLOCK_MONOTONIC, 0 for what is not known
    yet. For events of queues the last three are when the runtime saw it. */
int accx_event_times(accx_event_t event, uint64_t ns[4]);
/** Calls `call` with the status once, when the event has ended, on the thread
    that ends it, or on this one if it has. It must not wait for anything. */
int accx_event_callback(accx_event_t event,
                        void (*call)(accx_event_t event, int status,
                                     void *data),
                        void *data);
/** Gives the event back; null is ignored. What waits for it still does. */
int accx_event_release(accx_event_t event);
/** Counts one more release that has to come. */
int accx_event_retain(accx_event_t event);

/** An event that the program ends, once, with 0 or a negative status.
    accx_event_complete gives -EINVAL for others and -EALREADY a second time. */
int accx_event_create_user(accx_event_t *event);
int accx_event_complete(accx_event_t event, int status);

/** The end of what is queued so far. */
int accx_event_of_queue(int queue, accx_event_t *event);
/** What is queued next starts after the events: on the device, where these are
    its own; the caller goes on. */
int accx_queue_wait(int queue, int n, const accx_event_t *events);
/** The calling thread's next target construct goes onto `queue`, whatever it
    says itself, after the events; *event is its end. For OpenMP, and for
    kernels in the manner of the paper. acc_async_sync: -EINVAL. */
int accx_next_target(int queue, int nwait, const accx_event_t *wait,
                     accx_event_t *event);
/** Fulfills an omp_event_handle_t, of `detach`, when the event has ended: tasks
    that depend on that task go on then. The other way round a task completes a
    user event. */
int accx_event_fulfill(accx_event_t event, uintptr_t omp_event_handle);

/*===- Files --------------------------------------------------------------===*/

/** Reads `size` bytes at `offset` of `fd` into memory at `to`. Fewer bytes in
    the file are an error (-ENODATA; what was there is in memory). Offset -1
    reads at the descriptor's position and moves it: pipes, too; such operations
    keep their order on one queue. The descriptor has to stay open. */
int accx_read(int queue, void *to, int fd, off_t offset, size_t size, int nwait,
              const accx_event_t *wait, accx_event_t *event);
/** Writes likewise. All bytes, or an error. Data is with the system at the end,
    not necessarily on the disk. */
int accx_write(int queue, const void *from, int fd, off_t offset, size_t size,
               int nwait, const accx_event_t *wait, accx_event_t *event);

/** The same at a stream's position, which moves by `size` before the call
    returns; what the stream has buffered counts. The program must not use the
    stream for as many bytes behind its position until the event has ended, nor
    close it. */
int accx_fread(int queue, void *to, size_t size, FILE *stream, int nwait,
               const accx_event_t *wait, accx_event_t *event);
int accx_fwrite(int queue, const void *from, size_t size, FILE *stream,
                int nwait, const accx_event_t *wait, accx_event_t *event);

/** `height` rows of `width` bytes, `pitch` bytes from one to the next. */
typedef struct accx_section {
  void *address;
  size_t width;
  size_t height;
  size_t pitch;
} accx_section;

/** Scatters bytes of a file, one after the other, to sections; gathers them. */
int accx_readv(int queue, int nsections, const accx_section *to, int fd,
               off_t offset, int nwait, const accx_event_t *wait,
               accx_event_t *event);
int accx_writev(int queue, int nsections, const accx_section *from, int fd,
                off_t offset, int nwait, const accx_event_t *wait,
                accx_event_t *event);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_EVENT_H */
