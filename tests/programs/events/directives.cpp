// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `accx read` and `write` in C++: a store on disk as a class template, through
// descriptors and streams, blocks in turns on two queues, from several threads;
// members, references and lambdas.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %accxcxx %s -o run -pthread
// RUN: %run ./run data | FileCheck %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED ./run data | FileCheck %s
// RUN: %accxcxx -O0 %s -o run0 -pthread
// RUN: %run ./run0 data | FileCheck %s
// CHECK: wrong: 0
// clang-format off
#include <accx/event.h>
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

static std::atomic<int> Wrong{0};

/// A vector that is too long for the device, in blocks.
template <typename T, typename File> class Store {
  File F;
  long Block;
  std::vector<T> Memory;
  T *Half[2];

public:
  Store(File F, long Block) : F(F), Block(Block), Memory(2 * Block) {
    Half[0] = Memory.data();
    Half[1] = Half[0] + Block;
#pragma acc enter data create(Half[0][0:Block], Half[1][0:Block])
  }
  Store(const Store &) = delete;
  ~Store() {
#pragma acc exit data delete(Half[0][0:Block], Half[1][0:Block])
  }

  template <typename Fn> void fill(long Blocks, Fn Value) {
    for (long B = 0; B < Blocks; ++B) {
      for (long I = 0; I < Block; ++I)
        Half[0][I] = Value(B * Block + I);
#pragma acc update device(Half[0][0:Block])
#pragma accx write(this->Half[0][0:Block]) file(F)
    }
  }

  /// Each block is read and changed on a queue of its half.
  void add(int Fd, long Blocks, T More) {
    accx_event_t Done[2] = {};
    for (long B = 0; B < Blocks; ++B) {
      T *const P = Half[B & 1];
      const int Q = 3 + static_cast<int>(B & 1);
      accx_event_t &E = Done[B & 1];
      accx_event_release(E);
#pragma accx read(P[0:Block]) file(Fd, B * Block * sizeof(T)) async(Q)
#pragma acc parallel loop present(P[0:Block]) async(Q)
      for (long I = 0; I < Block; ++I)
        P[I] += More;
#pragma accx write(P[0:Block]) file(Fd, B * Block * sizeof(T)) async(Q) event(E)
    }
    if (accx_event_wait(2, Done) != 0)
      ++Wrong;
    for (accx_event_t E : Done)
      accx_event_release(E);
  }

  template <typename Fn> void compare(long Blocks, Fn Value) {
    auto Next = [&] {
#pragma accx read(Half[1][0:Block]) file(F)
#pragma acc update self(Half[1][0:Block])
    };
    for (long B = 0; B < Blocks; ++B) {
      Next();
      for (long I = 0; I < Block; ++I)
        Wrong += Half[1][I] != Value(B * Block + I);
    }
  }
};

template <typename T> static void byDescriptor(const std::string &Name) {
  const int Fd = open(Name.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  Store<T, int> S(Fd, 1000);
  S.fill(7, [](long I) { return T(I); });
  S.add(Fd, 7, 3);
  lseek(Fd, 0, SEEK_SET);
  S.compare(7, [](long I) { return T(T(I) + 3); });
  close(Fd);
}

template <typename T> static void byStream(const std::string &Name) {
  FILE *const F = fopen(Name.c_str(), "w+");
  Store<T, FILE *> S(F, 1000);
  S.fill(7, [](long I) { return T(I); });
  S.add(fileno(F), 7, 5);
  rewind(F);
  S.compare(7, [](long I) { return T(T(I) + 5); });
  fclose(F);
}

int main(int, char **Args) {
  const std::string Name = Args[1];
  std::vector<std::thread> All;
  All.emplace_back([&] { byDescriptor<double>(Name + "1"); });
  All.emplace_back([&] { byDescriptor<short>(Name + "2"); });
  All.emplace_back([&] { byStream<float>(Name + "3"); });
  for (std::thread &T : All)
    T.join();
  byStream<long>(Name + "4");
  std::printf("wrong: %d\n", Wrong.load());
  return Wrong != 0;
}
