//===- EventTest.cpp - Events by themselves -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "event/Event.h"
#include "event/Progress.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace accx;

namespace {

/// Ends when somebody looks at it the \p Looks-th time.
class Polled final : public Event {
  std::atomic<int> Left;
  void poll() override {
    if (Left.fetch_sub(1) <= 1)
      finish(0);
  }

public:
  explicit Polled(int Looks) : Left(Looks) { NeedsPoll = true; }
};

std::atomic<int> NumWaiting{0}, NumOwn{0};
std::atomic<bool> IsActive{false};
int countCalls(int Waiting) {
  ++(Waiting ? NumWaiting : NumOwn);
  return IsActive ? Progress::UnderWay : Progress::Nothing;
}

} // namespace

TEST_CASE("An event ends once and tells everybody") {
  auto E = EventRef::adopt(new Event);
  CHECK(E->status() == Event::UnderWay);
  CHECK(std::string(E->message()).empty());
  int Calls = 0;
  E->then([&](Event &) { ++Calls; });
  CHECK(E->finish(-5, "why"));
  CHECK_FALSE(E->finish(0));
  E->then([&](Event &) { ++Calls; });
  CHECK(Calls == 2);
  CHECK(E->status() == -5);
  CHECK(std::string(E->message()) == "why");
  CHECK(E->wait() == -5);
}

TEST_CASE("Times of an event are in order") {
  auto E = EventRef::adopt(new Event);
  CHECK(E->time(Event::Queued) > 0);
  CHECK(E->time(Event::Ended) == 0);
  E->stamp(Event::Submitted);
  E->finish(0);
  CHECK(E->time(Event::Queued) <= E->time(Event::Submitted));
  CHECK(E->time(Event::Submitted) <= E->time(Event::Started));
  CHECK(E->time(Event::Started) <= E->time(Event::Ended));
}

TEST_CASE("A callback may give back the last reference") {
  auto *E = new Event;
  E->then([](Event &Of) { Of.release(); });
  E->finish(0);
}

TEST_CASE("Attached data goes with the event, once") {
  static int Drops = 0;
  Drops = 0;
  int Data = 0;
  {
    auto E = EventRef::adopt(new Event);
    CHECK(E->attached() == nullptr);
    CHECK(E->attach(&Data, [](void *) { ++Drops; }));
    CHECK_FALSE(E->attach(&Data, [](void *) { ++Drops; }));
    CHECK(E->attached() == &Data);
    CHECK(Drops == 0);
  }
  CHECK(Drops == 1);
}

TEST_CASE("Threads wait while others end events") {
  for (int Round = 0; Round < 200; ++Round) {
    auto E = EventRef::adopt(new Event);
    std::atomic<int> Sum{0};
    E->then([&](Event &) { Sum += 100; });
    std::vector<std::thread> Threads;
    for (int I = 0; I < 4; ++I)
      Threads.emplace_back([&, E] { Sum += E->wait() == -1; });
    Threads.emplace_back([E] { E->finish(-1, "x"); });
    for (std::thread &T : Threads)
      T.join();
    REQUIRE(Sum == 104);
  }
}

TEST_CASE("Somebody looks at events that nobody ends") {
  auto E = EventRef::adopt(new Polled(5));
  CHECK(E->wait() == 0);
  // With a callback the runtime's thread does.
  auto WithCall = EventRef::adopt(new Polled(50));
  auto Called = EventRef::adopt(new Event);
  WithCall->then([=](Event &) { Called->finish(0); });
  CHECK(Called->wait() == 0);
  Progress::get().stop();
}

TEST_CASE("Libraries' functions are called by waiting threads and by one own") {
  NumWaiting = NumOwn = 0;
  Progress &P = Progress::get();
  P.add(countCalls);
  auto E = EventRef::adopt(new Event);
  std::thread Other([E] {
    while (NumWaiting < 10)
      std::this_thread::yield();
    E->finish(0);
  });
  CHECK(E->wait() == 0);
  Other.join();
  IsActive = true;
  P.wake();
  while (NumOwn < 10)
    std::this_thread::yield();
  IsActive = false;
  P.remove(countCalls);
  const int Before = NumOwn + NumWaiting;
  P.wake();
  auto Next = EventRef::adopt(new Polled(20));
  CHECK(Next->wait() == 0);
  CHECK(NumOwn + NumWaiting == Before);
  P.stop();
}
