/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels whose loop can be split, with the tables that say so. */

#include <accx/kernel_parts.h>

#include <stdint.h>

#define EXPORT __attribute__((visibility("default"), used))

struct table {
  accx_kernel_parts header;
  uint8_t uses[8];
  accx_parts_access access;
  accx_parts_term terms[2];
};

/* Out[I + 1] = (In[I] + In[I + 1] + In[I + 2]) % 1000003 */
EXPORT void step(void *Environment, int64_t First, int64_t Last, int64_t *Out,
                 const int64_t *In) {
  for (int64_t I = First; I < Last; ++I)
    Out[I + 1] = (In[I] + In[I + 1] + In[I + 2]) % 1000003;
}
EXPORT const struct table step_accx_parts = {
    {ACCX_KERNEL_PARTS_MAGIC, ACCX_KERNEL_PARTS_VERSION, 0,
     sizeof(struct table), 5, 1, 2, 1, 0},
    {0, 0, 0, ACCX_PARTS_WRITES, ACCX_PARTS_READS},
    {3, 1, 1, 1},
    {{8, {0, 0, 0}, 0}, {8, {0, 0, 0}, 0}}};

/* Sum[0] += In[First..Last) */
EXPORT void total(void *Environment, int64_t First, int64_t Last, int64_t *Sum,
                  const int64_t *In) {
  for (int64_t I = First; I < Last; ++I)
    *Sum += In[I];
}
EXPORT const struct table total_accx_parts = {
    {ACCX_KERNEL_PARTS_MAGIC, ACCX_KERNEL_PARTS_VERSION, 0,
     sizeof(struct table), 5, 1, 2, 1, 0},
    {0, 0, 0, ACCX_PARTS_WRITES, ACCX_PARTS_READS},
    {4, 0, 1, 1},
    {{0, {0, 0, 0}, 0}, {8, {0, 0, 0}, 0}}};

/* V[I] += two of the Count elements of In, and their sum goes to Sum. */
EXPORT void pull(void *Environment, int64_t First, int64_t Last, int64_t *V,
                 const int64_t *In, int64_t Count, int64_t *Sum) {
  int64_t Mine = 0;
  for (int64_t I = First; I < Last; ++I) {
    V[I] += In[I % Count] - In[I * 31 % Count];
    Mine += V[I];
  }
  *Sum += Mine;
}
EXPORT const struct table pull_accx_parts = {
    {ACCX_KERNEL_PARTS_MAGIC, ACCX_KERNEL_PARTS_VERSION, 0,
     sizeof(struct table), 7, 1, 2, 1, 0},
    {0, 0, 0, ACCX_PARTS_READS | ACCX_PARTS_WRITES,
     ACCX_PARTS_READS | ACCX_PARTS_WALKS, 0,
     ACCX_PARTS_READS | ACCX_PARTS_WRITES | ACCX_PARTS_ONCE},
    {3, 1, 1, 1},
    {{0, {0, 0, 0}, 0}, {8, {0, 0, 0}, 0}}};
