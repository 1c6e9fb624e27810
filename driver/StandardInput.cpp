//===- StandardInput.cpp - Source that comes through a pipe ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StandardInput.h.
//
//===----------------------------------------------------------------------===//

#include "StandardInput.h"
#include "CommandLine.h"
#include "Message.h"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace accx::driver {

static void write(int File, std::string_view Text) {
  while (!Text.empty()) {
    const ssize_t Count = ::write(File, Text.data(), Text.size());
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      fail(std::string("cannot keep standard input: ") + std::strerror(errno));
    Text.remove_prefix(static_cast<size_t>(Count));
  }
}

void spoolStandardInput(CommandLine &Line) {
  const Input *In = Line.standardInput();
  // Without -x Clang takes standard input for nothing but -E, and says so.
  if (!In || In->Language.empty() || Line.Last < Phase::Syntax ||
      !Line.HasOpenMp ||
      (In->Kind != InputKind::Source && In->Kind != InputKind::Preprocessed))
    return;
  // Not closed on exec: Clang reads it through /proc/self/fd.
  const int File = memfd_create("stdin", 0);
  if (File < 0)
    fail(std::string("cannot keep standard input: ") + std::strerror(errno));
  // What messages and __FILE__ call it.
  write(File, "# 1 \"<stdin>\"\n");
  char Buffer[1 << 16];
  for (;;) {
    const ssize_t Count = read(STDIN_FILENO, Buffer, sizeof Buffer);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      fail(std::string("cannot read standard input: ") + std::strerror(errno));
    if (Count == 0)
      break;
    write(File, {Buffer, static_cast<size_t>(Count)});
  }
  Line.Arguments[In->Index] = "/proc/self/fd/" + std::to_string(File);
  // Clang names outputs after inputs.
  if (Line.HasOutput)
    return;
  if (Line.Last == Phase::Object)
    Line.Arguments.insert(Line.Arguments.begin(), {"-o", "-.o"});
  else if (Line.Last == Phase::Assembly)
    Line.Arguments.insert(Line.Arguments.begin(), {"-o", "-.s"});
}

} // namespace accx::driver
