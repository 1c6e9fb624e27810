/*===- accx/kernel_parts.h - What a kernel does to its arguments ----------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A pass leaves a constant global `<kernel>_accx_parts` of the layout below in
|* the image for each kernel whose outermost loop the program distributes, and
|* for each that writes nothing but what its arguments point to: plain
|* little-endian data without relocations. The header is followed by a
|* byte for each argument of the kernel (ACCX_PARTS_READS, ...), by zeros up to
|* a multiple of 8, and by the accesses, each with its terms behind it.
|*
|* Without ACCX_PARTS_NO_LOOP the kernel runs iterations [first, last) of that
|* loop, which two of its arguments say. An affine access touches, at iteration
|* I of the whole loop, the byte that lies start + I * step behind what its
|* pointer argument points to, where inner loops are at their begin. start and
|* step are sums of products of other arguments. They tell where iterations
|* should run; nothing depends on them but time.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_KERNEL_PARTS_H
#define ACCX_KERNEL_PARTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACCX_KERNEL_PARTS_SUFFIX "_accx_parts"
/** "ACXP", read as a little-endian word. */
#define ACCX_KERNEL_PARTS_MAGIC 0x50584341u
#define ACCX_KERNEL_PARTS_VERSION 1u
#define ACCX_PARTS_MAX_ARGS 1024u
#define ACCX_PARTS_MAX_ACCESSES 16u
#define ACCX_PARTS_MAX_TERMS 16u

/** Flags of the kernel. */
enum {
  /** It may write through pointers that it reads from memory of arguments. */
  ACCX_PARTS_WRITES_LOADED = 1u << 0,
  /** It may write anything else: globals, memory that calls elsewhere write. */
  ACCX_PARTS_WRITES_UNKNOWN = 1u << 1,
  /** No loop of it can be split: first_arg, last_arg and num_accesses are 0. */
  ACCX_PARTS_NO_LOOP = 1u << 2
};

/** Of an argument: what the kernel may do to the memory it points to. */
enum {
  ACCX_PARTS_READS = 1u << 0,
  ACCX_PARTS_WRITES = 1u << 1,
  /** One thread of the whole launch touches it, once: a variable that the
      kernel reduces to. It may be far from the device. */
  ACCX_PARTS_ONCE = 1u << 2,
  /** Each iteration of the whole loop may read it from the same begin to the
      same end, and nothing but reads sees its address: parts of the loop may
      read a copy. */
  ACCX_PARTS_WALKS = 1u << 3
};

typedef struct accx_kernel_parts {
  uint32_t magic;
  uint16_t version;
  uint16_t flags;
  uint32_t total_bytes;
  /** Of the kernel's arguments, the launch environment's being 0. */
  uint32_t num_args;
  uint32_t first_arg;
  uint32_t last_arg;
  uint32_t num_accesses;
  uint32_t reserved;
} accx_kernel_parts;

typedef struct accx_parts_access {
  uint32_t arg;
  /** 1: a write. */
  uint32_t flags;
  /** Terms of start, then terms of step. */
  uint32_t num_start;
  uint32_t num_step;
} accx_parts_access;

/** factor times up to three arguments, of which each is an argument's number
    in the low 16 bits, its bits (1 to 64) in the next 8, and 1 << 24 if it is
    zero-extended; 0 is none (the launch environment is no number). */
typedef struct accx_parts_term {
  int64_t factor;
  uint32_t args[3];
  uint32_t reserved;
} accx_parts_term;

#ifdef __cplusplus
}
#if __cplusplus >= 201103L
static_assert(sizeof(accx_kernel_parts) == 32, "shared with passes");
static_assert(sizeof(accx_parts_access) == 16, "shared with passes");
static_assert(sizeof(accx_parts_term) == 24, "shared with passes");
#endif
#endif

#endif /* ACCX_KERNEL_PARTS_H */
