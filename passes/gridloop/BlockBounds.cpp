//===- BlockBounds.cpp - How large a kernel's blocks may be ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BlockBounds.h. The bound stands in three places: the kernel environment,
// which the runtime reads; an annotation, which makes ptxas fit its registers;
// and an attribute, by which OpenMPOpt takes the number of threads for known.
// The host passes a thread_limit clause with each launch, and the runtime obeys
// that whatever the environment says.
//
//===----------------------------------------------------------------------===//

#include "gridloop/BlockBounds.h"

#include "offload/Annotations.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "grid-loop"

using namespace llvm;
using namespace accx::offload;

namespace accx::gridloop {

static constexpr int64_t ClangsDefault = 128;

/// Functions of the device's and the mathematical library.
static bool isLibrary(const Function &F) {
  const StringRef Name = F.getName();
  return (Name.starts_with("__") && !Name.starts_with("__omp_offloading")) ||
         Name.starts_with("omp_") || Name.starts_with("_ZN4ompx") ||
         Name.starts_with("accx.");
}

/// Functions that products and quotients of complex numbers call where these
/// may be infinite. They are too long to be inlined.
static bool isComplexArithmetic(const Function &F) {
  const StringRef Name = F.getName();
  return Name == "__mulsc3" || Name == "__muldc3" || Name == "__divsc3" ||
         Name == "__divdc3";
}

/// Operations that \p F and what it calls have before optimization, but for
/// those on local variables, which registers will hold.
static unsigned operationsOf(const Function &F,
                             SmallPtrSetImpl<const Function *> &Seen) {
  if (F.isDeclaration() || isLibrary(F) || !Seen.insert(&F).second)
    return 0;
  unsigned Count = 0;
  for (const Instruction &I : instructions(F)) {
    const Value *Place = getLoadStorePointerOperand(&I);
    if (isa<AllocaInst, CastInst, DbgInfoIntrinsic>(I) ||
        (Place && isa<AllocaInst>(Place->stripPointerCasts())))
      continue;
    ++Count;
    // Callees, and the bodies of regions that calls get.
    for (const Value *Operand : I.operand_values())
      if (const auto *Callee = dyn_cast<Function>(Operand))
        Count += operationsOf(*Callee, Seen);
  }
  return Count;
}

unsigned operationsOf(const Function &Kernel) {
  SmallPtrSet<const Function *, 8> Seen;
  return operationsOf(Kernel, Seen);
}

namespace {

/// Looks for calls that no optimization removes. ptxas compiles what they call
/// on its own, as if all registers were there, and then it, or nvlink for code
/// of other units, refuses kernels that have fewer.
class CallKeeper {
public:
  /// Whether such calls are in \p F and what it calls.
  bool keeps(const Function &F) {
    if (isComplexArithmetic(F))
      return true;
    if (isLibrary(F))
      return false;
    if (F.isDeclaration() || is_contained(Path, &F) ||
        F.hasFnAttribute(Attribute::NoInline) || F.hasOptNone())
      return true;
    if (!Seen.insert(&F).second)
      return false;
    Path.push_back(&F);
    const bool Found = any_of(instructions(F), [&](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && !isa<IntrinsicInst>(Call) && keepsCall(*Call);
    });
    Path.pop_back();
    return Found;
  }

private:
  SmallPtrSet<const Function *, 8> Seen;
  SmallVector<const Function *, 8> Path;

  bool keepsCall(const CallBase &Call) {
    if (Call.isInlineAsm())
      return false;
    // Calls of unknown functions count, and so do nested regions.
    const Function *Callee = Call.getCalledFunction();
    return !Callee || Callee->getName() == Parallel || keeps(*Callee);
  }
};

} // namespace

bool keepsCalls(const Function &F) { return CallKeeper().keeps(F); }

/// Registers are few in large blocks: 64 for each of 1,024 threads. Those of
/// 256 may have as many as there are for one.
static int64_t largestBlock(const KernelPlan &Plan) {
  for (const TeamsPart &Part : Plan.Parts)
    for (const ParallelRegion &Region : Part.Regions)
      if (Region.Body && keepsCalls(*Region.Body))
        return 256;
  const unsigned Operations = operationsOf(*Plan.Kernel);
  LLVM_DEBUG(dbgs() << Plan.Kernel->getName() << ": " << Operations
                    << " operations\n");
  return Operations <= 500 ? 1024 : Operations <= 1200 ? 512 : 256;
}

bool liftDefaultBound(const KernelPlan &Plan) {
  Function &F = *Plan.Kernel;
  if (Plan.MaxThreads != ClangsDefault || Plan.MinThreads > 1)
    return false;
  // Bounds of the program's own, which hold together with this one.
  for (const char *Own : {"minctasm", "reqntidx", "reqntidy", "reqntidz"})
    if (annotated(F, Own))
      return false;
  F.removeFnAttr("omp_target_thread_limit");
  // A bound of any kind makes ptxas use the registers there are; without one
  // it takes half of them, for loops that need the others.
  const int64_t Largest = largestBlock(Plan);
  configure(*Plan.Environment, configuration::MaxThreads, Largest);
  annotate(F, "maxntidx", static_cast<uint32_t>(Largest));
  renew(F);
  return true;
}

} // namespace accx::gridloop
