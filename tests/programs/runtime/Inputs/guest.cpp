// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An offloading library: globals of both kinds, an object with constructor and
// destructor on the device, and functions that use them.

#include <cstdio>

#ifndef GUEST
#define GUEST 1
#endif

namespace {
struct Tracker {
  int Value;
  Tracker() : Value(100 * GUEST) {}
  ~Tracker() { Value = -1; }
};
} // namespace

#pragma omp begin declare target
static int Plain = GUEST;
static Tracker Tracked;
#pragma omp end declare target
static int Linked[10];
#pragma omp declare target link(Linked)

// The host's constructors may offload: the library's image is registered.
static int seenEarly() {
  int Seen = 0;
#pragma omp target map(from : Seen)
  Seen = Tracked.Value;
  return Seen;
}
static int Early = seenEarly();

/// Runs when the library goes: its image must still be there.
struct AtUnload {
  ~AtUnload() {
    int Seen = 0;
#pragma omp target map(from : Seen)
    Seen = Plain;
    if (Seen < GUEST)
      std::fprintf(stderr, "guest %d: %d when unloaded\n", GUEST, Seen);
  }
};
static AtUnload Unload;

extern "C" int guest(int Device, int Add) {
  if (Early != 100 * GUEST)
    return -1;
  int Result = 0, Constructed = 0;
#pragma omp target device(Device) map(from : Result, Constructed)
  {
    Plain += Add;
    Result = Plain;
    Constructed = Tracked.Value;
  }
  if (Constructed != 100 * GUEST)
    return -2;
  for (int I = 0; I < 10; ++I)
    Linked[I] = I;
#pragma omp target device(Device) map(tofrom : Linked)
  for (int I = 0; I < 10; ++I)
    Linked[I] *= GUEST;
  for (int I = 0; I < 10; ++I)
    if (Linked[I] != I * GUEST)
      return -3;
  return Result;
}
