//===- LeafCode.cpp - Code that calls nothing -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LeafCode.h.
//
//===----------------------------------------------------------------------===//
//
// x86-64 instructions have no fixed length, and a decoder of all of them is a
// large thing to be right about. So no instruction is decoded: every offset is
// looked at as if an instruction, or its opcode after prefixes, began there.
// A real call or jump begins at one of them, so it cannot be missed; bytes that
// only look like one make a kernel take the slower path for nothing.
//
//===----------------------------------------------------------------------===//

#include "LeafCode.h"

#include <algorithm>
#include <cstring>
#include <link.h>

using namespace accx;
using namespace accx::host;

CodeRange host::codeAround(uintptr_t Address) {
  struct Search {
    uintptr_t Address;
    CodeRange Found;
  } S = {Address, {0, 0}};
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Data) {
        auto &S = *static_cast<Search *>(Data);
        CodeRange Hull = {UINTPTR_MAX, 0};
        bool Holds = false;
        for (int I = 0; I < Info->dlpi_phnum; ++I) {
          const auto &P = Info->dlpi_phdr[I];
          if (P.p_type != PT_LOAD || !(P.p_flags & PF_X))
            continue;
          const uintptr_t Begin = Info->dlpi_addr + P.p_vaddr;
          const CodeRange Segment = {Begin, Begin + P.p_memsz};
          Holds |= Segment.contains(S.Address);
          Hull = {std::min(Hull.Begin, Segment.Begin),
                  std::max(Hull.End, Segment.End)};
        }
        if (Holds)
          S.Found = Hull;
        return int(Holds);
      },
      &S);
  return S.Found;
}

#if defined(__x86_64__)

namespace {

class Scanner {
  std::span<const uint8_t> Code;
  CodeRange Own;
  CodeRange Text;

  template <typename T> bool read(size_t At, T &Value) const {
    if (At + sizeof(T) > Code.size())
      return false;
    std::memcpy(&Value, Code.data() + At, sizeof(T));
    return true;
  }

  /// Whether a branch with a displacement of type T at \p At leaves the
  /// function. One that the function's end cuts off is none.
  template <typename T> bool leaves(size_t At) const {
    T Displacement;
    if (!read(At, Displacement))
      return false;
    const uintptr_t Target = Own.Begin + At + sizeof(T) + Displacement;
    return !Own.contains(Target) && Text.contains(Target);
  }

public:
  Scanner(std::span<const uint8_t> Code, CodeRange Text)
      : Code(Code), Own{reinterpret_cast<uintptr_t>(Code.data()),
                        reinterpret_cast<uintptr_t>(Code.data()) + Code.size()},
        Text(Text) {}

  bool leavesAt(size_t At) const {
    const uint8_t Opcode = Code[At];
    // call, jmp
    if (Opcode == 0xe8 || Opcode == 0xe9)
      return leaves<int32_t>(At + 1);
    // jmp, jcc, loop and jrcxz with a short displacement
    if (Opcode == 0xeb || (Opcode & 0xf0) == 0x70 || (Opcode & 0xfc) == 0xe0)
      return leaves<int8_t>(At + 1);
    uint8_t Next;
    if (!read(At + 1, Next))
      return false;
    // jcc
    if (Opcode == 0x0f && (Next & 0xf0) == 0x80)
      return leaves<int32_t>(At + 2);
    // call and jmp through a register or memory
    if (Opcode == 0xff) {
      const unsigned Extension = (Next >> 3) & 7;
      return Extension >= 2 && Extension <= 5;
    }
    return false;
  }
};

} // namespace

bool host::callsNothing(std::span<const uint8_t> Function, CodeRange Text) {
  if (Function.empty())
    return false;
  const Scanner S(Function, Text);
  for (size_t At = 0; At < Function.size(); ++At)
    if (S.leavesAt(At))
      return false;
  // Control could run on behind the last byte; compilers end functions in ret,
  // a jump or a trap, and padding is not part of them.
  const uint8_t Last = Function.back();
  return Last == 0xc3;
}

#else

bool host::callsNothing(std::span<const uint8_t>, CodeRange) { return false; }

#endif
