//===- LateWaits.cpp - Waits where somebody may look ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LateWaits.h. What instructions see is in Sight.cpp.
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
#include "host/Sight.h"
#include "ir/Remark.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#define DEBUG_TYPE "late-waits"

using namespace llvm;
using namespace accx;
using namespace accx::host;

STATISTIC(NumLate, "Number of regions that may be waited for later");
STATISTIC(NumWaits, "Number of waits for such regions");

/// On launches that were looked at: pipelines may have the pass twice.
static constexpr char Mark[] = "accx.waits";
/// Calls the runtime's function, where there is one.
static constexpr char Settle[] = "accx.settle";
/// Arguments of a launch: what stands for the kernel, and the region's own.
static constexpr unsigned RegionId = 4, RegionArgs = 5;
/// Of the flags in __tgt_kernel_arguments.
static constexpr uint64_t FlagsOffset = 64;

namespace {

/// Which regions may be under way: those that loads may not see yet, and those
/// that anything else may not.
struct UnderWay {
  bool ForLoads = false, ForAll = false;

  static UnderWay some() { return {true, true}; }
  bool any() const { return ForAll; }
  bool isSeenBy(const Sight &S) const {
    return S.What == Sight::All ? ForAll : S.sees() && ForLoads;
  }
  void settle(const Sight &S) {
    ForLoads = false;
    ForAll &= S.What != Sight::All;
  }
  /// Whether \p Other adds something.
  bool join(UnderWay Other) {
    const UnderWay Before = *this;
    ForLoads |= Other.ForLoads;
    ForAll |= Other.ForAll;
    return ForLoads != Before.ForLoads || ForAll != Before.ForAll;
  }
};

/// The waits of one function.
class Waits {
  Function &F;
  LoopInfo &LI;
  const TargetLibraryInfo &TLI;
  const FunctionSet &Open;
  /// Launches that may be late, and what of them gains.
  SmallSetVector<CallInst *, 16> Launches, Late;
  DenseMap<const Instruction *, Sight> Sights;
  /// What loops see, at the ends of blocks ahead of them.
  MapVector<BasicBlock *, Sight> Ahead;
  DenseMap<const BasicBlock *, UnderWay> Begin;

  void findLaunches();
  bool isOpen() const { return Open.contains(&F); }
  const Function *openCallee(const Instruction &I) const;
  bool starts(const Instruction &I) const;
  Sight seen(const Instruction &I) const;
  bool hasLaunch(const Loop &L) const;
  void lookAhead(const Loop &L);
  template <typename Fn>
  void walk(BasicBlock &B, BasicBlock::iterator From, UnderWay &U, Fn Visit);
  template <typename Fn> void walk(BasicBlock &B, Fn Visit) {
    UnderWay U = Begin.lookup(&B);
    walk(B, B.begin(), U, Visit);
  }
  UnderWay along(const BasicBlock &From, const BasicBlock &To, UnderWay U);
  void flow();
  template <typename Fn> void follow(CallInst &From, Fn Visit);
  std::string stopsOf(CallInst &From);
  bool place();
  void mark(CallInst &Launch);

public:
  Waits(Function &F, LoopInfo &LI, const TargetLibraryInfo &TLI,
        const FunctionSet &Open)
      : F(F), LI(LI), TLI(TLI), Open(Open) {
    findLaunches();
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
/// on the host does, and the kernel's name.
static ir::RemarkPlace placeOf(const CallInst &Launch) {
  StringRef Line =
      getUnderlyingObject(Launch.getArgOperand(RegionId))->getName();
  (void)Line.consume_back(".region_id");
  unsigned Number = 0;
  if (Line.substr(Line.rfind("_l") + 2).getAsInteger(10, Number))
    Number = 0;
  const DILocation *Near = nullptr;
  for (const BasicBlock *To : successors(Launch.getParent()))
    for (const Instruction &I : *To)
      if (!Near && Number && I.getDebugLoc() &&
          I.getDebugLoc().getLine() == Number)
        Near = I.getDebugLoc();
  DISubprogram *Of = Launch.getFunction()->getSubprogram();
  if (!Near && Of && Number)
    Near = DILocation::get(Launch.getContext(), Number, 0, Of);
  return {DebugLoc(Near), *Launch.getParent()};
}

static bool isLaunch(const Instruction &I) {
  return isa<CallInst>(I) && offload::calledName(I) == Launch &&
         cast<CallInst>(I).arg_size() == RegionArgs + 1;
}

void Waits::findLaunches() {
  for (Instruction &I : instructions(F)) {
    if (isLaunch(I)) {
      I.setMetadata(Mark, MDNode::get(F.getContext(), {}));
      auto &Call = cast<CallInst>(I);
      if (isa<AllocaInst>(getUnderlyingObject(Call.getArgOperand(RegionArgs))))
        Launches.insert(&Call);
      else
        ir::remarkRefused(DEBUG_TYPE, Refusal::Arguments, placeOf(Call),
                          "the region is waited for where it stands");
    } else if (const Sight S = sightOf(I, TLI); S.sees()) {
      Sights[&I] = S;
    }
  }
}

/// The function that \p I calls and that stays open; null if none.
const Function *Waits::openCallee(const Instruction &I) const {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Open.contains(Callee) ? Callee : nullptr;
}

/// Whether regions may be under way behind \p I.
bool Waits::starts(const Instruction &I) const {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && (Late.contains(const_cast<CallInst *>(Call)) || openCallee(I));
}

Sight Waits::seen(const Instruction &I) const {
  if ((isa<ReturnInst>(I) && isOpen()) || openCallee(I))
    return {};
  return Sights.lookup(&I);
}

bool Waits::hasLaunch(const Loop &L) const {
  return any_of(L.blocks(), [&](const BasicBlock *B) {
    return any_of(*B, [&](const Instruction &I) { return starts(I); });
  });
}

/// A loop without launches would wait again and again, for nothing but once.
void Waits::lookAhead(const Loop &L) {
  if (hasLaunch(L)) {
    for (const Loop *Inner : L)
      lookAhead(*Inner);
    return;
  }
  Sight Most;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (const Sight S = seen(I); S.What < Most.What)
        Most = S;
  if (!Most.sees())
    return;
  for (BasicBlock *From : predecessors(L.getHeader()))
    if (!L.contains(From))
      if (Sight &Known = Ahead[From]; Most.What < Known.What)
        Known = Most;
}

/// Goes on to the end of \p B with what is under way, \p U. Visits launches,
/// and what sees regions, with what is under way there.
template <typename Fn>
void Waits::walk(BasicBlock &B, BasicBlock::iterator From, UnderWay &U,
                 Fn Visit) {
  for (Instruction &I : make_range(From, B.end())) {
    if (I.isTerminator())
      if (auto Loop = Ahead.find(&B); Loop != Ahead.end()) {
        Visit(I, Loop->second, U);
        U.settle(Loop->second);
      }
    if (starts(I)) {
      Visit(I, Sight(), U);
      U = UnderWay::some();
    } else if (settlesItself(I)) {
      U = UnderWay();
    } else if (const Sight S = seen(I); S.sees()) {
      Visit(I, S, U);
      U.settle(S);
    }
  }
}

/// \p U on the way to \p To: where a launch says that the region has to run on
/// the host, the runtime has waited for all others.
UnderWay Waits::along(const BasicBlock &From, const BasicBlock &To,
                      UnderWay U) {
  using namespace PatternMatch;
  ICmpInst::Predicate Predicate;
  Instruction *Call = nullptr;
  BasicBlock *Then = nullptr, *Else = nullptr;
  if (!match(From.getTerminator(),
             m_Br(m_ICmp(Predicate, m_Instruction(Call), m_Zero()),
                  m_BasicBlock(Then), m_BasicBlock(Else))) ||
      Then == Else || !ICmpInst::isEquality(Predicate) ||
      Call->getParent() != &From || !isLaunch(*Call))
    return U;
  // Behind it there is none.
  for (const Instruction *I = Call; (I = I->getNextNode());)
    if (isLaunch(*I))
      return U;
  return &To == (Predicate == ICmpInst::ICMP_EQ ? Else : Then) ? UnderWay() : U;
}

/// Fills Begin.
void Waits::flow() {
  Begin.clear();
  if (isOpen())
    Begin[&F.getEntryBlock()] = UnderWay::some();
  const ReversePostOrderTraversal<Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *B : Order) {
      UnderWay U = Begin.lookup(B);
      walk(*B, B->begin(), U, [](Instruction &, const Sight &, UnderWay) {});
      for (BasicBlock *To : successors(B))
        Changed |= Begin[To].join(along(*B, *To, U));
    }
  }
}

/// Visits what comes behind \p From until nothing of its region can be under
/// way: launches, and what sees regions.
template <typename Fn> void Waits::follow(CallInst &From, Fn Visit) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<BasicBlock *, 16> Ways;
  auto Look = [&](BasicBlock &B, BasicBlock::iterator I) {
    UnderWay U = UnderWay::some();
    walk(B, I, U, [&](Instruction &Next, const Sight &S, UnderWay Now) {
      if (Now.any())
        Visit(Next, S);
    });
    for (BasicBlock *To : successors(&B))
      if (along(B, *To, U).any() && Seen.insert(To).second)
        Ways.push_back(To);
  };
  Look(*From.getParent(), std::next(From.getIterator()));
  while (!Ways.empty()) {
    BasicBlock &B = *Ways.pop_back_val();
    Look(B, B.begin());
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
  follow(From, [&](Instruction &, const Sight &S) {
    std::string Text = S.What == Sight::All ? textOf(S) : std::string();
    if (!Text.empty() && !is_contained(Stops, Text))
      Stops.push_back(std::move(Text));
  });
  if (isOpen())
    Stops.push_back("what callers do next");
  constexpr size_t Told = 3;
  const size_t More = Stops.size() > Told ? Stops.size() - Told : 0;
  Stops.truncate(Stops.size() - More);
  // What is left are constructs that wait by themselves.
  return (Stops.empty() ? "" : ", before ") + join(Stops, ", ") +
         (More ? " and " + std::to_string(More) + " more" : "");
}

void Waits::analyze(FunctionSet &Gaining) {
  Late = Launches;
  Ahead.clear();
  for (const Loop *L : LI)
    lookAhead(*L);
  flow();
  SmallPtrSet<const Instruction *, 16> Useful;
  for (BasicBlock &B : F)
    walk(B, [&](Instruction &I, const Sight &S, UnderWay U) {
      if (S.sees())
        return;
      bool Gains = U.any();
      if (!Gains)
        follow(cast<CallInst>(I), [&](Instruction &, const Sight &Next) {
          Gains |= !Next.sees();
        });
      if (!Gains)
        return;
      Useful.insert(&I);
      if (const Function *Callee = openCallee(I))
        Gaining.insert(Callee);
    });
  Late.remove_if([&](CallInst *Call) { return !Useful.contains(Call); });
}

/// The function that calls the runtime's, which only accx's has.
static FunctionCallee settleFunction(Module &M) {
  if (Function *Known = M.getFunction(Settle))
    return Known;
  LLVMContext &Context = M.getContext();
  IRBuilder<> B(Context);
  auto *Type = FunctionType::get(B.getVoidTy(), {B.getInt32Ty()}, false);
  auto *Runtimes =
      cast<Function>(M.getOrInsertFunction("__accx_settle", Type).getCallee());
  Runtimes->setLinkage(GlobalValue::ExternalWeakLinkage);
  Runtimes->setDoesNotThrow();
  auto *Own = Function::Create(Type, GlobalValue::InternalLinkage, Settle, M);
  Own->setDoesNotThrow();
  auto *Entry = BasicBlock::Create(Context, "", Own);
  auto *Call = BasicBlock::Create(Context, "", Own);
  auto *End = BasicBlock::Create(Context, "", Own);
  B.SetInsertPoint(Entry);
  B.CreateCondBr(B.CreateIsNull(Runtimes), End, Call);
  B.SetInsertPoint(Call);
  B.CreateCall(Runtimes, {Own->getArg(0)});
  B.CreateBr(End);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  return Own;
}

bool Waits::place() {
  MapVector<Instruction *, Sight> Places;
  for (BasicBlock &B : F)
    walk(B, [&](Instruction &I, const Sight &S, UnderWay U) {
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
    B.CreateCall(Call, {B.getInt32(S.What)});
    ++NumWaits;
  }
  return true;
}

void Waits::mark(CallInst &Launch) {
  ++NumLate;
  ir::remarkPassed(DEBUG_TYPE, "Late", placeOf(Launch),
                   "the region is waited for later", stopsOf(Launch));
  IRBuilder<> B(&Launch);
  Value *Flags = B.CreateConstInBoundsGEP1_64(
      B.getInt8Ty(), Launch.getArgOperand(RegionArgs), FlagsOffset);
  Value *Old = B.CreateLoad(B.getInt64Ty(), Flags);
  B.CreateStore(B.CreateOr(Old, ACCX_KERNEL_LATE), Flags);
}

bool Waits::write(bool Told) {
  for (CallInst *Call : Launches)
    if (Told && !Late.contains(Call))
      ir::remarkRefused(DEBUG_TYPE, Refusal::Alone, placeOf(*Call),
                        "the region is waited for where it stands",
                        stopsOf(*Call));
  flow();
  const bool Waits = place();
  for (CallInst *Call : Late)
    mark(*Call);
  return Waits || !Late.empty();
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
    Changed |= W->write(/*Told=*/!Own.hasCopy(W->function()));
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
