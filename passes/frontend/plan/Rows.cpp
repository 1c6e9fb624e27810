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

bool Planner::namesRows(const ListItem &I) const {
  const Item &What = I.item();
  return What.Sections.size() > 1 && !What.Sections.front().Length.empty() &&
         F.item(I).PointsToPointers;
}

/// What data clause \p K copies, or -1 if it is about no rows.
static int rowBits(ClauseKind K) {
  return K == ClauseKind::Copy                                ? RowTo | RowFrom
         : K == ClauseKind::CopyIn                            ? RowTo
         : K == ClauseKind::CopyOut                           ? RowFrom
         : K == ClauseKind::Create || K == ClauseKind::Delete ? 0
                                                              : -1;
}

/// `first pointer, number of rows, bytes skipped, bytes` of the rows that \p I
/// names.
static void addRowValues(const Clause &C, const Item &I, Phrases &Out) {
  const Section &Table = I.Sections[0], &Row = I.Sections[1];
  Out.add("(void *)&((", I.Base, ")", C.Loc);
  Out.add(Table.Lower.empty() ? "[0" : "[", Table.Lower, "]), ", C.Loc);
  Out.add("(unsigned long)(", Table.Length, "), ", C.Loc);
  Out.add(Row.Lower.empty() ? "0" : "(unsigned long)(", Row.Lower,
          Row.Lower.empty() ? " * " : ") * ", C.Loc);
  Out.add("sizeof((", I.Base, ")[0][0]), ", C.Loc);
  std::string Element = "[0]";
  for (const Section &S : llvm::drop_begin(I.Sections)) {
    addCount(I, S, Element, C, Out);
    Element += "[0]";
  }
  Out.add("sizeof((", I.Base, ")" + Element + ")", C.Loc);
}

/// A call with the values in place.
static void addCall(const char *Function, const ListItem &I, int Bits,
                    Phrases &Out) {
  Out.add(std::string(Function) + "(", I.clause().Loc);
  addRowValues(I.clause(), I.item(), Out);
  Out.add(", " + std::to_string(Bits) + ");", I.clause().Loc);
}

void Planner::addRows(const Node &N, bool Structured, Rewrite &R) {
  Phrases Enter, Exit;
  unsigned Count = 0;
  for (const ListItem &I : itemsOf(*N.D)) {
    const int Bits = rowBits(I.clause().Kind);
    if (Bits < 0 || !namesRows(I))
      continue;
    if (!Structured) {
      addCall("__accx_rows_enter", I, Bits, Enter);
      continue;
    }
    const SourceLocation Loc = I.clause().Loc;
    const std::string Name = "__accx_rows_" + std::to_string(Count++);
    R.Before.add("struct __accx_rows " + Name + " = __accx_rows_of(", Loc);
    addRowValues(I.clause(), I.item(), R.Before);
    R.Before.add(");", Loc);
    const std::string Arguments =
        llvm::formatv("({0}.Table, {0}.Count, {0}.Skip, {0}.Bytes, {1});", Name,
                      Bits | RowHold);
    Enter.add("__accx_rows_enter" + Arguments, Loc);
    Exit.add("__accx_rows_exit" + Arguments, Loc);
  }
  addUnderIf(*N.D, Enter, R.Before);
  addFirstUnderIf(*N.D, Exit, R.After);
}

void Planner::addRowExits(const Node &N, Rewrite &R) {
  const int Finalize = N.D->has(ClauseKind::Finalize) ? RowDelete : 0;
  Phrases Exit;
  for (const ListItem &I : itemsOf(*N.D))
    if (const int Bits = rowBits(I.clause().Kind); Bits >= 0 && namesRows(I))
      addCall("__accx_rows_exit", I, Bits | Finalize, Exit);
  // While constructs are still on its queue.
  addFirstUnderIf(*N.D, Exit, R.After);
}

void Planner::addRowUpdates(const Node &N, Rewrite &R) {
  const int IfPresent = N.D->has(ClauseKind::IfPresent) ? RowIfPresent : 0;
  Phrases Calls;
  for (const ListItem &I :
       itemsOf(*N.D, {ClauseKind::Device, ClauseKind::Self}))
    if (namesRows(I))
      addCall("__accx_rows_update", I,
              (I.clause().Kind == ClauseKind::Device ? RowTo : RowFrom) |
                  IfPresent,
              Calls);
  addFirstUnderIf(*N.D, Calls, R.After);
}

} // namespace accx::frontend
