//===- Replay.cpp - Launches that repeat ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs, and when it does, is what was queued, with graphs and without. The
// fake driver tells.
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"

#include <cstring>
#include <functional>
#include <random>

namespace {

std::string ran() { return symbol<const char *()>(FAKE_DRIVER, "fakeRan")(); }

/// A queue with some kernels, and what has to run on it.
class Queue {
  Machine M;
  FakeImage Image;
  accx_queue Handle = nullptr;
  accx_event Event = nullptr;
  std::string Expected;

public:
  /// Launches of slow machines are no late ones, unless \p Gap says so.
  explicit Queue(const char *After, const char *Gap = "1000000000")
      : M((GraphSettings(After, Gap), "1,8")), Image(M, M.Devices[0], 7) {
    REQUIRE(M.P->queue_create(M.Devices[0], &Handle) == ACCX_OK);
    REQUIRE(M.P->event_create(M.Devices[0], &Event) == ACCX_OK);
    (void)ran();
    (void)numGraphs();
  }
  ~Queue() {
    M.P->event_destroy(Event);
    M.P->queue_destroy(Handle);
    CHECK(M.P->image_unload(Image.Handle) == ACCX_OK);
  }

  void launch(unsigned Kernel, std::vector<uintptr_t> Args, bool MayWait = true,
              uint32_t Blocks = 2) {
    Expected += launchFake(M, M.Devices[0], Handle, Image, Kernel, Args,
                           MayWait, Blocks);
  }
  void fill(uint32_t Value) {
    Expected += "fill(" + std::to_string(Value) + ") ";
    CHECK(M.P->fill(M.Devices[0], Handle, reinterpret_cast<void *>(64), Value,
                    4, 4) == ACCX_OK);
  }
  void record() {
    Expected += "event ";
    CHECK(M.P->event_record(Event, Handle) == ACCX_OK);
  }
  void wait() { CHECK(M.P->queue_wait(Handle) == ACCX_OK); }
  void query() { CHECK(M.P->queue_query(Handle) == ACCX_OK); }
  void handles() {
    void *Stream = nullptr;
    CHECK(M.P->native_handles(M.Devices[0], Handle, nullptr, nullptr,
                              &Stream) == ACCX_OK);
    CHECK(Stream);
  }
  /// Everything that was queued must have run.
  void check() { CHECK(ran() == std::exchange(Expected, std::string())); }
};

} // namespace

TEST_CASE("A repeated launch becomes a graph", "[plugin-cuda][replay]") {
  Queue Q("64");
  for (unsigned I = 0; I < 1000; ++I)
    Q.launch(0, {1, 2});
  Q.wait();
  Q.check();
  CHECK(numGraphs() >= 25);
}

TEST_CASE("Rounds, with waits between them and without",
          "[plugin-cuda][replay]") {
  const bool Waits = GENERATE(false, true);
  const unsigned Kernels = GENERATE(2u, 5u, 20u);
  Queue Q("64");
  for (unsigned Round = 0; Round < 100; ++Round) {
    for (unsigned K = 0; K < Kernels; ++K)
      Q.launch(K % 7, {K, 9});
    if (Waits) {
      Q.wait();
      Q.check();
    }
  }
  Q.wait();
  Q.check();
  // Two kernels are not worth a graph.
  CHECK((numGraphs() > 0) == (!Waits || Kernels > 2));
}

TEST_CASE("Of a long row the first kernels do not wait for the last",
          "[plugin-cuda][replay]") {
  const unsigned Kernels = GENERATE(13u, 100u, 250u);
  Queue Q("64");
  for (unsigned Round = 0; Round < 40; ++Round) {
    for (unsigned K = 0; K < Kernels; ++K)
      Q.launch(K % 7, {K, 9});
    Q.wait();
    Q.check();
  }
  (void)numGraphs();
  for (unsigned K = 0; K < 8; ++K)
    Q.launch(K % 7, {K, 9});
  CHECK(numGraphs() == 1);
  Q.check();
  for (unsigned K = 8; K < Kernels; ++K)
    Q.launch(K % 7, {K, 9});
  CHECK(numGraphs() == (Kernels == 13 ? 1 : (Kernels - 8 + 31) / 32));
  Q.check();
}

TEST_CASE("Arguments that take turns or change are the launch's",
          "[plugin-cuda][replay]") {
  const unsigned Turns = GENERATE(2u, 3u, 7u, 1000u);
  Queue Q("16");
  for (unsigned I = 0; I < 500; ++I) {
    Q.launch(0, {I % Turns, 1});
    Q.launch(1, {2, I % Turns});
  }
  Q.wait();
  Q.check();
  CHECK(numGraphs() > 5);
}

TEST_CASE("Graphs are off, or the driver makes none", "[plugin-cuda][replay]") {
  const bool Off = GENERATE(false, true);
  Queue Q(Off ? "0" : "8");
  symbol<void(bool)>(FAKE_DRIVER, "fakeMakeNoGraphs")(!Off);
  for (unsigned I = 0; I < 300; ++I) {
    Q.launch(I % 3, {I % 3});
    Q.check();
  }
  symbol<void(bool)>(FAKE_DRIVER, "fakeMakeNoGraphs")(false);
  CHECK(numGraphs() == 0);
}

TEST_CASE("Nothing is put off where launches come late",
          "[plugin-cuda][replay]") {
  Queue Q("8", "0");
  for (unsigned I = 0; I < 300; ++I)
    Q.launch(I % 3, {I % 3});
  Q.wait();
  Q.check();
  CHECK(numGraphs() == 0);
}

TEST_CASE("What is left in vain again and again is given up",
          "[plugin-cuda][replay]") {
  Queue Q("8");
  // Always so many that a graph has been begun when the wait comes.
  for (unsigned Round = 0; Round < 200; ++Round) {
    for (unsigned I = 0; I < 20 + Round % 13; ++I)
      Q.launch(0, {1});
    Q.wait();
    Q.check();
  }
  (void)numGraphs();
  Q.launch(0, {1});
  Q.launch(0, {1});
  Q.launch(0, {1});
  Q.check(); // At once.
  CHECK(numGraphs() == 0);
}

TEST_CASE("A kernel of another image is another kernel",
          "[plugin-cuda][replay]") {
  for (int Image = 0; Image < 3; ++Image) {
    Queue Q("4");
    for (unsigned I = 0; I < 100; ++I)
      Q.launch(0, {unsigned(Image)});
    Q.wait();
    Q.check();
    CHECK(numGraphs() > 0);
  }
  CHECK_FALSE(keepsStreams());
}

TEST_CASE("Random programs run as they were queued", "[plugin-cuda][replay]") {
  std::mt19937 Random(GENERATE(range(0u, 60u)));
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  const char *After[] = {"1", "2", "5", "64"};
  Queue Q(After[Below(4)]);
  for (unsigned Part = 0; Part < 12; ++Part) {
    // A row of steps that is repeated, now and then with a difference.
    std::vector<std::function<void(unsigned)>> Steps;
    const unsigned Lengths[] = {8, 8, 40, 140};
    const unsigned Length = 1 + Below(Lengths[Below(4)]);
    const unsigned Turns = 1 + Below(4);
    for (unsigned I = 0; I < Length; ++I) {
      const unsigned K = Below(7), Fixed = Below(3), Blocks = 1 + Below(2);
      switch (Below(24)) {
      case 0:
        Steps.push_back([&Q](unsigned) { Q.wait(), Q.check(); });
        break;
      case 1:
        Steps.push_back([&Q](unsigned) { Q.query(), Q.check(); });
        break;
      case 2:
        Steps.push_back([&Q](unsigned R) { Q.fill(0x1020300 + R), Q.check(); });
        break;
      case 3:
        Steps.push_back([&Q](unsigned) { Q.record(), Q.check(); });
        break;
      case 4:
        Steps.push_back([&Q, K](unsigned R) { Q.launch(K, {R}, false); });
        break;
      case 5:
        Steps.push_back([&Q](unsigned) { Q.handles(), Q.check(); });
        break;
      case 6:
        Steps.push_back([&Q, K](unsigned R) { Q.launch(K, {R, K}); });
        break;
      default:
        Steps.push_back([&Q, K, Fixed, Blocks, Turns](unsigned R) {
          Q.launch(K, {Fixed, R % Turns}, true, Blocks);
        });
      }
    }
    const unsigned Rounds = 1 + Below(60);
    for (unsigned R = 0; R < Rounds; ++R) {
      for (auto &Step : Steps)
        if (Below(200))
          Step(R);
      if (!Below(30))
        Q.launch(Below(7), {R});
    }
  }
  Q.wait();
  Q.check();
}
