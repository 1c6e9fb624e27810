//===- Pieces.cpp - What threads hand to each other -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits types into pieces that fit a register. It knows layouts only.
//
//===----------------------------------------------------------------------===//

#include "reduce/Pieces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"

#include <algorithm>

using namespace llvm;

namespace accx::reduce {

namespace {

class Splitter {
  const DataLayout &Layout;
  const uint64_t MaxSize;

public:
  SmallVector<Piece, 8> Result;

  Splitter(const DataLayout &Layout, uint64_t MaxSize)
      : Layout(Layout), MaxSize(MaxSize) {}

  void split(unsigned Variable, uint64_t Offset, Type *T);

private:
  uint64_t sizeOf(Type *T) const {
    return Layout.getTypeAllocSize(T).getFixedValue();
  }
  /// Whether a register holds all bits of memory of that type.
  bool isRegister(Type *T) const {
    return (T->isIntegerTy() || T->isFloatingPointTy() || T->isPointerTy()) &&
           Layout.getTypeSizeInBits(T) == sizeOf(T) * 8 &&
           isPowerOf2_64(sizeOf(T)) && sizeOf(T) <= MaxSize;
  }
  /// Whether \p T is all floating point, as complex numbers are. Other
  /// structures may be unions inside.
  bool isAllFloats(Type *T) const {
    const auto *Struct = dyn_cast<StructType>(T);
    return Struct ? all_of(Struct->elements(),
                           [&](Type *E) { return isAllFloats(E); })
                  : T->isFloatingPointTy();
  }
  void add(unsigned Variable, uint64_t Offset, Type *T, uint64_t Count,
           bool IsBytes);
};

} // namespace

void Splitter::add(unsigned Variable, uint64_t Offset, Type *T, uint64_t Count,
                   bool IsBytes) {
  if (Count > MaxSplitElements) {
    Result.push_back({Variable, Offset, T, sizeOf(T), Count, IsBytes});
    return;
  }
  for (uint64_t I = 0; I < Count; ++I)
    Result.push_back(
        {Variable, Offset + I * sizeOf(T), T, sizeOf(T), 1, IsBytes});
}

void Splitter::split(unsigned Variable, uint64_t Offset, Type *T) {
  uint64_t Count = 1;
  Type *Element = T;
  while (auto *Array = dyn_cast<ArrayType>(Element)) {
    Count *= Array->getNumElements();
    Element = Array->getElementType();
  }
  if (isRegister(Element)) {
    add(Variable, Offset, Element, Count, /*IsBytes=*/false);
    return;
  }
  if (auto *Struct = dyn_cast<StructType>(Element);
      Struct && isAllFloats(Struct) &&
      Count * Struct->getNumElements() <= MaxSplitElements) {
    for (uint64_t I = 0; I < Count; ++I)
      for (unsigned E = 0; E < Struct->getNumElements(); ++E)
        split(Variable,
              Offset + I * sizeOf(Struct) +
                  Layout.getStructLayout(Struct)->getElementOffset(E),
              Struct->getElementType(E));
    return;
  }
  const uint64_t Size = std::min(MaxSize, Layout.getABITypeAlign(T).value());
  add(Variable, Offset, IntegerType::get(T->getContext(), Size * 8),
      sizeOf(T) / Size, /*IsBytes=*/true);
}

SmallVector<Piece, 8> splitIntoPieces(ArrayRef<Type *> Types,
                                      const DataLayout &Layout,
                                      uint64_t MaxSize) {
  Splitter S(Layout, MaxSize);
  for (unsigned I = 0; I < Types.size(); ++I)
    S.split(I, 0, Types[I]);
  return std::move(S.Result);
}

} // namespace accx::reduce
