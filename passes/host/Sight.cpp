//===- Sight.cpp - What host code sees of regions under way ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sight.h.
//
//===----------------------------------------------------------------------===//

#include "host/Sight.h"

#include "accx/late.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace accx;
using namespace accx::host;

static_assert(int(Sight::All) == ACCX_SETTLE_ALL &&
              int(Sight::Stores) == ACCX_SETTLE_STORES &&
              int(Sight::Loads) == ACCX_SETTLE_LOADS &&
              int(Sight::Nothing) < ACCX_SETTLE_LOOP);

/// Whether \p Pointer points into variables of the program: what a device has
/// of those are copies.
static bool isOwn(const Value *Pointer) {
  if (!Pointer->getType()->isPointerTy())
    return false;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/32);
  return all_of(Objects, [](const Value *Object) {
    const auto *Arg = dyn_cast<Argument>(Object);
    return isa<AllocaInst, GlobalVariable>(Object) ||
           (Arg && Arg->hasByValAttr());
  });
}

/// An access to what \p Pointer points to.
static Sight accessOf(const Instruction &I, const Value *Pointer, bool Writes) {
  if (isOwn(Pointer))
    return {};
  return Writes ? Sight{Sight::Stores, Refusal::Store, &I}
                : Sight{Sight::Loads, Refusal::Load, &I};
}

static Sight sightOfMemory(const AnyMemIntrinsic &I) {
  const auto *Plain = dyn_cast<MemIntrinsic>(&I);
  if (!Plain || Plain->isVolatile())
    return {Sight::All, Refusal::Special, &I};
  const Sight To = accessOf(I, I.getRawDest(), /*Writes=*/true);
  const auto *Copy = dyn_cast<MemTransferInst>(Plain);
  return To.sees() || !Copy
             ? To
             : accessOf(I, Copy->getRawSource(), /*Writes=*/false);
}

/// Functions of the C library that compute, and at most set errno.
static bool computes(const CallBase &Call, const TargetLibraryInfo &TLI) {
  LibFunc Func;
  if (!TLI.getLibFunc(Call, Func) || !TLI.has(Func))
    return false;
  StringRef Name = TLI.getName(Func);
  static constexpr StringLiteral Names[] = {
      "acos",  "acosh",     "asin",  "asinh", "atan", "atan2", "atanh",
      "cbrt",  "ceil",      "cos",   "cosh",  "exp",  "exp10", "exp2",
      "expm1", "fabs",      "floor", "fmax",  "fmin", "fmod",  "ldexp",
      "log",   "log10",     "log1p", "log2",  "pow",  "rint",  "round",
      "sin",   "nearbyint", "sinh",  "sqrt",  "tan",  "tanh",  "trunc"};
  if (is_contained(Names, Name))
    return true;
  // Of float and long double.
  return (Name.consume_back("f") || Name.consume_back("l")) &&
         is_contained(Names, Name);
}

/// Entry points that have nothing to do with regions, or order themselves.
static bool isRuntimes(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases(Launch, "__tgt_target_data_begin_mapper",
             "__tgt_target_data_end_mapper", "__tgt_target_data_update_mapper",
             true)
      .Cases(AsyncBegin, AsyncEnd, "__accx_distribute_begin",
             "__accx_distribute_end", true)
      .Cases("__accx_device_begin", "__accx_device_of", "__accx_device_resume",
             "__accx_device_end", "__accx_update_peer", true)
      .Cases("__kmpc_global_thread_num", "__accx_gangs", "__accx_counted_gangs",
             true)
      .Default(false);
}

static Sight sightOfCall(const CallBase &Call, const TargetLibraryInfo &TLI) {
  if (Call.isInlineAsm())
    return {Sight::All, Refusal::Assembly, &Call};
  if (const auto *Memory = dyn_cast<AnyMemIntrinsic>(&Call))
    return sightOfMemory(*Memory);
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    if (Intrinsic->isAssumeLikeIntrinsic())
      return {};
  if (isRuntimes(offload::calledName(Call)) || computes(Call, TLI))
    return {};
  const Sight Unknown = {Sight::All, Refusal::Call, &Call};
  if (!Call.willReturn() || !Call.doesNotThrow())
    return Unknown;
  if (Call.doesNotAccessMemory())
    return {};
  // Accesses under masks, and functions of the program that only read.
  if (Call.onlyReadsMemory())
    return {Sight::Loads, Refusal::Load, &Call};
  return Unknown;
}

/// Whether \p Load asks if a static variable of a function has its value: in
/// the first call only, and what a device has does not matter to it.
static bool readsGuard(const LoadInst &Load) {
  const auto *Guard =
      dyn_cast<GlobalVariable>(Load.getPointerOperand()->stripPointerCasts());
  return Guard && !Load.isVolatile() && Guard->getName().starts_with("_ZGVZ");
}

Sight host::sightOf(const Instruction &I, const TargetLibraryInfo &TLI) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return sightOfCall(*Call, TLI);
  if (isa<ReturnInst, ResumeInst>(I))
    return {Sight::All, Refusal::Return, &I};
  if (!I.mayReadOrWriteMemory() && !I.mayThrow())
    return {};
  if (const auto *Load = dyn_cast<LoadInst>(&I);
      Load && (Load->isSimple() || readsGuard(*Load)))
    return accessOf(I, Load->getPointerOperand(), /*Writes=*/false);
  if (const auto *Store = dyn_cast<StoreInst>(&I); Store && Store->isSimple())
    return accessOf(I, Store->getPointerOperand(), /*Writes=*/true);
  return {Sight::All, Refusal::Special, &I};
}

bool host::settlesItself(const Instruction &I) {
  StringRef Name = offload::calledName(I);
  return Name == "__tgt_target_data_update_mapper" || Name == Launch ||
         (Name == Settle &&
          match(cast<CallBase>(I).getArgOperand(0),
                PatternMatch::m_SpecificInt(ACCX_SETTLE_TASKS)));
}
