//===- Loops.h - Spread arrays and distributed loops by hand ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs with `spread` and `distribute` call, and the same on the host.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_DISTRIBUTE_LOOPS_H
#define ACCX_TESTS_DISTRIBUTE_LOOPS_H

#include "harness/Program.h"

#include <accx/devices.h>
#include <accx/spread.h>

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

namespace loops {

using namespace accx;
using namespace harness;

inline constexpr char Source[] = ";loop.c;main;7;1;;";

struct Kernels {
  Library Lib{readFile(ACCX_TEST_PLUGINS "/loops.img")};
  Library Plain{readFile(ACCX_TEST_PLUGINS "/arrays.img")};
  void *Step = Lib.kernel("step");
  void *Total = Lib.kernel("total");
  void *Pull = Lib.kernel("pull");
  void *Add = Plain.kernel("add");
  Kernels() {
    Lib.registerNow();
    Plain.registerNow();
  }
};

using Array = std::vector<int64_t>;

/// Spread over all devices for the life of a scope.
class Spread {
  Array &A;

public:
  explicit Spread(Array &A, unsigned Flags = 0) : A(A) {
    __accx_spread_enter(A.data(), A.size() * 8, nullptr, -1, 0, Flags,
                        ";a;loop.c;1;1;;", Source);
  }
  ~Spread() {
    __accx_spread_exit(A.data(), A.size() * 8, ";a;loop.c;1;1;;", Source);
  }
  Spread(const Spread &) = delete;
  Spread &operator=(const Spread &) = delete;
};

inline Array counted(size_t N, int64_t From) {
  Array A(N);
  for (size_t I = 0; I < N; ++I)
    A[I] = From + static_cast<int64_t>(I * I % 1000);
  return A;
}

inline void step(const Kernels &K, Array &Out, Array &In, bool Even = false) {
  const auto N = static_cast<int64_t>(In.size()) - 2;
  __accx_distribute_begin(nullptr, -1, Even ? ACCX_DISTRIBUTE_BLOCK : 0, N,
                          Source);
  Arguments()
      .literal(uintptr_t(0))
      .literal(static_cast<uintptr_t>(N))
      .map(Out.data(), 0, MapTargetParam | MapTo | MapFrom | MapImplicit,
           ";out;loop.c;3;1;;")
      .map(In.data(), 0, MapTargetParam | MapTo | MapFrom | MapImplicit,
           ";in;loop.c;4;1;;")
      .target(0, K.Step, static_cast<uint64_t>(N), Source);
  __accx_distribute_end();
}

inline int64_t total(const Kernels &K, Array &In, int64_t Sum) {
  const auto N = static_cast<int64_t>(In.size());
  const int Parts = __accx_distribute_begin(nullptr, -1, 0, N, Source);
  auto *Slots = static_cast<int64_t *>(
      __accx_distribute_slots(&Sum, sizeof(Sum), ";sum;loop.c;5;1;;"));
  for (int P = 0; P < Parts; ++P) {
    CHECK(Slots[P] == Sum);
    Slots[P] = 0;
  }
  Arguments()
      .literal(uintptr_t(0))
      .literal(static_cast<uintptr_t>(N))
      .map(&Sum, sizeof(Sum), MapTargetParam | MapTo | MapFrom,
           ";sum;loop.c;5;1;;")
      .map(In.data(), 0, MapTargetParam | MapTo | MapFrom | MapImplicit,
           ";in;loop.c;4;1;;")
      .target(0, K.Total, static_cast<uint64_t>(N), Source);
  const int Used = __accx_distribute_end();
  for (int P = 0; P < Used; ++P)
    Sum += Slots[P];
  return Sum;
}

/// Of \p Count elements of \p In from \p From on; gives the sum of all V.
inline int64_t pull(const Kernels &K, Array &V, Array &In, size_t From,
                    size_t Count) {
  const auto N = static_cast<int64_t>(V.size());
  int64_t Sum = 0;
  const int Parts = __accx_distribute_begin(nullptr, -1, 0, N, Source);
  auto *Slots = static_cast<int64_t *>(
      __accx_distribute_slots(&Sum, sizeof(Sum), ";sum;loop.c;5;1;;"));
  for (int P = 0; P < Parts; ++P)
    Slots[P] = 0;
  Arguments()
      .literal(uintptr_t(0))
      .literal(static_cast<uintptr_t>(N))
      .map(V.data(), 0, MapTargetParam | MapTo | MapFrom | MapImplicit,
           ";v;loop.c;3;1;;")
      .map(In.data() + From, Count * 8, MapTargetParam | MapTo,
           ";in;loop.c;4;1;;")
      .literal(Count)
      .map(&Sum, sizeof(Sum), MapTargetParam | MapTo | MapFrom,
           ";sum;loop.c;5;1;;")
      .target(0, K.Pull, static_cast<uint64_t>(N), Source);
  const int Used = __accx_distribute_end();
  for (int P = 0; P < Used; ++P)
    Sum += Slots[P];
  return Sum;
}

inline int64_t pullHere(Array &V, const Array &In, size_t From, size_t Count) {
  for (size_t I = 0; I < V.size(); ++I)
    V[I] += In[From + I % Count] - In[From + I * 31 % Count];
  int64_t Sum = 0;
  for (int64_t Each : V)
    Sum += Each;
  return Sum;
}

inline void stepHere(Array &Out, const Array &In) {
  for (size_t I = 0; I + 2 < In.size(); ++I)
    Out[I + 1] = (In[I] + In[I + 1] + In[I + 2]) % 1000003;
}

inline int64_t sumOf(const Array &A) {
  int64_t Sum = 0;
  for (int64_t V : A)
    Sum += V;
  return Sum;
}

} // namespace loops

#endif // ACCX_TESTS_DISTRIBUTE_LOOPS_H
