//===- FlowFacts.h - Accesses to variables, in order ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks code in the order in which it runs and says of every variable how it
// is used, and, over all paths, what has been assigned before.
//
//===----------------------------------------------------------------------===//
//
// Clang has a control-flow graph, but not one for templates, whose statements
// it does not promise to take apart. This walk needs no more than structured
// statements; where there is a goto, it says so and its caller assumes the
// worst.
//
// The state is a set of bits, one for each variable (or whatever the derived
// class numbers): `assigned on every path to here`. Where paths meet, what
// holds on both holds. In unreachable code everything holds.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_FLOWFACTS_H
#define ACCX_FRONTEND_FACTS_FLOWFACTS_H

#include "frontend/facts/ProbeTokens.h"
#include "frontend/parse/Directive.h"

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <vector>

namespace accx::frontend {

/// The unit's directives, with the declarations that their clauses name.
struct UnitMarks {
  const std::vector<std::unique_ptr<Directive>> &Directives;
  struct Named {
    /// In private and firstprivate clauses; in reduction clauses.
    llvm::SmallVector<const clang::ValueDecl *, 4> Privates, Reductions;
    /// The value of the collapse clause; 0 if there is none.
    unsigned Collapse = 0;
  };
  std::map<unsigned, Named> ByOrdinal;

  const Directive *find(unsigned Ordinal) const;
  const Named &named(unsigned Ordinal) const;
};

/// The mark of an attributed statement, if it is ours.
std::optional<ProbeMark> markOf(const clang::AttributedStmt *S);
/// The mark of a static assertion, and the expression in it.
struct MarkedOperand {
  ProbeMark Mark;
  const clang::Expr *Operand = nullptr;
};
std::optional<MarkedOperand> operandOf(const clang::Decl *D);
/// The statement behind the operands of a marked one; null if there is none.
const clang::Stmt *markedStatement(const clang::AttributedStmt *S);

/// How a variable is used.
enum class Use : uint8_t {
  Read,
  Write,  // assigned as a whole, not read
  Update, // read, then assigned
  Reduce, // updated in the form of a reduction, and nothing else
  Lend,   // a function gets its address and may read and assign it
  Bind,   // something that stays gets its address to read
  Escape, // something that stays gets its address
};

inline bool reads(Use U) { return U != Use::Write; }
inline bool writes(Use U) { return U != Use::Read && U != Use::Bind; }

/// `x += e` and its like.
struct ReductionForm {
  const clang::ValueDecl *Variable = nullptr;
  const clang::Expr *Name = nullptr; // as written
  const char *Operator = "";
  llvm::SmallVector<const clang::Expr *, 2> Operands;
};
std::optional<ReductionForm> matchReduction(const clang::Stmt *S);
/// Whether \p R's steps, done on partial results that are combined in the end,
/// give the same value, rounding apart.
bool isExact(const ReductionForm &R, const clang::ASTContext &Context);

/// What \p S assigns: the left side of an assignment, the operand of `++`.
const clang::Expr *assignedPlace(const clang::Stmt *S);

/// Whether \p Fits holds of \p S or something in it.
bool anyPart(const clang::Stmt *S,
             llvm::function_ref<bool(const clang::Stmt *)> Fits);

/// The value of \p E where it is a constant that 64 bits hold.
std::optional<int64_t> constantOf(const clang::Expr *E,
                                  const clang::ASTContext &Context);

/// Whether \p S names \p D.
bool mentions(const clang::Stmt *S, const clang::ValueDecl *D);

/// The variable that \p E names, null if it is not a plain name.
const clang::ValueDecl *namedVariable(const clang::Expr *E);

class FlowWalker {
public:
  explicit FlowWalker(const UnitMarks &Marks) : Marks(Marks) {}
  virtual ~FlowWalker() = default;
  FlowWalker(const FlowWalker &) = delete;
  FlowWalker &operator=(const FlowWalker &) = delete;

protected:
  struct State {
    llvm::BitVector Bits; // what is beyond its end does not hold
    bool Dead = false;
    bool holds(unsigned I) const {
      return Dead || (I < Bits.size() && Bits.test(I));
    }
    void set(unsigned I) {
      if (Bits.size() <= I)
        Bits.resize(I + 1);
      Bits.set(I);
    }
    void clear(unsigned I) {
      if (I < Bits.size())
        Bits.reset(I);
    }
    bool operator==(const State &O) const {
      return Dead == O.Dead && (Dead || Bits == O.Bits);
    }
  };

  /// \p Part: an element or a member of it. \p E is the name.
  virtual void access(const clang::ValueDecl *D, Use U, bool Part,
                      const clang::Expr *E) = 0;
  /// What pointer \p D points to.
  virtual void pointee(const clang::ValueDecl *D, Use U, const clang::Expr *E) {
  }
  /// An element, a member or what a pointer expression points to; the whole
  /// expression, once, before access() to what it names.
  virtual void touches(const clang::Expr *E, Use U) {}
  virtual void usesThis() {}
  virtual void declares(const clang::ValueDecl *D) {}
  virtual void calls(const clang::Expr *Call, const clang::FunctionDecl *F) {}
  /// Jumps that the walk cannot follow.
  virtual void unstructured(const clang::Stmt *S) {}
  virtual void entersLoop(const clang::ForStmt *F) {}
  virtual void leavesLoop(const clang::ForStmt *F) {}
  virtual void leavesMark(unsigned Ordinal) {}

  void statement(const clang::Stmt *S);
  void value(const clang::Expr *E);
  /// Of an expression whose value nobody takes.
  void discarded(const clang::Expr *E);
  void visit(const clang::Expr *E, Use U);

  State Now;
  const UnitMarks &Marks;
  /// The operator of the Use::Reduce that is reported, and whether partial
  /// results do for it.
  const char *Operator = "";
  bool IsExact = false;
  /// Inside of an `acc atomic` that makes the write atomic.
  bool Atomic = false;
  /// In the body of a lambda, which runs at an unknown time.
  unsigned LambdaDepth = 0;

  /// Private to a nested directive: no access to it is one to the variable.
  bool isPrivate(const clang::ValueDecl *D) const;
  /// Runs over a loop of a directive around, which has its own.
  bool isCounter(const clang::ValueDecl *D) const;
  /// Reduced by a directive around.
  bool isReduced(const clang::ValueDecl *D) const;
  /// A loop's body, once; afterwards Now holds for every end of it.
  void iteration(const clang::Stmt *Body);

  static void join(State &Into, const State &From);

private:
  struct Jumps {
    State Break, Continue;
  };

  void controlFlow(const clang::Stmt *S);
  /// Goes through \p Body once, to its end or `continue`; what is known where
  /// it is left by `break`.
  State loopBody(const clang::Stmt *Body);
  /// \p Ends: even without a condition.
  void loop(const clang::Expr *Condition, const clang::DeclStmt *Variable,
            const clang::Stmt *Body, const clang::Expr *Step, bool TestsFirst,
            bool Ends);
  void branch(const clang::IfStmt *S);
  void switchOn(const clang::SwitchStmt *S);
  void tryBlock(const clang::CXXTryStmt *S);
  void marked(const clang::AttributedStmt *S, ProbeMark M);
  void addCounters(const Directive &D, const clang::Stmt *Loop);
  void declaration(const clang::Decl *D);
  void jump(State Jumps::*Where);
  void sizes(clang::QualType T);
  void assembly(const clang::AsmStmt *S);

  /// What happens to a value whose further way is not followed.
  static Use flow(const clang::Expr *E);
  bool reduction(const clang::Stmt *S);
  void element(const clang::Expr *Pointer, Use U);
  void part(const clang::Expr *Whole, Use U);
  void member(const clang::Expr *Base, bool Arrow, Use U);
  void cast(const clang::CastExpr *E, Use U);
  void unary(const clang::UnaryOperator *E, Use U);
  void binary(const clang::BinaryOperator *E, Use U);
  void conditional(const clang::Expr *Condition, const clang::Expr *True,
                   const clang::Expr *False, Use U);
  void wrapped(const clang::Expr *E, Use U);
  void call(const clang::CallExpr *E);
  void construct(const clang::CXXConstructExpr *E);
  void operatorCall(const clang::CXXOperatorCallExpr *E);
  void argument(const clang::Expr *E, clang::QualType Parameter);
  void lambda(const clang::LambdaExpr *E);
  void later(const clang::Stmt *Body);
  void children(const clang::Stmt *S, bool Unsure);
  void name(const clang::ValueDecl *D, Use U, bool Part, const clang::Expr *E);

  llvm::SmallVector<Jumps, 4> Targets;
  llvm::SmallVector<State, 2> SwitchEntry;
  llvm::SmallVector<const clang::ValueDecl *, 8> Private, Counters, Reduced;
  const clang::Expr *Captured = nullptr;
  bool InPath = false; // the next visit() is of a part of what was touched
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_FLOWFACTS_H
