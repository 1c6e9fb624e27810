//===- Planner.h - Shared parts of planning ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that the planning of all directives shares. Plan.cpp dispatches;
// Compute.cpp, Data.cpp, Smc.cpp and Declare.cpp hold one
// family of directives each.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_PLANNER_H
#define ACCX_FRONTEND_PLAN_PLANNER_H

#include "frontend/parse/Report.h"
#include "frontend/plan/Levels.h"
#include "frontend/plan/Plan.h"

#include "clang/Lex/Preprocessor.h"

#include <map>
#include <set>

namespace accx::frontend {

/// A name's data clause on an enclosing construct.
struct VisibleData {
  ClauseKind Kind;
  bool Whole; // no part of it
};

/// `"file:line: 'array'"`, as a literal.
std::string whereOf(clang::Preprocessor &PP, clang::SourceLocation Loc,
                    const std::string &Array);

/// The record that Clang makes of a place, as a literal: ";name;file;line;
/// column;;" of a variable, ";file;name;line;column;;" of a construct.
std::string record(clang::Preprocessor &PP, clang::SourceLocation Loc,
                   const std::string &Name, bool Variable);

class Planner {
public:
  Planner(const Tree &T, const Facts &F, clang::Preprocessor &PP,
          const PlanOptions &Options);
  Plan run();

private:
  // Plan.cpp
  void visit(const Node &N);
  bool checkPlace(const Node &N);
  bool checkLoop(const Node &N);
  void checkSections(const Directive &D);
  void addSectionChecks(const Directive &D, Rewrite &R);
  void visitAll(const std::vector<Node *> &Nodes);
  std::string text(TokenRange Tokens) const;
  /// A blank in front of each clause.
  std::string text(const Phrases &Clauses) const;
  clang::DiagnosticBuilder error(clang::SourceLocation Loc,
                                 llvm::StringRef Text) const {
    return reportError(Diags, Loc, Text);
  }
  /// The host's compilation warns, and every device's would say it again; -w
  /// does not reach a plugin's warnings.
  clang::DiagnosticBuilder warning(clang::SourceLocation Loc,
                                   llvm::StringRef Text) const;
  /// Of an array, and of an item, as literals.
  std::string whereOf(TokenRange Array) const {
    return frontend::whereOf(PP, Array.front().getLocation(), text(Array));
  }
  std::string recordOf(const Item &I) const {
    return record(PP, I.Tokens.front().getLocation(), text(I.Tokens), true);
  }
  void remark(const Node &N, const std::string &Text);
  /// Adds what the clauses async, wait and if of a construct ask for besides
  /// OpenMP's own clauses.
  void planQueue(const Node &N, Rewrite &R);
  /// The queue of a data construct takes its begin and its end; what stands
  /// inside is queued only where it says so.
  void leaveQueue(const Node &N, Rewrite &R);
  void planWait(const Clause &C, const Clause *Async, Phrases &Calls,
                TokenRange Of = {});
  std::string deviceOf(const Node &N) const;
  /// Names with a data clause on the constructs around \p N.
  std::map<std::string, VisibleData> visibleData(const Node &N) const;

  // Members.cpp
  void planData(const Node &N, Rewrite &R);
  void planEnterData(const Node &N, Rewrite &R);
  void planExitData(const Node &N, Rewrite &R);
  bool isBehindMember(const ListItem &I) const;
  void addDataDirectives(
      const Node &N, llvm::StringRef Name, bool Structured,
      llvm::function_ref<llvm::StringRef(const ListItem &)> TypeOf, Rewrite &R);

  // Data.cpp
  void planUpdate(const Node &N, Rewrite &R);
  void planHostData(const Node &N, Rewrite &R);
  void planCall(const Node &N, Rewrite &R);
  void planWaitDirective(const Node &N, Rewrite &R);
  void planAtomic(const Node &N, Rewrite &R);
  /// What every construct with data begins with: memory set to zero, its queue,
  /// rows behind tables, and data that go one way.
  void beginData(const Node &N, bool Structured, Rewrite &R);
  /// The map clause of one item of a data clause, held for the construct's
  /// duration if \p Structured; addMaps() does all of \p N's.
  void addMap(const ListItem &I, llvm::StringRef Type, bool Structured,
              Phrases &Out);
  /// Whether an item is in a no_create clause that says nothing of it: a
  /// pointer is used as without the clause.
  bool leavesAlone(const ListItem &I) const;
  void addNoCreate(const ListItem &I, Phrases &Out);
  static llvm::StringRef mapType(ClauseKind K, bool Finalize);
  static llvm::StringRef enterType(const Clause &C, bool Structured);
  void addMaps(const Node &N, bool Structured, Phrases &Out);
  void addDataDirective(const Node &N, OmpDirective D, Rewrite &R);
  void addZeroed(const Node &N, bool Structured, Rewrite &R);
  /// What OpenMP has no modifier for: Always.cpp.
  void addOneWay(const Node &N, Rewrite &R);
  /// Attach and detach clauses as calls.
  void addAttach(const Node &N, Rewrite &R);
  void addIf(const Node &N, llvm::StringRef Modifier, Phrases &Out);

  // Devices.cpp
  /// Brackets what \p N became, if it has `deviceid`.
  void placeOnDevice(const Node &N);
  bool planUpdatePeer(const Node &N, Rewrite &R);
  void addPeer(const Clause &C, const Item &I, const Clause &Device,
               const std::string &Shape, Phrases &Calls);

  // Spread.cpp
  bool planSpread(const Node &N, Rewrite &R);
  bool checkSpread(const Node &N);
  bool checkSpreadItem(const ListItem &I);
  /// Whether no length is negative; reports it if not.
  bool checkLengths(const ListItem &I);
  void addWholeChecks(const Item &I, const Clause &C, Phrases &Out);
  /// `devices, how many, `: -1 for all. Declares the array in \p Before.
  std::string addDevices(const Directive &D, Phrases &Before);
  /// Whether the unit is OpenACC, and not OpenMP alone.
  bool isOpenAcc() const;

  // Operation.cpp
  bool planOperation(const Node &N, Rewrite &R);
  void addWaits(const Node &N, Phrases &Out);

  // OperationCheck.cpp
  bool checkOperation(const Node &N);
  bool checkHost(const Node &N);
  bool checkOperand(const Directive &D, const Clause &C);
  bool checkFile(const Directive &D, const Clause &C);
  bool checkPeer(const Node &N, const Clause &C);
  bool checkEvents(const Directive &D, const Clause &C);

  // Distribute.cpp
  void planDistribute(const Node &N);
  bool markPart(const Node &N, const Node &Loop, const Rewrite &R);
  void addSlots(const Node &N, const Item &I, const ItemFacts &Known,
                llvm::StringRef Operator, size_t Number, Phrases &Out);
  void addCombined(const Node &N, llvm::StringRef Operator, size_t Number,
                   Phrases &Out);

  // TimeTile.cpp
  void planTimeTile(const Node &N);

  // Rows.cpp
  /// Whether an item of a clause names rows behind a table of pointers.
  bool namesRows(const ListItem &I) const;
  /// Calls that map the rows that \p N's clauses name ahead of the construct,
  /// and unmap them behind it if \p Structured.
  void addRows(const Node &N, bool Structured, Rewrite &R);
  void addRowExits(const Node &N, Rewrite &R);
  void addRowUpdates(const Node &N, Rewrite &R);

  // Smc.cpp
  void planSmc(const Node &N, Rewrite &R);
  bool planCache(const Node &N, Rewrite &R);
  bool planSmcBarrier(const Node &N, Rewrite &R);
  Phrases knownExtent(const Node &N, llvm::StringRef Name);
  void addSmcMarker(const Node &N, const ListItem &I, unsigned Type,
                    TokenRange Base, llvm::ArrayRef<Section> Sections,
                    Rewrite &R, Phrases &End);
  bool checkSmcArray(const ListItem &I, unsigned Type);

  // Arc.cpp
  void planBarrier(const Node &N);

  // Declare.cpp
  void findRoutines();
  bool planRoutine(const Node &N, Rewrite &R);
  bool isOverloaded(const Node &N, const ListItem &I) const;
  void planOverloads(const Node &N, llvm::StringRef Name);
  /// What `bind` adds: the routine's variant for device code. \p Function is
  /// its declaration, empty if the directive names it.
  void planBind(const Node &N, const Clause &Bind, Span Function);
  void planLambdaBind(const Node &N, const Clause &Bind);
  void planDeclare(const Node &N, Rewrite &R);
  void planLocalDeclare(const Node &N, Rewrite &R);
  void leaveAt(size_t I, const OmpDirective &Exit);
  /// The levels that a function may use: of the routine directive that covers
  /// \p N; nothing if there is no such.
  std::optional<unsigned> routineLevels(const Node &N) const;
  /// Whether a function or lambda around \p N is a routine without saying so:
  /// code for devices calls it. OpenACC 3.3, 2.15.1.
  bool isImplicitRoutine(const Node &N);
  void findDeviceNames();
  bool inFunction(const Node &N) const;

  // Compute.cpp
  friend class ComputePlanner;
  friend class BlockPlanner;
  void planOrphan(const Node &N);

  const Tree &T;
  const Facts &F;
  clang::Preprocessor &PP;
  clang::DiagnosticsEngine &Diags;
  const PlanOptions Options;
  Plan Result;
  /// Variables of file-scope `declare`: the device has its own.
  std::set<std::string> DeviceGlobals;
  /// Variables that knownExtent() has made.
  unsigned NumExtents = 0;
  /// Those that are the end of sections from 0 on, by the construct that they
  /// are set in front of, and the length's text.
  std::map<std::pair<const Node *, std::string>, std::string> EndsFromZero;
  /// Function bodies under a routine directive, and names of routines.
  std::vector<std::pair<Span, unsigned>> RoutineBodies;
  std::map<std::string, unsigned> RoutineNames;
  /// What code for devices names, once asked for.
  std::set<std::string> DeviceNames;
};

/// `)[0][0]`, behind the base of an array.
inline std::string element(size_t Depth) {
  std::string Text = ")";
  while (Depth--)
    Text += "[0]";
  return Text;
}

/// `extent * ` of the dimension of \p I that \p Element, `[0]`s, picks.
void addExtent(const Item &I, const std::string &Element, const Clause &C,
               Phrases &Calls);

/// `count * ` of section \p S of \p I, in the dimension that \p Element,
/// `[0]`s, picks.
void addCount(const Item &I, const Section &S, const std::string &Element,
              const Clause &C, Phrases &Calls);

/// Whether OpenMP's `always` says what the modifiers of a data clause say.
bool isAlways(const Clause &Data);

/// The address of item \p I, as a `void *`.
void addAddress(const Clause &C, const Item &I, Phrases &Out);
/// Its size in bytes and \p End.
void addBytes(const Clause &C, const Item &I, const std::string &End,
              Phrases &Out);

/// `Function(address of the item, its size in bytes` and `End`; the two values
/// alone without a function.
void addCallOn(const std::string &Function, const Clause &C, const Item &I,
               const std::string &End, Phrases &Calls);

/// Puts \p Calls behind what is in \p Out, under the condition of \p D's if;
/// or, in front of it.
void addUnderIf(const Directive &D, const Phrases &Calls, Phrases &Out);
void addFirstUnderIf(const Directive &D, const Phrases &Calls, Phrases &Out);

/// Declares the structure \p Name with the `Data` and `Size` of item \p I.
void addRange(const std::string &Name, const Clause &C, const Item &I,
              Phrases &Out);

/// Device \p Number as an argument, checked; \p What of a directive says it.
Phrase deviceNumber(clang::Preprocessor &PP, TokenRange Number,
                    const std::string &What, clang::SourceLocation Loc);

/// \p Text as a literal.
std::string quoted(llvm::StringRef Text);

/// A queue's number as an argument, between \p Before and \p After: `async`
/// alone is the queue without a number; where \p Async is null all wait.
void addQueue(const Clause *Async, const std::string &Before,
              const std::string &After, clang::SourceLocation Loc,
              Phrases &Out);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_PLANNER_H
