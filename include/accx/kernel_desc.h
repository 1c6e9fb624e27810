/*===- accx/kernel_desc.h - How passes and runtime agree on a launch ------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A pass that changed what a kernel needs at launch emits a constant global
|* `<kernel>_accx_desc` of the layout below into the kernel's image: plain
|* little-endian data without relocations, followed by the names of the
|* sub-kernels. The runtime reads it once, checks it, and obeys it. A kernel
|* without one gets the runtime's own geometry.
|*
|* Geometry: grid = ceil(trip count / (iterations_per_block)), at least 1,
|* at most max_blocks where that is not 0 (the kernel then strides).
|*
|* Dimensions: grid_bytes bytes of little-endian 64-bit words behind the names
|* are a program that says of the kernel's own arguments how many blocks there
|* are in x, y and z (ACCX_GRID_...). The kernel is right on any grid: a launch
|* may have fewer, and those of one dimension where the program has no result.
|*
|* Whole grid: with ACCX_DESC_WHOLE_GRID the one name of the chain is that of a
|* kernel with the same arguments and result in which each thread has at most
|* iterations_per_block / block[0] iterations, neighbours in the second
|* dimension. It is launched where the grid program has a result, the
|* grid covers all of fewer than 2^31 iterations, and no clause bounds blocks or
|* threads below that; else the kernel itself is, as if there was no descriptor.
|* Blocks have block[0] threads in one dimension: rows of as many as the first
|* INNER says, and as many rows of iterations as the second dimension says. A
|* launch may halve threads and rows together.
|*
|* Strips: with ACCX_DESC_STRIPS, too, the program has two dimensions. A launch
|* may part the first one into strips of at most ACCX_STRIP_BLOCKS blocks, which
|* lie one behind the other in z: a block's place in the first dimension is
|* blockIdx.x + gridDim.x * blockIdx.z. Blocks that run together then share
|* what they load of columns as well as what they load of rows.
|*
|* Workspace: workspace_bytes + grid * workspace_bytes_per_block bytes, aligned
|* to 256, that belong to one launch; the first zeroed_bytes of them are zero
|* when the kernel starts. Its address is passed as one more argument after the
|* kernel's own.
|*
|* Waves: a kernel environment whose MinTeams is ACCX_TEAMS_OF_A_WAVE asks for
|* as many blocks as the device holds at a time, whatever the trip count: its
|* blocks share iterations. Clauses on the number of teams are obeyed. With
|* ACCX_TEAMS_UP_TO_A_WAVE they are bounds, as nothing in the kernel tells how
|* many teams there are; with ACCX_TEAMS_UP_TO_NEED bounds of what the trip
|* count asks for.
|*
|* Runs: a kernel environment whose MinTeams is ACCX_TEAMS_IN_RUNS asks for a
|* block for each ACCX_RUN * threads iterations where the trip count is many
|* times what the device runs at once; with ACCX_TEAMS_IN_SHORT_RUNS for each
|* ACCX_SHORT_RUN * threads. The kernel is right with any grid.
|*
|* Threads: a kernel environment whose MinThreads is ACCX_THREADS_TO_FILL leaves
|* the size of blocks to the launch. Each iteration of the trip count is work of
|* a block. MaxThreads it is, or down to ACCX_SMALL_BLOCK where a clause asks
|* for so many teams: their iterations are short. A clause on threads is obeyed.
|*
|* Tickets: before the buffer of a launch environment lie ACCX_TICKET_BYTES for
|* blocks that work together, for each of two levels of loops: first
|* ACCX_TICKETS words a level, which are zero when a kernel starts and which
|* kernels leave so, then ACCX_TICKETS records of ACCX_TICKET_RECORD bytes.
|*
|* Waiting: where the byte at ACCX_ENVIRONMENT_WAITS of a kernel environment,
|* which Clang does not use, is 1, the kernel waits by itself, ahead of its
|* first access to memory, until what was queued before it has ended and its
|* writes can be seen. The device may start its blocks before.
|*
|* Chain: the kernel itself is not launched; its num_chain sub-kernels are, in
|* order, on one queue, each with the same arguments and the same workspace,
|* each with the geometry of its own descriptor if it has one, else of this one.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_KERNEL_DESC_H
#define ACCX_KERNEL_DESC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACCX_KERNEL_DESC_SUFFIX "_accx_desc"
/** "ACXD", read as a little-endian word. */
#define ACCX_KERNEL_DESC_MAGIC 0x44584341u
#define ACCX_KERNEL_DESC_VERSION 1u
#define ACCX_KERNEL_DESC_MAX_CHAIN 64u

/** What images of host devices call a word of 64 bits that the plugin sets:
    arrays of more bytes are written past the cache. */
#define ACCX_STREAM_BYTES "__accx_stream_bytes"

/** What MinTeams says of grids; from the least of them on it is no number. */
#define ACCX_TEAMS_OF_A_WAVE 0x7fffffff
#define ACCX_TEAMS_UP_TO_A_WAVE 0x7ffffffe
#define ACCX_TEAMS_UP_TO_NEED 0x7ffffffd
#define ACCX_TEAMS_IN_RUNS 0x7ffffffc
#define ACCX_TEAMS_IN_SHORT_RUNS 0x7ffffffb
#define ACCX_TEAMS_LEAST_CODE ACCX_TEAMS_IN_SHORT_RUNS
#define ACCX_RUN 16
#define ACCX_SHORT_RUN 4
#define ACCX_THREADS_TO_FILL 0x7fffffff
#define ACCX_SMALL_BLOCK 128
#define ACCX_STRIP_BLOCKS 8u
#define ACCX_ENVIRONMENT_WAITS 3u
#define ACCX_TICKETS 4096u
#define ACCX_TICKET_RECORD 64u
#define ACCX_TICKET_BYTES (2u * (4u + ACCX_TICKET_RECORD) * ACCX_TICKETS)
/** Where words and records of level 0 or 1 begin, in bytes from the buffer. */
#define ACCX_TICKETS_AT(level)                                                 \
  ((level) * 4 * (int64_t)ACCX_TICKETS - (int64_t)ACCX_TICKET_BYTES)
#define ACCX_TICKET_RECORDS_AT(level)                                          \
  (ACCX_TICKETS_AT(2) + (level) * (int64_t)ACCX_TICKET_RECORD * ACCX_TICKETS)

enum {
  /** block[] must be launched exactly; else it is the largest allowed. */
  ACCX_DESC_EXACT_BLOCK = 1u << 0,
  /** The workspace address is passed as the last argument. Required when any
      workspace size is not 0. */
  ACCX_DESC_PASS_WORKSPACE = 1u << 1,
  /** A pointer to an accx_kernel_geometry in host memory is passed after that;
      for devices whose kernels run as one call for the whole grid (the host
      plugin). Valid until the kernel ends. */
  ACCX_DESC_PASS_GEOMETRY = 1u << 2,
  /** The chain is one kernel for launches that cover all iterations at once. */
  ACCX_DESC_WHOLE_GRID = 1u << 3,
  /** With a whole grid of two dimensions: it may come in strips. */
  ACCX_DESC_STRIPS = 1u << 4
};

/** Words of a grid program, for a stack of 64-bit numbers: the operation in the
    low 8 bits, its number in the high 32. Dimensions come innermost first; what
    is left of the trip count is the outermost's. */
enum {
  /** Pushes the next word. */
  ACCX_GRID_CONSTANT = 1,
  /** Pushes the argument of that number, the launch environment's being 0. */
  ACCX_GRID_ARGUMENT = 2,
  /** Extends the top from its low so many bits, 1 to 64. */
  ACCX_GRID_ZERO_EXTEND = 3,
  ACCX_GRID_SIGN_EXTEND = 4,
  /** Replaces the two on top, the second operand being the topmost. Dividing by
      zero ends the program without a result. */
  ACCX_GRID_ADD = 5,
  ACCX_GRID_SUB = 6,
  ACCX_GRID_MUL = 7,
  ACCX_GRID_UDIV = 8,
  ACCX_GRID_SDIV = 9,
  /** Pops how many iterations a dimension has, of which a block has that many.
      All of a dimension that is 0 are in each block. */
  ACCX_GRID_INNER = 10,
  /** Ends the program: a block has that many of the iterations left. */
  ACCX_GRID_OUTER = 11
};
#define ACCX_GRID_MAX_STACK 16u
#define ACCX_GRID_MAX_BYTES 4096u

typedef struct accx_kernel_desc {
  uint32_t magic;
  uint16_t version;
  uint16_t flags;
  /** sizeof(accx_kernel_desc) + chain_bytes + grid_bytes. */
  uint32_t total_bytes;
  /** Threads in x, y, z; all 0: the runtime chooses. */
  uint32_t block[3];
  /** Largest grid in blocks, 0: the device's limit. */
  uint32_t max_blocks;
  /** Consecutive iterations of one lane; at least 1. For reports only. */
  uint32_t lane_iterations;
  /** Logical iterations that one block does in one go; at least 1. */
  uint64_t iterations_per_block;
  uint32_t dynamic_shared_bytes;
  uint32_t num_chain;
  uint64_t workspace_bytes;
  uint64_t workspace_bytes_per_block;
  uint64_t zeroed_bytes;
  /** Bytes of the num_chain names that follow, each with its final NUL. */
  uint32_t chain_bytes;
  /** Of the words behind the names, 0: blocks have one dimension. */
  uint32_t grid_bytes;
} accx_kernel_desc;

typedef struct accx_kernel_geometry {
  uint32_t grid[3];
  uint32_t block[3];
  uint64_t trip_count;
  uint64_t iterations_per_block;
  uint32_t dynamic_shared_bytes;
  uint32_t reserved;
} accx_kernel_geometry;

#ifdef __cplusplus
}
#if __cplusplus >= 201103L
static_assert(sizeof(accx_kernel_desc) == 80, "shared with passes");
static_assert(sizeof(accx_kernel_geometry) == 48, "shared with passes");
#endif
#endif

#endif /* ACCX_KERNEL_DESC_H */
