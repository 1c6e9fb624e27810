//===- FileChoiceTest.cpp - Which path files take -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice between page cache and O_DIRECT by what was measured, and its
// reasons; what of a piece goes past the page cache; the ring.
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "report/PathBytes.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <functional>
#include <future>
#include <sys/stat.h>

using namespace accx;

TEST_CASE("the faster path is taken, and the other one tried now and then") {
  FileRates Rates;
  const FileRates::System Reads = {7, false}, Writes = {7, true};
  const char *Why = "";
  CHECK(Rates.choose(Reads, Why) == FilePath::Direct);
  CHECK(Rates.choose(Writes, Why) == FilePath::Pool);
  CHECK(std::string(Why) == "not measured before");
  Rates.add(Reads, FilePath::Direct, 1 << 20, 1 << 18);
  CHECK(Rates.choose(Reads, Why) == FilePath::Pool);
  Rates.add(Reads, FilePath::Pool, 1 << 20, 1 << 20);
  CHECK(Rates.rates(Reads).Direct == 4);
  CHECK(Rates.rates(Reads).Pool == 1);
  unsigned Pool = 0;
  for (unsigned I = 0; I < 640; ++I)
    Pool += Rates.choose(Reads, Why) == FilePath::Pool;
  // Four times as slow: each 64th time.
  CHECK(Pool == 10);
  // It became faster.
  for (unsigned I = 0; I < 8; ++I)
    Rates.add(Reads, FilePath::Pool, 1 << 20, 1 << 17);
  CHECK(Rates.choose(Reads, Why) == FilePath::Pool);
  CHECK(std::string(Why) == "faster");
}

TEST_CASE("whole pages of a file go past the page cache") {
  const Folder Here;
  const Opened Fd(Here.file("data", pattern(1 << 20)), O_RDONLY);
  const DirectFile File(Fd, false, 1 << 20);
  if (!File.isOpen()) {
    WARN("left out: " << File.whyNot());
    return;
  }
  alignas(4096) static char Memory[1 << 16];
  const size_t Unit = File.unit();
  auto Middle = File.middleOf(Memory, 4 * Unit, 0);
  CHECK((Middle.Begin == 0 && Middle.End == 4 * Unit));
  Middle =
      File.middleOf(Memory + 100, 4 * Unit, static_cast<off_t>(Unit) + 100);
  CHECK((Middle.Begin == Unit - 100 && Middle.End == 4 * Unit - 100));
  CHECK(File.middleOf(Memory, Unit - 1, 0).empty());
  CHECK(File.middleOf(Memory + 1, 100, 1).empty());
}

TEST_CASE("what is moved is counted by path") {
  const Folder Here;
  auto Bytes = pattern(1 << 20);
  const Opened Fd(Here.file("data", Bytes), O_RDWR);
  if (const DirectFile File(Fd, false, 1 << 20); !File.isOpen()) {
    WARN("left out: " << File.whyNot());
    return;
  }
  for (const bool Out : {false, true}) {
    // Memory that is aligned as the file is.
    std::vector<char> Room((1 << 20) + 4096);
    char *Data =
        Room.data() + 4096 - reinterpret_cast<uintptr_t>(Room.data()) % 4096;
    const std::string Name = Out ? "file write (" : "file read (";
    auto Counted = [&](const char *Path) {
      const std::string Text = pathBytesText();
      const size_t At = Text.find(Name + Path + "): ");
      return At == std::string::npos
                 ? 0
                 : strtoull(Text.c_str() + Text.find("bytes=", At) + 6, nullptr,
                            10);
    };
    const auto Direct = Counted("direct"), Pool = Counted("pool");
    CHECK(moveBytes(Out, Data, (1 << 20) - 10, {Fd, 0},
                    settings(FileSettings::DirectOnly, 1 << 16))
              .Code == 0);
    CHECK(Counted("direct") - Direct == (1 << 20) - 4096);
    CHECK(Counted("pool") - Pool == 4096 - 10);
  }
}

TEST_CASE("what was written just now is cached, what is not there is cold") {
  const Folder Here;
  const Opened Fd(Here.file("data", pattern(1 << 20)), O_RDWR);
  CHECK(!isCold(Fd, 0, 1 << 20));
  REQUIRE(fsync(Fd) == 0);
  REQUIRE(posix_fadvise(Fd, 0, 0, POSIX_FADV_DONTNEED) == 0);
  struct stat Stat;
  REQUIRE(fstat(Fd, &Stat) == 0);
  FileSettings S = settings(FileSettings::Measured);
  // File systems in memory keep everything.
  WARN("after POSIX_FADV_DONTNEED it is "
       << (isCold(Fd, 0, 1 << 20) ? "cold" : "cached"));
  FileChoice Small(S, Fd, Stat, false, 0, 1 << 20);
  CHECK(Small.direct() == nullptr);
  CHECK(Small.reason().find("small") == 0);
  S.Path = FileSettings::PoolOnly;
  FileChoice Pool(S, Fd, Stat, false, 0, 1 << 20);
  CHECK(Pool.direct() == nullptr);
  CHECK(Pool.reason().find("as ACCX_FILE_PATH says") == 0);
}

TEST_CASE("a ring tells the end of each read and write") {
  FileRing Ring;
  if (!Ring.available()) {
    WARN("left out: " << Ring.whyNot());
    return;
  }
  const Folder Here;
  auto Bytes = pattern(1 << 16);
  const std::string Name = Here.file("data", Bytes);
  const Opened Fd(Name, O_RDWR);
  auto Move = [&](bool Out, int On, void *Data, size_t Size, off_t Offset) {
    std::promise<ssize_t> End;
    REQUIRE(Ring.start(Out, On, Data, Size, Offset,
                       [&](ssize_t Result) { End.set_value(Result); }));
    return End.get_future().get();
  };
  std::vector<char> Back(Bytes.size());
  CHECK(Move(false, Fd, Back.data(), Back.size(), 0) == 1 << 16);
  CHECK(Back == Bytes);
  CHECK(Move(false, Fd, Back.data(), 100, 65500) == 36);
  CHECK(Move(true, Fd, Back.data(), 100, 65500) == 100);
  CHECK(contents(Name).size() == 65600);
  CHECK(Move(false, -1, Back.data(), 100, 0) == -EBADF);
  Ring.stop();
  CHECK(!Ring.start(false, Fd, Back.data(), 100, 0, [](ssize_t) {}));
  CHECK(Ring.available());
  CHECK(Move(false, Fd, Back.data(), 100, 0) == 100);
}

TEST_CASE("the pool runs everything, by as many threads as it may have") {
  FilePool Pool(3);
  std::atomic<unsigned> Done{0}, Now{0}, Most{0};
  for (unsigned I = 0; I < 1000; ++I)
    Pool.run([&] {
      const unsigned N = ++Now;
      unsigned Before = Most;
      while (Before < N && !Most.compare_exchange_weak(Before, N)) {
      }
      --Now;
      ++Done;
    });
  Pool.stop();
  CHECK(Done == 1000);
  CHECK(Most <= 3);
}

TEST_CASE("threads of the pool prefer memory that they had") {
  FilePool Pool(2);
  char Blocks[2];
  std::atomic<unsigned> Running{0};
  std::promise<void> Go[2], Ended[2];
  for (int I = 0; I < 2; ++I)
    Pool.run(
        [&, I] {
          ++Running;
          Go[I].get_future().wait();
        },
        &Blocks[I]);
  while (Running < 2)
    std::this_thread::yield();
  bool OtherWasFirst = false, OtherHasRun = false;
  Pool.run([&] { OtherHasRun = true, Ended[1].set_value(); }, &Blocks[1]);
  Pool.run([&] { OtherWasFirst = OtherHasRun, Ended[0].set_value(); },
           &Blocks[0]);
  // The first thread is free, the older job has the other's memory.
  Go[0].set_value();
  Ended[0].get_future().wait();
  CHECK(!OtherWasFirst);
  Go[1].set_value();
  Ended[1].get_future().wait();
  Pool.stop();
}

TEST_CASE("no work of the pool is passed over for long") {
  FilePool Pool(1);
  char Block;
  unsigned Chain = 0, Before = 0;
  std::promise<void> End;
  std::function<void()> Next = [&] {
    if (Chain++ == 0)
      Pool.run([&] { Before = Chain; });
    if (Chain == 100)
      return End.set_value();
    Pool.run(Next, &Block);
  };
  Pool.run(Next, &Block);
  End.get_future().wait();
  Pool.stop();
  CHECK(Before > 0);
  CHECK(Before < 10);
}
