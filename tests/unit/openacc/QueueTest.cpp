//===- QueueTest.cpp - Order and dependences of queues --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rig.h"

#include <cstring>

using namespace accx;
using namespace rig;

namespace {

constexpr size_t Sizes[] = {1, 500, 40000};
constexpr uint64_t Work = 300000;

int64_t expected(int64_t Steps) { return Steps * (Steps + 1) / 2; }

void check(const std::vector<int64_t> &A, int64_t Value) {
  for (int64_t X : A)
    REQUIRE(X == Value);
}

} // namespace

TEST_CASE("Work on a queue is in order, over present data") {
  Program P;
  for (size_t N : Sizes) {
    std::vector<int64_t> A(N);
    acc_copyin_async(A.data(), N * 8, 1);
    // A device address is there at once.
    CHECK(acc_deviceptr(A.data()));
    CHECK(acc_is_present(A.data(), N * 8));
    for (int Step = 1; Step <= 100; ++Step) {
      OnQueue Q(1);
      P.add(0, A, Step);
    }
    acc_update_self_async(A.data(), N * 8, 1);
    acc_delete_async(A.data(), N * 8, 1);
    acc_wait(1);
    check(A, expected(100));
    CHECK_FALSE(acc_is_present(A.data(), 8));
  }
}

TEST_CASE("Regions that map for themselves follow one another") {
  Program P;
  for (size_t N : Sizes) {
    std::vector<int64_t> A(N);
    for (int Step = 1; Step <= 30; ++Step) {
      OnQueue Q(4);
      P.add(0, A, Step);
    }
    acc_wait(4);
    check(A, expected(30));
    CHECK_FALSE(acc_is_present(A.data(), 8));
  }
}

TEST_CASE("Data comes and goes on a queue without a wait") {
  Program P;
  for (size_t N : Sizes) {
    std::vector<int64_t> A(N), B(N);
    for (int Step = 1; Step <= 20; ++Step) {
      acc_copyin_async(A.data(), N * 8, 2);
      acc_create_async(B.data(), N * 8, 2);
      {
        OnQueue Q(2);
        P.add(0, A, Step);
      }
      acc_copyout_async(A.data(), N * 8, 2);
      acc_delete_async(B.data(), N * 8, 2);
    }
    acc_wait(2);
    check(A, expected(20));
  }
}

TEST_CASE("What a queue uses outlives its exit") {
  Program P;
  for (int Round = 0; Round < 10; ++Round) {
    std::vector<int64_t> A(40000), B(40000);
    acc_copyin(A.data(), A.size() * 8);
    {
      OnQueue Q(1);
      P.spin(0, Work);
    }
    for (int I = 0; I < 3; ++I) {
      OnQueue Q(1);
      P.add(0, A, 1);
    }
    // The program should have waited; nothing may crash all the same.
    acc_delete(A.data(), A.size() * 8);
    acc_copyin(B.data(), B.size() * 8);
    acc_update_self(B.data(), B.size() * 8);
    check(B, 0);
    acc_delete(B.data(), B.size() * 8);
    acc_wait(1);
  }
}

TEST_CASE("Growth waits for what queues use") {
  Program P;
  std::vector<int64_t> A(4000);
  for (int Round = 0; Round < 5; ++Round) {
    acc_copyin_async(A.data() + 1000, 1000 * 8, 1);
    {
      OnQueue Q(1);
      P.spin(0, Work);
    }
    for (int Side = 0; Side < 2; ++Side) {
      // Overlaps what is there: fused blocks have to move.
      acc_copyin_async(A.data() + 500 + 1000 * Side, 1000 * 8, 1);
      OnQueue Q(1);
      P.addTo(0, A.data() + 1000, 1000, 1);
    }
    acc_wait(1);
    acc_copyout(A.data() + 1000, 1000 * 8);
    acc_copyout(A.data() + 500, 1000 * 8);
    acc_copyout(A.data() + 1500, 1000 * 8);
    for (size_t I = 0; I < A.size(); ++I)
      REQUIRE(A[I] == (I >= 1000 && I < 2000 ? 2 * (Round + 1) : 0));
  }
}

TEST_CASE("Queues wait for one another") {
  Program P;
  for (size_t N : Sizes) {
    std::vector<int64_t> A(N), B(N);
    acc_copyin_async(A.data(), N * 8, 1);
    acc_create_async(B.data(), N * 8, 2);
    for (int Step = 1; Step <= 20; ++Step) {
      {
        OnQueue Q(1);
        P.spin(0, Work / 10);
      }
      {
        OnQueue Q(1);
        P.add(0, A, Step);
      }
      acc_update_self_async(A.data(), N * 8, 1);
      acc_wait_async(1, 2);
      // Reads on the host what queue 1 is still to write there.
      acc_memcpy_to_device_async(acc_deviceptr(B.data()), A.data(), N * 8, 2);
      acc_wait_async(2, 1);
      acc_wait_async(2, 2);
      acc_wait_async(9, 2); // Never used.
      acc_wait_all_async(3);
    }
    acc_copyout_async(B.data(), N * 8, 3);
    acc_wait(3);
    check(B, expected(20));
    check(A, expected(20));
    acc_delete(A.data(), N * 8);
  }
}

TEST_CASE("Queues of different devices wait for one another") {
  Program P;
  REQUIRE(acc_get_num_devices(acc_device_not_host) >= 2);
  for (size_t N : Sizes) {
    std::vector<int64_t> A(N);
    acc_copyin(A.data(), N * 8);
    acc_set_device_num(1, acc_device_not_host);
    acc_create(A.data(), N * 8);
    for (int Step = 1; Step <= 10; ++Step) {
      acc_set_device_num(0, acc_device_not_host);
      {
        OnQueue Q(1);
        P.add(0, A, Step);
      }
      acc_memcpy_d2d_async(A.data(), A.data(), N * 8, 1, 0, 1);
      acc_set_device_num(1, acc_device_not_host);
      acc_wait_device_async(1, 5, 0);
      {
        OnQueue Q(1);
        P.add(1, A, 1000);
      }
      acc_memcpy_d2d_async(A.data(), A.data(), N * 8, 0, 1, 1);
    }
    acc_wait_all();
    acc_wait_all_device(0);
    acc_copyout(A.data(), N * 8);
    check(A, expected(10) + 10000);
    acc_set_device_num(0, acc_device_not_host);
    acc_delete(A.data(), N * 8);
  }
}

TEST_CASE("A result comes with its queue") {
  Program P;
  std::vector<int64_t> A(777, 2);
  int64_t Sums[9] = {};
  // Else each queue would copy the same values to the same place.
  acc_copyin(A.data(), A.size() * 8);
  for (int I = 0; I < 9; ++I) {
    OnQueue Q(I % 3);
    P.sum(0, Sums[I], A);
  }
  acc_wait_all();
  CHECK(acc_async_test_all());
  acc_delete(A.data(), A.size() * 8);
  for (int64_t S : Sums)
    CHECK(S == 2 * 777);
}

TEST_CASE("Small results and copies of them keep their order") {
  // As a reduction variable that is mapped anew by each region.
  Program P;
  std::vector<int64_t> X(1, 0);
  for (int Step = 1; Step <= 200; ++Step) {
    OnQueue Q(1);
    P.add(0, X, Step);
  }
  acc_wait(1);
  CHECK(X[0] == expected(200));
}

TEST_CASE("A test does not wait, and finds the end") {
  Program P;
  std::vector<int64_t> A(10);
  for (int Step = 0; Step < 5; ++Step) {
    OnQueue Q(1);
    P.spin(0, Work * 30);
  }
  CHECK_FALSE(acc_async_test(1));
  CHECK_FALSE(acc_async_test_all());
  CHECK(acc_async_test(2));
  CHECK(acc_async_test(acc_async_sync));
  int Queues[2] = {1, 2};
  CHECK(acc_wait_any(2, Queues) == 1);
  while (!acc_async_test(1))
    ;
  CHECK(acc_async_test_all_device(0));
}
