//===- Subscripts.cpp - Polynomials in loop variables ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When are subscripts separate? Write each as c*i + r, with i the loop's
// variable. If c is the same for all, and every r lies in one window of |c|
// values that is the same in all iterations, then iterations do not meet.
//
// For r made of inner loops' variables the window is proven digit by digit. In
// (i*n + j)*m + k, with j below n and k below m, k is the digit of weight 1 and
// fills it up to the weight of j, m; j's digit fills that up to n*m, the weight
// of i.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/Subscripts.h"

#include "clang/AST/Decl.h"

#include <cstdlib>

using namespace clang;

namespace accx::frontend {

static constexpr size_t MaxTerms = 32;

Polynomial Polynomial::constant(int64_t C) {
  Polynomial P;
  if (C)
    P.Terms[{}] = C;
  return P;
}

Polynomial Polynomial::symbol(Symbol S) {
  Polynomial P;
  P.Terms[{S}] = 1;
  return P;
}

std::optional<Polynomial> Polynomial::sum(const Polynomial &A,
                                          const Polynomial &B, int64_t Factor) {
  Polynomial P = A;
  for (const auto &[Of, Value] : B.Terms) {
    int64_t Scaled;
    int64_t &To = P.Terms[Of];
    if (__builtin_mul_overflow(Value, Factor, &Scaled) ||
        __builtin_add_overflow(To, Scaled, &To))
      return std::nullopt;
    if (!To)
      P.Terms.erase(Of);
  }
  if (P.Terms.size() > MaxTerms)
    return std::nullopt;
  return P;
}

std::optional<Polynomial> Polynomial::product(const Polynomial &A,
                                              const Polynomial &B) {
  Polynomial P;
  for (const auto &[OfA, ValueA] : A.Terms)
    for (const auto &[OfB, ValueB] : B.Terms) {
      Product Of = OfA;
      Of.append(OfB.begin(), OfB.end());
      llvm::sort(Of);
      int64_t Value;
      int64_t &To = P.Terms[Of];
      if (__builtin_mul_overflow(ValueA, ValueB, &Value) ||
          __builtin_add_overflow(To, Value, &To) || P.Terms.size() > MaxTerms)
        return std::nullopt;
      if (!To)
        P.Terms.erase(Of);
    }
  return P;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

bool Polynomial::mentions(Symbol S) const {
  for (const auto &[Of, Value] : Terms)
    if (llvm::is_contained(Of, S))
      return true;
  return false;
}

Symbol SubscriptReader::symbolOf(const ValueDecl *D) {
  const auto [It, New] = Variables.try_emplace(D, Next);
  Next += New;
  return It->second;
}

Symbol SubscriptReader::symbolOf(const Expr *E) {
  llvm::FoldingSetNodeID ID;
  E->Profile(ID, Scope.Context, /*Canonical=*/true);
  for (const auto &[Known, S] : Values)
    if (Known == ID)
      return S;
  Values.push_back({ID, Next});
  return Next++;
}

/// Arithmetic on variables that the loop leaves alone.
bool SubscriptReader::isInvariant(const Expr *E) const {
  E = E->IgnoreParenImpCasts();
  if (const ValueDecl *D = namedVariable(E)) {
    const QualType T = D->getType().getNonReferenceType();
    return !Scope.Written.contains(D) && !Scope.Inner.contains(D) &&
           D != Scope.Loop.Variable && !T.isVolatileQualified() &&
           !T->isAtomicType();
  }
  if (isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr,
          UnaryExprOrTypeTraitExpr>(E))
    return true;
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->isArithmeticOp() && isInvariant(U->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return !B->isAssignmentOp() && !B->isCommaOp() &&
           isInvariant(B->getLHS()) && isInvariant(B->getRHS());
  if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
    return C->getType()->isIntegerType() && isInvariant(C->getSubExpr());
  if (isa<CXXThisExpr>(E))
    return true;
  const auto *M = dyn_cast<MemberExpr>(E);
  if (!M || !isa<FieldDecl>(M->getMemberDecl()) ||
      M->getType().isVolatileQualified() ||
      (M->isArrow() && !Scope.MembersStay))
    return false;
  const QualType Of = M->isArrow() ? M->getBase()->getType()->getPointeeType()
                                   : M->getBase()->getType();
  return Of->isRecordType() && !Of->isUnionType() && isInvariant(M->getBase());
}

std::optional<Subscript>
SubscriptReader::readName(const Expr *Name,
                          llvm::ArrayRef<CanonicalLoop> Around) {
  const ValueDecl *D = namedVariable(Name);
  if (D == Scope.Loop.Variable)
    return Subscript{Polynomial::symbol(symbolOf(D))};
  // What has been put in a variable is computed where that is done, which not
  // all loops that are around its use need be around.
  const auto *R = dyn_cast<DeclRefExpr>(Name->IgnoreParenImpCasts());
  for (const CanonicalLoop &L : Around)
    if (L.Variable == D &&
        (!Depth || (R && Scope.Values.isInside(R, L.Statement->getBody()))))
      return Subscript{Polynomial::symbol(symbolOf(D))};
  const Expr *Value = R && Depth <= 8 && D->getType()->isIntegerType()
                          ? Scope.Values.valueOf(R)
                          : nullptr;
  if (!Value)
    return std::nullopt;
  ++Depth;
  std::optional<Subscript> S = readValue(Value, Around);
  --Depth;
  return S;
}

std::optional<Subscript>
SubscriptReader::readBinary(const BinaryOperator *B,
                            llvm::ArrayRef<CanonicalLoop> Around) {
  const BinaryOperatorKind Op = B->getOpcode();
  if (Op != BO_Add && Op != BO_Sub && Op != BO_Mul)
    return std::nullopt;
  const std::optional<Subscript> L = readValue(B->getLHS(), Around);
  const std::optional<Subscript> R = readValue(B->getRHS(), Around);
  if (!L || !R)
    return std::nullopt;
  const std::optional<Polynomial> Value =
      Op == BO_Mul ? Polynomial::product(L->Value, R->Value)
                   : Polynomial::sum(L->Value, R->Value, Op == BO_Add ? 1 : -1);
  if (!Value)
    return std::nullopt;
  const ASTContext &C = Scope.Context;
  const bool Wraps =
      (B->getType()->isUnsignedIntegerType() ||
       C.getLangOpts().isSignedOverflowDefined()) &&
      C.getTypeSize(B->getType()) < C.getTypeSize(C.getSizeType());
  return Subscript{*Value, L->MayWrap || R->MayWrap || Wraps};
}

std::optional<Subscript>
SubscriptReader::readValue(const Expr *E,
                           llvm::ArrayRef<CanonicalLoop> Around) {
  if (!E)
    return Subscript();
  E = E->IgnoreParens();
  const QualType T = E->getType();
  if (T->isDependentType() || !T->isIntegralOrEnumerationType())
    return std::nullopt;
  Expr::EvalResult Value;
  if (E->EvaluateAsInt(Value, Scope.Context) && !Value.HasSideEffects) {
    const llvm::APSInt &I = Value.Val.getInt();
    if (I.getSignificantBits() > 64)
      return std::nullopt;
    return Subscript{Polynomial::constant(I.getExtValue())};
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return readValue(Full->getSubExpr(), Around);
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = C->getSubExpr();
    if (C->getCastKind() == CK_LValueToRValue || C->getCastKind() == CK_NoOp) {
      if (const ValueDecl *D = namedVariable(Sub))
        return isInvariant(Sub) ? Subscript{Polynomial::symbol(symbolOf(D))}
                                : readName(Sub, Around);
      if (C->getCastKind() == CK_NoOp)
        return readValue(Sub, Around);
    } else if (C->getCastKind() == CK_IntegralCast) {
      const ASTContext &X = Scope.Context;
      if (X.getTypeSize(T) >= X.getTypeSize(Sub->getType()))
        return readValue(Sub, Around);
    }
  } else if (const ValueDecl *D = namedVariable(E)) {
    return isInvariant(E) ? Subscript{Polynomial::symbol(symbolOf(D))}
                          : readName(E, Around);
  } else if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (std::optional<Subscript> S = readBinary(B, Around))
      return S;
  } else if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Plus)
      return readValue(U->getSubExpr(), Around);
    if (U->getOpcode() == UO_Minus)
      if (const auto S = readValue(U->getSubExpr(), Around))
        if (const auto N = Polynomial::sum({}, S->Value, -1))
          return Subscript{*N, S->MayWrap || T->isUnsignedIntegerType()};
  }
  if (isInvariant(E))
    return Subscript{Polynomial::symbol(symbolOf(E))};
  return std::nullopt;
}

std::optional<Subscript>
SubscriptReader::read(const Expr *E, llvm::ArrayRef<CanonicalLoop> Around,
                      bool Deferred) {
  Depth = Deferred ? 1 : 0;
  return readValue(E, Around);
}

std::optional<Subscript>
SubscriptReader::read(llvm::ArrayRef<std::pair<const Expr *, bool>> Sum,
                      llvm::ArrayRef<CanonicalLoop> Around, bool Deferred) {
  Subscript All;
  for (const auto &[E, Negative] : Sum) {
    const std::optional<Subscript> S = read(E, Around, Deferred);
    std::optional<Polynomial> Next =
        S ? Polynomial::sum(All.Value, S->Value, Negative ? -1 : 1)
          : std::nullopt;
    if (!Next)
      return std::nullopt;
    All = {std::move(*Next), All.MayWrap || S->MayWrap};
  }
  return All;
}

std::optional<SubscriptReader::Parts>
SubscriptReader::split(const Subscript &S,
                       llvm::ArrayRef<CanonicalLoop> Around) {
  const Symbol I = symbolOf(Scope.Loop.Variable);
  llvm::SmallVector<Symbol, 4> Inner;
  for (const CanonicalLoop &L : Around)
    Inner.push_back(symbolOf(L.Variable));
  Parts P;
  for (const auto &[Of, Value] : S.Value.Terms) {
    const bool Runs = llvm::any_of(
        Of, [&](Symbol F) { return llvm::is_contained(Inner, F); });
    if (const auto *At = llvm::find(Of, I); At != Of.end()) {
      Polynomial::Product Rest = Of;
      Rest.erase(Rest.begin() + (At - Of.begin()));
      if (Runs || llvm::is_contained(Rest, I))
        return std::nullopt;
      P.Stride.Terms[Rest] = Value;
    } else if (Runs) {
      P.Inner.Terms[Of] = Value;
    } else if (Of.empty()) {
      P.Offset = Value;
    } else {
      P.Fixed.Terms[Of] = Value;
    }
  }
  // One product, so that it has a sign.
  if (P.Stride.Terms.size() != 1 || P.Stride.Terms.begin()->second == INT64_MIN)
    return std::nullopt;
  return P;
}

std::optional<SubscriptReader::Digit>
SubscriptReader::digitOf(const Polynomial::Product &Of, int64_t Value,
                         llvm::ArrayRef<CanonicalLoop> Around) {
  const CanonicalLoop *Runs = nullptr;
  Polynomial::Product Rest;
  for (Symbol F : Of) {
    const auto *L = llvm::find_if(Around, [&](const CanonicalLoop &L) {
      return symbolOf(L.Variable) == F;
    });
    if (L == Around.end())
      Rest.push_back(F);
    else if (Runs)
      return std::nullopt;
    else
      Runs = L;
  }
  if (Value <= 0)
    return std::nullopt;
  // From the loop's bounds, which must not run themselves.
  const Expr *Low = Runs->Down ? Runs->Upper : Runs->Lower;
  const Expr *High = Runs->Down ? Runs->Lower : Runs->Upper;
  const std::optional<Subscript> From = read(Low, {}), To = read(High, {});
  if (!From || !To || From->MayWrap || To->MayWrap ||
      To->Value.mentions(symbolOf(Scope.Loop.Variable)))
    return std::nullopt;
  std::optional<int64_t> First = From->Value.asConstant();
  if (!First || *First < -1 || *First > INT32_MAX)
    return std::nullopt;
  if (Runs->Relation == BO_NE && Runs->Step)
    return std::nullopt;
  if (Runs->Down && Runs->Relation != BO_GE)
    ++*First;
  const bool Includes = Runs->Down || Runs->Relation == BO_LE;
  const std::optional<Polynomial> End =
      Polynomial::sum(To->Value, Polynomial::constant(1), Includes ? 1 : 0);
  if (!End)
    return std::nullopt;
  Digit D{{}, *End, *First};
  D.Weight.Terms[Rest] = Value;
  return D;
}

bool SubscriptReader::fits(const Parts &P,
                           llvm::ArrayRef<CanonicalLoop> Around) {
  llvm::SmallVector<Digit, 4> Digits;
  for (const auto &[Of, Value] : P.Inner.Terms) {
    std::optional<Digit> D = digitOf(Of, Value, Around);
    if (!D)
      return false;
    Digits.push_back(std::move(*D));
  }
  // `n` times a variable below n, from the lightest digit up to the stride.
  Polynomial Weight = Polynomial::constant(1);
  int64_t Offset = P.Offset;
  auto Take = [&](const Polynomial &W) {
    return llvm::find_if(Digits, [&](const Digit &D) { return D.Weight == W; });
  };
  if (Take(Weight) == Digits.end()) {
    // Nothing of weight 1: start at what is lightest.
    const Digit *Lightest = nullptr;
    int64_t Least = 0;
    for (const Digit &D : Digits) {
      const std::optional<int64_t> W = D.Weight.asConstant();
      if (W && (!Lightest || *W < Least)) {
        Lightest = &D;
        Least = *W;
      }
    }
    // A symbolic weight may be 0, and all of its multiples the same.
    if (!Lightest || Offset < 0 || Offset >= Least)
      return false;
    Offset = 0;
    Weight = Lightest->Weight;
  }
  while (!Digits.empty()) {
    auto *D = Take(Weight);
    if (D == Digits.end() || D->First + Offset < 0)
      return false;
    const std::optional<Polynomial> End =
        Polynomial::sum(D->End, Polynomial::constant(1), Offset);
    const std::optional<Polynomial> Filled =
        End ? Polynomial::product(Weight, *End) : std::nullopt;
    if (!Filled)
      return false;
    Digits.erase(D);
    Offset = 0;
    // The next weight must be at least what this digit and those below fill.
    auto Holds = [&](const Polynomial &Next) {
      const std::optional<Polynomial> Rest = Polynomial::sum(Next, *Filled, -1);
      if (!Rest)
        return false;
      for (const auto &[Of, Value] : Rest->Terms)
        if (Value < 0 || Of != Weight.Terms.begin()->first)
          return false;
      return true;
    };
    if (Digits.empty()) {
      Polynomial Window = P.Stride; // a negative one steps the other way
      int64_t &Factor = Window.Terms.begin()->second;
      Factor = std::abs(Factor);
      return Holds(Window);
    }
    const auto *Up =
        llvm::find_if(Digits, [&](const Digit &N) { return Holds(N.Weight); });
    if (Up == Digits.end())
      return false;
    Weight = Up->Weight;
  }
  return false;
}

std::optional<SubscriptReader::Linear>
SubscriptReader::linear(const Subscript &S) {
  const Symbol I = symbolOf(Scope.Loop.Variable);
  Linear L;
  for (const auto &[Of, Value] : S.Value.Terms) {
    if (!llvm::is_contained(Of, I))
      L.Rest.Terms[Of] = Value;
    else if (Of.size() == 1)
      L.Factor = Value;
    else
      return std::nullopt;
  }
  return L;
}

bool SubscriptReader::isLinear(const Subscript &S,
                               llvm::ArrayRef<CanonicalLoop> Around) {
  llvm::SmallVector<Symbol, 4> Running = {symbolOf(Scope.Loop.Variable)};
  for (const CanonicalLoop &L : Around)
    Running.push_back(symbolOf(L.Variable));
  for (const auto &[Of, Value] : S.Value.Terms)
    if (llvm::count_if(
            Of, [&](Symbol F) { return llvm::is_contained(Running, F); }) > 1)
      return false;
  return true;
}

bool SubscriptReader::separate(
    llvm::ArrayRef<Subscript> All,
    llvm::ArrayRef<llvm::ArrayRef<CanonicalLoop>> Around, size_t &Culprit) {
  std::optional<Parts> First;
  int64_t Low = 0, High = 0;
  bool Digits = false;
  llvm::SmallVector<Parts, 8> Each;
  for (Culprit = 0; Culprit < All.size(); ++Culprit) {
    const std::optional<Parts> P = split(All[Culprit], Around[Culprit]);
    if (!P)
      return false;
    std::optional<int64_t> Stride = P->Stride.asConstant();
    if (Stride)
      Stride = std::abs(*Stride);
    if (All[Culprit].MayWrap &&
        (Stride != 1 || !P->Inner.isZero() || P->Offset != 0))
      return false;
    if (!First) {
      First = P;
      Low = High = P->Offset;
    } else if (!(P->Stride == First->Stride) || !(P->Fixed == First->Fixed)) {
      return false;
    }
    Low = std::min(Low, P->Offset);
    High = std::max(High, P->Offset);
    Digits |= !P->Inner.isZero();
    Each.push_back(*P);
    if (!Digits) {
      // Distinct multiples of the stride, with offsets too small to meet.
      if (!Stride || High - Low < 0 || High - Low >= *Stride)
        return false;
    }
  }
  if (!Digits)
    return First.has_value();
  for (Culprit = 0; Culprit < Each.size(); ++Culprit) {
    const Parts &P = Each[Culprit];
    if (P.Inner.isZero()) {
      // A fixed place in the window: provably inside only for constants.
      const std::optional<int64_t> Stride = P.Stride.asConstant();
      if (!Stride || P.Offset < 0 || P.Offset >= std::abs(*Stride))
        return false;
      continue;
    }
    if (!fits(P, Around[Culprit]))
      return false;
  }
  return true;
}

} // namespace accx::frontend
