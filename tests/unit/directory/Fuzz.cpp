// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the random program does, and how its constructs are made up.

#include "Fuzz.h"

#include <algorithm>
#include <cstdio>

namespace accx::test {

const std::vector<FuzzSetup> &fuzzSetups() {
  static const std::vector<FuzzSetup> All = [] {
    std::vector<FuzzSetup> L;
    FuzzSetup Mirror{"mirror", {}, {}, true};
    Mirror.Options.WindowBytes = size_t(1) << 20;
    Mirror.Options.HeaderBytes = 0;
    L.push_back(Mirror);

    FuzzSetup Strict = Mirror;
    Strict.Name = "mirror-strict";
    Strict.Options.Strict = true;
    L.push_back(Strict);

    // Arrays cross spans, so windows and blocks stand side by side.
    FuzzSetup Spans = Mirror;
    Spans.Name = "mirror-spans";
    Spans.Options.WindowBytes = 1024;
    Spans.Memory.Skew = 16;
    Spans.Exact = false;
    L.push_back(Spans);

    // Many arrays lie behind a header, and overlap others that do not.
    FuzzSetup Headers = Mirror;
    Headers.Name = "mirror-headers";
    Headers.Options.HeaderBytes = 16;
    Headers.Options.HeaderUnit = 32;
    Headers.Exact = false;
    L.push_back(Headers);

    FuzzSetup HeaderSpans = Spans;
    HeaderSpans.Name = "mirror-header-spans";
    HeaderSpans.Options.HeaderBytes = 16;
    HeaderSpans.Options.HeaderUnit = 32;
    L.push_back(HeaderSpans);

    FuzzSetup Budget = Mirror;
    Budget.Name = "mirror-budget";
    Budget.Memory.Granularity = 256;
    Budget.Memory.Capacity = 16384;
    Budget.Options.BudgetShare = 8;
    Budget.Options.BudgetRatio = 2;
    Budget.Exact = false;
    L.push_back(Budget);

    FuzzSetup NoWindow = Mirror;
    NoWindow.Name = "mirror-unreserved";
    NoWindow.Memory.CanReserve = false;
    NoWindow.Exact = false;
    L.push_back(NoWindow);

    FuzzSetup Fused{"fused", {}, {}, false};
    Fused.Options.Strategy = DirectoryOptions::Fused;
    Fused.Memory.Granularity = 0;
    L.push_back(Fused);

    FuzzSetup FusedStrict = Fused;
    FusedStrict.Name = "fused-strict";
    FusedStrict.Options.Strict = true;
    L.push_back(FusedStrict);
    return L;
  }();
  return All;
}

Fuzz::Fuzz(const FuzzSetup &Setup, uint64_t Seed)
    : Setup(Setup), Memory(Setup.Memory),
      D(std::make_unique<Directory>(Memory, Setup.Options)),
      State(Seed * 0x9e3779b97f4a7c15ull + 1) {
  for (uint8_t &B : Host)
    B = random();
}

Fuzz::~Fuzz() {
  // Memory is given back whatever state the directory is in.
  D.reset();
  for (auto &[R, Address] : Foreign)
    if (Address)
      Memory.release(Address);
}

uint64_t Fuzz::random() {
  State ^= State << 13;
  State ^= State >> 7;
  State ^= State << 17;
  return State * 0x2545f4914f6cdd1dull >> 11;
}

HostRange Fuzz::randomRange() {
  size_t Size = chance(40)   ? 1 + below(16)
                : chance(70) ? 8 * (1 + below(16))
                : chance(80) ? 1 + below(256)
                             : 1 + below(1024);
  uintptr_t Begin = SpaceBegin + below(SpaceSize - Size + 1);
  if (chance(60))
    Begin &= ~uintptr_t(7);
  return {Begin, Begin + Size};
}

/// A range in some relation to an entry.
HostRange Fuzz::nearRange() {
  if (Model.Entries.empty() || chance(25))
    return randomRange();
  HostRange R = Model.Entries[below(Model.Entries.size())].Host;
  if (chance(55))
    return R;
  auto Clip = [](int64_t A) {
    return uintptr_t(
        std::clamp<int64_t>(A, SpaceBegin, SpaceBegin + SpaceSize));
  };
  int64_t Reach = chance(50) ? 16 : 200;
  uintptr_t A = Clip(int64_t(R.Begin) + int64_t(below(2 * Reach)) - Reach);
  uintptr_t B = Clip(int64_t(R.End) + int64_t(below(2 * Reach)) - Reach);
  if (chance(30)) { // Inside.
    A = R.Begin + below(R.size());
    B = A + 1 + below(R.End - A);
  }
  if (A > B)
    std::swap(A, B);
  if (A == B)
    return R;
  return {A, B};
}

/// Arrays start every 512 bytes.
uintptr_t Fuzz::randomBase(HostRange R) {
  if (chance(60))
    return R.Begin & ~uintptr_t(511);
  if (chance(50))
    return R.Begin;
  if (chance(40))
    return 0;
  return SpaceBegin + below(SpaceSize);
}

void Fuzz::makeEnter(std::vector<EnterItem> &Items) {
  unsigned Num = 1 + below(3);
  bool Hold = chance(20);
  auto Add = [&](HostRange R) -> EnterItem & {
    EnterItem It;
    It.Host = R;
    if (chance(4))
      It.Host.End = It.Host.Begin;
    It.Base = randomBase(R);
    It.CopyIn = chance(60);
    It.Always = chance(8);
    It.Implicit = chance(15);
    It.Present = chance(5);
    It.Hold = Hold;
    It.Count = !chance(4);
    It.CountSlot = chance(50);
    It.MayShare = chance(2);
    Items.push_back(It);
    return Items.back();
  };
  auto SlotIn = [&](HostRange R) {
    uintptr_t A = R.Begin + below(std::max<size_t>(R.size(), 8) - 7);
    if (chance(80))
      A = (A + 7) & ~uintptr_t(7);
    return std::min(A, SpaceBegin + SpaceSize - 8);
  };
  for (unsigned I = 0; I < Num; ++I) {
    if (chance(25)) {
      // A struct with members and pointers.
      HostRange R = nearRange();
      int32_t Parent = Items.size();
      Add(R).CopyIn = chance(20);
      Items[Parent].Present = false;
      for (unsigned M = below(4); M-- > 0;) {
        if (chance(40)) {
          EnterItem &It = Add(nearRange());
          It.Parent = Parent;
          It.Slot = SlotIn(R);
          It.CountSlot = false;
          It.Always &= chance(30);
        } else {
          uintptr_t A = R.Begin + below(R.size());
          EnterItem &It =
              Add(chance(90) ? HostRange{A, A + 1 + below(R.End - A)}
                             : nearRange());
          It.Parent = Parent;
          It.Base = R.Begin;
          It.Count = false;
        }
      }
    } else {
      EnterItem &It = Add(nearRange());
      if (chance(15))
        It.Slot = SlotIn(nearRange());
    }
  }
}

void Fuzz::makeExit(std::vector<ExitItem> &Items) {
  // Times of few entries, of some and of many: what is beyond goes, whatever
  // its counts.
  static constexpr size_t Limits[] = {6, 16, 40};
  size_t Limit = Limits[Number / 4096 % 3];
  if (Model.Entries.size() > Limit) {
    for (unsigned N = 1 + below(8); N-- > 0;) {
      const ModelEntry &E = Model.Entries[below(Model.Entries.size())];
      ExitItem It;
      It.Host = E.Host;
      It.Delete = true;
      It.CopyOut = chance(60);
      Items.push_back(It);
      It.Hold = true;
      Items.push_back(It);
    }
    return;
  }
  if (!Open.empty() && chance(50)) {
    size_t Which = below(Open.size());
    for (const EnterItem &E : Open[Which]) {
      ExitItem It;
      It.Host = E.Host;
      It.Parent = E.Parent;
      It.Implicit = E.Implicit;
      It.Hold = E.Hold;
      It.Count = E.Count;
      It.CopyOut = chance(60);
      It.Always = chance(8);
      It.Delete = chance(5);
      Items.push_back(It);
      if (E.Slot && E.CountSlot) {
        ExitItem Slot;
        Slot.Host = {E.Slot, E.Slot + 8};
        Slot.Hold = E.Hold;
        Items.push_back(Slot);
      }
    }
    // Slots came between: parents have other places now.
    std::vector<int32_t> Place;
    for (size_t I = 0, J = 0; I < Open[Which].size(); ++I) {
      Place.push_back(J);
      J += 1 + (Open[Which][I].Slot && Open[Which][I].CountSlot);
    }
    for (ExitItem &It : Items)
      if (It.Parent >= 0)
        It.Parent = Place[It.Parent];
    Open.erase(Open.begin() + Which);
    return;
  }
  bool Hold = chance(20);
  for (unsigned N = 1 + below(3); N-- > 0;) {
    ExitItem It;
    It.Host = nearRange();
    if (chance(4))
      It.Host.End = It.Host.Begin;
    It.CopyOut = chance(60);
    It.Always = chance(8);
    It.Delete = chance(15);
    It.Present = chance(3);
    It.Hold = Hold;
    It.Implicit = chance(15);
    It.Count = !chance(4);
    if (!Items.empty() && chance(20)) {
      It.Parent = below(Items.size());
      It.Count = chance(30);
    }
    Items.push_back(It);
  }
}

std::string Fuzz::run(uint64_t Operations) {
  for (uint64_t I = 0; I < Operations && Trouble.empty(); ++I) {
    ++Number;
    step();
    if (Trouble.empty())
      compare();
    if (Trouble.empty() && Number % 8 == 0)
      compareMemory();
  }
  if (Trouble.empty()) {
    drain();
    if (Trouble.empty())
      compare();
    if (Trouble.empty())
      compareMemory();
  }
  return Trouble;
}

void Fuzz::step() {
  unsigned Dice = below(100);
  if (Flights.size() > 4 || Dice < 25) {
    if (!Flights.empty()) {
      size_t Which = below(Flights.size());
      if (chance(50))
        perform(Flights[Which]);
      else
        finish(Which);
      return;
    }
  }
  if (Dice < 58) {
    enter();
  } else if (Dice < 82) {
    if (!Regions.empty() && (Regions.size() > 3 || chance(30))) {
      endRegion(below(Regions.size()));
      return;
    }
    std::vector<ExitItem> Items;
    makeExit(Items);
    exit(Items, std::vector<unsigned>(Items.size()));
  } else if (Dice < 87) {
    update();
  } else if (Dice < 96) {
    touchMemory();
  } else if (Dice < 98) {
    permanent();
  } else {
    trim();
  }
}

/// Lets every other thread finish.
void Fuzz::drain() {
  while (!Flights.empty() && Trouble.empty())
    finish(below(Flights.size()));
  while (!Regions.empty() && Trouble.empty()) {
    endRegion(Regions.size() - 1);
    while (!Flights.empty() && Trouble.empty())
      finish(below(Flights.size()));
  }
}

void Fuzz::enter() {
  std::vector<EnterItem> Items;
  makeEnter(Items);
  bool Pin = chance(20);
  for (EnterItem &It : Items)
    It.Pin = Pin;
  if (chance(6)) {
    Memory.FailAfter = below(3);
    Memory.Failed = false;
  }
  bool Done = tryEnter(Items, false);
  if (!Done && Trouble.empty() && chance(15)) {
    // Nobody waits for ever, and what failed for memory works with memory.
    drain();
    if (!Trouble.empty())
      return;
    D->trim();
    tryEnter(Items, true);
  }
}

void Fuzz::touchMemory() {
  Bytes Busy = pending();
  for (unsigned N = 0; N < 32; ++N) {
    size_t I = below(SpaceSize);
    if (!Busy[I])
      Host[I] = random();
  }
  // A kernel writes what is on the device.
  Bytes Pointers = Model.pointerBytes();
  for (ModelEntry &E : Model.Entries) {
    if (E.Leaving || E.Busy || !chance(20))
      continue;
    uintptr_t A = E.Host.Begin + below(E.Host.size());
    size_t I = offsetOf(A);
    if (Busy[I] || Pointers[I])
      continue;
    uint8_t *P = Memory.at(A + RealOf[E.Id]->Delta, 1);
    if (!P)
      return fail("a mapped byte has no memory");
    *P = Device[I] = random();
    Known.set(I);
  }
}

void Fuzz::trim() {
  // Idle memory is given back when everything has come to rest.
  if (!Flights.empty())
    return;
  uint64_t Before = Memory.held();
  uint64_t Bytes = D->trim();
  ++Counts.Trims;
  check(Memory.held() + Bytes == Before, "trim() miscounted");
  check(D->trim() == 0, "trim() left something idle");
}

void Fuzz::permanent() {
  if (!Flights.empty())
    return;
  if (!Foreign.empty() && chance(50)) {
    size_t Which = below(Foreign.size());
    auto [R, Address] = Foreign[Which];
    ModelEntry *E = Model.live(R);
    if (!E)
      return fail("a permanent entry left");
    unsigned Id = E->Id;
    if (E->Associated)
      check(D->disassociate(R.Begin).ok(), "disassociate() failed");
    else
      D->forget(R);
    Foreign.erase(Foreign.begin() + Which);
    if (Address) {
      ForeignBytes -= R.size();
      Memory.release(Address);
    }
    std::erase_if(Model.Entries,
                  [&](const ModelEntry &X) { return X.Id == Id; });
    Model.checkPointers();
    dropGone();
    return;
  }
  if (Foreign.size() > 3)
    return;
  HostRange R = nearRange();
  // disassociate() goes by the start; keep those apart.
  for (auto &F : Foreign)
    if (F.first.Begin == R.Begin)
      return;
  ModelEntry New;
  New.Host = R;
  New.Base = R.Begin;
  New.Permanent = true;
  New.Associated = chance(50);
  uintptr_t Address = 0, Target;
  ModelEntry *Over = nullptr;
  for (ModelEntry &E : Model.Entries)
    if (!E.Leaving && !E.Foreign && E.Host.contains(R))
      Over = &E;
  bool Join = Over && chance(70);
  if (Join) {
    Target = R.Begin + RealOf[Over->Id]->Delta;
  } else {
    Target = Address = *Memory.allocate(R.size());
    New.Foreign = true;
  }
  bool Clash = false, Exact = false;
  for (ModelEntry &E : Model.Entries) {
    Clash |= E.Host.overlaps(R) && RealOf[E.Id]->Delta != Target - R.Begin;
    Exact |= E.Host == R;
  }
  Status S = D->associate(R, Target, nullptr, New.Associated);
  check(S.ok() == !Clash, "associate() judged wrongly");
  if (!Clash && !Exact) {
    Known &= ~(bytesOf(R) & ~Model.covered());
    New.Id = ++NextId;
    Model.Entries.push_back(New);
    RealOf[New.Id] = D->find(R);
    IdOf[RealOf[New.Id]] = New.Id;
    DeltaOf[New.Id] = Target - R.Begin;
    Foreign.push_back({R, Address});
    ForeignBytes += Address ? R.size() : 0;
    Joined |= Join;
  } else if (Address) {
    Memory.release(Address);
  }
}

} // namespace accx::test
