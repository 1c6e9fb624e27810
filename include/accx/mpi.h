/*===- accx/mpi.h - MPI messages as events --------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Messages between ranks that carry data of devices or of the host, as events
|* like those of accx/event.h, whose conventions hold here. After the
|* internode commands of clDataTransfer (Takizawa et al., 2015, section 4).
|* Programs link libaccx-mpi-openmpi or libaccx-mpi-mpich, before the MPI
|* library, on all ranks (docs/events.md); MPI is initialized by the program.
|*
|* Order: messages of one rank to another with the same tag and communicator
|* arrive in the order in which their operations start, as MPI's do.
|* A program's own messages of MPI with the same tag and communicator must not
|* come between the parts of one that is longer than ACCX_MPI_PLAIN_BYTES.
|* Collective operations start in the order of the calls on every rank, for each
|* communicator of one group; one that fails before it starts is left out. Their
|* calls ask for rank and size: they count as calls of MPI. A communicator for
|* which the program itself has collective calls of MPI under way must not be
|* used for them at the same time.
|*
|* Threads: with MPI_THREAD_MULTIPLE messages move on by themselves. With less,
|* MPI is called only by the program's threads that wait in functions of accx or
|* of OpenACC, or ask for a status there (MPI_THREAD_SERIALIZED: a call of these
|* counts as a call of MPI; FUNNELED and SINGLE: only on the main thread).
|*
|* Other sides: accx_recv receives what MPI_Send and the like send, and MPI_Recv
|* receives what accx_send sends, as bytes, up to ACCX_MPI_PLAIN_BYTES. Beyond
|* that the other side's type is MPI_CL_MEM, whose elements are bytes.
|*
|* A message whose other side is silent for ACCX_MPI_TIMEOUT seconds ends with
|* -ETIMEDOUT; unset, it waits. The other side, where it comes later, ends with
|* -ECONNABORTED, and messages behind it are whole. Nothing of a collective
|* operation can be taken back: a communicator where one stopped half way has
|* no other (-ECONNABORTED). Errors of MPI's own go to the communicator's
|* handler first, which ends the program unless that has set another one.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_MPI_H
#define ACCX_MPI_H

#include <accx/event.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Messages up to this size are one MPI message of just their bytes. */
#define ACCX_MPI_PLAIN_BYTES 65536

/** Sends `size` bytes at `from`. The event ends when the memory may be used
    again. `size` of any value, also above INT_MAX. */
int accx_send(int queue, const void *from, size_t size, int dest, int tag,
              MPI_Comm comm, int nwait, const accx_event_t *wait,
              accx_event_t *event);
/** Receives up to `size` bytes; MPI_ANY_SOURCE and MPI_ANY_TAG as in MPI. A
    longer message is an error (-EMSGSIZE), one of MPI's own beyond
    ACCX_MPI_PLAIN_BYTES, too (-EPROTO). */
int accx_recv(int queue, void *to, size_t size, int source, int tag,
              MPI_Comm comm, int nwait, const accx_event_t *wait,
              accx_event_t *event);
/** Both at the same time. */
int accx_sendrecv(int queue, const void *from, size_t send_size, int dest,
                  int send_tag, void *to, size_t recv_size, int source,
                  int recv_tag, MPI_Comm comm, int nwait,
                  const accx_event_t *wait, accx_event_t *event);

int accx_bcast(int queue, void *data, size_t size, int root, MPI_Comm comm,
               int nwait, const accx_event_t *wait, accx_event_t *event);
/** `count` elements of a predefined `type`; `from` may be `to`, or
    MPI_IN_PLACE. */
int accx_allreduce(int queue, const void *from, void *to, size_t count,
                   MPI_Datatype type, MPI_Op op, MPI_Comm comm, int nwait,
                   const accx_event_t *wait, accx_event_t *event);
/** Sizes and displacements are in bytes; those of the root count, and are read
    before the call returns. */
int accx_gatherv(int queue, const void *from, size_t size, void *to,
                 const size_t *sizes, const size_t *displacements, int root,
                 MPI_Comm comm, int nwait, const accx_event_t *wait,
                 accx_event_t *event);
int accx_alltoallv(int queue, const void *from, const size_t *send_sizes,
                   const size_t *send_displacements, void *to,
                   const size_t *recv_sizes, const size_t *recv_displacements,
                   MPI_Comm comm, int nwait, const accx_event_t *wait,
                   accx_event_t *event);

/** Source, tag and size of a message that came, when its event has ended, also
    where there was no room for it; -EINVAL for other events. */
int accx_recv_result(accx_event_t event, int *source, int *tag, size_t *size);

/** An event for a nonblocking operation of MPI (the paper's
    clCreateEventFromMPIRequest): takes the request over, *request becomes
    MPI_REQUEST_NULL. */
int accx_event_from_mpi_request(MPI_Request *request, accx_event_t *event);

/** For MPI_Send, MPI_Recv, MPI_Isend, MPI_Irecv and MPI_Sendrecv of host memory
    whose other side is accx_recv or accx_send, or of this type itself, of any
    size; the count is in bytes. Requests are MPI's, for MPI_Wait, MPI_Test and
    their kin. MPI_DATATYPE_NULL outside of MPI_Init and MPI_Finalize. */
extern MPI_Datatype accx_mpi_cl_mem;
#define MPI_CL_MEM accx_mpi_cl_mem

#ifdef __cplusplus
}
#endif

#endif /* ACCX_MPI_H */
