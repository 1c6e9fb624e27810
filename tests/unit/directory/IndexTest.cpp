// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner structures against lists: interval index, hash table, page map.

#include "directory/Index.h"
#include "directory/Pages.h"
#include "directory/Table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace accx;

namespace {
struct Item {
  HostRange R;
  void *P;
};

void *ptr(uintptr_t N) { return reinterpret_cast<void *>(N); }

/// Compares all answers about \p R.
void compare(const IntervalIndex &I, const std::vector<Item> &L, HostRange R) {
  bool Overlap = false;
  const Item *Best = nullptr, *Next = nullptr;
  uintptr_t Reach = R.Begin;
  std::multiset<void *> Over, Seen;
  for (const Item &X : L) {
    if (X.R.overlaps(R)) {
      Overlap = true;
      Over.insert(X.P);
    }
    if (X.R.contains(R) &&
        (!Best || X.R.size() < Best->R.size() ||
         (X.R.size() == Best->R.size() && X.R.Begin < Best->R.Begin)))
      Best = &X;
    if (X.R.Begin <= R.Begin)
      Reach = std::max(Reach, X.R.End);
    if (X.R.Begin >= R.Begin &&
        (!Next || X.R.Begin < Next->R.Begin ||
         (X.R.Begin == Next->R.Begin && X.R.End < Next->R.End)))
      Next = &X;
  }
  auto Is = [&](void *P, HostRange Range) {
    return std::any_of(L.begin(), L.end(),
                       [&](const Item &X) { return X.P == P && X.R == Range; });
  };
  REQUIRE(I.overlaps(R) == Overlap);
  void *Smallest = I.smallestContaining(R);
  REQUIRE((Smallest != nullptr) == (Best != nullptr));
  if (Best)
    REQUIRE(Is(Smallest, Best->R));
  void *Far = nullptr;
  REQUIRE(I.reach(R.Begin, &Far) == Reach);
  if (Reach > R.Begin)
    REQUIRE(std::any_of(L.begin(), L.end(), [&](const Item &X) {
      return X.P == Far && X.R.End == Reach && X.R.Begin <= R.Begin;
    }));
  HostRange NextRange;
  void *After = I.next(R.Begin, NextRange);
  REQUIRE((After != nullptr) == (Next != nullptr));
  if (Next)
    REQUIRE(NextRange == Next->R);
  REQUIRE(I.forEachOverlap(R, [&](void *P) {
    Seen.insert(P);
    return true;
  }));
  REQUIRE(Seen == Over);

  // The walk tiles R, and its pieces and gaps are what they say.
  uintptr_t At = R.Begin;
  bool AnyGap = false;
  I.walk(
      R,
      [&](void *P, HostRange Piece) {
        REQUIRE(Piece.Begin == At);
        At = Piece.End;
        REQUIRE(std::any_of(L.begin(), L.end(), [&](const Item &X) {
          return X.P == P && X.R.contains(Piece);
        }));
      },
      [&](HostRange Gap) {
        REQUIRE(Gap.Begin == At);
        At = Gap.End;
        AnyGap = true;
        REQUIRE(std::none_of(L.begin(), L.end(),
                             [&](const Item &X) { return X.R.overlaps(Gap); }));
      });
  REQUIRE(At == R.End);
  REQUIRE(I.covers(R) == !AnyGap);
}
} // namespace

TEST_CASE("interval index: random ranges") {
  for (unsigned Seed = 0; Seed < 12; ++Seed) {
    std::mt19937 G(Seed);
    unsigned Space = Seed % 3 == 0 ? 200 : Seed % 3 == 1 ? 5000 : 100000;
    size_t Most = Seed % 4 ? 200 : 1500;
    IntervalIndex I;
    std::vector<Item> L;
    auto Random = [&] {
      uintptr_t Begin = 1000 + G() % Space;
      size_t Size = G() % 3 == 0   ? 1 + G() % 8
                    : G() % 3 == 0 ? 1 + G() % Space
                                   : 16;
      return HostRange{Begin, Begin + Size};
    };
    for (unsigned Op = 0; Op < 6000; ++Op) {
      bool Grow = L.size() < Most && G() % (Op / 1500 % 2 ? 3 : 2) == 0;
      if (L.empty() || Grow) {
        Item X{Random(), ptr(Op + 1)};
        if (!L.empty() && G() % 8 == 0)
          X.R = L[G() % L.size()].R; // The same range with another item.
        I.insert(X.R, X.P);
        L.push_back(X);
      } else if (G() % 2) {
        size_t K = G() % L.size();
        I.remove(L[K].R, L[K].P);
        L[K] = L.back();
        L.pop_back();
      }
      REQUIRE(I.size() == L.size());
      if (Op % 4 == 0)
        compare(I, L, Random());
    }
  }
}

TEST_CASE("interval index: ordered insertion and removal") {
  for (unsigned Order = 0; Order < 4; ++Order) {
    IntervalIndex I;
    std::vector<Item> L;
    for (unsigned K = 0; K < 3000; ++K) {
      unsigned N = Order & 1 ? 3000 - K : K;
      L.push_back({{1000 + N * 8, 1000 + N * 8 + 12}, ptr(K + 1)});
      I.insert(L.back().R, L.back().P);
    }
    if (Order & 2)
      std::reverse(L.begin(), L.end());
    while (L.size() > 10) {
      I.remove(L.back().R, L.back().P);
      L.pop_back();
      if (L.size() % 100 == 0)
        compare(I, L, {9000, 9100});
    }
    compare(I, L, {0, 100000});
  }
}

TEST_CASE("interval index: a removed key comes back") {
  // Inner nodes keep the keys of what is gone.
  IntervalIndex I;
  std::vector<Item> L;
  for (unsigned K = 0; K < 200; ++K) {
    L.push_back({{K * 10, K * 10 + 5}, ptr(K + 1)});
    I.insert(L.back().R, L.back().P);
  }
  for (unsigned Round = 0; Round < 3; ++Round)
    for (Item &X : L) {
      I.remove(X.R, X.P);
      I.insert(X.R, X.P);
    }
  for (Item &X : L)
    I.remove(X.R, X.P);
  REQUIRE(I.empty());
}

TEST_CASE("interval index: sizes up to the whole address space") {
  IntervalIndex I;
  I.insert({1, ~uintptr_t(0)}, ptr(1));
  I.insert({uintptr_t(1) << 62, uintptr_t(3) << 62}, ptr(2));
  I.insert({uintptr_t(1) << 63, (uintptr_t(1) << 63) + 1}, ptr(3));
  uintptr_t Mid = uintptr_t(1) << 63;
  REQUIRE(I.smallestContaining({Mid, Mid + 1}) == ptr(3));
  REQUIRE(I.smallestContaining({Mid, Mid + 2}) == ptr(2));
  REQUIRE(I.smallestContaining({2, Mid + 2}) == ptr(1));
  REQUIRE(I.covers({1, ~uintptr_t(0)}));
}

TEST_CASE("hash table: random keys") {
  struct Thing {
    uint64_t Key;
  };
  std::mt19937 G(7);
  std::vector<std::unique_ptr<Thing>> L;
  Table<Thing> T;
  auto Find = [&](uint64_t K) {
    return T.find(hashOf(K, 0), [&](Thing *X) { return X->Key == K; });
  };
  for (unsigned Op = 0; Op < 20000; ++Op) {
    uint64_t K = G() % 3000;
    if (Thing *X = Find(K)) {
      T.erase(hashOf(K, 0), X);
      std::erase_if(L, [&](auto &P) { return P.get() == X; });
    } else {
      L.push_back(std::make_unique<Thing>(Thing{K}));
      T.insert(hashOf(K, 0), L.back().get());
    }
    REQUIRE(T.size() == L.size());
    if (Op % 500 == 0)
      for (auto &P : L)
        REQUIRE(Find(P->Key) == P.get());
  }
}

TEST_CASE("page map: runs") {
  constexpr size_t Num = 10000;
  Pages P(Num);
  std::vector<bool> L(Num);
  std::mt19937 G(3);
  for (unsigned Op = 0; Op < 300; ++Op) {
    size_t A = G() % Num, B = std::min(Num, A + 1 + G() % 700);
    bool State = G() % 2;
    P.set(A, B, State);
    std::fill(L.begin() + A, L.begin() + B, State);
    size_t First = G() % Num, End = std::min(Num, First + G() % 3000);
    for (bool Want : {false, true}) {
      std::vector<bool> Seen(Num);
      size_t Last = ~size_t(0);
      P.forEachRun(First, End, Want, [&](size_t X, size_t Y) {
        REQUIRE(X < Y);
        REQUIRE(X != Last); // Runs are as long as they can be.
        Last = Y;
        std::fill(Seen.begin() + X, Seen.begin() + Y, true);
        return true;
      });
      for (size_t I = First; I < End; ++I)
        REQUIRE(Seen[I] == (L[I] == Want));
    }
  }
}
