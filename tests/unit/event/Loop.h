//===- Loop.h - A library that moves bytes within the process ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for messages and files in tests: streams between device memory
// and a string of bytes, by a thread of its own or by the caller.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_EVENT_LOOP_H
#define ACCX_TESTS_EVENT_LOOP_H

#include <accx/channel.h>
#include <accx/event.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rig {

/// Ends pieces on a thread, in an order that is not theirs.
class Carrier {
  std::mutex Mutex;
  std::condition_variable Wake;
  std::deque<std::function<void()>> Work;
  bool Stop = false;
  unsigned Turn = 0;
  std::thread Thread;

  void run() {
    std::unique_lock Lock(Mutex);
    for (;;) {
      Wake.wait(Lock, [&] { return Stop || !Work.empty(); });
      if (Work.empty())
        return;
      auto At = Work.begin() + (++Turn % 3 == 0 ? Work.size() - 1 : 0);
      auto Next = std::move(*At);
      Work.erase(At);
      Lock.unlock();
      Next();
      Lock.lock();
    }
  }

public:
  Carrier() : Thread([this] { run(); }) {}
  ~Carrier() {
    {
      std::lock_guard Lock(Mutex);
      Stop = true;
    }
    Wake.notify_one();
    Thread.join();
  }
  void add(std::function<void()> Fn) {
    {
      std::lock_guard Lock(Mutex);
      Work.push_back(std::move(Fn));
    }
    Wake.notify_one();
  }
};

/// One stream. Lives until its transfer has ended.
struct LoopStream {
  accx_stream S = {};
  std::vector<char> Bytes;
  /// Null: pieces end within start().
  Carrier *By = nullptr;
  /// The piece with this byte fails.
  size_t FailsAt = SIZE_MAX;
  int NumStarts = 0;
  size_t NextAt = 0;
  bool InOrder = true;

  LoopStream(int Direction, void *Address, size_t Size, size_t Piece,
             Carrier *By = nullptr, unsigned Depth = 3)
      : Bytes(Direction == ACCX_IN ? 0 : Size), By(By) {
    S.direction = Direction;
    S.address = Address;
    S.size = Size;
    S.piece_bytes = Piece;
    S.depth = Depth;
    S.self = this;
    S.start = [](void *Self, void *Data, size_t At, size_t Size,
                 accx_piece_t P) {
      static_cast<LoopStream *>(Self)->start(Data, At, Size, P);
    };
  }

private:
  void start(void *Data, size_t At, size_t Size, accx_piece_t P) {
    ++NumStarts;
    InOrder &= At == NextAt;
    NextAt = At + Size;
    auto Move = [=, this] {
      if (FailsAt >= At && FailsAt < At + Size)
        return __accx_piece_end(P, 0, -5, "the loop failed", 0);
      size_t Moved = Size;
      if (S.direction == ACCX_OUT) {
        if (Size)
          std::memcpy(Bytes.data() + At, Data, Size);
      } else {
        Moved = At < Bytes.size() ? std::min(Size, Bytes.size() - At) : 0;
        if (Moved)
          std::memcpy(Data, Bytes.data() + At, Moved);
      }
      __accx_piece_end(P, Moved, 0, nullptr, 0);
    };
    if (By)
      By->add(Move);
    else
      Move();
  }
};

/// Queues a transfer of the streams; its result is __accx_transfer's.
inline int transfer(int Queue, std::vector<LoopStream *> Streams,
                    std::vector<accx_event_t> Wait, accx_event_t *Event,
                    bool Joint = false) {
  std::vector<accx_stream> All;
  for (LoopStream *S : Streams)
    All.push_back(S->S);
  const accx_transfer T = {static_cast<int>(All.size()),
                           All.data(),
                           Joint,
                           "loop",
                           "message",
                           nullptr,
                           nullptr};
  return __accx_transfer(Queue, &T, static_cast<int>(Wait.size()), Wait.data(),
                         Event);
}

/// Waits for one event and gives it back.
inline int finish(accx_event_t E) {
  const int Status = accx_event_wait(1, &E);
  accx_event_release(E);
  return Status;
}

} // namespace rig

#endif // ACCX_TESTS_EVENT_LOOP_H
