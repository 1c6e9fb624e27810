//===- FileFailureTest.cpp - What is said when files fail -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interrupted and short calls, ends, full disks, limits, wrong descriptors:
// what arrived, which error number, which line of text.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <thread>

using namespace accx;

static constexpr FileSettings::Paths AllPaths[] = {
    FileSettings::Measured, FileSettings::PoolOnly, FileSettings::DirectOnly};

TEST_CASE("interrupted and short calls are continued") {
  const Folder Here;
  const FaultsHere Here2;
  for (auto Path : AllPaths)
    for (const size_t Piece : {size_t(0), size_t(5000)}) {
      auto Bytes = pattern(200001);
      const std::string Name = Here.file("data");
      const Opened Fd(Name, O_RDWR | O_CREAT | O_TRUNC);
      const FileSettings S = settings(Path, Piece);
      Here2.F.Interrupted = 3;
      Here2.F.Short = 2;
      std::vector<char> Back(Bytes.size()), Again(Bytes.size());
      CHECK(moveBytes(true, Bytes.data(), Bytes.size(), {Fd, 5}, S).Code == 0);
      CHECK(moveBytes(false, Back.data(), Back.size(), {Fd, 5}, S).Code == 0);
      CHECK(lseek(Fd, 5, SEEK_SET) == 5);
      CHECK(moveBytes(false, Again.data(), Again.size(), {Fd, -1}, S).Code ==
            0);
      Here2.F.clear();
      CHECK(Back == Bytes);
      CHECK(Again == Bytes);
    }
}

TEST_CASE("a file that ends early gives what it has") {
  const Folder Here;
  const auto Bytes = pattern(14000);
  const std::string Name = Here.file("short", Bytes);
  const Opened Fd(Name, O_RDONLY);
  for (auto Path : AllPaths)
    for (const size_t Piece : {size_t(0), size_t(512), size_t(4096)}) {
      std::vector<char> Back(4096, 1);
      MoveResult R = moveBytes(false, Back.data(), Back.size(), {Fd, 12288},
                               settings(Path, Piece));
      CHECK(R.Code == -ENODATA);
      CHECK(R.Bytes == 14000 - 12288);
      CHECK(R.Text == "read of 4096 bytes at offset 12288 of " + Name +
                          ": the file ends after 14000 bytes");
      CHECK(std::equal(Bytes.begin() + 12288, Bytes.end(), Back.begin()));
      CHECK(Back[14000 - 12288] == 1);
      R = moveBytes(false, Back.data(), 3000, {Fd, 20000},
                    settings(Path, Piece));
      CHECK(R.Code == -ENODATA);
      CHECK(R.Bytes == 0);
      CHECK(R.Text == "read of 3000 bytes at offset 20000 of " + Name +
                          ": the file ends after 14000 bytes");
    }
}

TEST_CASE("a pipe that ends early gives what it had") {
  int Ends[2];
  REQUIRE(pipe2(Ends, O_CLOEXEC) == 0);
  const Opened From(Ends[0]);
  REQUIRE(write(Ends[1], "hello", 5) == 5);
  close(Ends[1]);
  char Back[100] = {};
  const MoveResult R = moveBytes(false, Back, sizeof(Back), {From, -1});
  CHECK(R.Code == -ENODATA);
  CHECK(R.Bytes == 5);
  CHECK(std::string(Back) == "hello");
  CHECK(R.Text.find("read of 100 bytes of pipe:[") == 0);
  CHECK(R.Text.find("]: it ended after 5 bytes") != std::string::npos);
}

TEST_CASE("a pipe that nobody reads is an error, no signal") {
  signal(SIGPIPE, SIG_DFL);
  int Ends[2];
  REQUIRE(pipe2(Ends, O_CLOEXEC) == 0);
  close(Ends[0]);
  const Opened To(Ends[1]);
  auto Bytes = pattern(100);
  const MoveResult R = moveBytes(true, Bytes.data(), 100, {To, -1});
  CHECK(R.Code == -EPIPE);
  CHECK(R.Text.find("Broken pipe") != std::string::npos);
  sigset_t Pending;
  sigpending(&Pending);
  CHECK(!sigismember(&Pending, SIGPIPE));
}

TEST_CASE("a full disk") {
  const Opened Fd("/dev/full", O_WRONLY);
  REQUIRE(Fd >= 0);
  auto Bytes = pattern(1 << 20);
  for (const off_t Offset : {0, -1}) {
    const MoveResult R =
        moveBytes(true, Bytes.data(), Bytes.size(), {Fd, Offset},
                  settings(FileSettings::Measured, 1 << 16));
    CHECK(R.Code == -ENOSPC);
    CHECK(R.Bytes == 0);
    CHECK(R.Text == std::string("write of 1048576 bytes") +
                        (Offset == 0 ? " at offset 0" : "") +
                        " of /dev/full: No space left on device");
  }
}

TEST_CASE("an error in the middle names the bytes before it") {
  const Folder Here;
  const FaultsHere Here2;
  auto Bytes = pattern(1 << 20);
  const std::string Name = Here.file("data", Bytes);
  const Opened Fd(Name, O_RDWR);
  for (const bool Out : {false, true}) {
    // Later pieces fail, or are left out: any order of ends gives one result.
    Here2.F.clear();
    Here2.F.FailsWith = EIO;
    Here2.F.FailsFrom = 4;
    const MoveResult R = moveBytes(Out, Bytes.data(), Bytes.size(), {Fd, 0},
                                   settings(FileSettings::PoolOnly, 1 << 16));
    Here2.F.clear();
    CHECK(R.Code == -EIO);
    CHECK(R.Bytes <= 3 << 16);
    const std::string After =
        R.Bytes ? " after " + std::to_string(R.Bytes) + " bytes" : "";
    CHECK(R.Text == std::string(Out ? "write" : "read") +
                        " of 1048576 bytes at offset 0 of " + Name +
                        ": Input/output error" + After);
    CHECK(moveBytes(Out, Bytes.data(), Bytes.size(), {Fd, 0}).Code == 0);
  }
}

TEST_CASE("limits of files end no process") {
  const Folder Here;
  signal(SIGXFSZ, SIG_DFL);
  rlimit Before = {};
  getrlimit(RLIMIT_FSIZE, &Before);
  auto Bytes = pattern(1 << 20);
  for (auto Path : AllPaths)
    for (const size_t Piece : {size_t(1) << 16, size_t(1) << 20})
      for (const off_t Offset : {0, -1}) {
        const Opened Fd(Here.file("limited"), O_WRONLY | O_CREAT | O_TRUNC);
        rlimit Small = {300000, Before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &Small);
        const MoveResult R = moveBytes(true, Bytes.data(), Bytes.size(),
                                       {Fd, Offset}, settings(Path, Piece));
        setrlimit(RLIMIT_FSIZE, &Before);
        CHECK(R.Code == -EFBIG);
        CHECK(R.Bytes <= 300000);
        CHECK(R.Text.find("File too large") != std::string::npos);
      }
}

TEST_CASE("descriptors that cannot be read or written") {
  const Folder Here;
  auto Bytes = pattern(1 << 20);
  const std::string Name = Here.file("data", Bytes);
  const FileSettings S = settings(FileSettings::DirectOnly, 1 << 16);
  auto Code = [&](bool Out, int Fd, off_t Offset, size_t Size) {
    return moveBytes(Out, Bytes.data(), Size, {Fd, Offset}, S).Code;
  };
  Opened Fd(Name, O_RDONLY);
  const int Number = Fd;
  for (const size_t Size : {size_t(100), Bytes.size()}) {
    CHECK(Code(true, Number, 0, Size) == -EBADF);
    const Opened Writes(Name, O_WRONLY);
    CHECK(Code(false, Writes, 0, Size) == -EBADF);
    const Opened Directory(Here.file("."), O_RDONLY);
    CHECK(Code(false, Directory, 0, Size) == -EISDIR);
    CHECK(Code(false, -1, 0, Size) == -EBADF);
    int Ends[2];
    REQUIRE(pipe2(Ends, O_CLOEXEC) == 0);
    const Opened From(Ends[0]), To(Ends[1]);
    CHECK(Code(true, To, 0, Size) == -ESPIPE);
    CHECK(Code(false, From, 8, Size) == -ESPIPE);
  }
  Fd.reset();
  const MoveResult R = moveBytes(false, Bytes.data(), 10, {Number, 3}, S);
  CHECK(R.Code == -EBADF);
  CHECK(R.Text == "read of 10 bytes at offset 3 of descriptor " +
                      std::to_string(Number) + ": Bad file descriptor");
  CHECK(contents(Name) == pattern(1 << 20));
}

TEST_CASE("offsets that no file has") {
  const Folder Here;
  auto Bytes = pattern(1 << 20);
  const Opened Fd(Here.file("data", Bytes), O_RDWR);
  // ext4's files, xfs's and tmpfs's all end before.
  const off_t Far = (off_t(1) << 62) + ((off_t(1) << 62) - 1) - (2 << 20);
  const MoveResult R = moveBytes(true, Bytes.data(), Bytes.size(), {Fd, Far},
                                 settings(FileSettings::Measured, 1 << 16));
  CHECK((R.Code == -EFBIG || R.Code == -EINVAL));
}
