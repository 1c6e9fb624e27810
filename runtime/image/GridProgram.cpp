//===- GridProgram.cpp - Blocks of several dimensions ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GridProgram.h.
//
//===----------------------------------------------------------------------===//

#include "image/GridProgram.h"

#include "accx/kernel_desc.h"

#include <algorithm>
#include <cstring>
#include <string>

using namespace accx;

namespace {

unsigned operationOf(uint64_t Word) { return Word & 0xff; }
uint32_t numberOf(uint64_t Word) { return static_cast<uint32_t>(Word >> 32); }

Status invalid(size_t At, const char *Why) {
  return Status(ErrorCode::Image,
                "grid program, word " + std::to_string(At) + ": " + Why);
}

uint64_t extend(uint64_t V, unsigned Bits, bool IsSigned) {
  const unsigned Above = 64 - Bits;
  return IsSigned
             ? static_cast<uint64_t>(static_cast<int64_t>(V << Above) >> Above)
             : V << Above >> Above;
}

/// False: there is no result.
bool combine(unsigned Operation, uint64_t &Left, uint64_t Right) {
  const auto Signed = static_cast<int64_t>(Right);
  switch (Operation) {
  case ACCX_GRID_ADD:
    Left += Right;
    return true;
  case ACCX_GRID_SUB:
    Left -= Right;
    return true;
  case ACCX_GRID_MUL:
    Left *= Right;
    return true;
  case ACCX_GRID_UDIV:
    Left = Right ? Left / Right : 0;
    return Right != 0;
  default:
    // The least number has no negative.
    if (Signed == 0 || Signed == -1)
      return false;
    Left = static_cast<uint64_t>(static_cast<int64_t>(Left) / Signed);
    return true;
  }
}

} // namespace

Expected<GridProgram> GridProgram::parse(std::span<const char> Bytes) {
  GridProgram P;
  if (Bytes.size() % sizeof(uint64_t))
    return invalid(Bytes.size() / sizeof(uint64_t), "is not whole");
  P.Words.resize(Bytes.size() / sizeof(uint64_t));
  std::memcpy(P.Words.data(), Bytes.data(), Bytes.size());
  unsigned Depth = 0, Dims = 0;
  for (size_t At = 0; At < P.Words.size(); ++At) {
    const uint32_t Number = numberOf(P.Words[At]);
    unsigned Needed = 0, Left = 0;
    switch (operationOf(P.Words[At])) {
    case ACCX_GRID_CONSTANT:
      if (++At == P.Words.size())
        return invalid(At, "the constant is missing");
      Left = 1;
      break;
    case ACCX_GRID_ARGUMENT:
      Left = 1;
      break;
    case ACCX_GRID_ZERO_EXTEND:
    case ACCX_GRID_SIGN_EXTEND:
      if (Number < 1 || Number > 64)
        return invalid(At, "not a number of bits");
      Needed = Left = 1;
      break;
    case ACCX_GRID_ADD:
    case ACCX_GRID_SUB:
    case ACCX_GRID_MUL:
    case ACCX_GRID_UDIV:
    case ACCX_GRID_SDIV:
      Needed = 2;
      Left = 1;
      break;
    case ACCX_GRID_INNER:
      Needed = 1;
      Dims += Number != 0;
      break;
    case ACCX_GRID_OUTER:
      if (!Number || At + 1 != P.Words.size() || Depth || ++Dims > MaxDims)
        return invalid(At, "not the end of at most three dimensions");
      return P;
    default:
      return invalid(At, "an operation this runtime does not know");
    }
    if (Depth < Needed || Depth - Needed + Left > ACCX_GRID_MAX_STACK)
      return invalid(At, "the stack has too few numbers, or too many");
    Depth += Left - Needed;
  }
  return invalid(P.Words.size(), "no end");
}

bool GridProgram::evaluate(uint64_t TripCount, std::span<void *const> Arguments,
                           Dimension (&Result)[MaxDims]) const {
  uint64_t Stack[ACCX_GRID_MAX_STACK], Rest = TripCount;
  unsigned Depth = 0, Dims = 0;
  for (size_t At = 0; At < Words.size(); ++At) {
    const unsigned Operation = operationOf(Words[At]);
    const uint32_t Number = numberOf(Words[At]);
    switch (Operation) {
    case ACCX_GRID_CONSTANT:
      Stack[Depth++] = Words[++At];
      break;
    case ACCX_GRID_ARGUMENT:
      if (Number >= Arguments.size())
        return false;
      Stack[Depth++] = reinterpret_cast<uintptr_t>(Arguments[Number]);
      break;
    case ACCX_GRID_ZERO_EXTEND:
    case ACCX_GRID_SIGN_EXTEND:
      Stack[Depth - 1] =
          extend(Stack[Depth - 1], Number, Operation == ACCX_GRID_SIGN_EXTEND);
      break;
    case ACCX_GRID_INNER: {
      const uint64_t Count = Stack[--Depth];
      if (!Count || Rest % Count)
        return false;
      Rest /= Count;
      if (Number)
        Result[Dims++] = {Count, Number};
      break;
    }
    case ACCX_GRID_OUTER:
      Result[Dims++] = {Rest, Number};
      break;
    default:
      --Depth;
      if (!combine(Operation, Stack[Depth - 1], Stack[Depth]))
        return false;
    }
  }
  return true;
}

bool GridProgram::blocks(uint64_t TripCount, uint64_t MaxX,
                         std::span<void *const> Arguments,
                         uint32_t Grid[MaxDims]) const {
  Dimension Dimensions[MaxDims];
  if (!evaluate(TripCount, Arguments, Dimensions))
    return false;
  const uint64_t Widest =
      std::min<uint64_t>(MaxX ? MaxX : UINT32_MAX, UINT32_MAX);
  for (unsigned D = 0; D < MaxDims; ++D)
    Grid[D] = static_cast<uint32_t>(std::clamp<uint64_t>(
        Dimensions[D].blocks(), 1, D == 0 ? Widest : MaxOuter));
  return true;
}
