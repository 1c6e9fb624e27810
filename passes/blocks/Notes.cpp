//===- Notes.cpp - Markers of regions, as passes keep them ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes notes as calls of LLVM's stackmap intrinsic and reads them back. It
// also has the pass that makes notes of the front end's markers, since no other
// source knows both forms.
//
//===----------------------------------------------------------------------===//

#include "blocks/Notes.h"

#include "blocks/Region.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::blocks {

/// Numbers of the intrinsic's calls; those of other users are small.
static constexpr uint64_t FirstId = 0x616363782d736d63; // "accx-smc"
/// The intrinsic's own arguments.
static constexpr unsigned OwnArguments = 2;

/// In the order of NoteKind.
static constexpr StringLiteral Markers[] = {
    markers::SmcBegin, markers::SmcEnd, markers::SmcBarrier, markers::SmcTeam};

std::optional<NoteKind> noteOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return std::nullopt;
  if (Call->getIntrinsicID() != Intrinsic::experimental_stackmap) {
    const auto *Marker = find(Markers, offload::calledName(I));
    return Marker == std::end(Markers)
               ? std::nullopt
               : std::optional(NoteKind(Marker - Markers));
  }
  const auto *Id = dyn_cast<ConstantInt>(Call->getArgOperand(0));
  const uint64_t Kind = Id ? Id->getZExtValue() - FirstId : ~uint64_t(0);
  if (Kind > uint64_t(NoteKind::Write))
    return std::nullopt;
  return NoteKind(Kind);
}

Value *argumentOf(const CallInst &Note, unsigned Index) {
  return Note.getArgOperand(isa<IntrinsicInst>(Note) ? OwnArguments + Index
                                                     : Index);
}

std::optional<int64_t> numberOf(const CallInst &Note, unsigned Index) {
  const auto *C = dyn_cast<ConstantInt>(argumentOf(Note, Index));
  return C ? std::optional(C->getSExtValue()) : std::nullopt;
}

std::string whereOf(const CallInst &Note) {
  StringRef Text;
  const Value *Where = argumentOf(Note, markers::smc::Where);
  return getConstantStringInfo(Where->stripPointerCasts(), Text)
             ? Text.str()
             : std::string("an array");
}

bool isChannel(const CallInst &Begin) {
  const auto Type = numberOf(Begin, markers::smc::Type);
  return !Type || (*Type & markers::smc::Channel);
}

bool isTeam(const CallInst &Begin) {
  const auto Type = numberOf(Begin, markers::smc::Type);
  return Type && (*Type & markers::smc::Team);
}

bool beginsChannel(const Instruction &I) {
  return noteOf(I) == NoteKind::Begin && isChannel(cast<CallInst>(I));
}

bool beginsTeam(const Instruction &I) {
  return noteOf(I) == NoteKind::Begin && isTeam(cast<CallInst>(I));
}

bool hasNotes(Function &F) {
  return any_of(instructions(F),
                [](const Instruction &I) { return noteOf(I).has_value(); });
}

void removeNotes(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (noteOf(I))
      I.eraseFromParent();
}

CallInst *createNote(IRBuilderBase &B, NoteKind Kind,
                     ArrayRef<Value *> Arguments) {
  SmallVector<Value *, 32> All = {B.getInt64(FirstId + uint64_t(Kind)),
                                  B.getInt32(0)};
  append_range(All, Arguments);
  return B.CreateIntrinsic(Intrinsic::experimental_stackmap, {}, All);
}

void fenceWrites(Function &F) {
  if (none_of(instructions(F), beginsChannel))
    return;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!writesShared(I) || noteOf(*I.getNextNode()) == NoteKind::Fence)
      continue;
    IRBuilder<> B(I.getNextNode());
    createNote(B, NoteKind::Fence);
  }
}

/// Makes a note of \p Marker.
static void keep(CallInst &Marker) {
  IRBuilder<> B(&Marker);
  createNote(B, *noteOf(Marker), SmallVector<Value *, 32>(Marker.args()));
  Marker.eraseFromParent();
}

PreservedAnalyses KeepPass::run(Module &M, ModuleAnalysisManager &) {
  if (!offload::isGpuCode(M))
    return PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (!noteOf(I))
        continue;
      if (WillTile && !F.hasOptNone()) {
        keep(cast<CallInst>(I));
        Changed = true;
      } else if (beginsChannel(I)) {
        M.getContext().emitError(
            whereOf(cast<CallInst>(I)) +
            (beginsTeam(I)
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

} // namespace accx::blocks
