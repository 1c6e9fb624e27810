//===- Plan.cpp - How a nest will run across lanes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides for each instruction of a worker whether all lanes repeat it or lane
// 0 does it alone, and how many lanes a nest gets. It is where a nest is
// refused.
//
//===----------------------------------------------------------------------===//

#include "lanes/Plan.h"

#include "affine/Polynomial.h"
#include "gpu/Exchange.h"
#include "ir/Remark.h"
#include "lanes/Calls.h"
#include "lanes/Marks.h"
#include "lanes/OwnSums.h"
#include "lanes/Variables.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool>
    AllSimd("accx-simt-lanes-all", cl::init(false), cl::Hidden,
            cl::desc("Run all simd loops below threads across lanes, whatever "
                     "their accesses"));

namespace accx::lanes {

namespace {

class Planner {
  Plan &P;
  const DominatorTree &DT;
  Variables Owners;
  /// The steps with which lanes add to sums of their own.
  SmallPtrSet<const Instruction *, 8> OwnSteps;

public:
  Planner(Plan &P, const DominatorTree &DT) : P(P), DT(DT) {}

  Refusal run() {
    if (Refusal R = checkExit(); R != Refusal::None)
      return R;
    if (Refusal R = Owners.classify(P.N, DT); R != Refusal::None)
      return R;
    findOwnSums(P.N, DT, OwnSteps);
    for (const VectorLoop &V : P.N.Vectors)
      if (Refusal R = checkLanes(*V.L); R != Refusal::None)
        return R;
    for (BasicBlock *Block : P.N.W.L->blocks())
      if (!P.N.vectorOf(*Block))
        if (Refusal R = planBlock(*Block); R != Refusal::None)
          return R;
    return collectOutside();
  }

private:
  enum class Duty : uint8_t { Repeat, Guard, Refuse };

  Refusal checkExit() const;
  Refusal checkLanes(const Loop &L) const;
  Duty dutyOf(const Instruction &I) const;
  Duty dutyOfCall(const CallBase &Call) const;
  Refusal planBlock(BasicBlock &Block);
  bool mayJoin(const Instruction &I) const;
  Refusal collectOutside();
  bool isSameInTeam(const Value *V, unsigned Depth = 0) const;
};

} // namespace

SmallPtrSet<const Instruction *, 16> guardedIn(const Group &G) {
  SmallPtrSet<const Instruction *, 16> Guarded;
  for (const Instruction &I :
       make_range(G.First->getIterator(), std::next(G.Last->getIterator()))) {
    const bool Moves = !I.mayReadOrWriteMemory() && !isa<CallBase>(I) &&
                       none_of(I.operands(), [&](const Value *Operand) {
                         const auto *From = dyn_cast<Instruction>(Operand);
                         return From && Guarded.count(From);
                       });
    if (!Moves)
      Guarded.insert(&I);
  }
  return Guarded;
}

/// After the loop there are values of its header only.
Refusal Planner::checkExit() const {
  const Loop &L = *P.N.W.L;
  const BasicBlock *Exit = L.getExitBlock();
  if (!Exit)
    return Refusal::WorkerLoopForm;
  for (const PHINode &Phi : Exit->phis()) {
    const auto *From = dyn_cast<Instruction>(Phi.getIncomingValue(0));
    if (Phi.use_empty() || !From || !L.contains(From))
      continue;
    if (!isa<PHINode>(From) || From->getParent() != L.getHeader() ||
        From == P.N.W.Counter)
      return Refusal::WorkerLoopForm;
  }
  // Other users of the thread's number decide which thread has the last
  // iteration.
  for (const Value *V : {P.N.W.Start, P.N.W.Step})
    if (P.N.W.IsGrid && any_of(V->users(), [&](const User *U) {
          return U != P.N.W.Counter && U != P.N.W.Next;
        }))
      return Refusal::LastPrivate;
  return Refusal::None;
}

/// Memory that is some other lane's cannot be reached.
Refusal Planner::checkLanes(const Loop &L) const {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        if (!mayRunAlone(*Call))
          return Refusal::LoopCall;
        if (isa<DbgInfoIntrinsic>(I) || Call->isLifetimeStartOrEnd())
          continue;
        for (const Value *Argument : Call->args())
          if (Argument->getType()->isPointerTy() &&
              Owners.mayBeFirsts(Argument))
            return Refusal::Escaped;
        continue;
      }
      const Value *Pointer = getLoadStorePointerOperand(&I);
      if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
        Pointer = Update->getPointerOperand();
      else if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
        Pointer = Swap->getPointerOperand();
      if (Pointer && Owners.mayBeFirsts(Pointer))
        return Refusal::Escaped;
    }
  return Refusal::None;
}

Planner::Duty Planner::dutyOfCall(const CallBase &Call) const {
  if (asNote(const_cast<CallBase *>(&Call), "accx.lanes."))
    return Duty::Repeat;
  if (isa<DbgInfoIntrinsic>(Call) || Call.isLifetimeStartOrEnd())
    return Duty::Repeat;
  if (!isa<CallInst>(Call) || !mayRunAlone(Call))
    return Duty::Refuse;
  if (const auto *Copy = dyn_cast<MemIntrinsic>(&Call)) {
    const auto *Transfer = dyn_cast<MemTransferInst>(Copy);
    const bool Own = Owners.isOwnedBy(Copy->getDest(), Owner::Everyone) &&
                     !Copy->isVolatile();
    if (!Own)
      return Duty::Guard;
    return Transfer && Owners.mayBeFirsts(Transfer->getSource()) ? Duty::Refuse
                                                                 : Duty::Repeat;
  }
  const bool TouchesFirsts = any_of(Call.args(), [&](const Value *Argument) {
    return Argument->getType()->isPointerTy() && Owners.mayBeFirsts(Argument);
  });
  return isRepeatable(Call) && !TouchesFirsts ? Duty::Repeat : Duty::Guard;
}

Planner::Duty Planner::dutyOf(const Instruction &I) const {
  if (OwnSteps.contains(&I))
    return Duty::Repeat;
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return dutyOfCall(*Call);
  if (I.isTerminator())
    return isa<BranchInst, SwitchInst>(I) ? Duty::Repeat : Duty::Refuse;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && !Owners.mayBeFirsts(Load->getPointerOperand())
               ? Duty::Repeat
               : Duty::Guard;
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() &&
                   Owners.isOwnedBy(Store->getPointerOperand(), Owner::Everyone)
               ? Duty::Repeat
               : Duty::Guard;
  // Its address is one's own.
  if (isa<AllocaInst>(I))
    return Duty::Refuse;
  return I.mayReadOrWriteMemory() ? Duty::Guard : Duty::Repeat;
}

/// Whether \p I, which all lanes may execute, may be left to lane 0 as well.
bool Planner::mayJoin(const Instruction &I) const {
  if (OwnSteps.contains(&I))
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (Call ? Call->isLifetimeStartOrEnd() || !isRepeatable(*Call)
           : I.mayWriteToMemory())
    return false;
  return I.getType()->isVoidTy() || gpu::Exchange::supports(I.getType());
}

Refusal Planner::planBlock(BasicBlock &Block) {
  Group Open;
  // Instructions since the open group's last may join it.
  bool Joins = false;
  const auto Close = [&] {
    if (Open.First)
      P.Groups.push_back(Open);
    Open = Group();
  };
  for (Instruction &I : Block) {
    const Duty D = dutyOf(I);
    if (D == Duty::Refuse)
      return isa<CallBase>(I) ? Refusal::WorkerCall : Refusal::WorkerCode;
    if (D == Duty::Repeat) {
      Joins = Joins && mayJoin(I);
      continue;
    }
    if (!I.getType()->isVoidTy() && !I.use_empty() &&
        !gpu::Exchange::supports(I.getType()))
      return Refusal::WorkerCode;
    if (!Joins)
      Close();
    if (!Open.First)
      Open.First = &I;
    Open.Last = &I;
    const Value *Pointer = getLoadStorePointerOperand(&I);
    Open.IsShared |=
        !Pointer || !isa<AllocaInst>(getUnderlyingObject(Pointer, 0));
    Joins = true;
  }
  Close();
  return Refusal::None;
}

/// Whether all threads of a team compute the same for \p V, which is defined
/// before the loop.
bool Planner::isSameInTeam(const Value *V, unsigned Depth) const {
  if (isa<Constant>(V))
    return true;
  // Threads' numbers come first.
  if (const auto *A = dyn_cast<Argument>(V))
    return A->getArgNo() >= 2;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 12)
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    const auto *From =
        dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand(), 0));
    if (!From || From->getArgNo() < 2 || !Load->isSimple())
      return false;
  } else if (!isa<CastInst, BinaryOperator, CmpInst, SelectInst,
                  GetElementPtrInst, UnaryOperator>(I)) {
    const auto *Known = dyn_cast<IntrinsicInst>(I);
    if (!Known || !Known->doesNotAccessMemory() || !isRepeatable(*Known))
      return false;
  }
  return all_of(I->operands(), [&](const Value *Operand) {
    return isSameInTeam(Operand, Depth + 1);
  });
}

Refusal Planner::collectOutside() {
  SmallSetVector<Value *, 8> Found;
  const Loop &L = *P.N.W.L;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      for (Value *Operand : I.operands()) {
        if (&I == P.N.W.Counter || &I == P.N.W.Next ||
            isa<BasicBlock, MetadataAsValue, InlineAsm>(Operand) ||
            isa<AllocaInst>(Operand) || isSameInTeam(Operand))
          continue;
        auto *From = dyn_cast<Instruction>(Operand);
        if (From && L.contains(From))
          continue;
        // Addresses within local variables are each thread's own.
        if (Operand->getType()->isPointerTy() &&
            isa<AllocaInst>(getUnderlyingObject(Operand, 0))) {
          const auto *Place = dyn_cast<GetElementPtrInst>(Operand);
          if (!Place || !isa<AllocaInst>(Place->getPointerOperand()) ||
              !Place->hasAllConstantIndices())
            return Refusal::WorkerCode;
          continue;
        }
        if (!gpu::Exchange::supports(Operand->getType()))
          return Refusal::WorkerCode;
        Found.insert(Operand);
      }
  P.FromOutside.assign(Found.begin(), Found.end());
  return Refusal::None;
}

/// Whether \p V is the same in all iterations of \p L, as far as it matters for
/// speed: what captured variables hold is loaded anew each time.
static bool isSteady(const Value *V, const Loop &L) {
  const auto *Load = dyn_cast<LoadInst>(V);
  return L.isLoopInvariant(V) ||
         (Load && L.isLoopInvariant(Load->getPointerOperand()));
}

/// By how many bytes \p Pointer moves from one iteration of \p V to the next.
/// Narrow indices may wrap for all that is known, which does not matter here.
static std::optional<int64_t> stepOf(Value *Pointer, const VectorLoop &V) {
  using affine::Atoms;
  using affine::Polynomial;
  const auto IsFixed = [&](const Value &A) { return isSteady(&A, *V.L); };
  Atoms Values(
      Type::getInt64Ty(Pointer->getContext()),
      [&](Value &A, Atoms::Extension How) -> std::optional<Polynomial> {
        if (IsFixed(A))
          return Values.atom(&A, Atoms::Extension::None);
        if (How == Atoms::Extension::None && !isa<TruncInst>(A))
          return std::nullopt;
        return Values.expand(offload::stripExtensions(&A),
                             Atoms::Extension::None);
      });
  Polynomial Bytes;
  const Value *Base = Values.ofAddress(Pointer, Bytes);
  if (!Base || !IsFixed(*Base))
    return std::nullopt;
  Values.take(Bytes, IsFixed);
  if (Bytes.empty())
    return 0;
  const auto &[Factors, Step] = *Bytes.begin();
  if (Bytes.size() > 1 || Factors.size() > 1 ||
      Values[Factors.front()].V != V.Counter)
    return std::nullopt;
  return int64_t(Step);
}

/// Whether neighbouring iterations of \p V mostly touch neighbouring memory.
static bool isContiguous(const VectorLoop &V) {
  const DataLayout &Layout = V.Counter->getModule()->getDataLayout();
  unsigned Next = 0;
  unsigned Far = 0;
  for (BasicBlock *Block : V.L->blocks())
    for (Instruction &I : *Block) {
      Value *Pointer = getLoadStorePointerOperand(&I);
      if (!Pointer || isa<AllocaInst>(getUnderlyingObject(Pointer, 0)))
        continue;
      const auto Step = stepOf(Pointer, V);
      if (Step == 0)
        continue;
      const int64_t Near =
          2 *
          static_cast<int64_t>(
              Layout.getTypeStoreSize(getLoadStoreType(&I)).getFixedValue());
      if (Step && *Step >= -Near && *Step <= Near)
        ++Next;
      else
        ++Far;
    }
  return Next > Far;
}

static unsigned lanesFor(const VectorLoop &V, ScalarEvolution &SE) {
  constexpr unsigned Most = gpu::WarpLanes;
  if (V.Length != LengthUnknown && V.Length != LengthOfPlainSimd)
    return std::min<unsigned>(bit_floor(V.Length), Most);
  // The header is no iteration.
  const auto *Count = dyn_cast<SCEVConstant>(SE.getBackedgeTakenCount(V.L));
  const uint64_t Trip = Count ? Count->getAPInt().getLimitedValue(Most) : Most;
  return Trip ? std::min<unsigned>(PowerOf2Ceil(Trip), Most) : 1;
}

Refusal Plan::make(const DominatorTree &DT, ScalarEvolution &SE) {
  Lanes = 1;
  bool Asked = false;
  for (const VectorLoop &V : N.Vectors) {
    Lanes = std::max(Lanes, lanesFor(V, SE));
    Asked |= V.Length != LengthOfPlainSimd;
  }
  // The program did not ask for lanes, so they come only where they are likely
  // to be faster.
  if (!Asked && !AllSimd &&
      (Lanes < 8 ||
       any_of(
           N.Vectors, [&](const VectorLoop &V) { return !isContiguous(V); })))
    return Refusal::Strided;
  Lanes = std::max(Lanes, 2u);
  LeastTrip = Asked || AllSimd ? 0 : Lanes / 2;
  return Planner(*this, DT).run();
}

void Plan::print(raw_ostream &OS) const {
  OS << "workers of the " << (N.W.IsGrid ? "grid" : "team") << " have ";
  if (Wide)
    OS << (MayJoin ? "lanes of several blocks" : "lanes of a block");
  else
    OS << Lanes << " lanes";
  OS << ", " << ir::Counted(FromOutside.size(), "value")
     << " handed out; lane 0 alone: " << ir::Counted(Groups.size(), "piece")
     << " of code, "
     << count_if(Groups, [](const Group &G) { return G.IsShared; })
     << " with memory of others";
  for (const VectorLoop &V : N.Vectors) {
    OS << "; vector loop with "
       << ir::Counted(V.Reductions.size(), "reduction");
    if (V.isApart())
      OS << " by lanes";
    if (V.Writes)
      OS << ", writes";
  }
  if (LeastTrip)
    OS << "; from " << ir::Counted(LeastTrip, "iteration") << " on";
}

} // namespace accx::lanes
