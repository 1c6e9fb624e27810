//===- Remark.h - What passes say of the code they see ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks of all passes: what was done to a loop, call or kernel, and why it
// was left. `Pass` is what -Rpass= selects, `Name` and the named arguments are
// what a file of remarks has.
//
//     ir::remarkPassed(DEBUG_TYPE, "Rows", L, "loop goes row by row");
//     ir::remarkRefused(DEBUG_TYPE, R, L, "loop stays as it is");
//
// The second prints "loop stays as it is: <text of R>".
//
// `print<...>` (pipeline/PlanPrinter.h) shows remarks as lines of text, with
// what passes found out before they decided:
//
//     ir::printPlan(L, [&](raw_ostream &OS) { OS << Rows << " rows"; });
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_IR_REMARK_H
#define ACCX_IR_REMARK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <type_traits>

namespace accx::ir {

/// "1 loop", "2 loops"; files of remarks have the number under \p Key.
struct Counted {
  uint64_t Number;
  llvm::StringRef Noun;
  llvm::StringRef Key = "Number";

  std::string noun() const;
};

/// \p To: a remark or a stream.
template <typename ToT> ToT &operator<<(ToT &To, const Counted &C) {
  if constexpr (std::is_base_of_v<llvm::DiagnosticInfoOptimizationBase, ToT>)
    To << llvm::ore::NV(C.Key, C.Number) << C.noun();
  else
    To << C.Number << C.noun();
  return To;
}

/// The code that a remark is about.
struct RemarkPlace {
  llvm::DiagnosticLocation Line;
  const llvm::BasicBlock *Block;

  RemarkPlace(const llvm::Instruction &I)
      : Line(I.getDebugLoc()), Block(I.getParent()) {}
  RemarkPlace(const llvm::Loop &L)
      : Line(L.getStartLoc()), Block(L.getHeader()) {}
  RemarkPlace(const llvm::Function &F)
      : Line(F.getSubprogram()), Block(&F.getEntryBlock()) {}
  RemarkPlace(const llvm::DebugLoc &Line, const llvm::BasicBlock &Block)
      : Line(Line), Block(&Block) {}
};

/// Where plans and remarks of this thread are printed; null: nowhere.
llvm::raw_ostream *&plansGoTo();
/// A line of a plan, if anybody reads it.
void printPlan(const RemarkPlace &At,
               llvm::function_ref<void(llvm::raw_ostream &)> Print);

/// Whether somebody reads remarks on \p Block's function.
bool areRemarksRead(const llvm::BasicBlock &Block);
void emitRemark(llvm::DiagnosticInfoIROptimization &Remark);

/// \p What: strings, ore::NV and Counted.
template <typename RemarkT, typename... Parts>
void remark(const char *Pass, llvm::StringRef Name, const RemarkPlace &At,
            const Parts &...What) {
  if (!areRemarksRead(*At.Block))
    return;
  RemarkT Remark(Pass, Name, At.Line, At.Block);
  (Remark << ... << What);
  emitRemark(Remark);
}

template <typename... Parts>
void remarkPassed(const char *Pass, llvm::StringRef Name, const RemarkPlace &At,
                  const Parts &...What) {
  remark<llvm::OptimizationRemark>(Pass, Name, At, What...);
}

template <typename... Parts>
void remarkMissed(const char *Pass, llvm::StringRef Name, const RemarkPlace &At,
                  const Parts &...What) {
  remark<llvm::OptimizationRemarkMissed>(Pass, Name, At, What...);
}

/// \p Why: of an enumeration that Refusals.inc made.
template <typename Refusal, typename... Parts>
void remarkRefused(const char *Pass, Refusal Why, const RemarkPlace &At,
                   const Parts &...What) {
  remarkMissed(
      Pass, describe(Why).Name, At, What..., ": ",
      llvm::DiagnosticInfoOptimizationBase::Argument("Reason", textOf(Why)));
}

} // namespace accx::ir

#endif // ACCX_IR_REMARK_H
