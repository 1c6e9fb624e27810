//===- Rows.cpp - Rows behind tables of pointers --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a[0:n][0:m]` where `a` points to pointers: n rows and the table of pointers
// to them. OpenMP 5.1 has no clause for a number of rows known at run time, so
// they are mapped by a call in front of the construct, which finds the table
// present, and given up by a call behind it. What the clause names is evaluated
// once, in front.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Planner.h"

#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace accx::frontend {

/// The last argument of the runtime's functions; AccRows.cpp has the same.
enum RowBits : int {
  RowTo = 1,
  RowFrom = 2,
  RowDelete = 8,
  RowHold = 16,
  RowIfPresent = 32
};

bool Planner::namesRows(const Node &N, unsigned C, unsigned I) const {
  const Item &What = N.D->Clauses[C].Items[I];
  return What.Sections.size() > 1 && !What.Sections.front().Length.empty() &&
         F.item(N.D->Ordinal, C, I).PointsToPointers;
}

/// What data clause \p K copies, or -1 if it is about no rows.
static int rowBits(ClauseKind K) {
  switch (K) {
  case ClauseKind::Copy:
    return RowTo | RowFrom;
  case ClauseKind::CopyIn:
    return RowTo;
  case ClauseKind::CopyOut:
    return RowFrom;
  case ClauseKind::Create:
  case ClauseKind::Delete:
    return 0;
  default:
    return -1;
  }
}

/// `first pointer, number of rows, bytes skipped, bytes` of the rows that \p I
/// names.
static void addRowValues(const Clause &C, const Item &I, Phrases &Out) {
  const Section &Table = I.Sections[0], &Row = I.Sections[1];
  Out.push_back(phrase("(void *)&((", I.Base, ")", C.Loc));
  Out.push_back(
      phrase(Table.Lower.empty() ? "[0" : "[", Table.Lower, "]), ", C.Loc));
  Out.push_back(phrase("(unsigned long)(", Table.Length, "), ", C.Loc));
  Out.push_back(phrase(Row.Lower.empty() ? "0" : "(unsigned long)(", Row.Lower,
                       Row.Lower.empty() ? " * " : ") * ", C.Loc));
  Out.push_back(phrase("sizeof((", I.Base, ")[0][0]), ", C.Loc));
  std::string Element = "[0]";
  for (const Section &S : llvm::drop_begin(I.Sections)) {
    addCount(I, S, Element, C, Out);
    Element += "[0]";
  }
  Out.push_back(phrase("sizeof((", I.Base, ")" + Element + ")", C.Loc));
}

/// Puts \p Calls, under the construct's if, in front of what is in \p Out:
/// while constructs are still on its queue.
static void addFirst(const Directive &D, Phrases Calls, Phrases &Out) {
  Phrases Front;
  addUnderIf(D, std::move(Calls), Front);
  Out.insert(Out.begin(), Front.begin(), Front.end());
}

/// A call with the values in place.
static void addCall(const char *Function, const Clause &C, const Item &I,
                    int Bits, Phrases &Out) {
  Out.push_back(phrase(std::string(Function) + "(", {}, "", C.Loc));
  addRowValues(C, I, Out);
  Out.push_back(phrase(llvm::formatv(", {0});", Bits), {}, "", C.Loc));
}

void Planner::addRows(const Node &N, bool Structured, Rewrite &R) {
  const Directive &D = *N.D;
  const int Hold = Structured ? RowHold : 0;
  Phrases Enter, Exit;
  unsigned Count = 0;
  for (unsigned C = 0; C < D.Clauses.size(); ++C) {
    const Clause &Data = D.Clauses[C];
    const int Bits = rowBits(Data.Kind);
    for (unsigned I = 0; Bits >= 0 && I < Data.Items.size(); ++I) {
      if (!namesRows(N, C, I))
        continue;
      if (!Structured) {
        addCall("__accx_rows_enter", Data, Data.Items[I], Bits, Enter);
        continue;
      }
      const std::string Name = "__accx_rows_" + std::to_string(Count++);
      R.Before.push_back(
          phrase("struct __accx_rows " + Name + " = __accx_rows_of(", {}, "",
                 Data.Loc));
      addRowValues(Data, Data.Items[I], R.Before);
      R.Before.push_back(phrase(");", {}, "", Data.Loc));
      const std::string Arguments =
          llvm::formatv("({0}.Table, {0}.Count, {0}.Skip, {0}.Bytes, {1});",
                        Name, Bits | Hold);
      Enter.push_back(
          phrase("__accx_rows_enter" + Arguments, {}, "", Data.Loc));
      Exit.push_back(phrase("__accx_rows_exit" + Arguments, {}, "", Data.Loc));
    }
  }
  addUnderIf(D, std::move(Enter), R.Before);
  addFirst(D, std::move(Exit), R.After);
}

void Planner::addRowExits(const Node &N, Rewrite &R) {
  const Directive &D = *N.D;
  const int Finalize = D.has(ClauseKind::Finalize) ? RowDelete : 0;
  Phrases Exit;
  for (unsigned C = 0; C < D.Clauses.size(); ++C)
    for (unsigned I = 0; I < D.Clauses[C].Items.size(); ++I)
      if (const int Bits = rowBits(D.Clauses[C].Kind);
          Bits >= 0 && namesRows(N, C, I))
        addCall("__accx_rows_exit", D.Clauses[C], D.Clauses[C].Items[I],
                Bits | Finalize, Exit);
  addFirst(D, std::move(Exit), R.After);
}

void Planner::addRowUpdates(const Node &N, Rewrite &R) {
  const Directive &D = *N.D;
  const int IfPresent = D.has(ClauseKind::IfPresent) ? RowIfPresent : 0;
  Phrases Calls;
  for (unsigned C = 0; C < D.Clauses.size(); ++C) {
    const ClauseKind K = D.Clauses[C].Kind;
    if (K != ClauseKind::Device && K != ClauseKind::Self)
      continue;
    for (unsigned I = 0; I < D.Clauses[C].Items.size(); ++I)
      if (namesRows(N, C, I))
        addCall("__accx_rows_update", D.Clauses[C], D.Clauses[C].Items[I],
                (K == ClauseKind::Device ? RowTo : RowFrom) | IfPresent, Calls);
  }
  addFirst(D, std::move(Calls), R.After);
}

} // namespace accx::frontend
