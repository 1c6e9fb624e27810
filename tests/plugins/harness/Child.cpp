//===- Child.cpp - A test case in a process of its own --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Child.h.
//
//===----------------------------------------------------------------------===//

#include "harness/Child.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

using namespace harness;

namespace {

std::vector<std::string>
environmentWith(const std::map<std::string, std::string> &Variables) {
  std::vector<std::string> All;
  for (char **V = environ; *V; ++V) {
    const std::string Text = *V;
    if (!Variables.count(Text.substr(0, Text.find('='))))
      All.push_back(Text);
  }
  for (const auto &[Name, Value] : Variables)
    All.push_back(Name + "=" + Value);
  return All;
}

std::vector<char *> pointers(std::vector<std::string> &Texts) {
  std::vector<char *> Result;
  for (std::string &T : Texts)
    Result.push_back(T.data());
  Result.push_back(nullptr);
  return Result;
}

/// Moves what is there to read from \p Pipe to \p Text; false at the end.
bool drain(int Pipe, std::string &Text) {
  char Buffer[4096];
  const ssize_t N = read(Pipe, Buffer, sizeof(Buffer));
  if (N > 0)
    Text.append(Buffer, static_cast<size_t>(N));
  return N > 0;
}

} // namespace

Child harness::runCase(const std::string &Name,
                       const std::map<std::string, std::string> &Variables) {
  char Self[4096] = {};
  if (readlink("/proc/self/exe", Self, sizeof(Self) - 1) < 0)
    return {};
  std::vector<std::string> Environment = environmentWith(Variables);
  std::vector<std::string> Words = {Self, Name};
  auto Env = pointers(Environment);
  auto Argv = pointers(Words);

  int Out[2], Err[2];
  if (pipe2(Out, O_CLOEXEC) || pipe2(Err, O_CLOEXEC))
    return {};
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&Actions, Err[1], STDERR_FILENO);
  pid_t Pid = 0;
  Child C;
  const int Failed =
      posix_spawn(&Pid, Self, &Actions, nullptr, Argv.data(), Env.data());
  posix_spawn_file_actions_destroy(&Actions);
  close(Out[1]);
  close(Err[1]);
  if (!Failed) {
    using Clock = std::chrono::steady_clock;
    const auto End = Clock::now() + std::chrono::minutes(2);
    pollfd Ends[2] = {{Out[0], POLLIN, 0}, {Err[0], POLLIN, 0}};
    while (Ends[0].fd >= 0 || Ends[1].fd >= 0) {
      const auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
          End - Clock::now());
      if (Left.count() <= 0 ||
          poll(Ends, 2, static_cast<int>(Left.count())) == 0) {
        C.TimedOut = true;
        kill(Pid, SIGKILL);
        break;
      }
      if (Ends[0].fd >= 0 && Ends[0].revents && !drain(Out[0], C.Out))
        Ends[0].fd = -1;
      if (Ends[1].fd >= 0 && Ends[1].revents && !drain(Err[0], C.Err))
        Ends[1].fd = -1;
    }
    int Status = 0;
    waitpid(Pid, &Status, 0);
    if (WIFEXITED(Status))
      C.ExitCode = WEXITSTATUS(Status);
    if (WIFSIGNALED(Status))
      C.Signal = WTERMSIG(Status);
  }
  close(Out[0]);
  close(Err[0]);
  return C;
}
