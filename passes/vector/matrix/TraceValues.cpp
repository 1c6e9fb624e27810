//===- TraceValues.cpp - What a traced nest's instructions yield ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers, and expressions over the elements of arrays; see Trace.h.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Tracer.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace accx::vector {

/// As many expressions as 8x8x8 turns may make.
static constexpr unsigned MostNodes = 4096;

unsigned Tracer::addNode(TraceNode Node) {
  Trace.Nodes.push_back(std::move(Node));
  if (Trace.Nodes.size() > MostNodes)
    refuse("it computes too much");
  return unsigned(Trace.Nodes.size() - 1);
}

unsigned Tracer::outsideNode(Value *V) {
  auto [Found, New] = Interned.insert({{V, {}}, 0});
  if (New)
    Found->second =
        addNode({TraceNode::Outside, V->getType(), {}, V, nullptr, {}});
  return Found->second;
}

Known Tracer::outside(Value *V) {
  if (V->getType()->isPointerTy()) {
    APInt Offset(DL.getIndexTypeSizeInBits(V->getType()), 0);
    Value *Root = V->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    Known K =
        Known::linear(Trace.Atoms.constant(uint64_t(Offset.getSExtValue())));
    K.Form.Root = Root;
    return K;
  }
  if (auto *C = dyn_cast<Constant>(V))
    return Known::number(C);
  if (V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64)
    return Known::linear(Trace.Atoms.atom(V, affine::Atoms::Extension::None));
  return Known::node(outsideNode(V));
}

Known Tracer::known(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return outside(V);
  auto Found = Values.find(I);
  return Found == Values.end() ? Known() : Found->second;
}

/// The value as an operand of what is computed from memory.
std::optional<unsigned> Tracer::nodeOf(Value *V) {
  Known K = known(V);
  if (K.Kind == Known::Node)
    return K.Index;
  Value *From = nullptr;
  if (K.Kind == Known::Number)
    From = K.Fixed;
  else if (K.Kind == Known::Linear && !K.Form.Root)
    From = Trace.Atoms.single(K.Form.Sum);
  if (!From || From->getType() != V->getType())
    return std::nullopt;
  return outsideNode(From);
}

static bool isElement(const Type *Ty) {
  return Ty->isFloatTy() || Ty->isDoubleTy() || Ty->isIntegerTy(32) ||
         Ty->isIntegerTy(64);
}

Known Tracer::executeLoad(LoadInst &Load) {
  Type *Ty = Load.getType();
  if (!Load.isSimple())
    return refuse("it has a volatile or atomic access");
  if (!isElement(Ty))
    return refuse("its elements are not of 32 or 64 bits");
  std::optional<Place> At = access(Load, Ty);
  if (!At)
    return {};
  if (auto Found = Trace.Stored.find(*At); Found != Trace.Stored.end())
    return Known::node(Found->second);
  auto [Found, New] = Elements.insert({*At, 0});
  if (New)
    Found->second =
        addNode({TraceNode::Element, Ty, *At, nullptr, nullptr, {}});
  return Known::node(Found->second);
}

Known Tracer::executeStore(StoreInst &Store) {
  if (!Store.isSimple())
    return refuse("it has a volatile or atomic access");
  if (!isElement(Store.getValueOperand()->getType()))
    return refuse("its elements are not of 32 or 64 bits");
  std::optional<unsigned> Value = nodeOf(Store.getValueOperand());
  if (!Value)
    return refuse("it stores what is not computed from memory");
  std::optional<Place> At = access(Store, Store.getValueOperand()->getType());
  if (!At)
    return {};
  Trace.Arrays[At->Array].Written = true;
  Trace.Stored[*At] = *Value;
  return {};
}

static bool isData(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FNeg:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    return true;
  case Instruction::Call:
    if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
      return Call->getIntrinsicID() == Intrinsic::fmuladd ||
             Call->getIntrinsicID() == Intrinsic::fma;
    return false;
  default:
    return false;
  }
}

/// Whether adding \p Node changes nothing.
static bool isZero(const TraceNode &Node, const Instruction &Addition) {
  if (Node.Kind != TraceNode::Outside)
    return false;
  if (const auto *C = dyn_cast<ConstantFP>(Node.From))
    return C->isZero() && (C->isNegative() || Addition.hasNoSignedZeros());
  const auto *C = dyn_cast<ConstantInt>(Node.From);
  return C && C->isZero();
}

Known Tracer::executeData(Instruction &I) {
  if (!isData(I) || !isElement(I.getType()))
    return refuse("it computes what is no part of a product");
  TraceNode New = {TraceNode::Operation, I.getType(), {}, nullptr, &I, {}};
  unsigned Count =
      isa<CallBase>(I) ? cast<CallBase>(I).arg_size() : I.getNumOperands();
  for (unsigned Index = 0; Index < Count; ++Index) {
    std::optional<unsigned> Operand = nodeOf(I.getOperand(Index));
    if (!Operand)
      return refuse("it computes with what is not known");
    New.Operands.push_back(*Operand);
  }
  if (I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::Add)
    for (unsigned Index : {0u, 1u})
      if (isZero(Trace.Nodes[New.Operands[Index]], I))
        return Known::node(New.Operands[1 - Index]);
  std::vector<unsigned> Key(New.Operands.begin(), New.Operands.end());
  auto [Found, IsNew] = Interned.insert({{&I, std::move(Key)}, 0});
  if (IsNew)
    Found->second = addNode(std::move(New));
  return Known::node(Found->second);
}

std::optional<bool> Tracer::compare(ICmpInst &Compare) {
  Known X = known(Compare.getOperand(0)), Y = known(Compare.getOperand(1));
  if (!Compare.isEquality() || X.Kind != Known::Linear ||
      Y.Kind != Known::Linear || X.Form.Root != Y.Form.Root)
    return std::nullopt;
  affine::Polynomial Apart = X.Form.Sum;
  Trace.Atoms.add(Apart, Y.Form.Sum, ~uint64_t(0));
  const uint64_t Fixed = Apart[{}];
  if (Apart.size() > 1)
    return std::nullopt;
  // Forms have 64 bits, whatever wraps in the program's type.
  const TypeSize Bits = DL.getTypeSizeInBits(Compare.getOperand(0)->getType());
  const bool IsSame = !(Fixed & maskTrailingOnes<uint64_t>(unsigned(Bits)));
  return IsSame == (Compare.getPredicate() == ICmpInst::ICMP_EQ);
}

Known Tracer::execute(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return executeLoad(*Load);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return executeStore(*Store);
  if (auto *GEP = dyn_cast<GEPOperator>(&I); GEP && !I.getType()->isVectorTy())
    return executePointer(*GEP);
  if (I.mayReadOrWriteMemory() || I.mayThrow() || !I.willReturn())
    return refuse("it has a call or another effect on memory");

  SmallVector<Constant *, 4> Numbers;
  bool HasNode = false, HasLinear = false;
  for (Value *Operand : I.operands()) {
    if (isa<Function>(Operand))
      continue;
    Known K = known(Operand);
    HasNode |= K.Kind == Known::Node;
    HasLinear |= K.Kind == Known::Linear;
    if (K.Kind == Known::Number)
      Numbers.push_back(K.Fixed);
  }
  if (!HasNode && !HasLinear && Numbers.size() == I.getNumOperands() &&
      !isa<CallBase>(I)) {
    Constant *Folded = ConstantFoldInstOperands(&I, Numbers, DL);
    return Folded ? Known::number(Folded)
                  : refuse("it computes what is not known");
  }
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    std::optional<int64_t> Condition =
        known(Select->getCondition()).asInteger();
    if (!Condition)
      return refuse("it decides by what is not known");
    return known(*Condition ? Select->getTrueValue() : Select->getFalseValue());
  }
  if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
    std::optional<bool> Holds = compare(*Compare);
    return Holds ? Known::number(ConstantInt::getBool(I.getType(), *Holds))
                 : refuse("it decides by what is not known");
  }
  if (HasLinear && !HasNode && I.getType()->isIntegerTy() &&
      I.getType()->getIntegerBitWidth() <= 64)
    return executeLinear(I);
  return executeData(I);
}

} // namespace accx::vector
