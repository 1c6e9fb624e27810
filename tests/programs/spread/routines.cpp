// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenACC's routines on spread arrays from each device, and threads that spread
// arrays, ask for owners and copy at the same time.
//
// RUN: %clangxx -O1 -I%accx_include %s -o %t
// RUN: env ACCX_HOST_DEVICES=3 %run %t
// RUN: env ACCX_HOST_DEVICES=2 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %run %t

#include <accx/devices.h>
#include <accx/spread.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <openacc.h>
#include <thread>
#include <vector>

#define CHECK(Condition)                                                       \
  do                                                                           \
    if (!(Condition)) {                                                        \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #Condition);              \
      std::exit(1);                                                            \
    }                                                                          \
  while (0)

static void enter(const void *Data, size_t Bytes, unsigned Flags = 0) {
  __accx_spread_enter(Data, Bytes, nullptr, -1, 0, Flags, ";a;r.cpp;1;1;;",
                      ";r.cpp;main;2;1;;");
}
static void leave(const void *Data, size_t Bytes) {
  __accx_spread_exit(Data, Bytes, ";a;r.cpp;1;1;;", ";r.cpp;main;3;1;;");
}

static void routines() {
  const int N = 100000, Bytes = N * sizeof(int);
  const int Devices = omp_get_num_devices();
  std::vector<int> A(N), B(N);
  for (int I = 0; I < N; ++I)
    A[I] = I;
  enter(A.data(), Bytes);
  int *W = nullptr;
  for (int D = 0; D < Devices; ++D) {
    omp_set_default_device(D);
    CHECK(acc_is_present(A.data(), Bytes) && acc_is_present(&A[N / 2], 4));
    auto *Here = static_cast<int *>(acc_deviceptr(A.data()));
    CHECK(Here && (!W || W == Here));
    W = Here;
    CHECK(acc_hostptr(W + 77) == &A[77]);
    acc_memcpy_from_device(B.data(), W, Bytes);
    CHECK(B[0] == D && B[N - 1] == (D ? 2 * D : N - 1));
    // Across all borders, and both of its ends on other devices.
    const int First = D + 1, Last = 2 * (D + 1);
    acc_memcpy_to_device(W, &First, sizeof(int));
    acc_memcpy_to_device_async(W + N - 1, &Last, sizeof(int), 3);
    acc_wait(3);
    acc_memcpy_device(W + N / 8, W + N / 4, Bytes / 2);
    A[5] = 100 + D;
    acc_update_device(&A[5], sizeof(int));
    A[5] = 0;
    acc_update_self(&A[4], 3 * sizeof(int));
    CHECK(A[5] == 100 + D);
  }
  acc_memcpy_d2d(&A[N / 2], A.data(), Bytes / 2, 0, Devices - 1);
  omp_set_default_device(0);
  leave(A.data(), Bytes);
  CHECK(!acc_is_present(A.data(), Bytes));
  CHECK(A[0] == Devices && A[N / 2] == Devices && A[N / 2 + 5] == A[5]);
}

static void threads() {
  constexpr int NumThreads = 6, N = 30000;
  static std::vector<std::vector<int>> Arrays(NumThreads,
                                              std::vector<int>(N, 1));
  std::atomic<int> Wrong{0};
  std::vector<std::thread> All;
  for (int T = 0; T < NumThreads; ++T)
    All.emplace_back([&, T] {
      const int Devices = omp_get_num_devices();
      std::vector<int> &A = Arrays[T];
      for (int Round = 0; Round < 20; ++Round) {
        enter(A.data(), N * sizeof(int), T % 3 == 2);
        Wrong += accx_owner_of(&A[Round]) < 0;
        for (int Other = 0; Other < NumThreads; ++Other)
          Wrong += accx_owner_of(&Arrays[Other][N / 2]) >= Devices;
        int *P = A.data();
        if (T % 3 == 2) {
          for (int &Value : A)
            ++Value;
#pragma omp target update to(P[0 : N]) device(T % Devices)
          int Sum = 0;
#pragma omp target map(present, to : P[0 : N]) map(tofrom : Sum)               \
    device((T + 1) % Devices)
          for (int I = 0; I < N; ++I)
            Sum += P[I] == Round + 2;
          Wrong += Sum != N;
        } else {
#pragma omp target teams distribute parallel for device(T % Devices)           \
    map(present, tofrom : P[0 : N])
          for (int I = 0; I < N; ++I)
            ++P[I];
        }
        leave(A.data(), N * sizeof(int));
      }
    });
  for (std::thread &T : All)
    T.join();
  CHECK(Wrong == 0);
  for (const std::vector<int> &A : Arrays)
    for (int Value : A)
      CHECK(Value == 21);
}

int main() {
  routines();
  threads();
  return 0;
}
