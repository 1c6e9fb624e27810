//===- Call.cpp - Calling a kernel with its arguments ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls with a few fixed numbers of arguments. The calling conventions of this
// plugin's machines let the caller pass more arguments than the callee reads,
// so the next larger number serves.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <cstddef>
#include <cstring>
#include <utility>

using namespace accx;

template <size_t> using Slot = void *;

/// The kernel's real type is another one: that is the point of this file.
#if defined(__clang__)
#define ACCX_ANY_FUNCTION_TYPE [[clang::no_sanitize("function")]]
#else
#define ACCX_ANY_FUNCTION_TYPE
#endif

template <size_t... I>
ACCX_ANY_FUNCTION_TYPE static void call(void *Code, void *const *Slots,
                                        std::index_sequence<I...>) {
  reinterpret_cast<void (*)(Slot<I>...)>(Code)(Slots[I]...);
}

template <size_t N>
[[gnu::noinline]] static void callPadded(void *Code, void *const *Args,
                                         uint32_t NumArgs) {
  void *Slots[N];
  std::memcpy(Slots, Args, NumArgs * sizeof(void *));
  std::memset(Slots + NumArgs, 0, (N - NumArgs) * sizeof(void *));
  call(Code, Slots, std::make_index_sequence<N>());
}

template <size_t N> static void callExactly(void *Code, void *const *Args) {
  call(Code, Args, std::make_index_sequence<N>());
}

void host::callKernel(void *Code, void *const *Args, uint32_t NumArgs) {
  switch (NumArgs) {
  case 0:
    return callExactly<0>(Code, Args);
  case 1:
    return callExactly<1>(Code, Args);
  case 2:
    return callExactly<2>(Code, Args);
  case 3:
    return callExactly<3>(Code, Args);
  case 4:
    return callExactly<4>(Code, Args);
  case 5:
    return callExactly<5>(Code, Args);
  case 6:
    return callExactly<6>(Code, Args);
  }
  if (NumArgs <= 16)
    return callPadded<16>(Code, Args, NumArgs);
  if (NumArgs <= 64)
    return callPadded<64>(Code, Args, NumArgs);
  callPadded<MaxKernelArgs>(Code, Args, NumArgs);
}
