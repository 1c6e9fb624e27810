//===- FileTransferTest.cpp - What arrives in files and memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that go well: by every path, at odd offsets, in order, through
// streams, from many threads.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <sys/wait.h>
#include <thread>

using namespace accx;

static constexpr FileSettings::Paths AllPaths[] = {
    FileSettings::Measured, FileSettings::PoolOnly, FileSettings::DirectOnly};

TEST_CASE("what is written is read, at every offset, by every path") {
  const Folder Here;
  const auto Path =
      GENERATE(from_range(std::begin(AllPaths), std::end(AllPaths)));
  const size_t Size = GENERATE(1, 4095, 4096, 100000, (1 << 20) + 3, 9000017);
  const off_t Offset = GENERATE(0, 1, 4096, 12345);
  const size_t Piece = GENERATE(0, 4096, 10000, 1 << 16);
  if (Size / (Piece ? Piece : 1 << 18) > 200)
    return;
  const FileSettings S = settings(Path, Piece);
  CAPTURE(int(Path), Size, Offset, Piece);

  auto Bytes = pattern(Size);
  const auto Before = pattern(Size + 30000, 7);
  const std::string Name = Here.file("data", Before);
  const Opened Fd(Name, O_RDWR);
  MoveResult R = moveBytes(true, Bytes.data(), Size, {Fd, Offset}, S);
  CHECK(R.Code == 0);
  CHECK(R.Text == "");
  CHECK(R.Bytes == Size);
  auto Expected = Before;
  std::copy(Bytes.begin(), Bytes.end(), Expected.begin() + Offset);
  CHECK(contents(Name) == Expected);

  std::vector<char> Back(Size + 2, 42);
  R = moveBytes(false, Back.data() + 1, Size, {Fd, Offset}, S);
  CHECK(R.Code == 0);
  CHECK(R.Bytes == Size);
  CHECK(std::equal(Bytes.begin(), Bytes.end(), Back.begin() + 1));
  CHECK((Back.front() == 42 && Back.back() == 42));
  CHECK(lseek(Fd, 0, SEEK_CUR) == 0);
  CHECK((fcntl(Fd, F_GETFL) & O_DIRECT) == 0);
}

TEST_CASE("a file grows by writes of any path") {
  const Folder Here;
  for (auto Path : AllPaths) {
    auto Bytes = pattern(3000001);
    const std::string Name = Here.file("new");
    unlink(Name.c_str());
    const Opened Fd(Name, O_WRONLY | O_CREAT);
    const MoveResult R = moveBytes(true, Bytes.data(), Bytes.size(), {Fd, 0},
                                   settings(Path, 1 << 17));
    CHECK(R.Code == 0);
    CHECK(contents(Name) == Bytes);
  }
}

TEST_CASE("what this process wrote just now is read past the page cache, too") {
  const Folder Here;
  const std::string Name = Here.file("data", pattern(1 << 22));
  const Opened Fd(Name, O_RDWR);
  std::vector<char> Back(1 << 22);
  for (unsigned Round = 0; Round < 8; ++Round) {
    const auto Bytes = pattern(1 << 22, Round);
    REQUIRE(pwrite(Fd, Bytes.data(), Bytes.size(), 0) == 1 << 22);
    const MoveResult R = moveBytes(false, Back.data(), Back.size(), {Fd, 0},
                                   settings(FileSettings::DirectOnly, 1 << 16));
    CHECK(R.Code == 0);
    CHECK(Back == Bytes);
  }
}

TEST_CASE("sections are scattered and gathered in their order") {
  const Folder Here;
  constexpr size_t Width = 1000, Height = 700, Pitch = 1536;
  auto Memory = pattern(Pitch * Height, 3);
  auto Other = pattern(5000, 4);
  std::vector<char> Packed(Other.begin(), Other.begin() + 777);
  for (size_t Row = 0; Row < Height; ++Row)
    Packed.insert(Packed.end(), Memory.begin() + Row * Pitch,
                  Memory.begin() + Row * Pitch + Width);
  Packed.insert(Packed.end(), Other.begin() + 1000, Other.end());
  auto Sections = [&](char *Rows, char *Ends) {
    return std::vector<Section>{row(Ends, 777),
                                {Rows, Width, Height, Pitch},
                                row(Ends, 0),
                                row(Ends + 1000, 4000)};
  };
  for (auto Path : AllPaths) {
    const FileSettings S = settings(Path, 1 << 14);
    const std::string Name = Here.file("packed");
    const Opened Fd(Name, O_RDWR | O_CREAT | O_TRUNC);
    MoveResult R =
        moveFile(nullptr, nullptr, Sections(Memory.data(), Other.data()), true,
                 true, {Fd, 0}, S);
    CHECK(R.Code == 0);
    CHECK(R.Bytes == Packed.size());
    CHECK(contents(Name) == Packed);
    std::vector<char> Rows(Memory.size(), 1), Ends(Other.size(), 1);
    R = moveFile(nullptr, nullptr, Sections(Rows.data(), Ends.data()), true,
                 false, {Fd, 0}, S);
    CHECK(R.Code == 0);
    bool Same = true;
    for (size_t I = 0; I < Rows.size(); ++I)
      Same &= Rows[I] == (I % Pitch < Width ? Memory[I] : 1);
    CHECK(Same);
    CHECK(std::equal(Other.begin() + 1000, Other.end(), Ends.begin() + 1000));
    CHECK(Ends[777] == 1);
  }
}

TEST_CASE("offsets beyond 4 GiB are what they say") {
  const Folder Here;
  const Opened Fd(Here.file("sparse"), O_RDWR | O_CREAT);
  const off_t Far = (off_t(5) << 30) + 4097;
  auto Bytes = pattern(2000000);
  for (auto Path : AllPaths) {
    const FileSettings S = settings(Path, 1 << 17);
    CHECK(moveBytes(true, Bytes.data(), Bytes.size(), {Fd, Far}, S).Code == 0);
    std::vector<char> Back(Bytes.size() + 8192);
    const MoveResult R =
        moveBytes(false, Back.data(), Back.size(), {Fd, Far - 8192}, S);
    CHECK(R.Code == 0);
    CHECK(std::count(Back.begin(), Back.begin() + 8192, 0) == 8192);
    CHECK(std::equal(Bytes.begin(), Bytes.end(), Back.begin() + 8192));
    REQUIRE(ftruncate(Fd, 0) == 0);
  }
}

TEST_CASE("offset -1 is the descriptor's position, which moves") {
  const Folder Here;
  auto Bytes = pattern(3 << 20);
  const std::string Name = Here.file("data", Bytes);
  const Opened Fd(Name, O_RDWR);
  std::vector<char> Back(Bytes.size());
  const FileSettings S = settings(FileSettings::Measured, 1 << 16);
  size_t At = 0;
  for (size_t Size : {size_t(1000), size_t(1) << 20, size_t(70000)}) {
    CHECK(moveBytes(false, Back.data() + At, Size, {Fd, -1}, S).Code == 0);
    At += Size;
    CHECK(lseek(Fd, 0, SEEK_CUR) == off_t(At));
  }
  CHECK(std::equal(Back.begin(), Back.begin() + At, Bytes.begin()));
  // The rest ends early: the position is where the file ends.
  const MoveResult R = moveBytes(false, Back.data(), Back.size(), {Fd, -1}, S);
  CHECK(R.Code == -ENODATA);
  CHECK(R.Bytes == Bytes.size() - At);
  CHECK(lseek(Fd, 0, SEEK_CUR) == off_t(Bytes.size()));
}

TEST_CASE("O_APPEND writes at the end, in order") {
  const Folder Here;
  const std::string Name = Here.file("log", pattern(100));
  auto Expected = pattern(100);
  const Opened Fd(Name, O_WRONLY | O_APPEND);
  for (unsigned I = 0; I < 5; ++I) {
    auto Bytes = pattern(200000 + I, I);
    CHECK(moveBytes(true, Bytes.data(), Bytes.size(), {Fd, I ? -1 : 7},
                    settings(FileSettings::Measured, 4096))
              .Code == 0);
    Expected.insert(Expected.end(), Bytes.begin(), Bytes.end());
  }
  CHECK(contents(Name) == Expected);
}

TEST_CASE("both ends of a pipe may be operations") {
  for (const int Flags : {0, O_NONBLOCK}) {
    int Ends[2];
    REQUIRE(pipe2(Ends, O_CLOEXEC | Flags) == 0);
    const Opened From(Ends[0]), To(Ends[1]);
    auto Bytes = pattern(3000000);
    std::vector<char> Back(Bytes.size());
    MoveResult Read;
    // More of them than the pool has threads.
    std::thread Reader([&] {
      Read = moveBytes(false, Back.data(), Back.size(), {From, -1},
                       settings(FileSettings::Measured, 10000));
    });
    const MoveResult R = moveBytes(true, Bytes.data(), Bytes.size(), {To, -1},
                                   settings(FileSettings::Measured, 30000));
    Reader.join();
    CHECK(R.Code == 0);
    CHECK(Read.Code == 0);
    CHECK(Back == Bytes);
  }
}

TEST_CASE("streams that cannot be positioned keep their order and buffer") {
  auto Bytes = pattern(300000);
  std::FILE *In = fmemopen(Bytes.data(), Bytes.size(), "r");
  REQUIRE(In);
  std::vector<char> Back(Bytes.size());
  REQUIRE(fread(Back.data(), 1, 10, In) == 10);
  MoveResult R =
      moveBytes(false, Back.data() + 10, Back.size() - 20, {fileno(In), -1, In},
                settings(FileSettings::Measured, 1000));
  CHECK(R.Code == 0);
  REQUIRE(fread(Back.data() + Back.size() - 10, 1, 10, In) == 10);
  CHECK(Back == Bytes);
  R = moveBytes(false, Back.data(), 5, {-1, -1, In});
  CHECK(R.Code == -ENODATA);
  CHECK(R.Text == "read of 5 bytes of a stream without a file: it ended after "
                  "0 bytes");
  fclose(In);

  char *Written = nullptr;
  size_t Size = 0;
  std::FILE *To = open_memstream(&Written, &Size);
  fputs("head", To);
  R = moveBytes(true, Bytes.data(), Bytes.size(), {-1, -1, To},
                settings(FileSettings::Measured, 777));
  CHECK(R.Code == 0);
  fclose(To);
  REQUIRE(Size == Bytes.size() + 4);
  CHECK(std::equal(Bytes.begin(), Bytes.end(), Written + 4));
  free(Written);
}

TEST_CASE("nothing is asked for no bytes") {
  CHECK(moveFile(nullptr, nullptr, {}, true, true, {-1, 0}).Code == 0);
  CHECK(moveBytes(false, nullptr, 0, {-1, 0}).Code == 0);
}

TEST_CASE("many threads move parts of one file at once") {
  const Folder Here;
  constexpr size_t Part = (1 << 20) + 1234, Num = 12;
  for (auto Path : AllPaths) {
    auto Bytes = pattern(Part * Num);
    const std::string Name = Here.file("parts");
    const Opened Fd(Name, O_RDWR | O_CREAT | O_TRUNC);
    std::vector<char> Back(Bytes.size());
    std::atomic<int> Failures{0};
    std::vector<std::thread> Threads;
    for (size_t I = 0; I < Num; ++I)
      Threads.emplace_back([&, I] {
        const FileSettings S = settings(Path, I % 2 ? 1 << 16 : 1 << 18);
        const auto At = off_t(I * Part);
        Failures +=
            moveBytes(true, Bytes.data() + At, Part, {Fd, At}, S).Code != 0;
        Failures +=
            moveBytes(false, Back.data() + At, Part, {Fd, At}, S).Code != 0;
      });
    for (std::thread &T : Threads)
      T.join();
    CHECK(Failures == 0);
    CHECK(Back == Bytes);
    CHECK(contents(Name) == Bytes);
  }
}

TEST_CASE("the program keeps its record locks") {
  const Folder Here;
  auto Bytes = pattern(1 << 20);
  const Opened Fd(Here.file("data", Bytes), O_RDWR);
  struct flock Lock = {};
  Lock.l_type = F_WRLCK;
  Lock.l_whence = SEEK_SET;
  Lock.l_len = 100;
  REQUIRE(fcntl(Fd, F_SETLK, &Lock) == 0);
  CHECK(moveBytes(false, Bytes.data(), Bytes.size(), {Fd, 0},
                  settings(FileSettings::DirectOnly, 1 << 16))
            .Code == 0);
  // Another process finds it.
  const pid_t Child = fork();
  if (Child == 0) {
    struct flock Asked = Lock;
    fcntl(Fd, F_GETLK, &Asked);
    _exit(Asked.l_type == F_WRLCK ? 0 : 1);
  }
  int Status = -1;
  REQUIRE(waitpid(Child, &Status, 0) == Child);
  CHECK(Status == 0);
}

TEST_CASE("threads end when they are told to, and start again") {
  const Folder Here;
  auto Bytes = pattern(1 << 20);
  const Opened Fd(Here.file("data", Bytes), O_RDWR);
  for (int I = 0; I < 3; ++I) {
    CHECK(moveBytes(false, Bytes.data(), Bytes.size(), {Fd, 0},
                    settings(I % 2 ? FileSettings::PoolOnly
                                   : FileSettings::DirectOnly,
                             1 << 16))
              .Code == 0);
    stopFileThreads();
    stopFileThreads();
  }
}
