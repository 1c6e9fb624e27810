//===- Calls.cpp - What no device can run ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the calls of compute constructs and routines: functions without code
// for devices, functions of the host's system, exceptions, virtual functions,
// global variables that no directive declares, and objects too large for a
// thread's stack.
//
//===----------------------------------------------------------------------===//

#include "frontend/mistakes/Deeds.h"
#include "frontend/mistakes/Visitor.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace accx::frontend {
namespace {

/// GPUs give a thread at most half a MiB, processors' threads a few.
constexpr uint64_t LargeObject = 1 << 20;

/// Functions that need the host's operating system, or its stack.
bool needsHost(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("fopen", "fclose", "fread", "fwrite", "fgets", "fscanf", true)
      .Cases("scanf", "getchar", "fflush", "fseek", "open", "close", true)
      .Cases("read", "write", "getenv", "setenv", "system", "fork", true)
      .Cases("sleep", "usleep", "nanosleep", "time", "gettimeofday", true)
      .Cases("signal", "raise", "setjmp", "_setjmp", "__sigsetjmp", true)
      .Cases("longjmp", "siglongjmp", "pthread_create", true)
      .Cases("pthread_mutex_lock", "mmap", "exit", "_exit", true)
      .Cases("rand", "srand", "random", "srandom", "drand48", "lrand48", true)
      .Cases("clock", "clock_gettime", "localtime", "ctime", "strtok", true)
      .Default(false);
}

/// One function, or one compute construct, as code of a device.
class DeviceCode final : public MistakeVisitor {
public:
  /// \p Origin: the line of the construct; 0 in a routine.
  DeviceCode(MistakeUnit &U, std::set<const FunctionDecl *> &Seen,
             unsigned Origin)
      : MistakeVisitor(U), Seen(Seen), Origin(Origin) {}

  void function(const FunctionDecl *F) {
    InFunction = true;
    Whole = F->getBody();
    walk(Whole);
  }

  void construct(const Stmt *S) {
    Whole = S;
    walk(S);
  }

  void checkSize(const VarDecl *V, SourceLocation Loc) {
    const QualType T = V->getType();
    if (V->isInvalidDecl() || T->isDependentType() || T->isIncompleteType() ||
        T->isVariablyModifiedType() || T->isReferenceType())
      return;
    const uint64_t Size = U.Context.getTypeSizeInChars(T).getQuantity();
    if (Size > LargeObject)
      U.warn(Loc,
             "'{0}' takes {1} bytes of the stack of each thread{2}, which has "
             "about a MiB: take memory for all of them outside of the "
             "construct, and give each a part",
             V->getName(), Size, where());
  }

private:
  void expression(const Expr *E) override {
    if (const auto *C = dyn_cast<CallExpr>(E))
      call(C);
    else if (const auto *R = dyn_cast<DeclRefExpr>(E))
      name(R);
    else if (const auto *T = dyn_cast<CXXThrowExpr>(E))
      thrown(T);
  }

  void variable(const VarDecl *V) override {
    Inner.insert(V->getCanonicalDecl());
    if (V->hasLocalStorage())
      checkSize(V, V->getLocation());
    else if (V->isStaticLocal() && isWritten(V))
      U.warn(V->getLocation(),
             "static variable '{0}' in code for a device{1}: each device has "
             "one of its own, which all its threads change at the same time; "
             "pass it, or give each iteration one",
             V->getName(), where());
  }

  bool isWritten(const VarDecl *V) const {
    DeedReader Reader(U.Marks);
    if (Whole)
      Reader.read(Whole);
    const Deeds *X = Reader.find(V);
    return X && X->FirstWrite;
  }

  /// Through a pointer that the host has set.
  void callThrough(const CallExpr *C) {
    const Expr *Callee = C->getCallee()->IgnoreParenImpCasts();
    const VarDecl *V = rootVariable(Callee);
    if (InFunction || !V || Inner.contains(V->getCanonicalDecl()) ||
        !Callee->getType()->isFunctionPointerType() ||
        V->getType()->isDependentType())
      return;
    U.warn(C->getExprLoc(),
           "call through '{0}' in code for a device{1}: the host's pointer "
           "names a function of the host; call the function by its name, or "
           "choose by a 'switch'",
           V->getName(), where());
  }

  void call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return callThrough(C);
    const StringRef Name = nameOf(F);
    if (isVirtual(C))
      U.warn(C->getExprLoc(),
             "call of the virtual function '{0}' in code for a device{1}: an "
             "object that was copied there names the host's functions; call "
             "the function by its class, or use a template",
             F->getQualifiedNameAsString(), where());
    if (needsHost(Name) && U.isForeign(F->getLocation())) {
      U.warn(C->getExprLoc(),
             "'{0}' is called in code for a device{1}: it needs the host; call "
             "it outside of the construct",
             Name, where());
      return;
    }
    const FunctionDecl *Body = nullptr;
    if (F->hasBody(Body) || F->isDefined(Body)) {
      if (Body && !U.isForeign(Body->getLocation()) &&
          Seen.insert(Body->getCanonicalDecl()).second)
        DeviceCode(U, Seen, Origin).function(Body);
      return;
    }
    if (!U.isForeign(F->getLocation()) && !F->getBuiltinID() &&
        !F->isDependentContext() && !F->isImplicit() && !F->isPureVirtual() &&
        !F->getTemplateInstantiationPattern() && !isRoutine(F))
      U.warn(C->getExprLoc(),
             "'{0}' is called in code for a device{1}, but has neither a body "
             "here nor a 'routine' directive: put '#pragma acc routine seq' in "
             "front of it, here and where its body is",
             F->getQualifiedNameAsString(), where());
  }

  void name(const DeclRefExpr *E) {
    const auto *V = dyn_cast<VarDecl>(E->getDecl());
    // What the construct itself names is mapped; what a function names is not.
    if (!V || !InFunction || V->isStaticLocal() || !V->hasGlobalStorage() ||
        U.isForeign(V->getLocation()) ||
        U.Named.contains(V->getCanonicalDecl()))
      return;
    const QualType T = U.Context.getBaseElementType(V->getType());
    for (const VarDecl *D : V->redecls())
      if (D->hasAttr<OMPDeclareTargetDeclAttr>() || U.Named.contains(D))
        return;
    if (T.isConstQualified() || V->isConstexpr() ||
        V->getType()->isReferenceType() || V->getType()->isDependentType())
      return;
    U.error(E->getExprLoc(),
            "'{0}' is used in a function for a device{1}, but no device has "
            "it: put '#pragma acc declare create({0})' behind its declaration, "
            "and '#pragma acc update device({0})' where the host has set it",
            V->getName(), where());
  }

  void thrown(const CXXThrowExpr *E) {
    if (!Tries)
      U.warn(E->getThrowLoc(),
             "an exception cannot leave code for a device{0}: the program ends "
             "here; return an error's number",
             where());
  }

  std::string where() const {
    return Origin ? " (the construct in line " + std::to_string(Origin) + ")"
                  : "";
  }

  bool isRoutine(const FunctionDecl *F) const {
    for (const FunctionDecl *D : F->redecls())
      if (U.Routines.contains(D) || D->hasAttr<OMPDeclareTargetDeclAttr>())
        return true;
    return U.Routines.contains(F->getCanonicalDecl());
  }

  /// Through a pointer or a reference to an object from outside.
  bool isVirtual(const CallExpr *C) const {
    const auto *M = dyn_cast<CXXMemberCallExpr>(C);
    const CXXMethodDecl *F = M ? M->getMethodDecl() : nullptr;
    const auto *Name =
        dyn_cast<MemberExpr>(C->getCallee()->IgnoreParenImpCasts());
    if (!F || !F->isVirtual() || !Name || Name->hasQualifier() ||
        F->hasAttr<FinalAttr>() || F->getParent()->isEffectivelyFinal())
      return false;
    const Expr *Object = M->getImplicitObjectArgument()->IgnoreParenImpCasts();
    if (isa<CXXThisExpr>(Object))
      return false;
    const auto *V = dyn_cast_or_null<VarDecl>(namedVariable(Object));
    return !(V && V->getType()->isRecordType()) &&
           !(V && Inner.contains(V->getCanonicalDecl()));
  }

  std::set<const FunctionDecl *> &Seen;
  std::set<const VarDecl *> Inner;
  unsigned Origin;
  bool InFunction = false;
  const Stmt *Whole = nullptr;
};

class CallSearch final : public MistakeVisitor {
public:
  CallSearch(MistakeUnit &U, std::set<const FunctionDecl *> &Seen)
      : MistakeVisitor(U), Seen(Seen) {}

private:
  void enters(const Directive &D, const Stmt *S) override {
    DeviceCode Code(U, Seen, U.line(D.Loc));
    for (const ClauseItem &I : U.items(D))
      if (I.Root && D.Clauses[I.Clause].Kind == ClauseKind::Private)
        Code.checkSize(I.Root, I.Loc);
    if (S && isCompute(D.Kind) && Around.size() == depthOfCompute())
      Code.construct(S);
  }

  /// Of the outermost compute construct around, counted from 1.
  size_t depthOfCompute() const {
    for (size_t I = 0; I < Around.size(); ++I)
      if (isCompute(Around[I]->Kind))
        return I + 1;
    return 0;
  }

  std::set<const FunctionDecl *> &Seen;
};

} // namespace

void findCallMistakes(MistakeUnit &U) {
  std::set<const FunctionDecl *> Seen;
  for (const FunctionDecl *F : U.Functions)
    if (U.Routines.contains(F->getCanonicalDecl()) &&
        Seen.insert(F->getCanonicalDecl()).second)
      DeviceCode(U, Seen, 0).function(F);
  for (const FunctionDecl *F : U.Functions)
    CallSearch(U, Seen).walk(F->getBody());
}

} // namespace accx::frontend
