//===- DataTest.cpp - Structures and shortages on queues ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rig.h"

using namespace accx;
using namespace harness;
using namespace rig;

namespace {

struct Row {
  int64_t Tag;
  int64_t *Data;
};

template <typename T> std::vector<T> onDevice(const T *Host, size_t N) {
  std::vector<T> Result(N);
  acc_memcpy_from_device(Result.data(), acc_deviceptr(Host), N * sizeof(T));
  return Result;
}

} // namespace

TEST_CASE("Attached pointers survive copies on a queue") {
  // Few are copied around piece by piece, many through staging memory.
  Program P;
  for (size_t Rows : {1, 3, 8, 9, 40}) {
    std::vector<std::vector<int64_t>> Data(Rows, std::vector<int64_t>(4, 7));
    std::vector<Row> R(Rows);
    for (size_t I = 0; I < Rows; ++I)
      R[I] = {static_cast<int64_t>(I), Data[I].data()};
    for (int Round = 0; Round < 3; ++Round) {
      acc_copyin_async(R.data(), Rows * sizeof(Row), 1);
      for (size_t I = 0; I < Rows; ++I) {
        acc_copyin_async(Data[I].data(), 4 * 8, 1);
        acc_attach_async(&R[I].Data, 1);
        acc_attach_async(&R[I].Data, 1);
      }
      acc_update_self_async(R.data(), Rows * sizeof(Row), 1);
      acc_update_device_async(R.data(), Rows * sizeof(Row), 1);
      acc_wait(1);
      const std::vector<Row> Seen = onDevice(R.data(), Rows);
      for (size_t I = 0; I < Rows; ++I) {
        CHECK(R[I].Data == Data[I].data());
        CHECK(R[I].Tag == static_cast<int64_t>(I));
        CHECK(Seen[I].Data == acc_deviceptr(Data[I].data()));
        CHECK(Seen[I].Tag == static_cast<int64_t>(I));
      }
      for (size_t I = 0; I < Rows; ++I) {
        R[I].Tag = -1;
        acc_detach_async(&R[I].Data, 1);
        acc_copyout_async(Data[I].data(), 4 * 8, 1);
      }
      acc_copyout_async(R.data(), Rows * sizeof(Row), 1);
      acc_wait(1);
      for (size_t I = 0; I < Rows; ++I) {
        CHECK(R[I].Data == Data[I].data());
        CHECK(R[I].Tag == static_cast<int64_t>(I));
      }
      CHECK_FALSE(acc_is_present(R.data(), sizeof(Row)));
    }
  }
}

TEST_CASE("Firstprivate data is captured when it is queued") {
  Library Lib(readFile(ACCX_TEST_PLUGINS "/arrays.img"));
  void *Sum = Lib.kernel("sum");
  Lib.registerNow();
  for (size_t N : {1, 100, 5000}) {
    int64_t Out = 0;
    acc_create(&Out, sizeof(Out));
    for (int Round = 0; Round < 5; ++Round) {
      {
        std::vector<int64_t> Local(N, Round + 1);
        Arguments Args;
        Args.map(&Out, 8, MapTargetParam | MapImplicit);
        Args.map(Local.data(), N * 8, MapTargetParam | MapTo | MapPrivate);
        Args.literal(N);
        OnQueue Q(1);
        REQUIRE(Args.target(0, Sum) == 0);
        Local.assign(N, -1);
      }
      acc_update_self_async(&Out, sizeof(Out), 1);
      acc_wait(1);
      CHECK(Out == static_cast<int64_t>(N) * (Round + 1));
    }
    acc_delete(&Out, sizeof(Out));
  }
}

TEST_CASE("A shortage of memory waits for queues, and is over") {
  if (variant().rfind("host", 0) == 0)
    return; // Its memory has no faults to set.
  Program P;
  std::vector<int64_t> A(100000);
  for (const char *Fault : {"alloc:1", "commit:1"}) {
    for (int Step = 0; Step < 4; ++Step) {
      OnQueue Q(Step % 2);
      P.spin(0, 100000);
    }
    FaultScope Scope(Fault);
    acc_copyin_async(A.data(), A.size() * 8, 1);
    {
      OnQueue Q(1);
      P.add(0, A, 1);
    }
    acc_copyout_async(A.data(), A.size() * 8, 1);
    acc_wait(1);
  }
  CHECK(A[0] == 2);
  CHECK(A.back() == 2);
}

TEST_CASE("A device that is shut down forgets its data, not its program") {
  Program P;
  std::vector<int64_t> A(1000), B(1000);
  acc_copyin(A.data(), 8000);
  for (int Step = 0; Step < 5; ++Step) {
    OnQueue Q(Step);
    P.spin(0, 300000);
  }
  acc_copyin_async(B.data(), 8000, 3);
  acc_shutdown(acc_device_not_host);
  CHECK(acc_async_test_all());
  CHECK_FALSE(acc_is_present(A.data(), 8));
  CHECK_FALSE(acc_is_present(B.data(), 8));
  {
    OnQueue Q(3);
    P.add(0, A, 5);
  }
  acc_wait(3);
  CHECK(A[999] == 5);
}
