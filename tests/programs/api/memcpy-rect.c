// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random rectangles of one to six dimensions between random devices, against
// loops over their elements.
// RUN: %clang %s -o %t
// RUN: %run %t
// RUN: %run ACCX_HOST_UNIFIED=1 %t
// Devices of two plugins with queues that run on their own: what goes between
// them goes through the host.
// RUN: cp %accx_lib/libaccx.rtl.host.so %t.base.so
// RUN: %run LIBOMPTARGET_PLUGIN=host:%accx_lib/test-plugins/libaccx.rtl.fault.so \
// RUN:   ACCX_FAULT_BASE=%t.base.so ACCX_FAULT_OPTIONS=async %t

#include "Inputs/expect.h"
#include <limits.h>
#include <string.h>

enum { MaxDims = 6, MaxExtent = 5, Rounds = 400, MaxElement = 12 };

static unsigned State = 12345;
static unsigned below(unsigned Limit) {
  State = State * 1664525u + 1013904223u;
  return (State >> 8) % Limit;
}

struct Side {
  size_t Dims[MaxDims];
  size_t Offsets[MaxDims];
  size_t Bytes;
};

/// Extents that hold the volume at some offsets; often exactly the volume, so
/// that inner dimensions are contiguous.
static void choose(struct Side *S, int NumDims, const size_t *Volume,
                   size_t Element) {
  S->Bytes = Element;
  for (int I = 0; I < NumDims; ++I) {
    S->Offsets[I] = below(2) ? 0 : below(3);
    S->Dims[I] = Volume[I] + S->Offsets[I] + (below(2) ? 0 : below(3));
    if (S->Dims[I] == 0)
      S->Dims[I] = 1;
    S->Bytes *= S->Dims[I];
  }
}

/// Byte offset of element \p Index of the rectangle.
static size_t place(const struct Side *S, int NumDims, const size_t *Index,
                    size_t Element) {
  size_t At = 0;
  for (int I = 0; I < NumDims; ++I)
    At = At * S->Dims[I] + S->Offsets[I] + Index[I];
  return At * Element;
}

static void copyByElements(char *Dst, const char *Src, const struct Side *To,
                           const struct Side *From, int NumDims,
                           const size_t *Volume, size_t Element) {
  size_t Index[MaxDims] = {0};
  for (int I = 0; I < NumDims; ++I)
    if (!Volume[I])
      return;
  for (;;) {
    memcpy(Dst + place(To, NumDims, Index, Element),
           Src + place(From, NumDims, Index, Element), Element);
    int I = NumDims - 1;
    while (I >= 0 && ++Index[I] == Volume[I])
      Index[I--] = 0;
    if (I < 0)
      return;
  }
}

static void oneRound(int Round) {
  const int Host = omp_get_initial_device();
  const int NumDims = 1 + below(MaxDims);
  const size_t Element = 1 + below(MaxElement);
  const int To = below(Host + 1), From = below(3) ? below(Host + 1) : To;
  size_t Volume[MaxDims];
  for (int I = 0; I < NumDims; ++I)
    Volume[I] = below(20) ? 1 + below(MaxExtent) : 0;
  struct Side DstSide, SrcSide;
  choose(&DstSide, NumDims, Volume, Element);
  choose(&SrcSide, NumDims, Volume, Element);

  char *Src = malloc(SrcSide.Bytes), *Expected = malloc(DstSide.Bytes),
       *Got = malloc(DstSide.Bytes);
  for (size_t I = 0; I < SrcSide.Bytes; ++I)
    Src[I] = below(200);
  memset(Expected, -1, DstSide.Bytes);
  copyByElements(Expected, Src, &DstSide, &SrcSide, NumDims, Volume, Element);

  char *SrcThere = omp_target_alloc(SrcSide.Bytes, From);
  char *DstThere = omp_target_alloc(DstSide.Bytes, To);
  EXPECT(omp_target_memcpy(SrcThere, Src, SrcSide.Bytes, 0, 0, From, Host) ==
         0);
  omp_target_memset(DstThere, -1, DstSide.Bytes, To);
  EXPECT(omp_target_memcpy_rect(DstThere, SrcThere, Element, NumDims, Volume,
                                DstSide.Offsets, SrcSide.Offsets, DstSide.Dims,
                                SrcSide.Dims, To, From) == 0);
  EXPECT(omp_target_memcpy(Got, DstThere, DstSide.Bytes, 0, 0, Host, To) == 0);
  if (memcmp(Got, Expected, DstSide.Bytes)) {
    fprintf(stderr, "round %d: wrong bytes\n", Round);
    exit(1);
  }
  omp_target_free(SrcThere, From);
  omp_target_free(DstThere, To);
  free(Src);
  free(Expected);
  free(Got);
}

/// Rows of several megabytes in all, from the first device to the last.
static void largeBlock(void) {
  enum { Rows = 1200, Width = 5000, DstPitch = 5300, SrcPitch = 6000 };
  const int Host = omp_get_initial_device(), Last = Host - 1;
  const size_t Volume[2] = {Rows, Width}, DstOffsets[2] = {1, 7},
               SrcOffsets[2] = {2, 100}, DstDims[2] = {Rows + 1, DstPitch},
               SrcDims[2] = {Rows + 2, SrcPitch};
  const size_t SrcBytes = SrcDims[0] * SrcPitch,
               DstBytes = DstDims[0] * DstPitch;
  unsigned char *Bytes = malloc(SrcBytes), *Back = malloc(DstBytes);
  for (size_t I = 0; I < SrcBytes; ++I)
    Bytes[I] = below(200);
  char *Src = omp_target_alloc(SrcBytes, 0);
  char *Dst = omp_target_alloc(DstBytes, Last);
  EXPECT(omp_target_memcpy(Src, Bytes, SrcBytes, 0, 0, 0, Host) == 0);
  omp_target_memset(Dst, 255, DstBytes, Last);
  EXPECT(omp_target_memcpy_rect(Dst, Src, 1, 2, Volume, DstOffsets, SrcOffsets,
                                DstDims, SrcDims, Last, 0) == 0);
  EXPECT(omp_target_memcpy(Back, Dst, DstBytes, 0, 0, Host, Last) == 0);
  for (size_t I = 0; I < DstDims[0]; ++I)
    for (size_t J = 0; J < DstPitch; ++J) {
      const int Inside = I >= 1 && J >= 7 && J < 7 + Width;
      EXPECT(Back[I * DstPitch + J] ==
             (Inside ? Bytes[(I + 1) * SrcPitch + J + 93] : 255));
    }
  omp_target_free(Src, 0);
  omp_target_free(Dst, Last);
  free(Bytes);
  free(Back);
}

int main(void) {
  expectDevices();
  for (int Round = 0; Round < Rounds; ++Round)
    oneRound(Round);
  largeBlock();

  // How a program asks for the limit.
  EXPECT(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL,
                                0, 0) == INT_MAX);
  int X[4] = {0};
  const size_t One[1] = {1}, Zero[1] = {0}, Huge[2] = {2, (size_t)1 << 62};
  const size_t Offsets[2] = {0, 0};
  EXPECT(omp_target_memcpy_rect(X, X, 0, 1, One, Zero, Zero, One, One, 0, 0));
  EXPECT(omp_target_memcpy_rect(X, X, 4, 0, One, Zero, Zero, One, One, 0, 0));
  EXPECT(omp_target_memcpy_rect(X, X, 4, 1, NULL, Zero, Zero, One, One, 0, 0));
  EXPECT(
      omp_target_memcpy_rect(X, NULL, 4, 1, One, Zero, Zero, One, One, 0, 0));
  // A volume that no address space holds.
  EXPECT(omp_target_memcpy_rect(X, X, 4, 2, Huge, Offsets, Offsets, Huge, Huge,
                                0, 0));
  return 0;
}
