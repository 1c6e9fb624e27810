//===- LoopParts.cpp - How distributed loops can be split -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads markers, looks at what kernels write, and writes the tables.
//
//===----------------------------------------------------------------------===//

#include "distribute/LoopParts.h"

#include "distribute/PartAddress.h"
#include "distribute/SystemAtomics.h"
#include "distribute/Walks.h"
#include "ir/CodeWriter.h"
#include "ir/Remark.h"
#include "markers/Markers.h"
#include "offload/DeviceCalls.h"
#include "offload/Origins.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <cstring>
#include <string>

#define DEBUG_TYPE "accx-distribute"

using namespace llvm;
using namespace accx::offload;

namespace accx::distribute {

/// Attributes of kernels: numbers of arguments.
static constexpr char FirstName[] = "accx-part-first";
static constexpr char LastName[] = "accx-part-last";

PreservedAnalyses ReadPartsPass::run(Module &M, ModuleAnalysisManager &) {
  Function *Marker = M.getFunction(markers::PartRange);
  if (!Marker)
    return PreservedAnalyses::all();
  for (Function &F : M) {
    if (F.isDeclaration() || !isKernelEntry(F))
      continue;
    for (Function *Part : functionsOf(F))
      forEachCall(*Part, markers::PartRange, [&](CallInst &Call) {
        unsigned Bits = 0;
        bool IsUnsigned = false;
        Argument *First = argumentOf(Call.getArgOperand(0), Bits, IsUnsigned);
        Argument *Last = argumentOf(Call.getArgOperand(1), Bits, IsUnsigned);
        if (!First || !Last || First->getParent() != &F ||
            Last->getParent() != &F)
          return ir::remarkMissed(
              DEBUG_TYPE, "Bounds", Call,
              "distributed loop runs on one device: its first and last "
              "iteration are no arguments of the kernel");
        ir::printPlan(Call, [&](raw_ostream &OS) {
          OS << "iterations from argument " << First->getArgNo()
             << " to argument " << Last->getArgNo();
        });
        F.addFnAttr(FirstName, std::to_string(First->getArgNo()));
        F.addFnAttr(LastName, std::to_string(Last->getArgNo()));
      });
  }
  return PreservedAnalyses::none();
}

bool isSplit(const Function &Kernel) {
  return Kernel.hasFnAttribute(FirstName);
}

namespace {

unsigned numberAttribute(const Function &F, StringRef Name) {
  unsigned Number = 0;
  (void)F.getFnAttribute(Name).getValueAsString().getAsInteger(10, Number);
  return Number;
}

/// One kernel's table while it is put together.
class TableBuilder {
  Function &Kernel;
  const ArrayRef<Function *> Parts;
  FunctionAnalysisManager &FAM;
  /// The program distributes the loop.
  const bool HasLoop;
  const unsigned First, Last;
  unsigned Flags = 0;
  std::vector<uint8_t> Uses;
  /// Reads that each iteration does from begin to end, one an argument.
  SmallMapVector<const Argument *, Instruction *, 4> Walks;
  /// Arguments of which not only the memory is used.
  SmallPtrSet<const Argument *, 4> Shown;
  struct Access {
    Argument *Base;
    bool IsWrite;
    SmallVector<accx_parts_term, 4> Start, Step;
    Instruction *At;
  };
  /// Writes come first.
  std::vector<Access> Accesses;
  unsigned NumWrites = 0;
  /// Where something is written that nobody knows, and a write that follows no
  /// straight line.
  Instruction *UnknownWrite = nullptr, *OtherWrite = nullptr;

  void touch(Value *Pointer, bool IsWrite, Instruction &I) {
    const PointerOrigins From = originsOf(Pointer);
    for (const Argument *A : From.Args)
      Uses[A->getArgNo()] |= IsWrite ? ACCX_PARTS_WRITES : ACCX_PARTS_READS;
    if (IsWrite && From.Loaded)
      Flags |= ACCX_PARTS_WRITES_LOADED;
    if (IsWrite && From.Unknown)
      writeUnknown(I);
    if (From.Args.empty() || !HasLoop)
      return;
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && From.Args.size() == 1)
      lookForWalk(*Load, **From.Args.begin());
    PartAddress Address(Pointer->getContext());
    Access A = {nullptr, IsWrite, {}, {}, &I};
    if (!Address.read(Pointer) || !Address.split(First, A.Start, A.Step)) {
      if (IsWrite)
        OtherWrite = &I;
      return;
    }
    A.Base = &Address.base();
    if (none_of(Accesses, [&](const Access &Old) {
          return Old.Base == A.Base && Old.IsWrite == IsWrite;
        }))
      Accesses.insert(IsWrite ? Accesses.begin() + NumWrites++ : Accesses.end(),
                      std::move(A));
  }

  /// The program may do something with the address \p V.
  void show(Value *V) {
    if (!HasLoop || !V->getType()->isPtrOrPtrVectorTy())
      return;
    for (const Argument *A : originsOf(V).Args)
      Shown.insert(A);
  }

  void lookForWalk(LoadInst &Load, const Argument &A) {
    // Of one that may change meanwhile there is only one.
    if (!Load.isSimple())
      Shown.insert(&A);
    else if (!Walks.contains(&A) &&
             isWalk(Load, FAM.getResult<ScalarEvolutionAnalysis>(
                              *Load.getFunction())))
      Walks.insert({&A, &Load});
  }

  /// Of what is shown, or written, nobody may have a copy.
  void keepWalks() {
    Walks.remove_if([&](const auto &W) {
      return Shown.contains(W.first) || Flags & ACCX_PARTS_WRITES_LOADED ||
             Uses[W.first->getArgNo()] & ACCX_PARTS_WRITES;
    });
    for (const auto &[A, At] : Walks) {
      Uses[A->getArgNo()] |= ACCX_PARTS_WALKS;
      ir::printPlan(*At, [Arg = A](raw_ostream &OS) {
        OS << "walk through argument " << Arg->getArgNo();
      });
      ir::remarkPassed(DEBUG_TYPE, "Walk", *At,
                       "each iteration of the distributed loop reads through "
                       "this: each device gets a copy of what is spread");
    }
  }

  static void printSum(raw_ostream &OS, ArrayRef<accx_parts_term> Terms) {
    for (const accx_parts_term &T : Terms) {
      OS << (&T == Terms.begin() ? "" : " + ") << T.factor;
      for (uint32_t Arg : T.args)
        if (Arg)
          OS << " * argument " << (Arg & 0xffff);
    }
  }

  void print(const Access &A) const {
    ir::printPlan(*A.At, [&](raw_ostream &OS) {
      OS << (A.IsWrite ? "write" : "read") << " of argument "
         << A.Base->getArgNo() << " from byte ";
      if (A.Start.empty())
        OS << '0';
      printSum(OS, A.Start);
      printSum(OS << ", in steps of ", A.Step);
    });
  }

  void writeUnknown(Instruction &I) {
    Flags |= ACCX_PARTS_WRITES_UNKNOWN;
    UnknownWrite = &I;
  }

  /// What assembly gets, it may write to.
  void visitAsm(CallBase &Call) {
    const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
    // An empty text holds the compiler up, no more.
    if (Call.onlyReadsMemory() || StringRef(Asm->getAsmString()).empty())
      return;
    for (Value *Arg : Call.args())
      if (Arg->getType()->isPtrOrPtrVectorTy())
        touch(Arg, /*IsWrite=*/true, Call);
      else if (Arg->getType()->isIntegerTy(64))
        writeUnknown(Call); // Addresses are numbers, too.
  }

  /// Functions of the runtime that do more than run the kernel.
  void visitRuntime(CallBase &Call, StringRef Name) {
    // Locks hold up threads of one device.
    if (Name.starts_with("__kmpc_critical") || Name.contains("_lock"))
      return writeUnknown(Call);
    for (Value *Arg : Call.args()) {
      if (Name.starts_with("__nv_") && Arg->getType()->isPointerTy())
        touch(Arg, /*IsWrite=*/true, Call);
      // Tasks. Functions of reductions combine what the kernel itself has.
      const auto *Body = dyn_cast<Function>(Arg->stripPointerCasts());
      if (Body && !Body->isDeclaration() && !is_contained(Parts, Body) &&
          !Name.contains("reduce"))
        writeUnknown(Call);
    }
  }

  static bool isRuntime(StringRef Name) {
    return Name.starts_with("__kmpc_") || Name.starts_with("__nv_") ||
           Name.starts_with("omp_") || Name.starts_with("__accx_") ||
           Name == "printf" || Name == "vprintf" || Name == "malloc" ||
           Name == "free";
  }

  void visitCall(CallBase &Call) {
    Function *Callee = Call.getCalledFunction();
    // The kernel's own functions and OpenMP's runtime hand them on.
    if (!Callee || (Callee->isDeclaration() && !isa<IntrinsicInst>(Call) &&
                    !Callee->getName().starts_with("__kmpc_")))
      for (Value *Arg : Call.args())
        show(Arg);
    if (Call.isInlineAsm())
      return visitAsm(Call);
    if (!Callee) {
      if (!Call.onlyReadsMemory())
        writeUnknown(Call);
      return;
    }
    if (isRuntime(Callee->getName()))
      return visitRuntime(Call, Callee->getName());
    if (auto *Mem = dyn_cast<AnyMemIntrinsic>(&Call)) {
      touch(Mem->getRawDest(), /*IsWrite=*/true, Call);
      if (auto *Copy = dyn_cast<AnyMemTransferInst>(Mem))
        touch(Copy->getRawSource(), /*IsWrite=*/false, Call);
      return;
    }
    // What is defined is one of the kernel's functions.
    if (!Callee->isDeclaration() || Call.onlyReadsMemory() ||
        Call.onlyAccessesInaccessibleMemory())
      return;
    const auto &Library = FAM.getResult<TargetLibraryAnalysis>(Kernel);
    LibFunc Known;
    const bool IsKnown = isa<IntrinsicInst>(Call) ||
                         Call.onlyAccessesArgMemory() ||
                         Library.getLibFunc(*Callee, Known);
    for (Value *Arg : Call.args())
      if (IsKnown && Arg->getType()->isPtrOrPtrVectorTy())
        touch(Arg, /*IsWrite=*/true, Call);
    if (!IsKnown)
      writeUnknown(Call);
  }

  /// What an instruction does with addresses beside accessing what is there.
  void visitAddresses(Instruction &I) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      // A variable of the kernel's own is followed.
      if (storedIn(Store->getPointerOperand()).empty())
        show(Store->getValueOperand());
    } else if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
      if (none_of(Compare->operands(),
                  [](const Use &U) { return isa<ConstantPointerNull>(U); }))
        for (Value *V : Compare->operands())
          show(V);
    } else if (isa<PtrToIntInst, InsertElementInst, InsertValueInst,
                   AtomicRMWInst, AtomicCmpXchgInst, ReturnInst>(I)) {
      for (Value *V : I.operands())
        show(V);
    }
  }

  void visit(Instruction &I) {
    visitAddresses(I);
    if (auto *Store = dyn_cast<StoreInst>(&I))
      touch(Store->getPointerOperand(), true, I);
    else if (auto *Load = dyn_cast<LoadInst>(&I))
      touch(Load->getPointerOperand(), false, I);
    else if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
      touch(Rmw->getPointerOperand(), true, I);
    else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      touch(Exchange->getPointerOperand(), true, I);
    else if (auto *Call = dyn_cast<CallBase>(&I))
      visitCall(*Call);
    else if (I.mayWriteToMemory() && !isa<FenceInst>(I))
      writeUnknown(I);
  }

  std::vector<uint8_t> bytes() const {
    accx_kernel_parts Header = {};
    Header.magic = ACCX_KERNEL_PARTS_MAGIC;
    Header.version = ACCX_KERNEL_PARTS_VERSION;
    Header.flags =
        static_cast<uint16_t>(Flags | (HasLoop ? 0 : ACCX_PARTS_NO_LOOP));
    Header.num_args = static_cast<uint32_t>(Uses.size());
    Header.first_arg = First;
    Header.last_arg = Last;
    Header.num_accesses = static_cast<uint32_t>(Accesses.size());
    std::vector<uint8_t> All(sizeof(Header));
    All.insert(All.end(), Uses.begin(), Uses.end());
    All.resize((All.size() + 7) / 8 * 8);
    const auto Append = [&All](const auto &Object) {
      const auto *Raw = reinterpret_cast<const uint8_t *>(&Object);
      All.insert(All.end(), Raw, Raw + sizeof(Object));
    };
    for (const Access &A : Accesses) {
      Append(accx_parts_access{A.Base->getArgNo(), A.IsWrite,
                               static_cast<uint32_t>(A.Start.size()),
                               static_cast<uint32_t>(A.Step.size())});
      for (const accx_parts_term &T : A.Start)
        Append(T);
      for (const accx_parts_term &T : A.Step)
        Append(T);
    }
    Header.total_bytes = static_cast<uint32_t>(All.size());
    std::memcpy(All.data(), &Header, sizeof(Header));
    return All;
  }

  /// Whether steps differ in more than the size of elements.
  static bool areApart(const Access &A, const Access &B) {
    return !std::equal(
        A.Step.begin(), A.Step.end(), B.Step.begin(), B.Step.end(),
        [](const accx_parts_term &X, const accx_parts_term &Y) {
          return std::equal(std::begin(X.args), std::end(X.args), Y.args);
        });
  }

  /// Reads that leave the owner's part, as those of a transposed array.
  void remarkFarReads() const {
    if (!NumWrites || UnknownWrite)
      return;
    for (const Access &A : drop_begin(Accesses, NumWrites)) {
      if (!areApart(A, Accesses.front()))
        continue;
      ir::remarkMissed(
          DEBUG_TYPE, "FarRead", *A.At,
          "this read of the distributed loop moves in other steps than its "
          "writes: of N devices each gets (N-1)/N of what it reads here from "
          "the others, if the array is spread as the written one");
    }
  }

  void remark() const {
    Instruction *At = UnknownWrite ? UnknownWrite : OtherWrite;
    if (!Accesses.empty() && !UnknownWrite)
      At = Accesses.front().At;
    if (!At)
      At = &*inst_begin(Kernel);
    if (UnknownWrite)
      ir::remarkMissed(DEBUG_TYPE, "UnknownWrite", *At,
                       "distributed loop runs on one device: here it may write "
                       "what the compiler does not see");
    else if (!Accesses.empty())
      ir::remarkPassed(DEBUG_TYPE, "Owner", *At,
                       "iterations of the distributed loop run where this ",
                       NumWrites ? "write goes" : "read comes from");
    else
      ir::remarkMissed(
          DEBUG_TYPE, "EvenBlocks", *At,
          "distributed loop runs in even blocks: no access advances by equal "
          "steps from iteration to iteration of the outermost loop");
  }

  /// Passes that join accesses drop metadata, but one thread runs all of a
  /// block.
  static bool isOfLastThread(const BasicBlock &BB) {
    return any_of(BB, [](const Instruction &I) {
      return I.hasMetadata(offload::LastThreadOnly);
    });
  }

  /// Variables that the kernel reduces to.
  void findTouchedOnce() {
    for (Argument &A : Kernel.args())
      if (A.getType()->isPointerTy() && !A.use_empty() &&
          all_of(A.uses(), [](const Use &U) {
            const auto *I = cast<Instruction>(U.getUser());
            return getLoadStorePointerOperand(I) == U.get() &&
                   isOfLastThread(*I->getParent());
          }))
        Uses[A.getArgNo()] |= ACCX_PARTS_ONCE;
  }

public:
  TableBuilder(Function &Kernel, ArrayRef<Function *> Parts,
               FunctionAnalysisManager &FAM)
      : Kernel(Kernel), Parts(Parts), FAM(FAM), HasLoop(isSplit(Kernel)),
        First(numberAttribute(Kernel, FirstName)),
        Last(numberAttribute(Kernel, LastName)), Uses(Kernel.arg_size()) {}

  void run() {
    for (Function *Part : Parts)
      for (Instruction &I : instructions(*Part))
        visit(I);
    findTouchedOnce();
    if (!HasLoop)
      return;
    if (Accesses.size() > ACCX_PARTS_MAX_ACCESSES)
      Accesses.resize(ACCX_PARTS_MAX_ACCESSES);
    NumWrites = std::min<unsigned>(NumWrites, Accesses.size());
    if (Instruction *Kept = findAtomicOfOneDevice(Parts))
      writeUnknown(*Kept);
    for (const Access &A : Accesses)
      print(A);
    keepWalks();
    remark();
    remarkFarReads();
  }

  /// Whether the runtime can make something of it. The first argument is the
  /// launch environment.
  bool isOfUse() const {
    return HasLoop || (!Flags && any_of(Kernel.args(), [](const Argument &A) {
             return A.getArgNo() > 0 && A.getType()->isPointerTy();
           }));
  }

  void emit() const {
    ir::createTable(Kernel, bytes(), ACCX_KERNEL_PARTS_SUFFIX);
    // Behind the walk, which does not read assembly.
    if (HasLoop)
      makeAtomicsSystemWide(Parts);
  }
};

} // namespace

PreservedAnalyses LoopPartsPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration() || !isKernelEntry(F) ||
        F.arg_size() > ACCX_PARTS_MAX_ARGS ||
        M.getNamedGlobal((F.getName() + ACCX_KERNEL_PARTS_SUFFIX).str()))
      continue;
    const SmallVector<Function *, 8> Parts = functionsOf(F);
    TableBuilder Table(F, Parts, FAM);
    Table.run();
    if (!Table.isOfUse())
      continue;
    Table.emit();
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::distribute
