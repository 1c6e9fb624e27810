//===- PointerList.cpp - Lists of pointers --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes and writes accesses to the slots of a list.
//
//===----------------------------------------------------------------------===//

#include "offload/PointerList.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace accx::offload {

std::optional<uint64_t> slotOf(const Value *Pointer, const Value *List,
                               const DataLayout &Layout) {
  APInt Offset(64, 0);
  if (Pointer->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true) != List ||
      Offset.urem(Layout.getPointerSize()))
    return std::nullopt;
  return Offset.getZExtValue() / Layout.getPointerSize();
}

void forEachSlot(Function &F, const Value *List,
                 function_ref<void(StoreInst &, uint64_t)> Visit) {
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (const auto Index =
              slotOf(Store->getPointerOperand(), List, F.getDataLayout()))
        Visit(*Store, *Index);
}

Value *slotAt(IRBuilderBase &B, Value *List, uint64_t Index) {
  return B.CreateConstInBoundsGEP1_64(B.getPtrTy(), List, Index);
}

Value *loadSlot(IRBuilderBase &B, Value *List, uint64_t Index, Type *T) {
  return B.CreateLoad(T ? T : B.getPtrTy(), slotAt(B, List, Index));
}

} // namespace accx::offload
