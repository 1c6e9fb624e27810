//===- Remark.cpp - What passes say of the code they see ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands remarks to LLVM's emitter, one each: code around them may have changed
// since the last, and with it how often it runs. A pipeline that has a pass
// twice hears once what the pass missed.
//
//===----------------------------------------------------------------------===//

#include "ir/Remark.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"

#include <mutex>

using namespace llvm;

namespace accx::ir {

std::string Counted::noun() const {
  if (Number == 1)
    return (" " + Noun).str();
  if (Noun.ends_with("y") && !Noun.ends_with("ay"))
    return (" " + Noun.drop_back() + "ies").str();
  return (" " + Noun + (Noun.ends_with("s") ? "es" : "s")).str();
}

raw_ostream *&plansGoTo() {
  static thread_local raw_ostream *To = nullptr;
  return To;
}

/// Where it is in the program, or in which function.
static raw_ostream &beginLine(const DiagnosticLocation &Line,
                              const Function &F) {
  raw_ostream &OS = *plansGoTo();
  if (Line.isValid())
    return OS << Line.getRelativePath() << ':' << Line.getLine() << ':'
              << Line.getColumn() << ": ";
  return OS << F.getName() << ": ";
}

void printPlan(const RemarkPlace &At, function_ref<void(raw_ostream &)> Print) {
  if (!plansGoTo())
    return;
  Print(beginLine(At.Line, *At.Block->getParent()));
  *plansGoTo() << '\n';
}

bool areRemarksRead(const BasicBlock &Block) {
  const LLVMContext &Context = Block.getContext();
  return plansGoTo() || Context.getLLVMRemarkStreamer() ||
         Context.getDiagHandlerPtr()->isAnyRemarkEnabled();
}

/// Whether a remark on this line has been heard.
static bool isRepeated(const DiagnosticInfoIROptimization &Remark) {
  if (Remark.getKind() != DK_OptimizationRemarkMissed ||
      !Remark.isLocationAvailable())
    return false;
  static std::mutex Lock;
  static StringSet<> Heard;
  const Function &F = Remark.getFunction();
  const std::lock_guard<std::mutex> Guard(Lock);
  return !Heard
              .insert(formatv("{0} {1} {2} {3} {4}", &F.getContext(),
                              Remark.getPassName(), F.getName(),
                              Remark.getLocationStr(), Remark.getMsg())
                          .str())
              .second;
}

void emitRemark(DiagnosticInfoIROptimization &Remark) {
  if (plansGoTo()) {
    beginLine(Remark.getLocation(), Remark.getFunction())
        << Remark.getMsg() << '\n';
    return;
  }
  if (isRepeated(Remark))
    return;
  OptimizationRemarkEmitter(&Remark.getFunction()).emit(Remark);
}

} // namespace accx::ir
