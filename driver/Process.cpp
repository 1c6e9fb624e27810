//===- Process.cpp - Finding, asking and becoming other programs ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Process.h.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "Message.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace accx::driver {

std::optional<std::string> environment(const char *Name) {
  const char *Value = std::getenv(Name);
  if (!Value || !*Value)
    return std::nullopt;
  return Value;
}

static bool isProgram(const std::string &Path) {
  struct stat Status;
  return stat(Path.c_str(), &Status) == 0 && S_ISREG(Status.st_mode) &&
         access(Path.c_str(), X_OK) == 0;
}

std::optional<std::string> findProgram(const std::string &Name) {
  if (Name.find('/') != std::string::npos)
    return isProgram(Name) ? std::optional(Name) : std::nullopt;
  const std::string Path = environment("PATH").value_or("/usr/bin:/bin");
  for (size_t Begin = 0; Begin <= Path.size();) {
    const size_t End = std::min(Path.find(':', Begin), Path.size());
    // An empty element means the working directory.
    std::string Folder = Path.substr(Begin, End - Begin);
    std::string Candidate = (Folder.empty() ? "." : Folder) + "/" + Name;
    if (isProgram(Candidate))
      return Candidate;
    Begin = End + 1;
  }
  return std::nullopt;
}

static std::vector<char *> pointersTo(const std::vector<std::string> &Command) {
  std::vector<char *> Pointers;
  Pointers.reserve(Command.size() + 1);
  for (const std::string &Argument : Command)
    Pointers.push_back(const_cast<char *>(Argument.c_str()));
  Pointers.push_back(nullptr);
  return Pointers;
}

/// Runs a program and reads what it writes to Stream, 1 or 2. Its status as of
/// waitpid; nothing if it cannot be run.
static std::optional<int> runReading(int Stream,
                                     const std::vector<std::string> &Command,
                                     std::string &Text) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return std::nullopt;
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_addopen(&Actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], Stream);
  if (Stream == 1)
    posix_spawn_file_actions_addopen(&Actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t Child;
  const int Error = posix_spawn(&Child, Command[0].c_str(), &Actions, nullptr,
                                pointersTo(Command).data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  close(Pipe[1]);
  char Buffer[4096];
  for (;;) {
    const ssize_t Count = Error ? 0 : read(Pipe[0], Buffer, sizeof Buffer);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      break;
    Text.append(Buffer, static_cast<size_t>(Count));
  }
  close(Pipe[0]);
  if (Error)
    return std::nullopt;
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return std::nullopt;
  return Status;
}

std::optional<std::string> outputOf(const std::vector<std::string> &Command) {
  std::string Output;
  const auto Status = runReading(1, Command, Output);
  if (!Status || !WIFEXITED(*Status) || WEXITSTATUS(*Status) != 0)
    return std::nullopt;
  return Output;
}

Diagnosed diagnosticsOf(const std::vector<std::string> &Command) {
  Diagnosed Result = {127, ""};
  if (const auto Status = runReading(2, Command, Result.Text))
    Result.Status =
        WIFSIGNALED(*Status) ? -WTERMSIG(*Status) : WEXITSTATUS(*Status);
  return Result;
}

void execute(const std::vector<std::string> &Command) {
  execv(Command[0].c_str(), pointersTo(Command).data());
  fail("cannot run " + Command[0] + ": " + std::strerror(errno));
}

std::string shellQuoted(const std::vector<std::string> &Command) {
  constexpr std::string_view Plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "%+,-./:=@_";
  std::string Line;
  for (const std::string &Argument : Command) {
    if (!Line.empty())
      Line += ' ';
    if (!Argument.empty() &&
        Argument.find_first_not_of(Plain) == std::string::npos) {
      Line += Argument;
      continue;
    }
    Line += '\'';
    for (char Character : Argument)
      if (Character == '\'')
        Line += "'\\''";
      else
        Line += Character;
    Line += '\'';
  }
  return Line;
}

} // namespace accx::driver
