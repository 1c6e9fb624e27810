//===- FileRandomTest.cpp - Operations on files against plain calls -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random reads and writes of random sections by random paths, some at once,
// some with interrupted and short calls, compared with the same on a copy of
// the file in memory.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

using namespace accx;

namespace {

using Random = std::mt19937_64;

size_t upTo(Random &R, size_t Most) { return R() % (Most + 1); }

/// Often at page borders and next to them, as small as large.
size_t anySize(Random &R, size_t Most) {
  size_t Size = upTo(R, size_t(1) << (R() % 21));
  if (R() % 3 == 0)
    Size = Size / 4096 * 4096 + (R() % 3 == 0 ? 1 : 0);
  return std::min(Size, Most);
}

FileSettings anySettings(Random &R) {
  constexpr size_t Pieces[] = {0, 4096, 5000, 16384, 100000, 1 << 18};
  FileSettings S = settings(static_cast<FileSettings::Paths>(R() % 3),
                            Pieces[R() % std::size(Pieces)]);
  S.DirectFrom = S.DirectWritesFrom = upTo(R, 1 << 20);
  S.WindowBytes = 1 + upTo(R, 1 << 18);
  return S;
}

/// Sections of \p Size bytes over new memory.
struct Buffer {
  std::vector<char> Memory;
  std::vector<Section> Sections;

  Buffer(Random &R, size_t Size) : Memory(2 * Size + 65536, 'u') {
    size_t At = upTo(R, 4096);
    while (Size) {
      const size_t Part = R() % 2 ? Size : 1 + upTo(R, Size - 1);
      const size_t Width = R() % 2 ? Part : 1 + upTo(R, Part - 1);
      const size_t Height = std::min<size_t>(Part / Width, 50);
      const size_t Pitch = Width + (Height > 1 ? upTo(R, Width) : 0);
      if (At + Pitch * Height > Memory.size() || Sections.size() > 20) {
        Memory.resize(At + Size);
        Sections.push_back(row(nullptr, Size));
        Sections.back().pitch = At;
        break;
      }
      // Addresses come when the memory moves no more.
      Sections.push_back({nullptr, Width, Height, Pitch});
      Starts.push_back(At);
      At += Pitch * Height;
      Size -= Width * Height;
    }
    if (Starts.size() < Sections.size())
      Starts.push_back(std::exchange(Sections.back().pitch, 0));
    for (size_t I = 0; I < Sections.size(); ++I)
      Sections[I].address = Memory.data() + Starts[I];
  }
  std::vector<size_t> Starts;

  template <typename Fn> void forEachRow(Fn Call) {
    for (const Section &S : Sections)
      for (size_t Row = 0; Row < S.height; ++Row)
        Call(static_cast<char *>(S.address) + Row * S.pitch, S.width);
  }
  void fill(Random &R) {
    forEachRow([&](char *At, size_t Size) {
      for (size_t I = 0; I < Size; ++I)
        At[I] = static_cast<char>(R());
    });
  }
  std::vector<char> bytes() {
    std::vector<char> All;
    forEachRow(
        [&](char *At, size_t Size) { All.insert(All.end(), At, At + Size); });
    return All;
  }
};

/// One operation in [\p Begin, \p End) of the file, and on \p Model.
bool operate(Random &R, int Fd, std::vector<char> &Model, size_t Begin,
             size_t End, bool Grows) {
  const size_t Offset = Begin + upTo(R, End - Begin);
  const size_t Size = anySize(R, End - Offset);
  const bool Out = R() % 2;
  const FileSettings S = anySettings(R);
  Buffer B(R, Size);
  B.fill(R);
  const auto Before = B.bytes();
  const MoveResult Result = moveFile(nullptr, nullptr, B.Sections, true, Out,
                                     {Fd, static_cast<off_t>(Offset)}, S);
  const auto After = B.bytes();
  if (Out) {
    if (Grows && Size && Offset + Size > Model.size())
      Model.resize(Offset + Size);
    std::copy(Before.begin(), Before.end(), Model.begin() + Offset);
    return Result.Code == 0 && Result.Bytes == Size && After == Before;
  }
  const size_t There =
      Offset < Model.size() ? std::min(Size, Model.size() - Offset) : 0;
  return Result.Code == (There < Size ? -ENODATA : 0) &&
         Result.Bytes == There &&
         std::equal(Model.begin() + std::min(Offset, Model.size()),
                    Model.begin() + std::min(Offset, Model.size()) + There,
                    After.begin());
}

unsigned numRounds() {
  const char *Text = getenv("ACCX_TEST_FILE_ROUNDS");
  return Text ? static_cast<unsigned>(atoi(Text)) : 300;
}

} // namespace

TEST_CASE("random operations equal plain calls") {
  const Folder Here;
  const FaultsHere Here2;
  const bool HasFaults = GENERATE(false, true);
  Random R(HasFaults ? 11 : 12);
  const std::string Name = Here.file("data");
  const Opened Fd(Name, O_RDWR | O_CREAT);
  std::vector<char> Model;
  if (HasFaults) {
    Here2.F.Interrupted = 5;
    Here2.F.Short = 3;
  }
  for (unsigned I = 0; I < numRounds(); ++I) {
    CAPTURE(I);
    REQUIRE(operate(R, Fd, Model, 0, 3 << 20, /*Grows=*/true));
  }
  Here2.F.clear();
  CHECK(contents(Name) == Model);
}

TEST_CASE("random operations on parts of one file at once") {
  const Folder Here;
  constexpr size_t Part = 700001, Num = 4;
  auto Start = pattern(Part * Num);
  const std::string Name = Here.file("data", Start);
  const Opened Fd(Name, O_RDWR);
  std::vector<std::vector<char>> Models(Num, Start);
  std::atomic<unsigned> Wrong{0};
  std::vector<std::thread> Threads;
  for (size_t T = 0; T < Num; ++T)
    Threads.emplace_back([&, T] {
      Random R(T + 1);
      for (unsigned I = 0; I < numRounds() / 4; ++I)
        Wrong += !operate(R, Fd, Models[T], T * Part, (T + 1) * Part,
                          /*Grows=*/false);
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(Wrong == 0);
  const auto End = contents(Name);
  for (size_t T = 0; T < Num; ++T)
    CHECK(std::equal(End.begin() + T * Part, End.begin() + (T + 1) * Part,
                     Models[T].begin() + T * Part));
}
