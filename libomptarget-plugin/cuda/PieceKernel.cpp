//===- PieceKernel.cpp - A kernel that moves small pieces -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's text, compiled by the driver for whatever device it is on.
//
//===----------------------------------------------------------------------===//

#include "PieceKernel.h"

#include "Driver.h"

using namespace accx;
using namespace accx::cuda;

/// Block (b, s) copies slice s of piece b: by 16 bytes where both sides are
/// aligned to that, then, from where that ended, by 4 where they are aligned to
/// 4, then by 1. %rd4 is the first byte not yet copied by any thread.
static const char Text[] = R"(
.version 6.0
.target sm_50
.address_size 64

.visible .entry accx_copy_pieces(.param .u64 List)
{
  .reg .pred %p<4>;
  .reg .b16 %h<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<16>;

  mov.u32 %r0, %ctaid.x;
  ld.param.u64 %rd0, [List];
  mad.wide.u32 %rd0, %r0, 32, %rd0;
  ld.u64 %rd1, [%rd0];
  ld.u64 %rd2, [%rd0+8];
  ld.u64 %rd3, [%rd0+16];

  mov.u32 %r0, %ctaid.y;
  mul.wide.u32 %rd4, %r0, 4096;
  setp.ge.u64 %p0, %rd4, %rd3;
  @%p0 bra END;
  add.u64 %rd1, %rd1, %rd4;
  add.u64 %rd2, %rd2, %rd4;
  sub.u64 %rd3, %rd3, %rd4;
  min.u64 %rd3, %rd3, 4096;

  mov.u64 %rd4, 0;
  mov.u32 %r1, %tid.x;
  cvt.u64.u32 %rd5, %r1;
  mov.u32 %r2, %ntid.x;
  cvt.u64.u32 %rd6, %r2;
  or.b64 %rd7, %rd1, %rd2;

  and.b64 %rd8, %rd7, 15;
  setp.ne.u64 %p0, %rd8, 0;
  @%p0 bra WORDS;
  and.b64 %rd4, %rd3, -16;
  shl.b64 %rd9, %rd5, 4;
  shl.b64 %rd10, %rd6, 4;
QUADS_NEXT:
  setp.ge.u64 %p1, %rd9, %rd4;
  @%p1 bra WORDS;
  add.u64 %rd11, %rd2, %rd9;
  add.u64 %rd12, %rd1, %rd9;
  ld.v4.u32 {%r4, %r5, %r6, %r7}, [%rd11];
  st.v4.u32 [%rd12], {%r4, %r5, %r6, %r7};
  add.u64 %rd9, %rd9, %rd10;
  bra QUADS_NEXT;

WORDS:
  and.b64 %rd8, %rd7, 3;
  setp.ne.u64 %p0, %rd8, 0;
  @%p0 bra BYTES;
  shl.b64 %rd9, %rd5, 2;
  add.u64 %rd9, %rd9, %rd4;
  shl.b64 %rd10, %rd6, 2;
  and.b64 %rd4, %rd3, -4;
WORDS_NEXT:
  setp.ge.u64 %p1, %rd9, %rd4;
  @%p1 bra BYTES;
  add.u64 %rd11, %rd2, %rd9;
  add.u64 %rd12, %rd1, %rd9;
  ld.u32 %r4, [%rd11];
  st.u32 [%rd12], %r4;
  add.u64 %rd9, %rd9, %rd10;
  bra WORDS_NEXT;

BYTES:
  add.u64 %rd9, %rd4, %rd5;
BYTES_NEXT:
  setp.ge.u64 %p1, %rd9, %rd3;
  @%p1 bra END;
  add.u64 %rd11, %rd2, %rd9;
  add.u64 %rd12, %rd1, %rd9;
  ld.u8 %h0, [%rd11];
  st.u8 [%rd12], %h0;
  add.u64 %rd9, %rd9, %rd6;
  bra BYTES_NEXT;
END:
  ret;
}
)";
static_assert(SliceBytes == 4096, "the text's number");

CUfunction cuda::loadPieceKernel() {
  CUmodule Module = nullptr;
  CUfunction Function = nullptr;
  if (Cu.ModuleLoadDataEx(&Module, Text, 0, nullptr, nullptr) != CUDA_SUCCESS)
    return nullptr;
  if (Cu.ModuleGetFunction(&Function, Module, "accx_copy_pieces") !=
      CUDA_SUCCESS)
    Cu.ModuleUnload(Module);
  return Function;
}
