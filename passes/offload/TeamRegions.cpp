//===- TeamRegions.cpp - Gangs whose threads run them together ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The general form of a nest (TeamNest.h): a gang's iteration is any code with
// parallel regions in it, such as
//
//     largest = ...                    a row's maximum
//     region: reduces into largest
//     sum = 0                          and its sum
//     region: reads largest, reduces into sum
//     region: reads both, writes the row
//
// All threads of a group, at most a block, run the gang's code together, as
// one thread would:
//
//   - what computes and loads: each; so values, branches and loops are the same
//     in all of them
//   - a variable of the gang that regions only read: each has its own
//   - other variables: one for the group, in shared memory
//   - what writes these, or other memory: the first thread alone
//   - a region: each calls it
//
// A team without a distribute loop is one such iteration. Regions that are any
// code, with barriers of their own, need a block for a group; what one does to
// variables counts as done by all threads.
//
// The threads meet where one may read or write what another has written, or
// write what another has read, since they met last. Memory that is no variable
// of the gang counts as one object; so do variables whose addresses get away.
//
//===----------------------------------------------------------------------===//

#include "offload/TeamNest.h"

#include "offload/DeviceCalls.h"
#include "offload/RegionVariables.h"
#include "offload/TeamEffects.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace llvm;

namespace accx::offload {

namespace {

/// Objects, a bit each. The first one is all that is no variable of the gang,
/// or one whose address gets away.
using Objects = uint32_t;
constexpr Objects Foreign = 1;
constexpr unsigned MaxObjects = 32;

/// Who reads and writes what: all threads, or the first one alone.
struct Access {
  Objects ReadByAll = 0;
  Objects ReadByFirst = 0;
  Objects WrittenByAll = 0;
  Objects WrittenByFirst = 0;

  bool any() const {
    return ReadByAll | ReadByFirst | WrittenByAll | WrittenByFirst;
  }
  /// Whether the threads have to meet between \p Before and this.
  bool conflictsWith(const Access &Before) const {
    const Objects Written = Before.WrittenByAll | Before.WrittenByFirst;
    const Objects Any = Written | Before.ReadByAll | Before.ReadByFirst;
    return (ReadByAll & Written) | (ReadByFirst & Before.WrittenByAll) |
           (WrittenByAll & Any) |
           (WrittenByFirst & (Before.ReadByAll | Before.WrittenByAll));
  }
  bool add(const Access &Other) {
    const Access Old = *this;
    ReadByAll |= Other.ReadByAll;
    ReadByFirst |= Other.ReadByFirst;
    WrittenByAll |= Other.WrittenByAll;
    WrittenByFirst |= Other.WrittenByFirst;
    return Old.ReadByAll != ReadByAll || Old.ReadByFirst != ReadByFirst ||
           Old.WrittenByAll != WrittenByAll ||
           Old.WrittenByFirst != WrittenByFirst;
  }
};

class TogetherMatcher {
  TeamNest &N;
  Function &F;
  const DominatorTree &DT;
  /// The uses of variables by region, in the order of N.Regions.
  SmallVector<RegionVariables, 2> UsesOf;
  SmallVector<Access, 2> RegionAccess;
  DenseMap<const Instruction *, unsigned> RegionOf;
  SmallVector<CallInst *, 8> Variables;
  SmallPtrSet<const CallInst *, 8> Escaped;
  /// The bit of what is not each thread's own.
  DenseMap<const Instruction *, Objects> SharedAs;
  DenseMap<const Instruction *, Access> Accesses;

public:
  TogetherMatcher(TeamNest &N, TeamNest::TreesOf Trees)
      : N(N), F(*N.Part->F), DT(Trees(F)) {}

  NestRefusal check(TeamNest::TreesOf Trees);

private:
  NestRefusal checkRegion(unsigned Number, const DominatorTree &Body);
  NestRefusal checkVariable(Instruction &Variable, CallInst *Allocation);
  NestRefusal shareVariables();
  NestRefusal checkCode();
  NestRefusal checkInstruction(Instruction &I);
  NestRefusal checkCall(CallBase &Call);
  void addSingle(Instruction &I, Access What);
  void gatherOperands(NestSingle &Single, Access &What);
  void findMeetings();

  /// The bits of what \p Pointer points to; 0: each thread's own.
  Objects objectOf(Value *Pointer) const;
  /// Only the reduction over teams, and what follows it.
  bool isEnd(const Instruction &I) const {
    return N.OverTeams && (&I == N.OverTeams || DT.dominates(N.OverTeams, &I) ||
                           calledName(I) == FixedBuffer);
  }
};

} // namespace

Objects TogetherMatcher::objectOf(Value *Pointer) const {
  Value *Object = originOf(getUnderlyingObject(Pointer, 0));
  Object = getUnderlyingObject(Object, 0);
  if (const auto *Call = dyn_cast<CallInst>(Object);
      Call && calledName(*Call) == AllocShared)
    return SharedAs.lookup(Call);
  return isOwn(Pointer) ? 0 : Foreign;
}

NestRefusal TogetherMatcher::checkRegion(unsigned Number,
                                         const DominatorTree &Body) {
  NestRegion &R = N.Regions[Number];
  RegionVariables &Variables = UsesOf[Number];
  Access &What = RegionAccess[Number];
  if (NestRefusal Why = Variables.read(R, Body, N.Plan->isSpmd());
      Why != NestRefusal::None)
    return Why;
  // Clang gives each thread its own of what the team has one of.
  if (N.Plan->isSpmd() && any_of(Variables.Uses, [](const auto &Each) {
        return isa<AllocaInst>(Each.first) && Each.second.any();
      }))
    return NestRefusal::GangVariable;
  N.Reduces |= R.Reduces;
  N.RegionWrites |= Variables.WritesOther;
  What.ReadByAll = Foreign;
  What.WrittenByAll = Variables.WritesOther ? Foreign : 0;
  What.WrittenByFirst = Variables.EndWritesOther ? Foreign : 0;
  return NestRefusal::None;
}

/// Finds the addresses that get away in the gang's own code.
NestRefusal TogetherMatcher::checkVariable(Instruction &Variable,
                                           CallInst *Allocation) {
  if (Allocation)
    Variables.push_back(Allocation);
  SmallVector<Value *, 8> Pointers{&Variable};
  while (!Pointers.empty()) {
    Value *Pointer = Pointers.pop_back_val();
    for (Use &U : Pointer->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst>(I)) {
        Pointers.push_back(I);
        continue;
      }
      if (isa<LoadInst, MemIntrinsic>(I) || isEnd(*I))
        continue;
      if (const auto *Store = dyn_cast<StoreInst>(I)) {
        if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
          continue;
        const auto *Into = dyn_cast<AllocaInst>(
            getUnderlyingObject(Store->getPointerOperand(), 0));
        if ((Allocation || N.Plan->isSpmd()) && Pointer == &Variable && Into &&
            isListed(N, *Into))
          continue;
      }
      const StringRef Callee = calledName(*I);
      if (isMarker(*I) || Callee == FreeShared ||
          Callee.starts_with(DistributeInit))
        continue;
      if (!Allocation)
        return NestRefusal::GangVariable;
      Escaped.insert(Allocation);
    }
  }
  return NestRefusal::None;
}

/// Makes variables that regions write, or whose addresses get away, common to
/// the group.
NestRefusal TogetherMatcher::shareVariables() {
  // Of 48 KB the device runtime may take 4, and reductions 2.
  const uint64_t MaxBytes = (N.isOfBlocks() ? 40 : 24) << 10;
  // What is larger than this is no value, though each thread had its own.
  constexpr uint64_t MaxOwnBytes = 64;
  uint64_t Bytes = 0;
  Objects Next = Foreign << 1;
  unsigned Count = 1;
  for (CallInst *V : Variables) {
    bool IsShared = Escaped.contains(V);
    bool Escapes = IsShared;
    for (const RegionVariables &Region : UsesOf) {
      const VariableUse Use = Region.Uses.lookup(V);
      IsShared |= Use.any();
      Escapes |= Use.Escapes || Use.EscapesAtEnd;
    }
    const auto Size = static_cast<uint64_t>(*constantArgument(*V, 0));
    IsShared |= N.isOfBlocks() && Size > MaxOwnBytes;
    if (!IsShared) {
      N.Allocations.push_back(V);
      continue;
    }
    const bool IsForeign = Escapes || ++Count > MaxObjects;
    SharedAs[V] = IsForeign ? Foreign : Next;
    if (!IsForeign)
      Next <<= 1;
    N.Shared.push_back({V, Size});
    Bytes += alignTo(Size, 16);
    N.SharesOutside |= any_of(V->users(), [&](const User *U) {
      const auto *I = cast<Instruction>(U);
      return calledName(*I) != FreeShared && !N.isInLoop(*I) &&
             !I->isLifetimeStartOrEnd();
    });
  }
  if (Bytes > MaxBytes)
    return NestRefusal::SharedMemory;
  for (unsigned Number = 0; Number < N.Regions.size(); ++Number) {
    NestRegion &R = N.Regions[Number];
    // Where an address is known to others, they may write.
    erase_if(R.ReadOnly, [&](const auto &Each) {
      Value *V =
          capturedValue(*R.Region->Call, Each.first - parallel::FirstCaptured);
      return SharedAs.lookup(cast<CallInst>(V)) == Foreign;
    });
    for (const auto &[V, U] : UsesOf[Number].Uses) {
      Access &What = RegionAccess[Number];
      const Objects O = SharedAs.lookup(V);
      What.ReadByAll |= U.IsReduced ? 0 : O;
      What.WrittenByAll |= U.IsWritten || U.Escapes || U.EscapesAtEnd ? O : 0;
      What.ReadByFirst |= U.IsReduced ? O : 0;
      What.WrittenByFirst |= U.IsReduced ? O : 0;
    }
  }
  return NestRefusal::None;
}

/// Gathers values that only \p Single uses and that can be computed right
/// before it. Then only one thread reads what they load.
void TogetherMatcher::gatherOperands(NestSingle &Single, Access &What) {
  SmallPtrSet<const Instruction *, 8> Needed{Single.I};
  Access Added;
  const Instruction *Here = Single.I;
  while ((Here = Here->getPrevNode())) {
    auto *I = const_cast<Instruction *>(Here);
    if (I->isDebugOrPseudoInst())
      continue;
    if (isa<PHINode>(I))
      break;
    const bool IsNeeded = I->hasOneUse() &&
                          Needed.contains(cast<Instruction>(I->user_back())) &&
                          !I->getType()->isVoidTy();
    if (I->mayWriteToMemory() || (!IsNeeded && isa<CallBase>(I)))
      break;
    if (!IsNeeded || isa<CallBase>(I) || isa<AllocaInst>(I))
      continue;
    Needed.insert(I);
    Single.Operands.push_back(I);
    if (const auto Found = Accesses.find(I); Found != Accesses.end()) {
      Added.ReadByFirst |= Found->second.ReadByAll;
      Accesses.erase(Found);
    }
  }
  std::reverse(Single.Operands.begin(), Single.Operands.end());
  What.add(Added);
}

void TogetherMatcher::addSingle(Instruction &I, Access What) {
  NestSingle &Single = N.Singles.emplace_back();
  Single.I = &I;
  Single.InLoop = N.isInLoop(I);
  gatherOperands(Single, What);
  // The operands move down to it, so that they meet where it does.
  Accesses[&I] = What;
}

NestRefusal TogetherMatcher::checkCall(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  const StringRef Name = calledName(Call);
  const auto Refused =
      N.isInLoop(Call) ? NestRefusal::Before : NestRefusal::Outside;
  if (!N.isInLoop(Call) || !Callee || !Call.use_empty() ||
      isa<IntrinsicInst>(Call) || Callee->isDeclaration() ||
      Name.starts_with("__kmpc_") || Name.starts_with("omp_") ||
      observationsOf(*Callee) != ObservesNothing)
    return Refused;
  addSingle(Call, {0, Foreign, 0, Foreign});
  return NestRefusal::None;
}

NestRefusal TogetherMatcher::checkInstruction(Instruction &I) {
  const bool InLoop = N.isInLoop(I);
  const auto Refused = InLoop ? NestRefusal::Before : NestRefusal::Outside;
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    const Objects O = objectOf(I.getOperand(0));
    if (O && !Load->isSimple())
      return Refused;
    if (O)
      Accesses[&I].ReadByAll = O;
    return effectOf(I) == Effect::Other ? Refused : NestRefusal::None;
  }
  Objects From = 0;
  Objects Into = 0;
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Into = objectOf(Store->getPointerOperand());
  } else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I)) {
    Into = From = objectOf(Atomic->getPointerOperand());
    if (!Into || !I.use_empty())
      return Refused;
  } else if (auto *Copy = dyn_cast<MemIntrinsic>(&I)) {
    Into = objectOf(Copy->getRawDest());
    if (auto *Transfer = dyn_cast<MemTransferInst>(Copy))
      From = objectOf(Transfer->getRawSource());
    if (Copy->isVolatile())
      return Refused;
  } else {
    const Effect E = effectOf(I);
    if (E == Effect::None || (N.isOfBlocks() && isAnswered(calledName(I)) &&
                              calledName(I).starts_with("omp_get_")))
      return NestRefusal::None;
    if (auto *Call = dyn_cast<CallBase>(&I))
      return checkCall(*Call);
    return Refused;
  }
  if (!Into) {
    if (From)
      Accesses[&I].ReadByAll = From;
    return effectOf(I) == Effect::Other ? Refused : NestRefusal::None;
  }
  if (!InLoop && ((Into | From) & Foreign))
    return NestRefusal::Outside;
  addSingle(I, {0, From, 0, Into});
  return NestRefusal::None;
}

NestRefusal TogetherMatcher::checkCode() {
  for (Instruction &I : instructions(F)) {
    if (RegionOf.contains(&I) || isEnd(I))
      continue;
    if (const auto *Store = dyn_cast<StoreInst>(&I)) {
      // Lists of what is captured.
      const auto *Into = dyn_cast<AllocaInst>(
          getUnderlyingObject(Store->getPointerOperand(), 0));
      if (Into && isListed(N, *Into))
        continue;
    }
    if (NestRefusal R = checkInstruction(I); R != NestRefusal::None)
      return R;
  }
  return NestRefusal::None;
}

/// Propagates forward what was done since the threads last met, until nothing
/// changes. A place where they have to meet stays one.
void TogetherMatcher::findMeetings() {
  SmallPtrSet<const Instruction *, 8> Meet;
  const auto AccessOf = [&](const Instruction &I) {
    const auto Region = RegionOf.find(&I);
    return Region == RegionOf.end() ? Accesses.lookup(&I)
                                    : RegionAccess[Region->second];
  };
  DenseMap<const BasicBlock *, Access> Incoming;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock &Block : F) {
      Access Now = Incoming.lookup(&Block);
      for (Instruction &I : Block) {
        const Access What = AccessOf(I);
        if (!What.any())
          continue;
        if (What.conflictsWith(Now) && Meet.insert(&I).second) {
          N.Meetings.push_back({&I, N.isInLoop(I)});
          Changed = true;
        }
        if (Meet.contains(&I))
          Now = {};
        Now.add(What);
      }
      for (const BasicBlock *Next : successors(&Block))
        Changed |= Incoming[Next].add(Now);
    }
  }
}

NestRefusal TogetherMatcher::check(TeamNest::TreesOf Trees) {
  N.IsTogether = true;
  N.HasAfter = false;
  UsesOf.resize(N.Regions.size());
  RegionAccess.resize(N.Regions.size());
  for (unsigned Number = 0; Number < N.Regions.size(); ++Number) {
    const ParallelRegion &Region = *N.Regions[Number].Region;
    RegionOf[Region.Call] = Number;
    if (NestRefusal R = checkRegion(Number, Trees(*Region.Body));
        R != NestRefusal::None)
      return R;
  }
  if (N.Gangs && isa<PHINode>(N.Gangs->Latch->front()))
    return NestRefusal::After;
  // Memory that the kernel lends its team would become each thread's own.
  for (Value *Argument : drop_begin(cast<CallInst>(F.user_back())->args(),
                                    parallel::FirstCaptured))
    if (Argument->getType()->isPointerTy() && isOwn(Argument))
      return NestRefusal::Outside;
  const auto Check = [&](Instruction &Variable, CallInst *Allocation) {
    return checkVariable(Variable, Allocation);
  };
  if (NestRefusal R = checkVariables(N, Check); R != NestRefusal::None)
    return R;
  if (NestRefusal R = shareVariables(); R != NestRefusal::None)
    return R;
  if (NestRefusal R = checkCode(); R != NestRefusal::None)
    return R;
  // The first thread's variables are those of its block.
  if (N.OverTeams)
    for (const auto &[V, O] : SharedAs)
      Accesses[N.OverTeams].ReadByFirst |= O;
  findMeetings();
  // These two blocks are left as they are.
  const auto IsControl = [&](const Instruction *I) {
    return N.Gangs && (I->getParent() == N.Gangs->Latch ||
                       I->getParent() == N.Gangs->Header);
  };
  if (any_of(RegionOf, [&](const auto &R) { return IsControl(R.first); }) ||
      any_of(N.Singles, [&](const auto &S) { return IsControl(S.I); }) ||
      any_of(N.Meetings, [&](const auto &M) { return IsControl(M.I); }))
    return NestRefusal::After;
  return NestRefusal::None;
}

NestRefusal matchTogether(TeamNest &N, TeamNest::TreesOf Trees) {
  return TogetherMatcher(N, Trees).check(Trees);
}

} // namespace accx::offload
