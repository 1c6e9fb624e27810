//===- GraphTest.cpp - Random graphs of everything ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, transfers and user events on several queues, with edges that are
// events, against the same steps one after the other.
//
//===----------------------------------------------------------------------===//

#include "../openacc/Rig.h"
#include "Loop.h"

#include <random>

using namespace rig;

namespace {

constexpr size_t N = 600;
constexpr int NumArrays = 3;
constexpr int NumQueues = 4;

/// Arrays on the device, what they should hold, and who touched them last.
struct Graph {
  Program &P;
  std::mt19937 Random;
  Carrier &By;
  std::vector<int64_t> Arrays[NumArrays];
  int64_t Values[NumArrays] = {};
  accx_event_t Last[NumArrays] = {};
  std::vector<accx_event_t> Events, Users;
  std::vector<std::unique_ptr<LoopStream>> Streams;
  struct Sent {
    LoopStream *S;
    int64_t Value;
  };
  std::vector<Sent> Outgoing;

  Graph(Program &P, Carrier &By, unsigned Seed) : P(P), Random(Seed), By(By) {
    for (auto &A : Arrays) {
      A.assign(N, 0);
      acc_copyin(A.data(), N * 8);
    }
  }
  ~Graph() {
    for (accx_event_t E : Events)
      accx_event_release(E);
  }

  unsigned pick(unsigned Below) { return Random() % Below; }

  /// What the next step on array \p I waits for.
  std::vector<accx_event_t> before(int I) {
    std::vector<accx_event_t> For;
    if (Last[I])
      For.push_back(Last[I]);
    if (!Events.empty() && pick(4) == 0)
      For.push_back(Events[pick(unsigned(Events.size()))]);
    if (pick(6) == 0) {
      accx_event_t User;
      REQUIRE(accx_event_create_user(&User) == 0);
      Users.push_back(User);
      For.push_back(User);
    }
    return For;
  }
  void note(int I, accx_event_t E) {
    Last[I] = E;
    Events.push_back(E);
  }

  void kernel(int I, int Queue) {
    const auto For = before(I);
    const int64_t By = pick(100);
    accx_event_t E;
    REQUIRE(accx_next_target(Queue, int(For.size()), For.data(), &E) == 0);
    P.add(0, Arrays[I], By);
    Values[I] += By;
    note(I, E);
  }
  void move(int I, int Queue, bool Out) {
    const auto For = before(I);
    Streams.push_back(std::make_unique<LoopStream>(
        Out ? ACCX_OUT : ACCX_IN, Arrays[I].data(), N * 8,
        pick(3) ? 1 + pick(3000) : 0, pick(3) ? &By : nullptr, 1 + pick(4)));
    LoopStream *S = Streams.back().get();
    if (Out) {
      Outgoing.push_back({S, Values[I]});
    } else {
      Values[I] = pick(1000);
      const std::vector<int64_t> New(N, Values[I]);
      S->Bytes.assign(reinterpret_cast<const char *>(New.data()),
                      reinterpret_cast<const char *>(New.data() + N));
    }
    accx_event_t E;
    REQUIRE(transfer(Queue, {S}, For, &E) == 0);
    note(I, E);
  }
  void step() {
    const int I = int(pick(NumArrays)), Queue = 1 + int(pick(NumQueues));
    switch (pick(4)) {
    case 0:
    case 1:
      return kernel(I, Queue);
    case 2:
      return move(I, Queue, true);
    default:
      return move(I, Queue, false);
    }
  }

  bool finish() {
    for (accx_event_t U : Users) {
      accx_event_complete(U, 0);
      Events.push_back(U);
    }
    if (accx_event_wait(int(Events.size()), Events.data()) != 0)
      return false;
    bool Right = true;
    for (const Sent &S : Outgoing)
      for (size_t I = 0; I < N; ++I)
        Right &=
            reinterpret_cast<const int64_t *>(S.S->Bytes.data())[I] == S.Value;
    for (int A = 0; A < NumArrays; ++A) {
      acc_copyout(Arrays[A].data(), N * 8);
      for (int64_t X : Arrays[A])
        Right &= X == Values[A];
    }
    return Right;
  }
};

} // namespace

TEST_CASE("Random graphs") {
  Program P;
  Carrier By;
  for (unsigned Seed = 1; Seed <= 150; ++Seed) {
    INFO("seed " << Seed);
    Graph G(P, By, Seed);
    for (unsigned Steps = 5 + G.pick(30); Steps > 0; --Steps)
      G.step();
    REQUIRE(G.finish());
  }
}
