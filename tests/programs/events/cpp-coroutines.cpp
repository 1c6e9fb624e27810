// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accx/coroutine.hpp: chains of files and kernels as coroutines, several at a
// time, exceptions, and tasks as events.
//
// RUN: %accxcxx -std=c++20 -Wextra %s -o %t
// RUN: %run %t %t.data | FileCheck %s
// CHECK: 0 wrong

#include <accx/event.hpp>
#include <cstdio>
#include <fcntl.h>
#include <openacc.h>
#include <unistd.h>
#include <vector>

static int wrong;
#define EXPECT(c)                                                              \
  do {                                                                         \
    if (!(c))                                                                  \
      std::printf("line %d: %s\n", __LINE__, #c), ++wrong;                     \
  } while (0)

enum { N = 10000, Chains = 8 };
constexpr size_t Bytes = N * sizeof(int);

/// Part `part` of the file, doubled in place, by way of the device.
static accx::task<int> doubled(int fd, int part, int *a) {
  const accx::queue q(part);
  const off_t at = off_t(part) * off_t(Bytes);
#pragma acc enter data create(a[0 : N])
  co_await q.read(a, fd, at, Bytes);
#pragma acc parallel loop present(a[0 : N]) async(part)
  for (int i = 0; i < N; ++i)
    a[i] *= 2;
  co_await q.write(a, fd, at, Bytes);
  co_return part;
}

static accx::task<> all(int fd, std::vector<int> &memory, int &sum) {
  std::vector<accx::task<int>> parts;
  for (int p = 0; p < Chains; ++p)
    parts.push_back(doubled(fd, p, memory.data() + p * N));
  for (const auto &part : parts)
    sum += co_await part;
}

static accx::task<> fails(int fd, char *memory, int &status) {
  status = co_await accx::settled(accx::read(1, memory, fd, 0, 1 << 30));
  co_await accx::read(1, memory, fd, 0, 1 << 30);
  status = 0;
}

static accx::task<> throws(const accx::event &after) {
  co_await after;
  throw 7;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "coroutines.data";
  std::vector<int> memory(N * Chains);
  const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < N * Chains; ++i)
    memory[i] = i;
  EXPECT(pwrite(fd, memory.data(), Bytes * Chains, 0) ==
         ssize_t(Bytes * Chains));
  int sum = 0;
  const accx::task<> whole = all(fd, memory, sum);
  whole.get();
  EXPECT(sum == Chains * (Chains - 1) / 2);
  EXPECT(pread(fd, memory.data(), Bytes * Chains, 0) ==
         ssize_t(Bytes * Chains));
  int bad = 0;
  for (int i = 0; i < N * Chains; ++i)
    bad += memory[i] != 2 * i;
  EXPECT(bad == 0);
  for (int p = 0; p < Chains; ++p) {
    int *a = memory.data() + p * N;
#pragma acc exit data delete (a[0 : N])
  }

  std::vector<char> large(1 << 30);
  int status = 1;
  const accx::task<> failed = fails(fd, large.data(), status);
  try {
    failed.get();
    EXPECT(false);
  } catch (const accx::error &e) {
    EXPECT(e.code() == -ENODATA);
  }
  EXPECT(status == -ENODATA && failed.ended().status() == -ENODATA);

  // A task stops until the program goes on, and is an event itself.
  accx::user_event go;
  const accx::task<> seven = throws(go);
  const accx::event behind = accx::read(2, large.data(), fd, 0, 8, seven);
  EXPECT(!seven.done());
  go.complete();
  EXPECT(seven.done());
  try {
    seven.get();
    EXPECT(false);
  } catch (int number) {
    EXPECT(number == 7);
  }
  EXPECT(behind.wait() == -ECANCELED);
  close(fd);
  unlink(path);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
