//===- MistakesQueues.cpp - Queues that nobody waits for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a program in one file, its queues are known: work on a queue that nothing
// waits for, and a wait for a queue that has no work. Of any: a construct
// inside of a data construct that does not wait for what that copies.
//
//===----------------------------------------------------------------------===//

#include "frontend/MistakeVisitor.h"

using namespace clang;

namespace accx::frontend {
namespace {

class QueueSearch final : public MistakeVisitor {
public:
  using MistakeVisitor::MistakeVisitor;

  void tell() {
    const Directive *First = nullptr;
    for (const auto &D : U.Marks.Directives) {
      Waits |= D->Kind == DirectiveKind::Wait || D->has(ClauseKind::Wait) ||
               D->Kind == DirectiveKind::Shutdown;
      Queues |= D->Kind == DirectiveKind::Set;
      if (const Clause *C = D->find(ClauseKind::Async)) {
        First = First ? First : D.get();
        Queues |= !C->HasArguments;
      }
    }
    if (Others)
      return;
    if (First && !Waits)
      U.warn(First->find(ClauseKind::Async)->Loc,
             "'async', and nothing in the program waits: add '#pragma acc "
             "wait' before the host uses the data");
    const std::string Hint =
        Used.empty() ? "" : ": 'async' names " + std::to_string(*Used.begin());
    for (const auto &[D, N] : Waited)
      if (!Queues && N >= 0 && !Used.contains(N))
        U.warn(D->Loc, "wait for queue " + Twine(N) +
                           ", which nothing in the program uses" + Hint);
  }

private:
  /// Calls that wait, or that may give work to a queue.
  void expression(const Expr *E) override {
    const auto *C = dyn_cast<CallExpr>(E);
    if (!C)
      return;
    const FunctionDecl *F = C->getDirectCallee();
    const StringRef Name = F && F->getIdentifier() ? F->getName() : "";
    Waits |= Name.starts_with("acc_wait") || Name.starts_with("acc_async_") ||
             Name.starts_with("acc_shutdown");
    Queues |= Name.contains("_async");
    // What another file does is not known.
    if (F && !F->isDefined() && !U.isForeign(F->getLocation()) &&
        !F->getBuiltinID())
      Others = true;
  }

  void operand(const MarkedOperand &Op) override {
    const Directive *D = U.Marks.find(Op.Mark.Ordinal);
    if (!D || !Op.Mark.Clause || !Op.Operand || Op.Mark.Item)
      return;
    const ClauseKind Kind = D->Clauses[*Op.Mark.Clause].Kind;
    const bool Wait =
        Kind == ClauseKind::Wait ||
        (D->Kind == DirectiveKind::Wait && Kind == ClauseKind::Argument);
    if (!Wait && Kind != ClauseKind::Async)
      return;
    Expr::EvalResult R;
    if (Op.Operand->isValueDependent() ||
        !Op.Operand->getType()->isIntegerType() ||
        !Op.Operand->EvaluateAsInt(R, U.Context)) {
      Queues |= !Wait;
      return;
    }
    const int64_t N = R.Val.getInt().getExtValue();
    if (Wait)
      Waited.push_back({D, N});
    else
      Used.insert(N);
  }

  std::set<int64_t> Used;
  std::vector<std::pair<const Directive *, int64_t>> Waited;
  /// There are waits; queues whose number is not known; other files.
  bool Waits = false, Queues = false, Others = false;
};

/// `async` of a data construct is not that of the constructs inside (OpenACC
/// 3.3, 2.6.5).
class CopySearch final : public MistakeVisitor {
public:
  using MistakeVisitor::MistakeVisitor;

private:
  void enters(const Directive &D, const Stmt *S) override {
    if (!isCompute(D) || D.has(ClauseKind::Async) || D.has(ClauseKind::Wait))
      return;
    for (const Directive *Data : Around)
      if (Data->Kind == DirectiveKind::Data && Data->has(ClauseKind::Async) &&
          copiesIn(*Data) && !waitsBetween(*Data, D) &&
          Told.insert(Data).second)
        U.warn(D.Loc, "this construct does not wait for the copies of 'data "
                      "async' in line " +
                          Twine(U.line(Data->Loc)) +
                          ", and may come before them: say 'async' with the "
                          "same queue here, or put '#pragma acc wait' in "
                          "front of it");
  }

  void expression(const Expr *E) override {
    const auto *C = dyn_cast<CallExpr>(E);
    const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
    // What another function waits for is not known.
    if (F && !F->getBuiltinID())
      Told.insert(Around.begin(), Around.end());
  }

  static bool copiesIn(const Directive &D) {
    return D.has(ClauseKind::Copy) || D.has(ClauseKind::CopyIn);
  }

  bool waitsBetween(const Directive &Data, const Directive &D) const {
    return llvm::any_of(U.Marks.Directives, [&](const auto &Other) {
      return Other->Ordinal > Data.Ordinal && Other->Ordinal < D.Ordinal &&
             (Other->Kind == DirectiveKind::Wait ||
              Other->has(ClauseKind::Wait));
    });
  }

  std::set<const Directive *> Told;
};

} // namespace

void findQueueMistakes(MistakeUnit &U) {
  for (const FunctionDecl *F : U.Functions)
    CopySearch(U).walk(F->getBody());
  const bool IsProgram = llvm::any_of(
      U.Functions, [](const FunctionDecl *F) { return F->isMain(); });
  if (!IsProgram)
    return;
  QueueSearch Search(U);
  for (const FunctionDecl *F : U.Functions)
    Search.walk(F->getBody());
  Search.tell();
}

} // namespace accx::frontend
