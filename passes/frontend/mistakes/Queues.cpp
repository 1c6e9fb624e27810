//===- Queues.cpp - Queues that nobody waits for --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a program in one file, its queues are known: work on a queue that nothing
// waits for, and a wait for a queue that has no work. Of any: a construct
// inside of a data construct that does not wait for what that copies.
//
//===----------------------------------------------------------------------===//

#include "frontend/mistakes/Deeds.h"
#include "frontend/mistakes/Visitor.h"

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
      if (const Clause *C = queueClause(*D)) {
        if (!First && !D->has(ClauseKind::Event))
          First = D.get();
        Queues |= C->Values.empty() || C->Kind == ClauseKind::DeviceId;
      }
    }
    if (Others)
      return;
    if (First && !Waits) {
      const Clause &C = *queueClause(*First);
      const std::string Device = deviceOf(*First);
      U.warn(C.Loc,
             "'{0}', and nothing in the program waits: add '#pragma acc "
             "wait{1}' before the host uses the data",
             C.Spelling,
             (Device.empty() || Device == "?" ? std::string()
                                              : " device(" + Device + ")"));
    }
    const std::string Hint =
        Used.empty() ? "" : ": 'async' names " + std::to_string(*Used.begin());
    for (const auto &[D, N] : Waited)
      if (!Queues && N >= 0 && !Used.contains(N))
        U.warn(D->Loc,
               "wait for queue {0}, which nothing in the program uses{1}", N,
               Hint);
  }

private:
  /// Calls that wait, or that may give work to a queue.
  void expression(const Expr *E) override {
    const auto *C = dyn_cast<CallExpr>(E);
    if (!C)
      return;
    const FunctionDecl *F = C->getDirectCallee();
    const StringRef Name = nameOf(F);
    Waits |= Name.starts_with("acc_wait") || Name.starts_with("acc_async_") ||
             Name.starts_with("acc_shutdown");
    Queues |= Name.contains("_async");
    // Events wait for queues, and their operations are queued.
    const bool OfEvents = F && isOfEvents(*F, Name);
    Waits |= OfEvents;
    Queues |= OfEvents;
    // What another file does is not known.
    if (F && !F->isDefined() && !U.isForeign(F->getLocation()) &&
        !F->getBuiltinID())
      Others = true;
  }

  /// accx/event.h, accx/mpi.h and what C++ makes of them.
  static bool isOfEvents(const FunctionDecl &F, StringRef Name) {
    const auto *In = dyn_cast<NamespaceDecl>(
        F.getDeclContext()->getEnclosingNamespaceContext());
    return Name.starts_with("accx_") || (In && In->getName() == "accx");
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
    const std::optional<int64_t> N = constantOf(Op.Operand, U.Context);
    if (!N)
      Queues |= !Wait;
    else if (Wait)
      Waited.push_back({D, *N});
    else
      Used.insert(*N);
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
    if (isCompute(D.Kind) && S)
      findOtherDevice(D, S);
    if (!isCompute(D.Kind) || queueClause(D) || D.has(ClauseKind::Wait))
      return;
    for (const Directive *Data : Around)
      if (Data->Kind == DirectiveKind::Data && Data->has(ClauseKind::Async) &&
          copiesIn(*Data) && !waitsBetween(*Data, D) &&
          Told.insert(Data).second)
        U.warn(D.Loc,
               "this construct does not wait for the copies of 'data async' in "
               "line {0}, and may come before them: say 'async' with the same "
               "queue here, or put '#pragma acc wait' in front of it",
               U.line(Data->Loc));
  }

  /// A construct that says no device inside of data that do: it runs where the
  /// thread is, and the data are elsewhere.
  void findOtherDevice(const Directive &D, const Stmt *S) {
    if (U.SetsDevice || D.has(ClauseKind::DeviceId) || D.has(ClauseKind::Self))
      return;
    DeedReader Reader(U.Marks);
    Reader.read(S);
    std::set<const VarDecl *> Held;
    auto Add = [&](const Directive &Of) {
      for (const ClauseItem &I : U.items(Of))
        Held.insert(I.Root);
    };
    Add(D);
    for (const Directive *Data : llvm::reverse(Around)) {
      if (Data->Kind != DirectiveKind::Data || Data->has(ClauseKind::If))
        continue;
      const auto Items = U.Items.find(Data->Ordinal);
      const std::string Device = deviceOf(*Data);
      if (!Device.empty() && Device != "0" && Items != U.Items.end())
        for (const ClauseItem &I : Items->second)
          if (I.Root && !I.Member && !Held.contains(I.Root) &&
              Reader.find(I.Root)) {
            U.warn(D.Loc,
                   "'{0}' is on the device of 'data deviceid' in line {1}, and "
                   "this construct, without 'deviceid', runs on the current "
                   "one with a copy of its own: give it the same 'deviceid'",
                   I.Root->getName(), U.line(Data->Loc));
            return;
          }
      Add(*Data);
    }
  }

  void expression(const Expr *E) override {
    const FunctionDecl *F = calleeOf(E);
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
