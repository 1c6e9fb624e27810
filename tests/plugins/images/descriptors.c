/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels with room for descriptors, which tests fill in before they register
 * the image: `<kernel>_accx_desc` holds a text that says where it is. Each
 * kernel writes down how it was called. */

#include "descriptors.h"

#define EXPORT __attribute__((visibility("default"), used))

#define SLOT(Kernel, Bytes)                                                    \
  EXPORT __attribute__((aligned(8))) const char Kernel##_accx_desc[Bytes] =    \
      DESC_SLOT_MARK #Kernel ";"

/* Volatile accesses keep the plain loops: device code has no libc here. */
static void note(struct record *R, unsigned Id, char *First, char *Second) {
  unsigned N = __atomic_fetch_add(&R->calls, 1, __ATOMIC_RELAXED);
  if (N >= MAX_CALLS)
    return;
  struct call *C = &R->call[N];
  C->kernel = Id;
  C->first = First;
  C->second = Second;
  const accx_kernel_geometry *G = 0;
  if (R->has_geometry)
    G = (const accx_kernel_geometry *)(R->has_workspace ? Second : First);
  if (G)
    C->geometry = *G;
  if (!R->has_workspace)
    return;
  C->nonzero = 0;
  for (uint64_t I = 0; I < R->zero_bytes; ++I)
    C->nonzero += ((volatile char *)First)[I] != 0;
  C->head = *(volatile uint64_t *)First;
  if (R->keep_workspace) {
    *(volatile uint64_t *)First = C->head + 1;
  } else {
    for (uint64_t I = 0; I < R->dirty_bytes; ++I)
      ((volatile char *)First)[I] = (char)0xab;
  }
  /* Others of the same kernel run meanwhile with workspaces of their own. */
  if (R->spin) {
    const uint64_t Mine = (uint64_t)R;
    *(volatile uint64_t *)First = Mine;
    for (volatile uint64_t I = 0; I < R->spin; ++I)
      ;
    C->disturbed = *(volatile uint64_t *)First != Mine;
  }
}

#define KERNEL(Name, Id)                                                       \
  EXPORT void Name(void *Environment, struct record *R, char *First,           \
                   char *Second) {                                             \
    note(R, Id, First, Second);                                                \
  }

KERNEL(whole, 0)
KERNEL(head, 1)
KERNEL(cut, 2)
KERNEL(tiny, 3)
KERNEL(unsized, 4)
KERNEL(plain, 5)
KERNEL(sub0, 10)
KERNEL(sub1, 11)
KERNEL(sub2, 12)

SLOT(whole, 512);
SLOT(head, 80);
SLOT(cut, 79);
SLOT(tiny, 24);
SLOT(sub1, 256);

/* A symbol whose size the image does not record. */
__asm__(".section .rodata\n"
        ".globl unsized_accx_desc\n"
        ".balign 8\n"
        "unsized_accx_desc:\n"
        ".asciz \"" DESC_SLOT_MARK "unsized;\"\n"
        ".zero 480\n"
        ".text\n");
