//===- DeviceCopyTest.cpp - Rectangles between devices on queues ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between devices of one plugin, of one whose devices do not reach each
// other, and of several: the caller goes on at once, what is on both queues
// comes first, what follows comes later, and a failure is told by each queue
// that depends on it.
//
//===----------------------------------------------------------------------===//

#include "transfer/DeviceCopy.h"

#include "Machine.h"

#include <atomic>
#include <cstring>

using namespace accx;

namespace {

Machine &asynchronous() {
  static Machine &M = *new Machine("async,delay=200,staged=4096");
  return M;
}
Machine &withoutPeers() {
  static Machine &M = *new Machine("async,no_peer,pinned");
  return M;
}
Machine &pinning() {
  static Machine &M = *new Machine("async,pinned,staged=4096");
  return M;
}
Machine &synchronous() {
  static Machine &M = *new Machine("");
  return M;
}

struct Pair {
  Machine &To, &From;
  unsigned ToIndex, FromIndex;

  Device &to() const { return *To.Devices[ToIndex]; }
  Device &from() const { return *From.Devices[FromIndex]; }
  AsyncQueue &toQueue() const { return To.queue(ToIndex); }
  AsyncQueue &fromQueue() const { return From.queue(FromIndex); }
};

std::vector<Pair> pairs() {
  return {{asynchronous(), asynchronous(), 1, 0},
          {withoutPeers(), withoutPeers(), 0, 1},
          {pinning(), withoutPeers(), 0, 0},
          {asynchronous(), synchronous(), 2, 0},
          {synchronous(), asynchronous(), 0, 2},
          {synchronous(), synchronous(), 1, 0}};
}

/// Device memory, which the host can see.
struct Memory {
  Device &D;
  size_t Size;
  char *Data;

  Memory(Device &D, size_t Size, int Value) : D(D), Size(Size) {
    auto Made = D.allocate(Size, ACCX_MEMORY_DEVICE);
    REQUIRE(Made.ok());
    Data = static_cast<char *>(*Made);
    if (Value >= 0)
      std::memset(Data, Value, Size);
    else
      for (size_t I = 0; I < Size; ++I)
        Data[I] = static_cast<char>(I % 251);
  }
  ~Memory() { (void)D.release(Data, ACCX_MEMORY_DEVICE); }
};

/// Keeps a queue from going on until it is opened.
struct Gate {
  std::shared_ptr<std::atomic<bool>> Open =
      std::make_shared<std::atomic<bool>>(false);

  explicit Gate(AsyncQueue &Q) {
    Q.issueHost([Open = Open] {
      Open->wait(false);
      return Status();
    });
  }
  ~Gate() { open(); }
  void open() {
    Open->store(true);
    Open->notify_all();
  }
};

/// Rows of \p Width bytes, and some of them in an outer loop.
Rectangle rectangle(char *Dst, const char *Src, size_t Width, size_t Rows,
                    size_t Outer) {
  Rectangle R;
  R.Dst = Dst;
  R.Src = Src;
  R.Width = Width;
  R.Rows = {Rows, Width + 7, Width + 3};
  if (Outer > 1)
    R.Outer = {{Outer, Rows * (Width + 7) + 5, Rows * (Width + 3) + 11}};
  return R;
}

bool hasArrived(const Rectangle &R, const Rectangle &Want) {
  for (size_t O = 0; O < (R.Outer.empty() ? 1 : R.Outer[0].Count); ++O)
    for (size_t I = 0; I < R.Rows.Count; ++I) {
      const size_t D = I * R.Rows.DstStride +
                       (O ? O * R.Outer[0].DstStride : 0),
                   S = I * R.Rows.SrcStride +
                       (O ? O * R.Outer[0].SrcStride : 0);
      if (std::memcmp(R.Dst + D, Want.Src + S, R.Width))
        return false;
    }
  return true;
}

} // namespace

TEST_CASE("Rectangles come after what is on both queues, the caller goes on") {
  struct Shape {
    size_t Width, Rows, Outer;
  };
  for (const Pair &P : pairs())
    for (auto [Width, Rows, Outer] :
         {Shape{1, 1, 1}, Shape{16384, 1, 1}, Shape{40, 100, 3},
          Shape{3 << 20, 3, 1}, Shape{9 << 20, 1, 1}, Shape{5 << 20, 2, 2}})
      for (int Gates = 0; Gates < 3; ++Gates) {
        Rectangle R = rectangle(nullptr, nullptr, Width, Rows, Outer);
        Memory Dst(P.to(), R.dstSpan(), 0), Src(P.from(), R.srcSpan(), -1);
        R.Dst = Dst.Data;
        R.Src = Src.Data;
        INFO(&P.To << " " << &P.From << " " << Width << " " << Gates);
        {
          std::unique_ptr<Gate> Closed;
          if (Gates)
            Closed = std::make_unique<Gate>(Gates == 1 ? P.toQueue()
                                                       : P.fromQueue());
          // A caller that waited would wait for ever.
          REQUIRE(queueRectangle(R, P.toQueue(), P.fromQueue()).ok());
          if (Gates)
            CHECK(Dst.Data[0] == 0);
          // Later work of the source comes later.
          REQUIRE(
              P.from().fill(P.fromQueue().handle(), Src.Data, 1, 1, 1).ok());
        }
        CHECK(P.toQueue().wait().Result.ok());
        CHECK(P.fromQueue().wait().Result.ok());
        CHECK(Src.Data[0] == 1);
        Src.Data[0] = 0;
        CHECK(hasArrived(R, R));
      }
}

TEST_CASE("A small copy that is on its way comes before the rectangle") {
  Machine &M = asynchronous();
  Memory Dst(*M.Devices[1], 1000, 0), Src(*M.Devices[0], 1000, 2);
  const std::vector<char> Host(1000, 1);
  REQUIRE(M.Devices[1]
              ->trail(reinterpret_cast<uintptr_t>(Dst.Data), Host.data(),
                      Host.size(), nullptr, nullptr)
              .ok());
  Rectangle R;
  R.Dst = Dst.Data;
  R.Src = Src.Data;
  R.Width = 1000;
  REQUIRE(queueRectangle(R, M.queue(1), M.queue(0)).ok());
  CHECK(M.queue(1).wait().Result.ok());
  CHECK(Dst.Data[0] == 2);
  CHECK(Dst.Data[999] == 2);
}

TEST_CASE("What fails in the middle is told by both queues' waits, once") {
  for (const Pair &P : pairs()) {
    Memory Dst(P.to(), 20 << 20, 0), Src(P.from(), 20 << 20, 3);
    Rectangle R;
    R.Dst = Dst.Data;
    R.Src = Src.Data;
    R.Width = Src.Size;
    auto Fails = [](const char *Why) {
      return [Why] { return Status(ErrorCode::Kernel, Why); };
    };
    // The source's work fails: the target tells, as what it got is wrong.
    P.fromQueue().issueHost(Fails("the kernel"));
    REQUIRE(queueRectangle(R, P.toQueue(), P.fromQueue()).ok());
    QueueOutcome O = P.toQueue().wait();
    REQUIRE(O.Result.failed());
    CHECK(O.Result.text() == "the kernel");
    CHECK(P.fromQueue().wait().Result.ok());
    // And the next copy works.
    REQUIRE(queueRectangle(R, P.toQueue(), P.fromQueue()).ok());
    CHECK(P.toQueue().wait().Result.ok());
    CHECK(Dst.Data[Dst.Size - 1] == 3);
    // The target's work fails: the source waited for it.
    P.toQueue().issueHost(Fails("the target"));
    REQUIRE(queueRectangle(R, P.toQueue(), P.fromQueue()).ok());
    O = P.fromQueue().wait();
    REQUIRE(O.Result.failed());
    CHECK(O.Result.text() == "the target");
    CHECK(P.toQueue().wait().Result.ok());
  }
}

TEST_CASE("A failure goes through all copies that depend on it") {
  for (Machine *M : {&asynchronous(), &withoutPeers(), &synchronous()}) {
    Memory A(*M->Devices[0], 100, 1), B(*M->Devices[1], 100, 0),
        C(*M->Devices[2], 100, 0);
    M->queue(0).issueHost([] { return Status(ErrorCode::Kernel, "first"); });
    Rectangle R;
    R.Width = 100;
    R.Dst = B.Data;
    R.Src = A.Data;
    REQUIRE(queueRectangle(R, M->queue(1), M->queue(0)).ok());
    R.Dst = C.Data;
    R.Src = B.Data;
    REQUIRE(queueRectangle(R, M->queue(2), M->queue(1)).ok());
    const QueueOutcome O = M->queue(2).wait();
    REQUIRE(O.Result.failed());
    CHECK(O.Result.text() == "first");
    for (unsigned I = 0; I < 3; ++I)
      CHECK(M->queue(I).wait().Result.ok());
  }
}

TEST_CASE("A wait for one queue does not wait for what comes later on others") {
  Machine &M = asynchronous();
  Memory A(*M.Devices[0], 100, 1), B(*M.Devices[1], 100, 0),
      C(*M.Devices[2], 100, 0);
  Rectangle R;
  R.Width = 100;
  R.Dst = B.Data;
  R.Src = A.Data;
  REQUIRE(queueRectangle(R, M.queue(1), M.queue(0)).ok());
  Gate Closed(M.queue(2));
  R.Dst = A.Data;
  R.Src = C.Data;
  REQUIRE(queueRectangle(R, M.queue(0), M.queue(2)).ok());
  CHECK(M.queue(1).wait().Result.ok());
  CHECK(B.Data[0] == 1);
  Closed.open();
  CHECK(M.queue(0).wait().Result.ok());
}
