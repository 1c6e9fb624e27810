//===- Output.cpp - Text that leaves in one piece -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack buffer for the usual line, the heap for a long one, one write(2).
//
//===----------------------------------------------------------------------===//

#include "support/Output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <unistd.h>

bool accx::writeBytes(int File, const char *Data, size_t Size) {
  const int SavedErrno = errno;
  bool Complete = true;
  while (Size > 0) {
    ssize_t Written = write(File, Data, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0) {
      Complete = false;
      break;
    }
    Data += Written;
    Size -= static_cast<size_t>(Written);
  }
  errno = SavedErrno;
  return Complete;
}

void accx::writeText(int File, std::string_view Prefix, LineEnd End,
                     const char *Format, va_list Args) {
  char Small[1024];
  std::unique_ptr<char[]> Large;
  char *Text = Small;

  va_list Again;
  va_copy(Again, Args);
  const size_t Room =
      Prefix.size() < sizeof(Small) - 2 ? sizeof(Small) - 1 - Prefix.size() : 0;
  int Needed =
      vsnprintf(Room ? Small + Prefix.size() : nullptr, Room, Format, Args);
  size_t Length = Needed < 0 ? 0 : static_cast<size_t>(Needed);
  if (Length + 1 > Room) {
    // One more byte for the newline, one for vsnprintf's terminator.
    Large.reset(new (std::nothrow) char[Prefix.size() + Length + 2]);
    if (Large) {
      Text = Large.get();
      vsnprintf(Text + Prefix.size(), Length + 1, Format, Again);
    } else {
      Length = Room ? Room - 1 : 0;
    }
  }
  va_end(Again);

  if (!Large && !Room)
    return;
  if (!Prefix.empty()) // Else there may be no pointer.
    memcpy(Text, Prefix.data(), Prefix.size());
  size_t Size = Prefix.size() + Length;
  if (End == LineEnd::IfMissing && (Size == 0 || Text[Size - 1] != '\n'))
    Text[Size++] = '\n';
  writeBytes(File, Text, Size);
}
