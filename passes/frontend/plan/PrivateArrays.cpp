//===- PrivateArrays.cpp - Private sections of pointers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `private(p[0:n])` and `firstprivate(p[0:n])` of a pointer: OpenMP would make
// the pointer private, OpenACC means an array of each iteration's own.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Compute.h"

#include "clang/Basic/IdentifierTable.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace accx::frontend {

/// `private(p[0:n])` of a pointer: an array of each thread's own, not a
/// pointer. `firstprivate` of the construct likewise.
bool ComputePlanner::isPrivateArray(const Directive &From, unsigned Clause,
                                    unsigned Item) const {
  const frontend::Clause &C = From.Clauses[Clause];
  return (C.Kind == ClauseKind::Private ||
          (C.Kind == ClauseKind::FirstPrivate && &From == &D)) &&
         !C.Items[Item].name().empty() && C.Items[Item].Sections.size() == 1 &&
         !C.Items[Item].Sections.front().Length.empty() &&
         P.F.item(From.Ordinal, Clause, Item).Class == TypeClass::Pointer;
}

/// The values that firstprivate arrays begin with.
void ComputePlanner::addFirstPrivateData(OmpDirective &Target) {
  for (unsigned C = 0; C < D.Clauses.size(); ++C)
    if (const Clause &List = D.Clauses[C];
        List.Kind == ClauseKind::FirstPrivate)
      for (unsigned I = 0; I < List.Items.size(); ++I)
        if (isPrivateArray(D, C, I))
          Target.Clauses.push_back(phrase(
              "map(ompx_hold, to: ", List.Items[I].Tokens, ")", List.Loc));
}

/// A variable-length array, or on GPUs, where Clang 19 has none, memory of the
/// device's heap that is freed wherever the scope is left.
Phrase ComputePlanner::declarePrivateArray(const Directive &From, unsigned C,
                                           unsigned I) const {
  const SourceLocation Loc = From.Clauses[C].Loc;
  const Item &What = From.Clauses[C].Items[I];
  const std::string Name = What.name().str();
  const TokenRange Length = What.Sections.front().Length;
  if (!P.ForGpu || P.F.item(From.Ordinal, C, I).Bounds.count(1))
    // No warning that C++ and C89 have no such arrays: the program asks for
    // none.
    return phrase(
        llvm::formatv("__extension__ __typeof__({0}[0]) __accx_private_{0}[",
                      Name),
        Length, "];", Loc);
  return phrase(
      llvm::formatv("__typeof__(&{0}[0]) __accx_private_{0} "
                    "__attribute__((cleanup(__accx_private_free))) = "
                    "(__typeof__(&{0}[0]))__accx_private_new(sizeof({0}[0]) * "
                    "(unsigned long)(",
                    Name),
      Length, "), " + whereOf(P.PP, Loc, Name) + ");", Loc);
}

/// Declarations of the private arrays of \p From, for the beginning of the
/// statement or of the loop's body.
Phrases ComputePlanner::privateArrays(const Directive &From) const {
  Phrases Out;
  for (unsigned C = 0; C < From.Clauses.size(); ++C)
    for (unsigned I = 0; I < From.Clauses[C].Items.size(); ++I) {
      if (!isPrivateArray(From, C, I))
        continue;
      const SourceLocation Loc = From.Clauses[C].Loc;
      const Item &What = From.Clauses[C].Items[I];
      const std::string Name = What.name().str();
      const Section &S = What.Sections.front();
      const bool First = From.Clauses[C].Kind == ClauseKind::FirstPrivate;
      // Without a write one copy does for all.
      if (const Variable *V = this->S.find(Name);
          First && V && !V->PointeeWritten)
        continue;
      Out.push_back(declarePrivateArray(From, C, I));
      if (First) {
        Out.push_back(phrase("for (unsigned long __accx_k = 0; __accx_k < "
                             "(unsigned long)(",
                             S.Length, "); ++__accx_k)", Loc));
        Out.push_back(phrase(
            llvm::formatv("__accx_private_{0}[__accx_k] = {0}[__accx_k", Name),
            {}, S.Lower.empty() ? "];" : "", Loc));
        if (!S.Lower.empty())
          Out.push_back(phrase(" + (", S.Lower, ")];", Loc));
      }
      Out.push_back(
          phrase(llvm::formatv("__typeof__(&__accx_private_{0}[0]) {0} = "
                               "__accx_private_{0}",
                               Name),
                 {}, "", Loc));
      Out.push_back(S.Lower.empty() ? phrase(";", {}, "", Loc)
                                    : phrase(" - (", S.Lower, ");", Loc));
    }
  return Out;
}

/// Puts \p Loop's private arrays into the body of its innermost loop.
void ComputePlanner::insertPrivateArrays(const Node &Loop) {
  Phrases Arrays = privateArrays(*Loop.D);
  if (Arrays.empty())
    return;
  const Span Body = associatedLoops(Loop).back().Body;
  P.Result.Insertions.emplace(Body.Begin,
                              Insertion{{}, std::move(Arrays), "{", ""});
  P.Result.Insertions.emplace(Body.End, Insertion{{}, {}, "", "}"});
}

} // namespace accx::frontend
