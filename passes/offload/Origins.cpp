//===- Origins.cpp - What a kernel's values come from ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks from uses to definitions, from arguments to calls.
//
//===----------------------------------------------------------------------===//

#include "offload/Origins.h"

#include "offload/DeviceCalls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace accx::offload {

namespace {

/// __kmpc_fork_call(ident, count, outlined, ...), and that of teams.
constexpr StringRef Forks[] = {"__kmpc_fork_call", "__kmpc_fork_teams"};
enum : unsigned { ForkBody = 2, ForkArgs = 3 };

/// At most this many values are looked at for one answer.
constexpr unsigned MaxSteps = 256;

bool isFork(const CallBase &Call) {
  return is_contained(Forks, calledName(Call));
}

/// What each call hands over as argument \p A of an outlined function. False
/// if there is a use of the function that does not say.
bool actualsOf(const Argument &A, SmallVectorImpl<Value *> &Actuals) {
  const Function &F = *A.getParent();
  // Callers elsewhere call it for other kernels.
  bool All = true;
  for (const Use &U : F.uses()) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call) {
      All = false;
      continue;
    }
    if (Call->isCallee(&U)) {
      Actuals.push_back(Call->getArgOperand(A.getArgNo()));
      continue;
    }
    const unsigned Own = A.getArgNo() - parallel::FirstCaptured;
    Value *Found = nullptr;
    if (A.getArgNo() < parallel::FirstCaptured)
      ;
    else if (isFork(*Call) && U.getOperandNo() == ForkBody &&
             ForkArgs + Own < Call->arg_size())
      Found = Call->getArgOperand(ForkArgs + Own);
    else if (calledName(*Call) == Parallel &&
             U.getOperandNo() == parallel::Body)
      Found = capturedValue(*cast<CallInst>(Call), Own);
    if (Found)
      Actuals.push_back(Found);
    else
      All = false;
  }
  return All && !Actuals.empty();
}

bool isTeamMemory(const Value &V) {
  const unsigned Space = V.getType()->getPointerAddressSpace();
  return Space == 3 || Space == 5;
}

/// Memory that belongs to the kernel itself.
bool isLocalMemory(const Value &V) {
  if (isa<AllocaInst>(V))
    return true;
  if (const auto *G = dyn_cast<GlobalVariable>(&V))
    return isTeamMemory(*G) || G->isThreadLocal();
  const auto *I = dyn_cast<Instruction>(&V);
  return I && (calledName(*I) == AllocShared || calledName(*I) == "malloc");
}

Value *withoutCasts(Value *V) {
  while (auto *O = dyn_cast<Operator>(V)) {
    if (!Instruction::isCast(O->getOpcode()))
      break;
    V = O->getOperand(0);
  }
  return V;
}

/// All values that any code with its address stores in the local memory
/// \p Local. False if there may be more.
class Stores {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<Value *, 16> Worklist;

  bool visitCall(const CallBase &Call, const Use &U) {
    if (const auto *Known = dyn_cast<IntrinsicInst>(&Call))
      return Known->isLifetimeStartOrEnd() || Known->onlyReadsMemory() ||
             isa<AssumeInst, DbgInfoIntrinsic>(Known);
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || !Call.isArgOperand(&U))
      return false;
    unsigned Arg = Call.getArgOperandNo(&U);
    if (isFork(Call) && Arg >= ForkArgs) {
      Callee = dyn_cast<Function>(Call.getArgOperand(ForkBody));
      Arg = Arg - ForkArgs + parallel::FirstCaptured;
    }
    if (!Callee)
      return false;
    // The runtime does not store the program's pointers.
    if (Callee->isDeclaration())
      return Callee->getName().starts_with("__kmpc_") || Call.onlyReadsMemory();
    if (Arg >= Callee->arg_size())
      return false;
    Worklist.push_back(Callee->getArg(Arg));
    return true;
  }

  /// The address is one of the captured variables of a parallel region.
  bool visitCapture(const StoreInst &Store) {
    const Value *Block = Store.getPointerOperand()->stripInBoundsOffsets();
    for (const User *U : Block->users()) {
      const auto *Call = dyn_cast<CallInst>(U);
      if (!Call || calledName(*Call) != Parallel)
        continue;
      auto *Body = dyn_cast<Function>(
          Call->getArgOperand(parallel::Body)->stripPointerCasts());
      if (!Body)
        return false;
      for (unsigned I = parallel::FirstCaptured; I < Body->arg_size(); ++I)
        if (capturedValue(*Call, I - parallel::FirstCaptured) ==
            Store.getValueOperand()) {
          Worklist.push_back(Body->getArg(I));
          return true;
        }
    }
    return false;
  }

public:
  SmallSetVector<Value *, 4> Values;

  bool find(Value &Local) {
    Worklist.push_back(&Local);
    while (!Worklist.empty()) {
      Value *V = Worklist.pop_back_val();
      if (!Seen.insert(V).second)
        continue;
      if (Seen.size() > MaxSteps)
        return false;
      for (const Use &U : V->uses()) {
        User *By = U.getUser();
        if (isa<LoadInst, ICmpInst>(By))
          continue;
        if (auto *Store = dyn_cast<StoreInst>(By)) {
          if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
            Values.insert(Store->getValueOperand());
          else if (!visitCapture(*Store))
            return false;
        } else if (isa<GEPOperator>(By) || isa<CastInst>(By) ||
                   isa<AddrSpaceCastOperator>(By) || isa<PHINode>(By)) {
          Worklist.push_back(By);
        } else if (auto *Call = dyn_cast<CallBase>(By)) {
          if (!visitCall(*Call, U))
            return false;
        } else {
          return false;
        }
      }
    }
    return true;
  }
};

class PointerWalk {
  SmallPtrSet<Value *, 16> Seen;
  SmallVector<Value *, 16> Worklist;
  PointerOrigins Result;

  /// A pointer that was loaded from what \p From points to.
  void visitLoaded(Value *From) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(From, Objects, nullptr, 0);
    for (const Value *Object : Objects) {
      auto *V = withoutCasts(const_cast<Value *>(Object));
      if (isLocalMemory(*V)) {
        Stores All;
        if (!All.find(*V))
          Result.Unknown = true;
        Worklist.append(All.Values.begin(), All.Values.end());
        continue;
      }
      auto *A = dyn_cast<Argument>(V);
      if (!A) {
        Result.Unknown = true;
      } else if (isKernelEntry(*A->getParent())) {
        // The launch environment's memory is the runtime's.
        Result.Loaded |= A->getArgNo() != 0;
      } else {
        SmallVector<Value *, 4> Actuals;
        if (!actualsOf(*A, Actuals) || Seen.size() > MaxSteps)
          Result.Unknown = true;
        for (Value *Actual : Actuals)
          if (LoadedFrom.insert(Actual).second)
            visitLoaded(Actual);
      }
    }
  }
  SmallPtrSet<Value *, 8> LoadedFrom;

  void visit(Value *V) {
    V = withoutCasts(V);
    if (isa<Constant>(V) && !isa<GlobalValue>(V) && !isa<ConstantExpr>(V))
      return;
    if (isLocalMemory(*V))
      return;
    if (auto *G = dyn_cast<GlobalVariable>(V)) {
      Result.Unknown |= !isRuntimes(*G);
    } else if (auto *A = dyn_cast<Argument>(V)) {
      if (isKernelEntry(*A->getParent())) {
        if (A->getType()->isPointerTy() || A->getType()->isIntegerTy(64))
          Result.Args.insert(A);
        return;
      }
      SmallVector<Value *, 4> Actuals;
      if (!actualsOf(*A, Actuals))
        Result.Unknown = true;
      Worklist.append(Actuals.begin(), Actuals.end());
    } else if (auto *Load = dyn_cast<LoadInst>(V)) {
      visitLoaded(Load->getPointerOperand());
    } else if (isa<GlobalAlias>(V) || !isa<Constant>(V)) {
      Result.Unknown = true;
    }
  }

  /// Variables of the device runtime, by their names, and constants. A
  /// program's own static variables are internal as well.
  static bool isRuntimes(const GlobalVariable &G) {
    const StringRef Name = G.getName();
    return G.isConstant() || Name.contains("__kmpc_") ||
           Name.contains("4ompx") || Name.starts_with("__omp_rtl") ||
           Name.starts_with("_openmp_");
  }

public:
  PointerOrigins run(Value *Pointer) {
    Worklist.push_back(Pointer);
    while (!Worklist.empty() && !Result.Unknown) {
      SmallVector<const Value *, 4> Objects;
      getUnderlyingObjects(Worklist.pop_back_val(), Objects, nullptr, 0);
      for (const Value *Object : Objects)
        if (auto *V = const_cast<Value *>(Object); Seen.insert(V).second)
          visit(V);
      if (Seen.size() > MaxSteps)
        Result.Unknown = true;
    }
    return Result;
  }
};

} // namespace

bool isKernelEntry(const Function &F) {
  return F.getName().starts_with("__omp_offloading_") && !F.hasLocalLinkage();
}

SmallVector<Function *, 8> functionsOf(Function &Kernel) {
  SmallSetVector<Function *, 8> All;
  All.insert(&Kernel);
  for (unsigned I = 0; I < All.size(); ++I)
    for (Instruction &Inst : instructions(*All[I])) {
      auto *Call = dyn_cast<CallBase>(&Inst);
      if (!Call)
        continue;
      if (Function *F = Call->getCalledFunction(); F && !F->isDeclaration())
        All.insert(F);
      const bool Runs = isFork(*Call) || calledName(*Call) == Parallel;
      if (!Runs)
        continue;
      const unsigned Body =
          isFork(*Call) ? unsigned(ForkBody) : unsigned(parallel::Body);
      if (auto *F = dyn_cast<Function>(
              Call->getArgOperand(Body)->stripPointerCasts()))
        All.insert(F);
    }
  return All.takeVector();
}

PointerOrigins originsOf(Value *Pointer) { return PointerWalk().run(Pointer); }

SmallVector<Value *, 2> storedIn(Value *Pointer) {
  SmallSetVector<Value *, 4> Objects;
  SmallSetVector<Value *, 4> Values;
  Objects.insert(withoutCasts(Pointer));
  for (unsigned I = 0; I < Objects.size(); ++I) {
    Value *Object = Objects[I];
    auto *A = dyn_cast<Argument>(Object);
    SmallVector<Value *, 2> Actuals;
    if (I >= MaxSteps ||
        (A && (isKernelEntry(*A->getParent()) || !actualsOf(*A, Actuals))))
      return {};
    for (Value *Actual : Actuals)
      Objects.insert(withoutCasts(Actual));
    Stores All;
    if (!A && (!isLocalMemory(*Object) || !All.find(*Object)))
      return {};
    Values.insert(All.Values.begin(), All.Values.end());
  }
  return {Values.begin(), Values.end()};
}

/// \p V, at most \p Steps values away.
static Argument *argumentOf(Value *V, unsigned &Bits, bool &IsUnsigned,
                            unsigned &Steps) {
  while (Steps-- > 0) {
    const ConstantInt *Mask = nullptr;
    if (auto *C = dyn_cast<CastInst>(V)) {
      if (isa<FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst, FPTruncInst,
              FPExtInst>(C))
        return nullptr;
      const Type *From = C->getOperand(0)->getType();
      if (isa<TruncInst>(C)) {
        Bits = std::min<unsigned>(Bits, C->getType()->getIntegerBitWidth());
      } else if (isa<ZExtInst, SExtInst>(C) &&
                 From->getIntegerBitWidth() <= Bits) {
        Bits = From->getIntegerBitWidth();
        IsUnsigned = isa<ZExtInst>(C) && !cast<ZExtInst>(C)->hasNonNeg();
      }
      V = C->getOperand(0);
      continue;
    }
    // An extension, once it is simplified.
    if (auto *Op = dyn_cast<BinaryOperator>(V);
        Op && Op->getOpcode() == Instruction::And)
      Mask = dyn_cast<ConstantInt>(Op->getOperand(1));
    if (Mask && Mask->getBitWidth() <= 64 && Mask->getValue().isMask()) {
      if (const unsigned Ones = Mask->getValue().countr_one(); Ones < Bits) {
        Bits = Ones;
        IsUnsigned = true;
      }
      V = cast<BinaryOperator>(V)->getOperand(0);
      continue;
    }
    SmallVector<Value *, 2> From;
    if (auto *A = dyn_cast<Argument>(V)) {
      if (isKernelEntry(*A->getParent()))
        return A;
      (void)actualsOf(*A, From);
    } else if (auto *Load = dyn_cast<LoadInst>(V)) {
      if (Load->getType()->isIntegerTy())
        Bits = std::min<unsigned>(Bits, Load->getType()->getIntegerBitWidth());
      From = storedIn(Load->getPointerOperand());
    }
    if (From.empty())
      return nullptr;
    V = From.pop_back_val();
    if (From.empty())
      continue;
    // All callers have to agree.
    Argument *Found = argumentOf(V, Bits, IsUnsigned, Steps);
    for (Value *Other : From)
      if (argumentOf(Other, Bits, IsUnsigned, Steps) != Found)
        return nullptr;
    return Found;
  }
  return nullptr;
}

Argument *argumentOf(Value *V, unsigned &Bits, bool &IsUnsigned) {
  Bits = 64;
  IsUnsigned = false;
  unsigned Steps = MaxSteps;
  return argumentOf(V, Bits, IsUnsigned, Steps);
}

} // namespace accx::offload
