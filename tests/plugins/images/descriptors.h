/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the kernels of descriptors.c write down. */

#ifndef ACCX_TESTS_IMAGES_DESCRIPTORS_H
#define ACCX_TESTS_IMAGES_DESCRIPTORS_H

#include "accx/kernel_desc.h"

#include <stdint.h>

#define DESC_SLOT_MARK "ACCX descriptor of "
#define MAX_CALLS 8

/** One call of a kernel. */
struct call {
  unsigned kernel;
  unsigned nonzero; /**< Bytes of the zeroed part that were not 0. */
  void *first;      /**< The two arguments after the record. */
  void *second;
  uint64_t head; /**< First word of the workspace on entry. */
  unsigned disturbed;
  accx_kernel_geometry geometry;
};

struct record {
  /* In. */
  unsigned has_workspace;  /**< The first argument is a workspace. */
  unsigned has_geometry;   /**< The next one is a geometry. */
  unsigned keep_workspace; /**< Add 1 to its first word; else fill it. */
  uint64_t zero_bytes;
  uint64_t dirty_bytes;
  uint64_t spin;
  /* Out. */
  unsigned calls;
  struct call call[MAX_CALLS];
};

#endif
