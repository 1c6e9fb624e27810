//===- LateWaits.cpp - Waits where somebody may look ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LateWaits.h. How regions flow is in RegionFlow.cpp.
//
//===----------------------------------------------------------------------===//
//
//  1. Launches whose arguments are the function's own may be late. Functions
//     whose callers are all known may stay open: return while regions are under
//     way. Calls of those are like launches. Functions that others may call as
//     well have an open copy for the calls of their own unit.
//  2. Loops without launches that see something are waited for ahead of them.
//  3. Regions that may be under way flow forward: launches make some, waits and
//     what waits by itself leave none.
//  4. A launch is marked if regions may be under way when it comes, or if
//     another launch comes before the wait for it: alone it would gain nothing.
//     A function without calls that gain is closed, and all is looked at again.
//  5. Waits go where regions of marked launches meet what may see them.
//
//===----------------------------------------------------------------------===//

#include "host/LateWaits.h"

#include "accx/late.h"
#include "host/OpenFunctions.h"
#include "host/RegionFlow.h"
#include "host/RuntimeCall.h"
#include "host/TargetTasks.h"
#include "ir/Remark.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "late-waits"

using namespace llvm;
using namespace accx;
using namespace accx::host;

STATISTIC(NumLate, "Number of regions that may be waited for later");
STATISTIC(NumWaits, "Number of waits for such regions");

/// On launches that were looked at: pipelines may have the pass twice.
static constexpr char Mark[] = "accx.waits";
/// Of the flags in __tgt_kernel_arguments.
static constexpr uint64_t FlagsOffset = 64;

namespace {

/// The waits of one function.
class Waits {
  Function &F;
  LoopInfo &LI;
  TargetTasks Tasks;
  /// Launches and tasks that may be late.
  SmallSetVector<CallInst *, 16> Launches;
  RegionFlow Flow;

  void findLaunches(const TargetLibraryInfo &TLI);
  ir::RemarkPlace placeOf(const CallInst &Call) const;
  std::string stopsOf(CallInst &From);
  bool place();
  void mark(CallInst &Launch);

public:
  Waits(Function &F, LoopInfo &LI, const TargetLibraryInfo &TLI,
        const FunctionSet &Open)
      : F(F), LI(LI), Tasks(F), Flow(F, Open, Tasks) {
    findLaunches(TLI);
  }
  /// Finds what gains as long as the functions in Open are. Adds to \p Gaining
  /// whose calls do.
  void analyze(FunctionSet &Gaining);
  /// Writes what was found. False if that is nothing. \p Told: says what stays
  /// as it is.
  bool write(bool Told);
  Function &function() const { return F; }
};

} // namespace

/// The region's line. Clang's launches have none, but what runs instead of them
/// on the host does, and the kernel's name. \p At is the launch, or makes the
/// task that has it.
static ir::RemarkPlace placeOf(const CallInst &Launch, const CallInst &At) {
  StringRef Line =
      getUnderlyingObject(Launch.getArgOperand(RegionId))->getName();
  (void)Line.consume_back(".region_id");
  unsigned Number = 0;
  if (Line.substr(Line.rfind("_l") + 2).getAsInteger(10, Number))
    Number = 0;
  const DILocation *Near = nullptr;
  for (const BasicBlock *To : successors(At.getParent()))
    for (const Instruction &I : *To)
      if (!Near && Number && I.getDebugLoc() &&
          I.getDebugLoc().getLine() == Number)
        Near = I.getDebugLoc();
  DISubprogram *Of = At.getFunction()->getSubprogram();
  if (!Near && Of && Number)
    Near = DILocation::get(At.getContext(), Number, 0, Of);
  return {DebugLoc(Near), *At.getParent()};
}

ir::RemarkPlace Waits::placeOf(const CallInst &Call) const {
  return ::placeOf(isLaunch(Call) ? Call : Tasks.launchOf(Call), Call);
}

/// Whether the launch \p Call is an asynchronous construct's, as far as its
/// function tells: nobody waits for it anyway.
static bool isAsynchronous(const CallInst &Call) {
  const BasicBlock *B = Call.getParent();
  const Instruction *I = &Call;
  for (SmallPtrSet<const BasicBlock *, 8> Seen; B && Seen.insert(B).second;) {
    while ((I = I ? I->getPrevNode() : B->getTerminator())) {
      const StringRef Name = offload::calledName(*I);
      if (Name == AsyncBegin || Name == AsyncEnd)
        return Name == AsyncBegin;
    }
    B = B->getSinglePredecessor();
  }
  return false;
}

void Waits::findLaunches(const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(F)) {
    if (isLaunch(I)) {
      I.setMetadata(Mark, MDNode::get(F.getContext(), {}));
      auto &Call = cast<CallInst>(I);
      if (isa<AllocaInst>(getUnderlyingObject(Call.getArgOperand(RegionArgs))))
        Launches.insert(&Call);
      else if (!isAsynchronous(Call))
        ir::remarkRefused(DEBUG_TYPE, Refusal::Arguments, placeOf(Call),
                          "the region is waited for where it stands");
    } else if (Tasks.isHandedOver(I)) {
      // As long as it is libomp's.
      Flow.note(I, {Sight::All, Refusal::Call, &I});
      Launches.insert(cast<CallInst>(&I));
    } else if (const Sight S = sightOf(I, TLI);
               S.sees() && !Tasks.isMaking(I)) {
      Flow.note(I, S);
    }
  }
}

/// "a call of 'printf' in line 9".
static std::string textOf(const Sight &S) {
  const auto *Call = dyn_cast<CallBase>(S.Of);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  std::string Text = S.Why == Refusal::Call && Callee
                         ? "a call of '" + Callee->getName().str() + "'"
                         : host::textOf(S.Why).str();
  if (const DebugLoc &At = S.Of->getDebugLoc())
    Text += " in line " + std::to_string(At.getLine());
  return Text;
}

/// What the region of \p From is waited for ahead of.
std::string Waits::stopsOf(CallInst &From) {
  SmallVector<std::string, 8> Stops;
  Flow.follow(From, [&](Instruction &, const Sight &S) {
    std::string Text = S.What < Sight::Loads ? textOf(S) : std::string();
    if (!Text.empty() && !is_contained(Stops, Text))
      Stops.push_back(std::move(Text));
  });
  if (Flow.isOpen())
    Stops.push_back("what callers do next");
  constexpr size_t Told = 3;
  const size_t More = Stops.size() > Told ? Stops.size() - Told : 0;
  Stops.truncate(Stops.size() - More);
  // What is left are constructs that wait by themselves.
  return (Stops.empty() ? "" : ", before ") + join(Stops, ", ") +
         (More ? " and " + std::to_string(More) + " more" : "");
}

void Waits::analyze(FunctionSet &Gaining) {
  Flow.Late = Launches;
  Flow.lookAhead(LI);
  Flow.flow();
  SmallPtrSet<const Instruction *, 16> Useful;
  Flow.visit([&](Instruction &I, const Sight &S, UnderWay U) {
    if (S.sees())
      return;
    bool Gains = U.any();
    if (!Gains)
      Flow.follow(cast<CallInst>(I), [&](Instruction &, const Sight &Next) {
        Gains |= !Next.sees();
      });
    if (!Gains)
      return;
    Useful.insert(&I);
    if (const Function *Callee = Flow.openCallee(I))
      Gaining.insert(Callee);
  });
  Flow.Late.remove_if([&](CallInst *Call) { return !Useful.contains(Call); });
}

bool Waits::place() {
  MapVector<Instruction *, Sight> Places;
  Flow.visit([&](Instruction &I, const Sight &S, UnderWay U) {
    if (!U.isSeenBy(S))
      return;
    Sight &Known = Places[&I];
    if (S.What < Known.What)
      Known = S;
  });
  if (Places.empty())
    return false;
  const FunctionCallee Call = settleFunction(*F.getParent());
  for (auto &[I, S] : Places) {
    IRBuilder<> B(I);
    B.CreateCall(Call,
                 {B.getInt32(S.What + (S.OfLoop ? ACCX_SETTLE_LOOP : 0))});
    ++NumWaits;
  }
  return true;
}

void Waits::mark(CallInst &Launch) {
  ++NumLate;
  ir::remarkPassed(DEBUG_TYPE, "Late", placeOf(Launch),
                   isAsynchronous(Launch)
                       ? "the region may start together with "
                         "those that come next"
                   : isLaunch(Launch) ? "the region is waited for later"
                                      : "the task needs none of OpenMP's "
                                        "runtime",
                   stopsOf(Launch));
  if (!isLaunch(Launch))
    return Tasks.makeDirect(Launch);
  IRBuilder<> B(&Launch);
  Value *Flags = B.CreateConstInBoundsGEP1_64(
      B.getInt8Ty(), Launch.getArgOperand(RegionArgs), FlagsOffset);
  Value *Old = B.CreateLoad(B.getInt64Ty(), Flags);
  B.CreateStore(B.CreateOr(Old, ACCX_KERNEL_LATE), Flags);
}

bool Waits::write(bool Told) {
  for (CallInst *Call : Launches)
    if (Told && !Flow.Late.contains(Call) && !isAsynchronous(*Call))
      ir::remarkRefused(DEBUG_TYPE, Refusal::Alone, placeOf(*Call),
                        isLaunch(*Call)
                            ? "the region is waited for where it stands"
                            : "the task is one of OpenMP's runtime",
                        stopsOf(*Call));
  Flow.flow();
  const bool Waits = place();
  for (CallInst *Call : Flow.Late)
    mark(*Call);
  return Waits || !Flow.Late.empty();
}

PreservedAnalyses host::LateWaitsPass::run(Module &M,
                                           ModuleAnalysisManager &MAM) {
  Function *Kernels = M.getFunction(Launch);
  if (!Kernels)
    return PreservedAnalyses::all();
  // Functions that stay as they are: launches in them were looked at already.
  FunctionSet Fixed, Open;
  SmallSetVector<Function *, 8> Starting;
  for (Function &F : M)
    if (isWatched(F))
      Fixed.insert(&F);
  for (User *U : Kernels->users())
    if (auto *I = dyn_cast<Instruction>(U)) {
      Starting.insert(I->getFunction());
      if (I->hasMetadata(Mark))
        Fixed.insert(I->getFunction());
    }
  if (hasTargetTasks(M))
    for (Function &F : M)
      if (!TargetTasks(F).empty())
        Starting.insert(&F);
  TaskWaits Noted(M);
  OpenCopies Own(Fixed);
  for (size_t I = 0; I < Starting.size(); ++I) {
    Function *F = Starting[I];
    if (!mayStayOpen(*F, Fixed) && !(F = Own.make(*F)))
      continue;
    Open.insert(F);
    Starting.insert(F);
    for (User *U : F->users())
      Starting.insert(cast<CallInst>(U)->getFunction());
  }

  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::vector<std::unique_ptr<Waits>> All;
  for (Function &F : M)
    if (Starting.contains(&F) && !Fixed.contains(&F))
      All.push_back(std::make_unique<Waits>(
          F, FAM.getResult<LoopAnalysis>(F),
          FAM.getResult<TargetLibraryAnalysis>(F), Open));
  for (bool Closed = true; Closed;) {
    FunctionSet Gaining;
    for (const auto &W : All)
      W->analyze(Gaining);
    Closed =
        Open.remove_if([&](const Function *F) { return !Gaining.contains(F); });
  }
  erase_if(All, [&](const auto &W) { return Own.isToGo(W->function(), Open); });
  bool Changed = Own.takeBack(Open, FAM);
  for (const auto &W : All)
    Changed |= W->write(/*Told=*/!Own.hasCopy(W->function()) &&
                        !isTaskRoutine(W->function()));
  if (!hasDirectTasks(M))
    Noted.takeBack();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
