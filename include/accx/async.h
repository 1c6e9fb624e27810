/*===- accx/async.h - Brackets of asynchronous constructs -----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What compilers call for OpenACC's async clause (2.16.1): one offload
|* construct of the calling thread stands between the two. Its work is queued in
|* order on a queue of the construct's device and the thread goes on at once.
|* Scalars and firstprivate data are captured when it is queued; mapped host
|* memory has to live until the queue was waited for. What fails later ends the
|* program at the next wait.
|*
|* Calls are per thread and balanced. A construct that runs on the host is done
|* at the end.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_ASYNC_H
#define ACCX_ASYNC_H

#ifdef __cplusplus
extern "C" {
#endif

/** `queue` is an async argument as in openacc.h; acc_async_sync (-2) makes the
    bracket have no effect. The innermost of nested brackets counts. Returns the
    argument that stands for the same queue whatever the default queue is. */
long __accx_async_begin(long queue);
void __accx_async_end(void);

struct accx_event_object;

/** Around the call of accx/event.h or accx/mpi.h that a directive became.
    `source` is a place as compilers record it, ";file;name;line;column;;", with
    the directive and its variable as the name; it lives as long as the program,
    since the next wait for the queue names it if the operation fails later. */
void __accx_operation_begin(const char *source);
/** `code` is what the call returned, `event` the event that it gave, or null. A
    negative number ends the program with the directive's place and the event's
    text. Releases the event. */
void __accx_operation_end(int code, struct accx_event_object *event,
                          const char *source);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_ASYNC_H */
