// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accx/event.hpp: owners, user events, lists, files, queues and failures.
//
// RUN: %accxcxx -std=c++17 -Wextra %s -o %t
// RUN: %run %t %t.data | FileCheck %s
// RUN: %accxcxx -std=c++20 -Wextra %s -o %t
// RUN: %run %t %t.data | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t %t.data | FileCheck %s
// RUN: %run ACCX_HOST_UNIFIED=1 %t %t.data | FileCheck %s
// CHECK: 0 wrong

#include <accx/event.hpp>
#include <atomic>
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

enum { N = 200000 };
using namespace std::chrono_literals;

static void owners() {
  static_assert(!std::is_copy_constructible_v<accx::event>);
  static_assert(std::is_nothrow_move_constructible_v<accx::event>);
  accx::event none;
  EXPECT(!none && none.done() && none.wait() == 0 && none.message().empty());
  none.get();
  int called = 1;
  none.then([&](int status) { called = status; });
  EXPECT(called == 0);

  accx::user_event mine;
  accx::event other = mine.share(), third = std::move(other);
  EXPECT(mine && third && !other);
  EXPECT(third.status() == 1 && !third.done());
  EXPECT(third.wait_for(2ms) == std::future_status::timeout);
  std::atomic<int> told{1};
  third.then([&](int status) { told = status; });
  EXPECT(told == 1);
  mine.complete();
  EXPECT(third.done() && told == 0);
  EXPECT(third.wait_for(2ms) == std::future_status::ready);
  third.get();
  try {
    mine.complete();
    EXPECT(false);
  } catch (const accx::error &e) {
    EXPECT(e.code() == -EALREADY);
  }
  const auto times = third.times();
  EXPECT(times.queued && times.ended >= times.queued);
  accx_event_t raw = third.release();
  EXPECT(!third && accx_event_status(raw) == 0);
  third.reset(raw);
}

static void abandoned() {
  accx::event left;
  {
    accx::user_event mine;
    left = mine.share();
  }
  EXPECT(left.wait() == -ECANCELED);
  try {
    left.get();
    EXPECT(false);
  } catch (const accx::error &e) {
    EXPECT(e.code() == -ECANCELED && e.what()[0]);
  }
  // What is moved away is still the promise of the user event.
  accx::user_event mine;
  accx::event moved = std::move(static_cast<accx::event &>(mine));
  mine.complete(-EIO);
  EXPECT(moved.status() == -EIO);
}

/// File to device, kernel, device to file, all queued behind one user event.
static void files(const char *path) {
  std::vector<int> in(N), out(N);
  for (int i = 0; i < N; ++i)
    in[i] = 3 * i;
  const size_t bytes = N * sizeof(int);
  const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(fd >= 0);
  EXPECT(::pwrite(fd, in.data(), bytes, 0) == ssize_t(bytes));
  int *a = out.data();
  const accx::queue q1(1), q2(2);
#pragma acc enter data create(a[0 : N])
  accx::user_event go;
  const accx::event first = q1.read(a, fd, 0, bytes, go);
  q2.wait({first, go});
#pragma acc parallel loop present(a[0 : N]) async(2)
  for (int i = 0; i < N; ++i)
    a[i] += 1;
  std::vector<accx::event> list;
  list.push_back(q2.last());
  list.push_back(first.share());
  list.emplace_back();
  const accx::event last = q1.write(a, fd, off_t(bytes), bytes, list);
  EXPECT(last.status() == 1);
  go.complete();
  last.get();
  accx::wait_all({first, last});
  EXPECT(::pread(fd, in.data(), bytes, off_t(bytes)) == ssize_t(bytes));
  int bad = 0;
  for (int i = 0; i < N; ++i)
    bad += in[i] != 3 * i + 1;
  EXPECT(bad == 0);

  // Rows of a matrix from one run of bytes, and streams.
  const std::vector<accx_section> rows = {{a, 400, 10, 4000},
                                          {a + 20000, 40, 1, 40}};
  accx::readv(acc_async_sync, rows, fd, 0).get();
  accx::writev(acc_async_sync, rows, fd, off_t(2 * bytes)).get();
  EXPECT(::pread(fd, in.data(), 4040, off_t(2 * bytes)) == 4040);
  bad = 0;
  for (int i = 0; i < 1010; ++i)
    bad += in[i] != 3 * i;
  EXPECT(bad == 0);
  std::FILE *stream = std::fopen(path, "r");
  const accx::event one = accx::read(1, a, 400, stream);
  const accx::event two = accx::read(1, a + 100, 400, stream);
  two.get();
  one.get();
  std::fclose(stream);
#pragma acc exit data copyout(a[0 : N])
  for (int i = 0; i < 200; ++i)
    EXPECT(a[i] == 3 * i);

  q1.finish();
  close(fd);
}

static void failures(const char *path) {
  std::vector<char> memory(100);
  const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(::pwrite(fd, "0123456789", 10, 0) == 10);
  const accx::event shortly = accx::read(3, memory.data(), fd, 0, 100);
  const accx::event behind = accx::read(3, memory.data(), fd, 0, 10, shortly);
  EXPECT(behind.wait() == -ECANCELED);
  try {
    shortly.get();
    EXPECT(false);
  } catch (const accx::error &e) {
    EXPECT(e.code() == -ENODATA);
    EXPECT(std::string(e.what()) == shortly.message());
    EXPECT(std::string(e.what()).size() > 4);
  }
  try {
    accx::wait_all({behind, shortly});
    EXPECT(false);
  } catch (const accx::error &e) {
    EXPECT(e.code() == -ECANCELED);
  }
  // Both have been told: the queue takes new work.
  accx::read(3, memory.data(), fd, 0, 10).get();
  EXPECT(memory[9] == '9');
  try {
    accx::read(3, nullptr, fd, 0, 10).get();
    EXPECT(false);
  } catch (const accx::error &e) {
    EXPECT(e.code() < 0);
  }
  close(fd);
}

/// What OpenMP's constructs do on a queue.
static void targets() {
  std::vector<int> v(1000, 1);
  int *a = v.data();
#pragma omp target enter data map(to : a[0 : 1000])
  accx::user_event go;
  const accx::event end = accx::queue(4).next_target(go);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1000; ++i)
    a[i] += i;
  EXPECT(end.status() == 1);
  go.complete();
  end.get();
#pragma omp target exit data map(from : a[0 : 1000])
  for (int i = 0; i < 1000; ++i)
    EXPECT(a[i] == i + 1);
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "events.data";
  owners();
  abandoned();
  files(path);
  failures(path);
  targets();
  unlink(path);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
