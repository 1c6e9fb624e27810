//===- KernelParts.cpp - What a kernel does to its arguments --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the table field by field: an image may be damaged.
//
//===----------------------------------------------------------------------===//

#include "image/KernelParts.h"

#include <cstring>

using namespace accx;

namespace {

/// Takes objects off the front of bytes.
class Bytes {
  std::span<const char> Rest;

public:
  explicit Bytes(std::span<const char> All) : Rest(All) {}
  template <typename T> bool take(T &Into) {
    if (Rest.size() < sizeof(T))
      return false;
    std::memcpy(&Into, Rest.data(), sizeof(T));
    Rest = Rest.subspan(sizeof(T));
    return true;
  }
  bool empty() const { return Rest.empty(); }
};

Status invalid(const char *Field) {
  return Status(ErrorCode::Image,
                std::string("table of a kernel's arguments: bad ") + Field);
}

bool isArgument(uint32_t Word, uint32_t NumArgs) {
  const uint32_t Bits = Word >> 16 & 0xff;
  return (Word & 0xffff) < NumArgs && Bits >= 1 && Bits <= 64 &&
         Word >> 25 == 0;
}

bool takeTerms(Bytes &From, uint32_t Count, uint32_t NumArgs,
               std::vector<accx_parts_term> &Terms) {
  if (Count > ACCX_PARTS_MAX_TERMS)
    return false;
  Terms.resize(Count);
  for (accx_parts_term &T : Terms) {
    if (!From.take(T))
      return false;
    for (uint32_t Word : T.args)
      if (Word && !isArgument(Word, NumArgs))
        return false;
  }
  return true;
}

uint64_t valueOf(uint32_t Word, std::span<void *const> Args) {
  const size_t Number = Word & 0xffff;
  const unsigned Above = 64 - (Word >> 16 & 0xff);
  const uint64_t Raw =
      Number < Args.size() ? reinterpret_cast<uintptr_t>(Args[Number]) : 0;
  return Word >> 24 ? Raw << Above >> Above
                    : static_cast<uint64_t>(
                          static_cast<int64_t>(Raw << Above) >> Above);
}

int64_t sumOf(const std::vector<accx_parts_term> &Terms,
              std::span<void *const> Args) {
  uint64_t Sum = 0;
  for (const accx_parts_term &T : Terms) {
    auto Product = static_cast<uint64_t>(T.factor);
    for (uint32_t Word : T.args)
      if (Word)
        Product *= valueOf(Word, Args);
    Sum += Product;
  }
  return static_cast<int64_t>(Sum);
}

} // namespace

size_t KernelParts::totalBytes(std::span<const char> All) {
  accx_kernel_parts Header;
  return Bytes(All).take(Header) && Header.magic == ACCX_KERNEL_PARTS_MAGIC
             ? Header.total_bytes
             : 0;
}

Expected<KernelParts> KernelParts::parse(std::span<const char> All) {
  accx_kernel_parts Header;
  Bytes From(All);
  if (!From.take(Header))
    return invalid("size");
  if (Header.magic != ACCX_KERNEL_PARTS_MAGIC)
    return invalid("magic");
  if (Header.version != ACCX_KERNEL_PARTS_VERSION)
    return invalid("version");
  if (Header.total_bytes < sizeof(Header) || Header.total_bytes > All.size())
    return invalid("total_bytes");
  From =
      Bytes(All.subspan(sizeof(Header), Header.total_bytes - sizeof(Header)));
  if (Header.flags & ~(ACCX_PARTS_WRITES_LOADED | ACCX_PARTS_WRITES_UNKNOWN |
                       ACCX_PARTS_NO_LOOP))
    return invalid("flags");
  if (Header.num_args > ACCX_PARTS_MAX_ARGS)
    return invalid("num_args");
  const bool HasLoop = !(Header.flags & ACCX_PARTS_NO_LOOP);
  if (HasLoop ? Header.first_arg >= Header.num_args ||
                    Header.last_arg >= Header.num_args ||
                    Header.first_arg == Header.last_arg
              : Header.first_arg || Header.last_arg)
    return invalid("first_arg or last_arg");
  if (Header.num_accesses > (HasLoop ? ACCX_PARTS_MAX_ACCESSES : 0))
    return invalid("num_accesses");

  KernelParts P;
  P.First = Header.first_arg;
  P.Last = Header.last_arg;
  P.Flags = Header.flags;
  P.Uses.resize(Header.num_args);
  for (uint32_t I = 0; I < (Header.num_args + 7) / 8 * 8; ++I) {
    uint8_t Use = 0;
    if (!From.take(Use) ||
        Use & ~(ACCX_PARTS_READS | ACCX_PARTS_WRITES | ACCX_PARTS_ONCE |
                ACCX_PARTS_WALKS) ||
        (I >= Header.num_args && Use))
      return invalid("use of an argument");
    if (I < Header.num_args)
      P.Uses[I] = Use;
  }
  P.Accesses.resize(Header.num_accesses);
  for (Access &A : P.Accesses) {
    accx_parts_access Raw;
    if (!From.take(Raw) || Raw.arg >= Header.num_args || Raw.flags > 1)
      return invalid("access");
    A.Arg = Raw.arg;
    A.IsWrite = Raw.flags != 0;
    if (!takeTerms(From, Raw.num_start, Header.num_args, A.Start) ||
        !takeTerms(From, Raw.num_step, Header.num_args, A.Step))
      return invalid("term");
  }
  if (!From.empty())
    return invalid("end");
  return P;
}

KernelParts::Place KernelParts::evaluate(const Access &A,
                                         std::span<void *const> Args) {
  return {sumOf(A.Start, Args), sumOf(A.Step, Args)};
}
