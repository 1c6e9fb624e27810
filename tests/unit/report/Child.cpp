// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a probe and keeps what it printed and how it ended.

#include "Child.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace {

bool ofRuntime(const std::string &Variable) {
  for (const char *Prefix : {"ACCX_", "LIBOMPTARGET_", "OMPTARGET_", "OMP_",
                             "NVCOMPILER_ACC_", "PGI_ACC_"})
    if (Variable.rfind(Prefix, 0) == 0)
      return true;
  return false;
}

} // namespace

std::vector<std::string> lines(const std::string &Text) {
  std::vector<std::string> Result;
  std::istringstream Stream(Text);
  for (std::string Line; std::getline(Stream, Line);)
    Result.push_back(Line);
  return Result;
}

std::string readFile(const std::string &Path) {
  std::ifstream Stream(Path, std::ios::binary);
  std::ostringstream Text;
  Text << Stream.rdbuf();
  return Text.str();
}

TemporaryFile::TemporaryFile() {
  const char *Folder = getenv("TMPDIR");
  Path = std::string(Folder ? Folder : "/tmp") + "/accx-report-XXXXXX";
  int File = mkstemp(Path.data());
  REQUIRE(File >= 0);
  close(File);
  unlink(Path.c_str());
}

TemporaryFile::~TemporaryFile() { unlink(Path.c_str()); }

std::vector<std::string> Child::errorLines(const std::string &Prefix) const {
  std::vector<std::string> Result;
  for (const std::string &Line : lines(Err))
    if (Line.rfind(Prefix, 0) == 0)
      Result.push_back(Line);
  return Result;
}

Child run(const std::string &Program, const std::vector<std::string> &Arguments,
          const std::map<std::string, std::string> &Variables) {
  std::vector<std::string> Texts = {Program};
  Texts.insert(Texts.end(), Arguments.begin(), Arguments.end());
  std::vector<char *> Argv;
  for (std::string &Text : Texts)
    Argv.push_back(Text.data());
  Argv.push_back(nullptr);

  std::vector<std::string> Settings;
  for (char **Variable = environ; *Variable; ++Variable)
    if (!ofRuntime(*Variable))
      Settings.push_back(*Variable);
  for (const auto &[Name, Value] : Variables)
    Settings.push_back(Name + "=" + Value);
  std::vector<char *> Envp;
  for (std::string &Text : Settings)
    Envp.push_back(Text.data());
  Envp.push_back(nullptr);

  TemporaryFile Out, Err;
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  // Appending, as a terminal or pipe would: lines of a process and of its
  // children must not overwrite each other.
  constexpr int Flags = O_WRONLY | O_CREAT | O_APPEND;
  posix_spawn_file_actions_addopen(&Files, 1, Out.path().c_str(), Flags, 0600);
  posix_spawn_file_actions_addopen(&Files, 2, Err.path().c_str(), Flags, 0600);
  pid_t Process = 0;
  int Failure = posix_spawn(&Process, Program.c_str(), &Files, nullptr,
                            Argv.data(), Envp.data());
  posix_spawn_file_actions_destroy(&Files);
  REQUIRE(Failure == 0);

  int Status = 0;
  REQUIRE(waitpid(Process, &Status, 0) == Process);
  Child Result;
  Result.Out = readFile(Out.path());
  Result.Err = readFile(Err.path());
  if (WIFEXITED(Status))
    Result.ExitCode = WEXITSTATUS(Status);
  if (WIFSIGNALED(Status))
    Result.Signal = WTERMSIG(Status);
  return Result;
}
