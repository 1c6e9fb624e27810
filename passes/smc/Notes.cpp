//===- Notes.cpp - Markers of regions, as passes keep them ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes notes as calls of LLVM's stackmap intrinsic and reads them back. It
// also has the pass that makes notes of the front end's markers, since no other
// source knows both forms.
//
//===----------------------------------------------------------------------===//

#include "smc/Notes.h"

#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::smc {

/// Numbers of the intrinsic's calls; those of other users are small.
static constexpr uint64_t FirstId = 0x616363782d736d63; // "accx-smc"
/// The intrinsic's own arguments.
static constexpr unsigned OwnArguments = 2;

std::optional<NoteKind> noteOf(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || Call->getIntrinsicID() != Intrinsic::experimental_stackmap)
    return std::nullopt;
  const auto *Id = dyn_cast<ConstantInt>(Call->getArgOperand(0));
  const uint64_t Kind = Id ? Id->getZExtValue() - FirstId : ~uint64_t(0);
  if (Kind > uint64_t(NoteKind::Team))
    return std::nullopt;
  return NoteKind(Kind);
}

Value *argumentOf(const CallInst &Begin, unsigned Index) {
  return Begin.getArgOperand(OwnArguments + Index);
}

std::optional<int64_t> numberOf(const CallInst &Begin, unsigned Index) {
  return offload::constantArgument(Begin, OwnArguments + Index);
}

static std::string text(const Value *Literal) {
  StringRef Text;
  return getConstantStringInfo(Literal->stripPointerCasts(), Text)
             ? Text.str()
             : std::string("an array");
}

std::string whereOf(const CallInst &Begin) {
  return text(argumentOf(Begin, markers::smc::Where));
}

bool isChannel(const CallInst &Begin) {
  const auto Type = numberOf(Begin, markers::smc::Type);
  return !Type || (*Type & markers::smc::Channel);
}

bool isTeam(const CallInst &Begin) {
  const auto Type = numberOf(Begin, markers::smc::Type);
  return Type && (*Type & markers::smc::Team);
}

bool removeNotes(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (noteOf(I)) {
      I.eraseFromParent();
      Changed = true;
    }
  return Changed;
}

CallInst *createNote(IRBuilderBase &B, NoteKind Kind,
                     ArrayRef<Value *> Arguments) {
  SmallVector<Value *, 32> All = {B.getInt64(FirstId + uint64_t(Kind)),
                                  B.getInt32(0)};
  append_range(All, Arguments);
  return B.CreateIntrinsic(Intrinsic::experimental_stackmap, {}, All);
}

static void keep(CallInst &Marker, NoteKind Kind) {
  IRBuilder<> B(&Marker);
  createNote(B, Kind, SmallVector<Value *, 32>(Marker.args()));
  Marker.eraseFromParent();
}

/// Whether \p I writes what other iterations may write, too.
static bool writesShared(const Instruction &I) {
  const Value *To = nullptr;
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    To = Store->getPointerOperand();
  else if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
    To = Fill->getRawDest();
  return To && !isa<AllocaInst>(getUnderlyingObject(To));
}

void fenceWrites(Function &F) {
  if (none_of(instructions(F), [](const Instruction &I) {
        return noteOf(I) == NoteKind::Begin && isChannel(cast<CallInst>(I));
      }))
    return;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!writesShared(I) || noteOf(*I.getNextNode()) == NoteKind::Fence)
      continue;
    IRBuilder<> B(I.getNextNode());
    createNote(B, NoteKind::Fence);
  }
}

PreservedAnalyses KeepPass::run(Module &M, ModuleAnalysisManager &) {
  if (!offload::isGpuCode(M))
    return PreservedAnalyses::all();
  constexpr std::pair<const char *, NoteKind> All[] = {
      {markers::SmcBegin, NoteKind::Begin},
      {markers::SmcEnd, NoteKind::End},
      {markers::SmcBarrier, NoteKind::Barrier},
      {markers::SmcTeam, NoteKind::Team}};
  bool Changed = false;
  for (const auto &[Name, Kind] : All) {
    Function *Marker = M.getFunction(Name);
    if (!Marker || !Marker->isDeclaration())
      continue;
    for (User *U : make_early_inc_range(Marker->users())) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != Marker)
        continue;
      if (WillTile && !Call->getFunction()->hasOptNone()) {
        keep(*Call, Kind);
        Changed = true;
        continue;
      }
      const auto *Type =
          Kind == NoteKind::Begin
              ? dyn_cast<ConstantInt>(Call->getArgOperand(markers::smc::Type))
              : nullptr;
      // Without optimization an argument may be a variable.
      if (Kind == NoteKind::Begin &&
          (!Type || (Type->getZExtValue() & markers::smc::Channel)))
        M.getContext().emitError(
            text(Call->getArgOperand(markers::smc::Where)) +
            (Type && (Type->getZExtValue() & markers::smc::Team)
                 ? ": blocks with barriers need optimization, -O1 or above"
                 : ": a channel type of fcw needs optimization, -O1 or "
                   "above"));
    }
  }
  for (Function &F : M)
    if (Changed && !F.isDeclaration())
      fenceWrites(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::smc
