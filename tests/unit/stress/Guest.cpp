//===- Guest.cpp - An offloading library that comes and goes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers an image when it is opened and takes it back when it is closed, as
// a library that clang compiled for offloading does.
//
//===----------------------------------------------------------------------===//

#include "harness/Program.h"

#include <new>

using namespace accx;
using namespace harness;

namespace {

struct Guest {
  int64_t Counter = 0;
  Library Lib{readFile(ACCX_TEST_PLUGINS "/arrays.img")};
  void *Add = Lib.kernel("add");
  void *Count = Lib.kernel("count");

  Guest() {
    Lib.global("device_counter", &Counter, sizeof(Counter));
    Lib.registerNow();
  }
};

Guest &guest() {
  static Guest G;
  return G;
}

[[gnu::constructor]] void open() { guest(); }

} // namespace

/// Works on \p Device with the library's own kernels and global; 0 if all
/// results were right.
extern "C" [[gnu::visibility("default")]] int accx_guest_work(int Device) {
  Guest &G = guest();
  int64_t A[50], Out = 0;
  for (int I = 0; I < 50; ++I)
    A[I] = I;
  Arguments()
      .map(A, sizeof(A), MapTargetParam | MapTo | MapFrom)
      .literal(uintptr_t(50))
      .literal(uintptr_t(7))
      .target(Device, G.Add);
  for (int I = 0; I < 50; ++I)
    if (A[I] != I + 7)
      return 1;
  for (int64_t Round = 1; Round <= 3; ++Round) {
    Arguments()
        .map(&Out, sizeof(Out), MapTargetParam | MapFrom)
        .literal(uintptr_t(5))
        .target(Device, G.Count);
    // The image was loaded for this opening: its global starts anew.
    if (Out != 5 * Round)
      return 2;
  }
  Arguments().map(&G.Counter, sizeof(G.Counter), MapFrom).update(Device);
  return G.Counter == 15 ? 0 : 3;
}
