//===- WorkerTest.cpp - In-order queues -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order, completion, errors and end of a device's worker.
//
//===----------------------------------------------------------------------===//

#include "device/Worker.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <pthread.h>
#include <vector>

using namespace accx;

TEST_CASE("Operations run in the order of the queue, one at a time") {
  Worker W("test");
  std::vector<int> Order;
  std::atomic<int> Inside{0};
  bool Overlapped = false;
  std::vector<std::shared_ptr<Completion>> Ends;
  for (int I = 0; I < 1000; ++I)
    Ends.push_back(W.enqueue([&, I] {
      Overlapped |= Inside++ != 0;
      Order.push_back(I);
      --Inside;
      return Status();
    }));
  Ends.back()->wait();
  REQUIRE(Order.size() == 1000);
  for (int I = 0; I < 1000; ++I)
    CHECK(Order[I] == I);
  CHECK_FALSE(Overlapped);
  for (const auto &End : Ends) {
    CHECK(End->done());
    CHECK(End->result().ok());
  }
}

TEST_CASE("Each thread's operations keep their order among themselves") {
  Worker W("test");
  std::vector<int> Last(8, -1);
  bool Wrong = false;
  std::vector<std::thread> Threads;
  for (int T = 0; T < 8; ++T)
    Threads.emplace_back([&, T] {
      for (int I = 0; I < 500; ++I)
        W.enqueue([&, T, I] {
          Wrong |= Last[T] != I - 1;
          Last[T] = I;
          return Status();
        });
    });
  for (std::thread &T : Threads)
    T.join();
  W.drain();
  CHECK_FALSE(Wrong);
  for (int I : Last)
    CHECK(I == 499);
}

TEST_CASE("An error belongs to its operation and stops no other") {
  Worker W("test");
  auto Bad = W.enqueue([] { return Status(ErrorCode::Kernel, "trapped"); });
  auto Good = W.enqueue([] { return Status(); });
  Bad->wait();
  Good->wait();
  REQUIRE(Bad->result().failed());
  CHECK(Bad->result().code() == ErrorCode::Kernel);
  CHECK(Bad->result().text() == "trapped");
  CHECK(Good->result().ok());
}

TEST_CASE("drain() waits for what is queued and what runs") {
  Worker W("test");
  CHECK(W.idle());
  std::atomic<int> Done{0};
  for (int I = 0; I < 20; ++I)
    W.enqueue([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++Done;
      return Status();
    });
  W.drain();
  CHECK(Done == 20);
  CHECK(W.idle());
}

TEST_CASE("Who waits runs what the thread has not begun, up to the end") {
  using namespace std::chrono_literals;
  Worker W("test", 10s);
  std::vector<std::thread::id> Where;
  bool Self = true;
  const auto Note = [&] {
    Where.push_back(std::this_thread::get_id());
    Self &= W.isCurrentThread();
    return Status();
  };
  W.enqueue(Note);
  auto Second = W.enqueue(Note);
  auto Third = W.enqueue(Note);
  W.wait(*Second);
  CHECK_FALSE(W.isCurrentThread());
  CHECK(Second->done());
  // The thread takes what is left, and does not wait for another waiter.
  const auto Begin = std::chrono::steady_clock::now();
  Third->wait();
  CHECK(std::chrono::steady_clock::now() - Begin < 5s);
  CHECK(Self);
  REQUIRE(Where.size() == 3);
  CHECK(Where[0] == std::this_thread::get_id());
  CHECK(Where[1] == std::this_thread::get_id());
  CHECK(Where[2] != std::this_thread::get_id());
  W.wait(*Second);
}

TEST_CASE("The thread begins when nobody comes to wait") {
  using namespace std::chrono_literals;
  Worker W("test", 1ms);
  for (int Round = 0; Round < 3; ++Round) {
    std::thread::id Where;
    auto End = W.enqueue([&] {
      Where = std::this_thread::get_id();
      return Status();
    });
    End->wait();
    CHECK(Where != std::this_thread::get_id());
  }
}

TEST_CASE("Who waits for what already runs lets it run") {
  Worker W("test");
  std::atomic<bool> Begun{false}, MayEnd{false};
  std::vector<int> Order;
  W.enqueue([&] {
    Begun = true;
    Begun.notify_all();
    MayEnd.wait(false);
    Order.push_back(0);
    return Status();
  });
  auto Last = W.enqueue([&] {
    Order.push_back(1);
    return Status();
  });
  Begun.wait(false);
  std::thread Other([&] {
    MayEnd = true;
    MayEnd.notify_all();
  });
  W.wait(*Last);
  Other.join();
  CHECK(Order == std::vector<int>{0, 1});
}

TEST_CASE("Several waiters and the thread keep the order") {
  Worker W("test", std::chrono::microseconds(50));
  std::vector<int> Last(4, -1);
  std::atomic<int> Inside{0};
  bool Wrong = false;
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      for (int I = 0; I < 300; ++I) {
        auto End = W.enqueue([&, T, I] {
          Wrong |= Inside++ != 0 || Last[T] != I - 1;
          Last[T] = I;
          --Inside;
          return Status();
        });
        if (I % 3 == 0)
          W.wait(*End);
      }
    });
  for (std::thread &T : Threads)
    T.join();
  W.drain();
  CHECK_FALSE(Wrong);
  for (int I : Last)
    CHECK(I == 299);
}

TEST_CASE("What an operation holds is gone before its end is known") {
  Worker W("test");
  auto Held = std::make_shared<int>(1);
  std::weak_ptr<int> Watch = Held;
  auto End = W.enqueue([Held = std::move(Held)] { return Status(); });
  End->wait();
  CHECK(Watch.expired());
}

TEST_CASE("The end of a worker runs what is still queued") {
  std::atomic<int> Done{0};
  {
    Worker W("test");
    for (int I = 0; I < 100; ++I)
      W.enqueue([&] {
        ++Done;
        return Status();
      });
  }
  CHECK(Done == 100);
}

TEST_CASE("The worker's thread knows itself and takes no signals") {
  Worker W("a name that is too long");
  bool Self = false, Blocked = false;
  char Name[16] = {};
  W.enqueue([&] {
     Self = W.isCurrentThread();
     sigset_t Mask;
     pthread_sigmask(SIG_BLOCK, nullptr, &Mask);
     Blocked = sigismember(&Mask, SIGINT) && sigismember(&Mask, SIGUSR1);
     return Status();
   })->wait();
  // The name is given by the thread that started it.
  W.enqueue([&] {
     pthread_getname_np(pthread_self(), Name, sizeof(Name));
     return Status();
   })->wait();
  CHECK(Self);
  CHECK(Blocked);
  CHECK_FALSE(W.isCurrentThread());
  CHECK(std::string(Name) == "a name that is ");
}
