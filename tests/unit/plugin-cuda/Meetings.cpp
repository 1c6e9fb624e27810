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
#include <optional>
#include <random>
#include <utility>

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
  /// Kernels and copies of each device, as FakeKernel has them, and those that
  /// its queue's next one comes after.
  std::vector<std::vector<FakeKernel>> Expected;
  std::vector<std::vector<size_t>> Behind;
  /// Where copies begin to write and to read; nothing of kernels.
  using Place = std::optional<std::pair<uintptr_t, uintptr_t>>;
  std::vector<std::vector<Place>> Places;
  std::vector<size_t> First;
  /// Kernels that were checked.
  std::vector<size_t> NumRight;

public:
  const unsigned Num;

  Queues(const char *Machine, const char *After)
      : M((GraphSettings(After), Machine)), Expected(M.Devices.size()),
        Behind(M.Devices.size(), std::vector<size_t>(M.Devices.size())),
        Places(M.Devices.size()), NumRight(M.Devices.size()),
        Num(unsigned(M.Devices.size())) {
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
    noteQueued(I, std::nullopt);
  }
  /// To the next device. It comes behind the copies of other queues that touch
  /// its bytes, which are this queue's unless they are \p Shared.
  void copy(unsigned I, uintptr_t Where, bool Later, bool Shared = false) {
    constexpr size_t Size = 64;
    const uintptr_t Dst =
        (uintptr_t(Shared ? 99 : I) << 32) + Size * (2 * Where + 2);
    const uintptr_t Src = Dst + Size;
    accx_copy C = {};
    C.direction = ACCX_TO_PEER;
    C.dst = reinterpret_cast<void *>(Dst);
    C.src = reinterpret_cast<void *>(Src);
    C.width = Size;
    C.height = 1;
    C.peer = M.Devices[(I + 1) % Num];
    CHECK((Later ? M.P->copy_later : M.P->copy)(M.Devices[I], Handles[I], &C) ==
          ACCX_OK);
    std::vector<size_t> After = Behind[I];
    const Place Own = {{Dst, Src}};
    for (unsigned J = 0; J < Num; ++J)
      while (J != I && After[J] && Places[J][After[J] - 1] &&
             Places[J][After[J] - 1] != Own)
        --After[J];
    Expected[I].push_back({"copy(" + std::to_string(Dst) + "," +
                               std::to_string(Src) + "," +
                               std::to_string(Size) + ") ",
                           std::move(After)});
    noteQueued(I, Own);
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
  /// Takes memory and frees it.
  void giveMemoryBack() {
    void *Memory = nullptr;
    REQUIRE(M.P->alloc(M.Devices[0], 256, ACCX_MEMORY_DEVICE, &Memory) ==
            ACCX_OK);
    CHECK(M.P->free(M.Devices[0], Memory, ACCX_MEMORY_DEVICE) == ACCX_OK);
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

  void noteQueued(unsigned I, Place P) {
    Behind[I][I] = Expected[I].size();
    Places[I].push_back(P);
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

TEST_CASE("Copies between two devices become parts of graphs",
          "[plugin-cuda][meetings]") {
  {
    Queues Q("2,8", "8");
    const bool Shared = GENERATE(false, true);
    const auto Steps = [&](unsigned Num) {
      for (unsigned Step = 0; Step < Num; ++Step) {
        for (unsigned I = 0; I < 2; ++I)
          Q.launch(I, 0, {Step % 2});
        Q.meet({0, 1});
        for (unsigned I = 0; I < 2; ++I) {
          Q.copy(I, Step % 2, /*Later=*/true, Shared);
          Q.meet({0, 1});
        }
      }
    };
    Steps(100);
    Q.checkAll();
    CHECK(numGraphs() > 5);
    // Other copies than the graph's.
    Q.copy(0, 5, /*Later=*/true);
    Q.copy(1, 5, /*Later=*/false);
    Q.checkAll();
    // Where memory of graphs may be another one, new ones come later.
    (void)numGraphs();
    Steps(24);
    Q.checkAll();
    const unsigned Usual = numGraphs();
    Q.giveMemoryBack();
    Steps(24);
    Q.checkAll();
    CHECK(numGraphs() < Usual);
    Steps(100);
    Q.checkAll();
    CHECK(numGraphs() > 5);
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
          if (S.What < 12) {
            // An exchange, as by `update peer`, or right behind a kernel.
            const bool Shared = S.Fixed == 2;
            if (S.Fixed)
              Q.meet(Sets[0]);
            for (unsigned I = 0; I < 2; ++I) {
              Q.copy((S.Queue + I) % Q.Num, R % Turns, S.Kernel != 0, Shared);
              Q.meet(Sets[0]);
            }
          } else if (S.What < 22) {
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
