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
bool ComputePlanner::isPrivateArray(const ListItem &I) const {
  const Item &What = I.item();
  return (I.clause().Kind == ClauseKind::Private ||
          (I.clause().Kind == ClauseKind::FirstPrivate && I.Of == &D)) &&
         !What.name().empty() && What.Sections.size() == 1 &&
         !What.Sections.front().Length.empty() &&
         P.F.item(I).Class == TypeClass::Pointer;
}

/// The values that firstprivate arrays begin with.
void ComputePlanner::addFirstPrivateData(OmpDirective &Target) {
  for (const ListItem &I : itemsOf(D, {ClauseKind::FirstPrivate}))
    if (isPrivateArray(I))
      Target.Clauses.add("map(ompx_hold, to: ", I.item().Tokens, ")",
                         I.clause().Loc);
}

/// A variable-length array, or on GPUs, where Clang 19 has none, memory of the
/// device's heap that is freed wherever the scope is left.
Phrase ComputePlanner::declarePrivateArray(const ListItem &I) const {
  const SourceLocation Loc = I.clause().Loc;
  const std::string Name = I.name().str();
  const TokenRange Length = I.item().Sections.front().Length;
  if (!P.Options.ForGpu || P.F.item(I).length(0))
    // No warning that C++ and C89 have no such arrays: the program asks for
    // none.
    return Phrase(
        llvm::formatv("__extension__ __typeof__({0}[0]) __accx_private_{0}[",
                      Name),
        Length, "];", Loc);
  return Phrase(llvm::formatv("__typeof__(&{0}[0]) __accx_private_{0} "
                              "__attribute__((cleanup(__accx_private_free))) = "
                              "(__typeof__(&{0}[0]))__accx_private_new(sizeof({"
                              "0}[0]) * (unsigned long)(",
                              Name),
                Length, "), " + whereOf(P.PP, Loc, Name) + ");", Loc);
}

/// Declarations of the private arrays of \p From, for the beginning of the
/// statement or of the loop's body.
Phrases ComputePlanner::privateArrays(const Directive &From) const {
  Phrases Out;
  for (const ListItem &I :
       itemsOf(From, {ClauseKind::Private, ClauseKind::FirstPrivate})) {
    if (!isPrivateArray(I))
      continue;
    const SourceLocation Loc = I.clause().Loc;
    const std::string Name = I.name().str();
    const Section &Part = I.item().Sections.front();
    const bool First = I.clause().Kind == ClauseKind::FirstPrivate;
    // Without a write one copy does for all.
    if (const Variable *V = S.find(Name); First && V && !V->PointeeWritten)
      continue;
    Out.push_back(declarePrivateArray(I));
    if (First) {
      Out.add("for (unsigned long __accx_k = 0; __accx_k < (unsigned long)(",
              Part.Length, "); ++__accx_k)", Loc);
      Out.add(
          llvm::formatv("__accx_private_{0}[__accx_k] = {0}[__accx_k", Name),
          {}, Part.Lower.empty() ? "];" : "", Loc);
      if (!Part.Lower.empty())
        Out.add(" + (", Part.Lower, ")];", Loc);
    }
    Out.add(llvm::formatv("__typeof__(&__accx_private_{0}[0]) {0} = "
                          "__accx_private_{0}",
                          Name),
            Loc);
    if (Part.Lower.empty())
      Out.add(";", Loc);
    else
      Out.add(" - (", Part.Lower, ");", Loc);
  }
  return Out;
}

/// Puts \p Loop's private arrays into the body of its innermost loop.
void ComputePlanner::insertPrivateArrays(const Node &Loop) {
  Phrases Arrays = privateArrays(*Loop.D);
  if (Arrays.empty())
    return;
  const Span Body = associatedLoops(Loop).back().Body;
  P.Result.insert(Body.Begin, "{", std::move(Arrays));
  P.Result.Insertions.emplace(Body.End, Insertion{{}, {}, "", "}"});
}

} // namespace accx::frontend
