//===- Meetings.cpp - Queues that meet ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each queue's kernels run as they were queued, each behind what its queue met.
// The fake driver knows what is sure to have ended.
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"
#include "FakeStreams.h"

#include <memory>
#include <random>

namespace {

const std::vector<FakeKernel> &kernelsOf(unsigned Device) {
  return *symbol<const std::vector<FakeKernel> *(unsigned)>(
      FAKE_DRIVER, "fakeKernels")(Device);
}

/// A queue on each of some devices, and what has to run on them.
class Queues {
  Machine M;
  std::vector<FakeImage> Images;
  std::vector<accx_queue> Handles;
  std::vector<accx_event> Events;
  /// Kernels of each device, as FakeKernel has them, and those that its queue's
  /// next one comes after.
  std::vector<std::vector<FakeKernel>> Expected;
  std::vector<std::vector<size_t>> Behind;
  std::vector<size_t> First;
  /// Kernels that were checked.
  std::vector<size_t> NumRight;

public:
  const unsigned Num;

  Queues(const char *Machine, const char *After)
      : M((GraphSettings(After), Machine)), Expected(M.Devices.size()),
        Behind(M.Devices.size(), std::vector<size_t>(M.Devices.size())),
        NumRight(M.Devices.size()), Num(unsigned(M.Devices.size())) {
    for (unsigned I = 0; I < Num; ++I) {
      accx_device D = M.Devices[I];
      Images.emplace_back(M, D, 3);
      REQUIRE(M.P->queue_create(D, &Handles.emplace_back()) == ACCX_OK);
      REQUIRE(M.P->event_create(D, &Events.emplace_back()) == ACCX_OK);
      First.push_back(kernelsOf(I).size());
    }
    (void)numGraphs();
  }
  ~Queues() {
    for (unsigned I = 0; I < Num; ++I) {
      M.P->event_destroy(Events[I]);
      if (Handles[I])
        M.P->queue_destroy(Handles[I]);
      CHECK(M.P->image_unload(Images[I].Handle) == ACCX_OK);
    }
  }

  void launch(unsigned I, unsigned Kernel, std::vector<uintptr_t> Args,
              bool MayWait = true) {
    Expected[I].push_back({launchFake(M, M.Devices[I], Handles[I], Images[I],
                                      Kernel, Args, MayWait),
                           Behind[I]});
    Behind[I][I] = Expected[I].size();
  }
  void meet(const std::vector<unsigned> &Which) {
    std::vector<accx_queue> All;
    std::vector<size_t> Most(Num);
    for (unsigned I : Which) {
      All.push_back(Handles[I]);
      for (unsigned J = 0; J < Num; ++J)
        Most[J] = std::max(Most[J], Behind[I][J]);
    }
    for (unsigned I : Which)
      Behind[I] = Most;
    CHECK(M.P->queues_meet(All.data(), uint32_t(All.size())) == ACCX_OK);
  }
  /// Queue \p To waits for what is on \p From.
  void follow(unsigned To, unsigned From) {
    CHECK(M.P->event_record(Events[From], Handles[From]) == ACCX_OK);
    CHECK(M.P->event_wait(Events[From], Handles[To]) == ACCX_OK);
    for (unsigned J = 0; J < Num; ++J)
      Behind[To][J] = std::max(Behind[To][J], Behind[From][J]);
  }
  void wait(unsigned I) {
    CHECK(M.P->queue_wait(Handles[I]) == ACCX_OK);
    check(I);
  }
  void start(unsigned I) {
    CHECK(M.P->queue_start(Handles[I]) == ACCX_OK);
    check(I);
  }
  void ask(unsigned I) { CHECK(M.P->queue_check(Handles[I]) == ACCX_OK); }
  void destroy(unsigned I) {
    M.P->queue_destroy(Handles[I]);
    Handles[I] = nullptr;
    check(I);
  }

  /// Everything that was queued on queue \p I must have begun, in order.
  void check(unsigned I) {
    const auto &Ran = kernelsOf(I);
    const auto &Own = Expected[I];
    REQUIRE(Ran.size() - First[I] == Own.size());
    for (; NumRight[I] < Own.size(); ++NumRight[I]) {
      const FakeKernel &Is = Ran[First[I] + NumRight[I]];
      const FakeKernel &Wanted = Own[NumRight[I]];
      bool IsBehind = true;
      for (unsigned J = 0; J < Num; ++J)
        IsBehind &=
            !Wanted.Before[J] || (J < Is.Before.size() &&
                                  Is.Before[J] >= First[J] + Wanted.Before[J]);
      REQUIRE(Is.Text == Wanted.Text);
      REQUIRE(IsBehind);
    }
  }
  void checkAll() {
    for (unsigned I = 0; I < Num; ++I)
      if (Handles[I])
        wait(I);
  }
};

} // namespace

TEST_CASE("Loops of two devices become graphs", "[plugin-cuda][meetings]") {
  {
    Queues Q("2,8", "8");
    for (unsigned Step = 0; Step < 100; ++Step) {
      Q.launch(0, 0, {Step % 2});
      Q.launch(1, 0, {Step % 2});
      Q.meet({0, 1});
      Q.ask(0);
    }
    Q.checkAll();
    CHECK(numGraphs() > 10);
    // What comes behind a graph on the other queue waits for it.
    Q.launch(1, 1, {7}, false);
    Q.launch(0, 1, {7}, false);
    Q.checkAll();
  }
  CHECK_FALSE(keepsStreams());
}

TEST_CASE("Queues that no longer meet, or are gone",
          "[plugin-cuda][meetings]") {
  {
    Queues Q("3,8", "16");
    auto Loop = [&](std::vector<unsigned> Which, unsigned Steps) {
      for (unsigned Step = 0; Step < Steps; ++Step) {
        for (unsigned I : Which)
          Q.launch(I, 1, {Step});
        Q.meet(Which);
      }
    };
    Loop({0, 1, 2}, 40);
    CHECK(numGraphs() > 0);
    Loop({2, 0}, 40);
    Loop({1}, 40);
    Loop({0, 1, 2}, 30);
    Q.checkAll();
    Loop({0, 1}, 30);
    Q.destroy(0);
    for (unsigned Step = 0; Step < 40; ++Step) {
      Q.launch(1, Step % 2, {Step});
      Q.launch(2, 2, {});
    }
    Loop({2, 1}, 30);
    Q.checkAll();
  }
  CHECK_FALSE(keepsStreams());
}

TEST_CASE("Random programs keep their order", "[plugin-cuda][meetings]") {
  std::mt19937 Random(GENERATE(range(0u, 80u)));
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  const char *After[] = {"1", "4", "20", "64"};
  const char *Machines[] = {"2,8", "3,8", "5,8"};
  Queues Q(Machines[Below(3)], After[Below(4)]);
  for (unsigned Part = 0; Part < 10; ++Part) {
    std::vector<std::vector<unsigned>> Sets(1);
    for (unsigned I = 0; I < Q.Num; ++I)
      Sets[0].push_back(I);
    if (!Below(4))
      Sets.push_back({0, 1});
    struct Step {
      unsigned What, Queue, Kernel, Fixed;
    };
    std::vector<Step> Steps;
    const unsigned Length = 1 + Below(12), Turns = 1 + Below(4);
    for (unsigned I = 0; I < Length; ++I)
      Steps.push_back({Below(40), Below(Q.Num), Below(3), Below(3)});
    const unsigned Rounds = 1 + Below(50);
    for (unsigned R = 0; R < Rounds; ++R)
      for (const Step &S : Steps) {
        if (!Below(150))
          continue;
        switch (S.What) {
        case 0:
          Q.wait(S.Queue);
          break;
        case 1:
          Q.follow(S.Queue, (S.Queue + 1) % Q.Num);
          break;
        case 2:
          Q.start(S.Queue);
          break;
        case 3:
          Q.launch(S.Queue, S.Kernel, {R}, false);
          break;
        case 4:
          Q.ask(S.Queue);
          break;
        default:
          // A loop: a part for each queue, or for most of them.
          if (S.What < 22) {
            for (unsigned I = 0; I < Q.Num; ++I)
              if (S.What < 20 || I != S.Queue)
                Q.launch(I, S.Kernel, {S.Fixed, R % Turns, I});
            Q.meet(Sets[S.What % Sets.size()]);
          } else if (S.What < 30) {
            Q.launch(S.Queue, S.Kernel, {S.Fixed, R % Turns});
          } else {
            Q.meet(Sets[0]);
          }
        }
      }
  }
  Q.checkAll();
}
