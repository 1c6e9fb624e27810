//===- Team.cpp - Objects of a block, barriers of the program -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions of type Team: a row of the nest is a block of threads as CUDA has
// them. Objects of the body that the block has one of go to shared memory,
// barriers stay where the program has them, and nothing is copied.
//
//     for (gang)                       for (b = block; b < gangs; b += blocks)
//       for (item < 256)                 item = thread
//         float a[16][16];               __shared__ float a[16][16]
//         begin, team(a)
//         a[..] = ..                     a[..] = ..
//         barrier               =>       barrier
//         .. = a[..]                     .. = a[..]
//         end                            barrier
//
//===----------------------------------------------------------------------===//

#include "smc/Plan.h"

#include "blocks/Notes.h"
#include "gpu/SharedMemory.h"
#include "offload/DeviceCalls.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace accx::blocks;

namespace accx::smc {

static CallInst *findTeam(Function &Kernel) {
  for (Instruction &I : instructions(Kernel))
    if (beginsTeam(I))
      return cast<CallInst>(&I);
  return nullptr;
}

bool hasTeam(Function &Kernel) { return findTeam(Kernel) != nullptr; }

/// Bytes of the object that begins with \p Object; 0 if that is not known.
static uint64_t bytesOf(const Value &Object, const DataLayout &DL) {
  if (const auto *Local = dyn_cast<AllocaInst>(&Object)) {
    const auto Size = Local->getAllocationSize(DL);
    return Size && !Size->isScalable() ? Size->getFixedValue() : 0;
  }
  const auto *Call = dyn_cast<CallInst>(&Object);
  if (!Call || offload::calledName(*Call) != offload::AllocShared)
    return 0;
  return static_cast<uint64_t>(offload::constantArgument(*Call, 0).value_or(0));
}

static void share(Instruction &Object, uint64_t Bytes, const Twine &Name) {
  Module &M = *Object.getModule();
  auto *T = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  GlobalVariable *Variable =
      gpu::createShared(M, *PoisonValue::get(T), Name, Align(16));
  for (User *U : make_early_inc_range(Object.users())) {
    auto *I = cast<Instruction>(U);
    if (I->isLifetimeStartOrEnd() ||
        offload::calledName(*I) == offload::FreeShared ||
        noteOf(*I) == NoteKind::Team)
      I->eraseFromParent();
  }
  Object.replaceAllUsesWith(
      ConstantExpr::getAddrSpaceCast(Variable, Object.getType()));
  Object.eraseFromParent();
}

bool shareTeamObjects(Function &Kernel, RefuseAt Refuse) {
  MapVector<Instruction *, uint64_t> Objects;
  uint64_t All = 0;
  for (Instruction &I : instructions(Kernel)) {
    if (noteOf(I) != NoteKind::Team)
      continue;
    auto &Note = cast<CallInst>(I);
    auto *Object =
        dyn_cast<Instruction>(getUnderlyingObject(argumentOf(Note, 1)));
    const uint64_t Bytes =
        Object ? bytesOf(*Object, Kernel.getDataLayout()) : 0;
    if (Bytes == 0) {
      Refuse(Note, Refusal::NotConstant, "");
      return false;
    }
    if (!Objects.insert({Object, Bytes}).second)
      continue;
    All += alignTo(Bytes, 16);
    if (All > uint64_t(SharedBytes)) {
      Refuse(Note, Refusal::SharedMemory,
             " (" + Twine(All) + " bytes with those before, of " +
                 Twine(SharedBytes) + ")");
      return false;
    }
  }
  for (const auto &[Object, Bytes] : Objects)
    share(*Object, Bytes, Kernel.getName() + ".team");
  for (Instruction &I : instructions(Kernel))
    if (noteOf(I) == NoteKind::End && !Objects.empty()) {
      IRBuilder<> B(&I);
      createNote(B, NoteKind::Barrier);
    }
  return true;
}

void checkTeamBarriers(Function &Kernel, FunctionAnalysisManager &FAM,
                       RefuseAt Refuse) {
  CallInst *Begin = findTeam(Kernel);
  FAM.invalidate(Kernel, PreservedAnalyses::none());
  auto &Uniformity = FAM.getResult<UniformityInfoAnalysis>(Kernel);
  const auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(Kernel);
  const LoopInfo &Loops = FAM.getResult<LoopAnalysis>(Kernel);
  for (Instruction &I : instructions(Kernel)) {
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || Call->getIntrinsicID() != Intrinsic::nvvm_barrier0)
      continue;
    const Loop *L = Loops.getLoopFor(I.getParent());
    if (L && mayPart(*I.getParent(), *L->getOutermostLoop(), Uniformity, PDT)) {
      Refuse(*Begin, Refusal::DivergentBarrier, "");
      return;
    }
  }
}

} // namespace accx::smc
