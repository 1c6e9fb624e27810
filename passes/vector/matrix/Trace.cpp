//===- Trace.cpp - What a nest of short loops computes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter of Trace.h.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Trace.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <optional>
#include <utility>

using namespace llvm;

namespace accx::vector {

/// 8x8x8 turns of some thirty instructions, and as many expressions.
static constexpr unsigned MostSteps = 32768;
static constexpr unsigned MostNodes = 4096;

void LinearForm::add(const LinearForm &Other, int64_t Factor) {
  Constant += Other.Constant * Factor;
  for (const Term &New : Other.Terms) {
    auto *Found = find_if(Terms, [&](const Term &Old) {
      return Old.Of == New.Of && Old.Extended == New.Extended;
    });
    if (Found == Terms.end()) {
      Terms.push_back({New.Of, New.Extended, New.Times * Factor});
      continue;
    }
    Found->Times += New.Times * Factor;
    if (Found->Times == 0)
      Terms.erase(Found);
  }
  // Sums of the same terms are equal in whatever order they were made.
  sort(Terms, [](const Term &X, const Term &Y) {
    return std::pair(X.Of, X.Extended) < std::pair(Y.Of, Y.Extended);
  });
}

namespace {
/// What is known of a value.
struct Known {
  enum KnownKind { Nothing, Number, Linear, Node };

  KnownKind Kind = Nothing;
  Constant *Fixed = nullptr;
  LinearForm Form;
  /// No part of the linear form wraps as a signed number.
  bool NoWrap = true;
  unsigned Index = 0;

  static Known number(Constant *C) {
    Known K;
    K.Kind = Number;
    K.Fixed = C;
    return K;
  }
  static Known node(unsigned Index) {
    Known K;
    K.Kind = Node;
    K.Index = Index;
    return K;
  }
};

class Tracer {
public:
  Tracer(Loop &L, MatrixTrace &Trace)
      : L(L), Trace(Trace), DL(L.getHeader()->getDataLayout()) {}

  StringRef run();

private:
  Known known(Value *V);
  Known outside(Value *V);
  std::optional<unsigned> nodeOf(Value *V);
  unsigned addNode(TraceNode Node);

  /// Sets Why where the instruction has no meaning here.
  Known execute(Instruction &I);
  Known executeLinear(Instruction &I);
  Known executePointer(GEPOperator &GEP);
  Known executeData(Instruction &I);
  Known executeLoad(LoadInst &Load);
  Known executeStore(StoreInst &Store);
  std::optional<Place> access(Instruction &I, Type *Ty);
  std::optional<bool> compare(ICmpInst &Compare);
  bool isIgnored(const Instruction &I);
  BasicBlock *next(BasicBlock *Block);
  void enter(BasicBlock *From, BasicBlock *To);
  StringRef finish(BasicBlock *From, BasicBlock *Exit);
  Known refuse(StringRef Reason) {
    if (Why.empty())
      Why = Reason;
    return {};
  }

  Loop &L;
  MatrixTrace &Trace;
  const DataLayout &DL;
  DenseMap<Value *, Known> Values;
  std::map<std::pair<Value *, std::vector<unsigned>>, unsigned> Interned;
  std::map<Place, unsigned> Elements;
  bool HasScopes = false;
  StringRef Why;
};
} // namespace

unsigned Tracer::addNode(TraceNode Node) {
  Trace.Nodes.push_back(std::move(Node));
  if (Trace.Nodes.size() > MostNodes)
    refuse("it computes too much");
  return unsigned(Trace.Nodes.size() - 1);
}

Known Tracer::outside(Value *V) {
  Known K;
  K.Kind = Known::Linear;
  if (V->getType()->isPointerTy()) {
    APInt Offset(DL.getIndexTypeSizeInBits(V->getType()), 0);
    K.Form.Root =
        V->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/
                                             true);
    K.Form.Constant = Offset.getSExtValue();
    return K;
  }
  if (auto *C = dyn_cast<Constant>(V))
    return Known::number(C);
  if (V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64) {
    K.Form.Terms.push_back({V, LinearForm::None, 1});
    return K;
  }
  auto [Found, New] = Interned.insert({{V, {}}, 0});
  if (New)
    Found->second =
        addNode({TraceNode::Outside, V->getType(), {}, V, nullptr, {}});
  return Known::node(Found->second);
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
  else if (K.Kind == Known::Linear && !K.Form.Root && !K.Form.Constant &&
           K.Form.Terms.size() == 1 && K.Form.Terms[0].Times == 1 &&
           K.Form.Terms[0].Extended == LinearForm::None)
    From = K.Form.Terms[0].Of;
  if (!From || From->getType() != V->getType())
    return std::nullopt;
  auto [Found, New] = Interned.insert({{From, {}}, 0});
  if (New)
    Found->second =
        addNode({TraceNode::Outside, V->getType(), {}, From, nullptr, {}});
  return Found->second;
}

static std::optional<int64_t> asInteger(const Known &K) {
  const auto *C =
      K.Kind == Known::Number ? dyn_cast<ConstantInt>(K.Fixed) : nullptr;
  if (!C || C->getBitWidth() > 64)
    return std::nullopt;
  return C->getSExtValue();
}

Known Tracer::executePointer(GEPOperator &GEP) {
  Known Sum = known(GEP.getPointerOperand());
  if (Sum.Kind != Known::Linear)
    return refuse("an address is not known");
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End;
       ++It) {
    Known Index = known(It.getOperand());
    std::optional<int64_t> Number = asInteger(Index);
    if (StructType *Struct = It.getStructTypeOrNull()) {
      Sum.Form.Constant +=
          DL.getStructLayout(Struct)->getElementOffset(unsigned(*Number));
      continue;
    }
    TypeSize Stride = It.getSequentialElementStride(DL);
    if (Stride.isScalable())
      return refuse("an address is not known");
    auto Step = int64_t(Stride.getFixedValue());
    if (Number) {
      Sum.Form.Constant += Step * *Number;
      continue;
    }
    if (Index.Kind != Known::Linear)
      return refuse("an address is not known");
    // An index is extended with its sign.
    if (It.getOperand()->getType()->getIntegerBitWidth() < 64) {
      if (!Index.NoWrap)
        return refuse("an index may wrap");
      for (LinearForm::Term &Term : Index.Form.Terms) {
        if (Term.Extended != LinearForm::None)
          return refuse("an address is not known");
        Term.Extended = LinearForm::Signed;
      }
    }
    Sum.Form.add(Index.Form, Step);
  }
  return Sum;
}

/// Integers that depend on what comes from outside.
Known Tracer::executeLinear(Instruction &I) {
  Known X = known(I.getOperand(0));
  auto *Wraps = dyn_cast<OverflowingBinaryOperator>(&I);
  auto Widen = [&](LinearForm::Extension Kind) {
    if (I.getType()->getIntegerBitWidth() != 64)
      return refuse("an address is not known");
    for (LinearForm::Term &Term : X.Form.Terms) {
      if (Term.Extended != LinearForm::None)
        return refuse("an address is not known");
      Term.Extended = Kind;
    }
    X.NoWrap = false;
    return X;
  };
  if (isa<SExtInst>(I) || (isa<ZExtInst>(I) && I.hasNonNeg()))
    return X.NoWrap ? Widen(LinearForm::Signed) : refuse("an index may wrap");
  if (isa<ZExtInst>(I)) {
    bool Plain = !X.Form.Constant && X.Form.Terms.size() == 1 &&
                 X.Form.Terms[0].Times == 1;
    return Plain ? Widen(LinearForm::Unsigned) : refuse("an index may wrap");
  }
  auto *Disjoint = dyn_cast<PossiblyDisjointInst>(&I);
  bool IsSum = I.getOpcode() == Instruction::Add ||
               I.getOpcode() == Instruction::Sub ||
               (Disjoint && Disjoint->isDisjoint());
  bool IsProduct =
      I.getOpcode() == Instruction::Mul || I.getOpcode() == Instruction::Shl;
  if (!IsSum && !IsProduct)
    return refuse("an address is not known");
  Known Y = known(I.getOperand(1));
  auto AsLinear = [](Known &K) {
    if (std::optional<int64_t> Number = asInteger(K)) {
      K.Kind = Known::Linear;
      K.Form.Constant = *Number;
    }
    return K.Kind == Known::Linear;
  };
  Known Result;
  Result.Kind = Known::Linear;
  Result.NoWrap =
      X.NoWrap && Y.NoWrap && (Disjoint || (Wraps && Wraps->hasNoSignedWrap()));
  if (IsSum) {
    if (!AsLinear(X) || !AsLinear(Y) || X.Form.Root || Y.Form.Root)
      return refuse("an address is not known");
    Result.Form = X.Form;
    Result.Form.add(Y.Form, I.getOpcode() == Instruction::Sub ? -1 : 1);
    return Result;
  }
  std::optional<int64_t> Times = asInteger(Y);
  if (!Times && I.getOpcode() == Instruction::Mul) {
    std::swap(X, Y);
    Times = asInteger(Y);
  }
  if (!Times || X.Kind != Known::Linear || X.Form.Root)
    return refuse("an address is not known");
  if (I.getOpcode() == Instruction::Shl) {
    if (*Times < 0 || *Times > 31)
      return refuse("an address is not known");
    Times = int64_t(1) << *Times;
  }
  if (*Times == 0)
    return Known::number(Constant::getNullValue(I.getType()));
  Result.Form.add(X.Form, *Times);
  return Result;
}

std::optional<Place> Tracer::access(Instruction &I, Type *Ty) {
  Known Address = known(getLoadStorePointerOperand(&I));
  if (Address.Kind != Known::Linear || !Address.Form.Root ||
      Address.Form.Root->getType()->getPointerAddressSpace() != 0) {
    refuse("an address is not known");
    return std::nullopt;
  }
  int64_t Offset = std::exchange(Address.Form.Constant, 0);
  auto Found = find_if(Trace.Arrays, [&](const TracedArray &Array) {
    return Array.Base.differsByConstant(Address.Form);
  });
  if (Found == Trace.Arrays.end()) {
    TracedArray New;
    New.Base = Address.Form;
    New.Element = Ty;
    New.Size = int64_t(DL.getTypeStoreSize(Ty).getFixedValue());
    New.Tags = I.getAAMetadata();
    Trace.Arrays.push_back(New);
    Found = std::prev(Trace.Arrays.end());
  }
  if (Found->Element != Ty) {
    refuse("an array is accessed by several types");
    return std::nullopt;
  }
  auto [Slot, New] = Found->Accesses.insert({Offset, {}});
  if (New) {
    Found->Tags = Found->Tags.merge(I.getAAMetadata());
    bool Overlaps = (Slot != Found->Accesses.begin() &&
                     std::prev(Slot)->first + Found->Size > Offset) ||
                    (std::next(Slot) != Found->Accesses.end() &&
                     Offset + Found->Size > std::next(Slot)->first);
    if (Overlaps) {
      refuse("elements of an array overlap");
      return std::nullopt;
    }
  }
  Slot->second.Alignment =
      std::max(Slot->second.Alignment, getLoadStoreAlignment(&I));
  (isa<StoreInst>(I) ? Slot->second.Written : Slot->second.Read) = true;
  return Place{unsigned(Found - Trace.Arrays.begin()), Offset};
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
      Y.Kind != Known::Linear || !X.Form.differsByConstant(Y.Form))
    return std::nullopt;
  return (X.Form.Constant == Y.Form.Constant) ==
         (Compare.getPredicate() == ICmpInst::ICMP_EQ);
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
    std::optional<int64_t> Condition = asInteger(known(Select->getCondition()));
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

bool Tracer::isIgnored(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  HasScopes |= isa<NoAliasScopeDeclInst>(Call);
  return isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(Call);
}

void Tracer::enter(BasicBlock *From, BasicBlock *To) {
  SmallVector<std::pair<PHINode *, Known>, 8> Taken;
  for (PHINode &Phi : To->phis())
    Taken.push_back({&Phi, known(Phi.getIncomingValueForBlock(From))});
  for (auto &[Phi, K] : Taken)
    Values[Phi] = std::move(K);
}

BasicBlock *Tracer::next(BasicBlock *Block) {
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  if (!Branch)
    return nullptr;
  if (Branch->isUnconditional())
    return Branch->getSuccessor(0);
  std::optional<int64_t> Condition = asInteger(known(Branch->getCondition()));
  return Condition ? Branch->getSuccessor(*Condition ? 0 : 1) : nullptr;
}

StringRef Tracer::finish(BasicBlock *From, BasicBlock *Exit) {
  Trace.From = From;
  Trace.Exit = Exit;
  for (PHINode &Phi : Exit->phis()) {
    Known K = known(Phi.getIncomingValueForBlock(From));
    TracedLiveOut Out{&Phi, nullptr, {}};
    if (K.Kind == Known::Number)
      Out.Fixed = K.Fixed;
    else if (K.Kind == Known::Linear && Phi.getType()->isPointerTy())
      Out.Linear = K.Form;
    else if (K.Kind == Known::Node &&
             Trace.Nodes[K.Index].Kind == TraceNode::Outside)
      Out.Fixed = Trace.Nodes[K.Index].From;
    else
      return "a value of the last iteration is used behind it";
    Trace.LiveOuts.push_back(std::move(Out));
  }
  // Scopes that begin with every iteration say nothing about all of them.
  if (HasScopes)
    for (TracedArray &Array : Trace.Arrays)
      Array.Tags.Scope = Array.Tags.NoAlias = nullptr;
  return {};
}

StringRef Tracer::run() {
  BasicBlock *From = L.getLoopPreheader(), *Block = L.getHeader();
  unsigned Steps = 0;
  while (L.contains(Block)) {
    enter(From, Block);
    for (Instruction &I : *Block) {
      if (isa<PHINode>(I) || I.isTerminator() || isIgnored(I))
        continue;
      if (++Steps > MostSteps)
        return "it takes too many steps";
      Values[&I] = execute(I);
      if (!Why.empty())
        return Why;
    }
    if (++Steps > MostSteps)
      return "it takes too many steps";
    From = Block;
    Block = next(Block);
    if (!Block)
      return "it decides by what is not known";
  }
  return finish(From, Block);
}

StringRef traceNest(Loop &L, MatrixTrace &Trace) {
  return Tracer(L, Trace).run();
}

} // namespace accx::vector
