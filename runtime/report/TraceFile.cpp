//===- TraceFile.cpp - Name and lock of the trace file --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TraceFile.h. The lock is flock(2)'s, which ends with the process.
//
//===----------------------------------------------------------------------===//

#include "report/TraceFile.h"

#include "report/Report.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace accx;

namespace {

std::string fileName(const std::string &Pattern, int Process) {
  std::string Result;
  for (size_t I = 0; I < Pattern.size(); ++I) {
    if (Pattern.compare(I, 2, "%p") == 0) {
      Result += std::to_string(Process);
      ++I;
    } else {
      Result += Pattern[I];
    }
  }
  return Result;
}

/// "trace.json" becomes "trace.<process>.json".
std::string ownName(const std::string &Name, int Process) {
  const size_t Slash = Name.rfind('/');
  size_t Dot = Name.rfind('.');
  const size_t First = Slash == std::string::npos ? 0 : Slash + 1;
  if (Dot == std::string::npos || Dot <= First)
    Dot = Name.size();
  return Name.substr(0, Dot) + "." + std::to_string(Process) + Name.substr(Dot);
}

int openForWriting(const std::string &Name) {
  // Not blocking: nobody may read a pipe of this name.
  return open(Name.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
}

} // namespace

int accx::openTraceFile(const std::string &Pattern, int Process,
                        std::string &Name) {
  Name = fileName(Pattern, Process);
  int File = openForWriting(Name);
  if (File >= 0 && flock(File, LOCK_EX | LOCK_NB) != 0 &&
      errno == EWOULDBLOCK) {
    const std::string Taken = Name;
    Name = ownName(Name, Process);
    message("ACCX_TRACE: another process writes '%s'; this one writes '%s' "
            "(%%p in the name becomes the process id)",
            Taken.c_str(), Name.c_str());
    close(File);
    File = openForWriting(Name);
  }
  if (File < 0) {
    error("ACCX_TRACE: cannot open '%s': %s; nothing is recorded", Name.c_str(),
          strerror(errno));
    return -1;
  }
  struct stat Info;
  if (fstat(File, &Info) == 0 && S_ISREG(Info.st_mode) &&
      ftruncate(File, 0) == 0)
    return File;
  error("ACCX_TRACE: '%s' is not a regular file; nothing is recorded",
        Name.c_str());
  close(File);
  return -1;
}
