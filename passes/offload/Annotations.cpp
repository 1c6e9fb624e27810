//===- Annotations.cpp - What NVPTX is told of a kernel -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes a kernel's annotations, and replaces a kernel by a spare
// function. The two passes that declare and drop the spares are here, as they
// share the spares' names.
//
//===----------------------------------------------------------------------===//

#include "offload/Annotations.h"

#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <mutex>

using namespace llvm;

namespace accx::offload {

static constexpr char AnnotationsName[] = "nvvm.annotations";

static bool isOf(const MDNode &N, const Function &F) {
  const auto *Of = N.getNumOperands()
                       ? dyn_cast_or_null<ValueAsMetadata>(N.getOperand(0))
                       : nullptr;
  return Of && Of->getValue() == &F;
}

/// Whether \p N is annotation \p Name of \p F and nothing else.
static bool isAnnotation(const MDNode &N, const Function &F, StringRef Name) {
  if (N.getNumOperands() != 3 || !isOf(N, F))
    return false;
  const auto *Property = dyn_cast_or_null<MDString>(N.getOperand(1));
  return Property && Property->getString() == Name;
}

uint64_t annotated(const Function &Kernel, StringRef Name) {
  const NamedMDNode *All =
      Kernel.getParent()->getNamedMetadata(AnnotationsName);
  if (!All)
    return 0;
  for (const MDNode *N : All->operands())
    if (isAnnotation(*N, Kernel, Name))
      return mdconst::extract<ConstantInt>(N->getOperand(2))->getZExtValue();
  return 0;
}

static void dropIf(Module &M, function_ref<bool(const MDNode &)> Goes) {
  NamedMDNode *All = M.getOrInsertNamedMetadata(AnnotationsName);
  SmallVector<MDNode *> Others;
  for (MDNode *N : All->operands())
    if (!Goes(*N))
      Others.push_back(N);
  All->clearOperands();
  for (MDNode *N : Others)
    All->addOperand(N);
}

void dropAnnotation(Function &Kernel, StringRef Name) {
  dropIf(*Kernel.getParent(),
         [&](const MDNode &N) { return isAnnotation(N, Kernel, Name); });
}

void annotate(Function &Kernel, StringRef Name, uint32_t Number) {
  dropAnnotation(Kernel, Name);
  LLVMContext &C = Kernel.getContext();
  Kernel.getParent()
      ->getNamedMetadata(AnnotationsName)
      ->addOperand(
          MDNode::get(C, {ValueAsMetadata::get(&Kernel), MDString::get(C, Name),
                          ConstantAsMetadata::get(
                              ConstantInt::get(Type::getInt32Ty(C), Number))}));
}

/// This many passes may renew a kernel.
static constexpr unsigned SparesOfKernel = 4;

static std::string spareName(StringRef Kernel, unsigned Number) {
  return ("accx.spare." + Twine(Number) + "." + Kernel).str();
}

static constexpr char LatePrefix[] = "accx.spare.late.";

namespace {

/// Spares that are in no module, by module and kernel.
struct LateSpares {
  std::mutex Mutex;
  std::map<std::pair<const Module *, std::string>, Function *> Of;
};

} // namespace

static LateSpares &lateSpares() {
  static LateSpares All;
  return All;
}

static bool isSpare(const Function &F) {
  return F.isDeclaration() && F.use_empty() &&
         F.getName().starts_with("accx.spare.");
}

static Function *takeSpare(const Function &Kernel) {
  for (unsigned Number = 0; Number < SparesOfKernel; ++Number) {
    Function *F =
        Kernel.getParent()->getFunction(spareName(Kernel.getName(), Number));
    if (!F || !isSpare(*F) || F->getFunctionType() != Kernel.getFunctionType())
      continue;
    F->removeFromParent();
    F->setLinkage(Kernel.getLinkage());
    return F;
  }
  return nullptr;
}

Function &renew(Function &Kernel) {
  Function *New = takeSpare(Kernel);
  if (!New)
    New = Function::Create(Kernel.getFunctionType(), Kernel.getLinkage(),
                           Kernel.getAddressSpace());
  Kernel.getParent()->getFunctionList().insert(Kernel.getIterator(), New);
  New->takeName(&Kernel);
  New->copyAttributesFrom(&Kernel);
  New->setComdat(Kernel.getComdat());
  New->copyMetadata(&Kernel, 0);
  New->splice(New->begin(), &Kernel);
  for (auto [From, To] : zip_equal(Kernel.args(), New->args())) {
    To.takeName(&From);
    From.replaceAllUsesWith(&To);
  }
  Kernel.replaceAllUsesWith(New);
  retire(Kernel);
  return *New;
}

void retire(Function &Kernel) {
  dropIf(*Kernel.getParent(), [&](const MDNode &N) { return isOf(N, Kernel); });
  Kernel.clearMetadata();
  Kernel.dropAllReferences();
  Kernel.removeFromParent();
}

Function &copyKernel(Function &Kernel, const Twine &Suffix) {
  Module &M = *Kernel.getParent();
  Function *New = nullptr;
  {
    LateSpares &Late = lateSpares();
    std::lock_guard Lock(Late.Mutex);
    if (auto It = Late.Of.find({&M, Kernel.getName().str()});
        It != Late.Of.end()) {
      New = It->second;
      Late.Of.erase(It);
    }
  }
  if (!New || New->getFunctionType() != Kernel.getFunctionType())
    New = Function::Create(Kernel.getFunctionType(), Kernel.getLinkage(),
                           Kernel.getAddressSpace());
  New->setLinkage(Kernel.getLinkage());
  M.getFunctionList().push_back(New);
  New->setName(Kernel.getName() + Suffix);
  // Whoever looks at the copy asks what it is.
  annotate(*New, "kernel", 1);
  ValueToValueMapTy Map;
  for (auto [From, To] : zip_equal(Kernel.args(), New->args())) {
    To.setName(From.getName());
    Map[&From] = &To;
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(New, &Kernel, Map,
                    CloneFunctionChangeType::LocalChangesOnly, Returns);
  return *New;
}

PreservedAnalyses SpareKernelsPass::run(Module &M, ModuleAnalysisManager &) {
  {
    // A module that is gone may have been at this address.
    LateSpares &Late = lateSpares();
    std::lock_guard Lock(Late.Mutex);
    std::erase_if(Late.Of,
                  [&](const auto &Spare) { return Spare.first.first == &M; });
  }
  Function *Init = isGpuCode(M) ? M.getFunction(TargetInit) : nullptr;
  if (!Init)
    return PreservedAnalyses::all();
  for (User *U : Init->users()) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call)
      continue;
    const Function &Kernel = *Call->getFunction();
    const auto Declare = [&](const Twine &Name) {
      if (!M.getFunction(Name.str()))
        Function::Create(Kernel.getFunctionType(), GlobalValue::ExternalLinkage,
                         Kernel.getAddressSpace(), Name, &M);
    };
    for (unsigned Number = 0; Number < SparesOfKernel; ++Number)
      Declare(spareName(Kernel.getName(), Number));
    Declare(LatePrefix + Kernel.getName());
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses DropSparesPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M))
    if (isSpare(F)) {
      StringRef Kernel = F.getName();
      if (Kernel.consume_front(LatePrefix)) {
        LateSpares &Late = lateSpares();
        std::lock_guard Lock(Late.Mutex);
        Late.Of[{&M, Kernel.str()}] = &F;
        F.removeFromParent();
      } else {
        F.eraseFromParent();
      }
      Changed = true;
    }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::offload
