//===- Transfer.cpp - Copies and fills ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies by rows, and fills by doubling.
//
//===----------------------------------------------------------------------===//

#include "Transfer.h"

#include <algorithm>
#include <cstring>

using namespace accx;
using namespace accx::host;

accx_status host::copy(const accx_copy &Copy) {
  if (Copy.width == 0 || Copy.height == 0)
    return ACCX_OK;
  if (!Copy.dst || !Copy.src)
    return fail(ACCX_ERROR_INVALID, "copy of %zu bytes %s null", Copy.width,
                Copy.dst ? "from" : "to");
  if (Copy.direction == ACCX_TO_PEER && !Copy.peer)
    return fail(ACCX_ERROR_INVALID, "copy to a peer that is null");

  auto *Dst = static_cast<char *>(Copy.dst);
  auto *Src = static_cast<const char *>(Copy.src);
  size_t Width = Copy.width, Height = Copy.height;
  if (Height > 1) {
    if (Copy.dst_pitch < Width || Copy.src_pitch < Width)
      return fail(ACCX_ERROR_INVALID,
                  "copy of rows of %zu bytes with pitches %zu and %zu", Width,
                  Copy.dst_pitch, Copy.src_pitch);
    if (Copy.dst_pitch == Width && Copy.src_pitch == Width) {
      Width *= Height;
      Height = 1;
    }
  }

  // Only in device memory may the two overlap, and only row by row; in spread
  // memory from one device to another, too.
  if (Copy.direction == ACCX_WITHIN_DEVICE || Copy.direction == ACCX_TO_PEER) {
    // Upwards copies start with the last row, as memmove does with bytes.
    bool Backwards = Dst > Src;
    for (size_t I = 0; I < Height; ++I) {
      size_t Row = Backwards ? Height - 1 - I : I;
      std::memmove(Dst + Row * Copy.dst_pitch, Src + Row * Copy.src_pitch,
                   Width);
    }
    return ACCX_OK;
  }
  std::memcpy(Dst, Src, Width);
  for (size_t Row = 1; Row < Height; ++Row)
    std::memcpy(Dst + Row * Copy.dst_pitch, Src + Row * Copy.src_pitch, Width);
  return ACCX_OK;
}

accx_status host::fill(void *Address, uint64_t Pattern, uint32_t Width,
                       size_t Count) {
  if (Width != 1 && Width != 2 && Width != 4 && Width != 8)
    return fail(ACCX_ERROR_INVALID,
                "fill with a pattern of %u bytes: must be 1, 2, 4 or 8", Width);
  size_t Size = 0;
  if (__builtin_mul_overflow(Count, size_t(Width), &Size))
    return fail(ACCX_ERROR_INVALID, "fill of %zu times %u bytes", Count, Width);
  if (Size == 0)
    return ACCX_OK;
  if (!Address)
    return fail(ACCX_ERROR_INVALID, "fill of %zu bytes at null", Size);

  unsigned char Bytes[8];
  std::memcpy(Bytes, &Pattern, sizeof(Bytes));
  if (std::all_of(Bytes, Bytes + Width,
                  [&](unsigned char B) { return B == Bytes[0]; })) {
    std::memset(Address, Bytes[0], Size);
    return ACCX_OK;
  }

  // Double what is there up to a block that stays in the first-level cache,
  // then repeat the block.
  auto *Out = static_cast<char *>(Address);
  size_t Block = std::min<size_t>(Size, 8192);
  std::memcpy(Out, Bytes, Width);
  for (size_t Done = Width; Done < Block;) {
    size_t More = std::min(Done, Block - Done);
    std::memcpy(Out + Done, Out, More);
    Done += More;
  }
  for (size_t Done = Block; Done < Size;) {
    size_t More = std::min(Block, Size - Done);
    std::memcpy(Out + Done, Out, More);
    Done += More;
  }
  return ACCX_OK;
}
