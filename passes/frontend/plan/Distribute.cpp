//===- Distribute.cpp - Calls around loops that devices share -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DistributeLoops.cpp has rewritten the loop. What the construct reduces gets
// a slot for each part, which holds the operator's identity first; behind the
// construct the slots that were used are combined in order.
//
// Reductions of OpenACC are those of the construct's own plan, so that those
// that inner loops ask for are among them.
//
// docs/internals/distribute.md is the contract.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/DistributeLoops.h"
#include "frontend/plan/Planner.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

namespace {

/// The bits of the schedule's argument.
enum Schedule : unsigned { OfOwners = 0, InBlocks = 1, AccNumbers = 2 };

struct Reduced {
  std::string Operator;
  const Item *What;
  ItemFacts Known;
};

/// The operators' numbers in the prelude's templates, their identities, and how
/// a slot is put into the variable.
struct OperatorRow {
  StringRef Spelling;
  unsigned Number;
  const char *Identity;
  const char *Combine; // V and S
};
constexpr OperatorRow Operators[] = {
    {"+", 0, "0", "V = V + S;"},         {"-", 0, "0", "V = V + S;"},
    {"*", 1, "1", "V = V * S;"},         {"&", 2, "~0", "V = V & S;"},
    {"|", 3, "0", "V = V | S;"},         {"^", 4, "0", "V = V ^ S;"},
    {"&&", 5, "1", "V = V && S;"},       {"||", 6, "0", "V = V || S;"},
    {"min", 7, "", "if (S < V) V = S;"}, {"max", 8, "", "if (V < S) V = S;"},
};

const OperatorRow *rowOf(StringRef Operator) {
  for (const OperatorRow &R : Operators)
    if (R.Spelling == Operator)
      return &R;
  return nullptr;
}

std::string replaced(StringRef Text, const std::string &V,
                     const std::string &S) {
  std::string Out;
  for (char C : Text)
    Out += C == 'V' ? V : C == 'S' ? S : std::string(1, C);
  return Out;
}

} // namespace

/// The item that these tokens are.
static std::optional<ListItem> itemAt(const Tree &T, TokenRange Tokens) {
  for (const auto &N : T.nodes())
    for (const ListItem &I : itemsOf(*N->D))
      if (I.item().Tokens.begin() == Tokens.begin())
        return I;
  return std::nullopt;
}

/// What \p N's loop reduces: of OpenMP what its directive says.
static std::vector<Reduced> reductionsOf(const Tree &T, const Facts &F,
                                         const Node &N, const Rewrite *Acc) {
  std::vector<Reduced> All;
  for (const ListItem &I : itemsOf(*N.D, {ClauseKind::Reduction}))
    All.push_back({I.clause().Modifier.str(), &I.item(), F.item(I)});
  for (const OmpDirective &Omp :
       Acc ? Acc->Directives : std::vector<OmpDirective>())
    for (const Phrase &C : Omp.Clauses) {
      StringRef Operator = C.Before;
      if (!Operator.consume_front("reduction("))
        continue;
      const std::optional<ListItem> I = itemAt(T, C.Tokens);
      if (I && llvm::none_of(All, [&](const Reduced &R) {
            return R.What->name() == I->name();
          }))
        All.push_back(
            {Operator.split(':').first.trim().str(), &I->item(), F.item(*I)});
    }
  return All;
}

/// How many loops a construct of OpenACC became one of; 0 if it is not one
/// parallel loop whose iterations any device may run.
static unsigned splittableDepth(const Rewrite &R) {
  unsigned Depth = 0;
  if (!R.Kernels.empty())
    return 0;
  for (const OmpDirective &D : R.Directives) {
    const StringRef Name = D.Name;
    if (!Depth && (Name.contains("distribute") || Name.contains("for")))
      Depth = 1;
    for (const Phrase &C : D.Clauses) {
      StringRef Before = C.Before;
      if (Before.starts_with("lastprivate"))
        return 0;
      if (!Before.consume_front("collapse("))
        continue;
      std::string Number = Before.str();
      for (const Token &T : C.Tokens)
        Number += StringRef(T.getLiteralData() && T.isLiteral()
                                ? StringRef(T.getLiteralData(), T.getLength())
                                : "?");
      StringRef(Number + C.After).consumeInteger(10, Depth);
    }
  }
  return Depth;
}

/// The names of a reduction's variables: what it is of, its slots, its type.
static std::string slotName(const Node &N, StringRef What, size_t Number) {
  return ("__accx_" + What + "_" + Twine(N.D->Ordinal) + "_" + Twine(Number))
      .str();
}

/// What follows \p I's base for one element.
static std::string elementOf(const Item &I, const ItemFacts &Known) {
  const bool IsWhole = I.Sections.empty() && Known.Class == TypeClass::Array;
  return element(IsWhole ? Known.InnerExtents.size() + 1 : I.Sections.size());
}

/// Declares and fills the slots of reduction \p Number.
void Planner::addSlots(const Node &N, const Item &I, const ItemFacts &Known,
                       StringRef Operator, size_t Number, Phrases &Out) {
  const SourceLocation Loc = N.D->Loc;
  const std::string V = slotName(N, "variable", Number),
                    S = slotName(N, "slots", Number),
                    Length = slotName(N, "length", Number),
                    Type = slotName(N, "type", Number);
  Clause C{};
  C.Loc = Loc;
  Out.add("typedef __typeof__((", I.Base,
          elementOf(I, Known) + ") " + Type + ";", Loc);
  Out.add(Type + " *const " + V + " = (" + Type + " *)", Loc);
  addAddress(C, I, Out);
  Out.add("; const unsigned long " + Length + " = ", Loc);
  addBytes(C, I, "", Out);
  const std::string Parts = partName(*N.D, "parts");
  Out.add(" / sizeof(" + Type + "); " + Type + " *const " + S + " = (" + Type +
              " *)__accx_distribute_slots((const void *)" + V + ", " + Length +
              " * sizeof(" + Type + "), " + recordOf(I) + ");",
          Loc);
  const OperatorRow &Op = *rowOf(Operator);
  const std::string Set = PP.getLangOpts().CPlusPlus
                              ? "__accx_slot<" + std::to_string(Op.Number) +
                                    ", " + Type + ">::set(" + S + "[__accx_e]);"
                          : *Op.Identity
                              ? S + "[__accx_e] = " + Op.Identity + ";"
                              : ";";
  Out.add("for (unsigned long __accx_e = 0; __accx_e < " + Parts + " * " +
              Length + "; ++__accx_e) " + Set,
          Loc);
}

/// Combines them.
void Planner::addCombined(const Node &N, StringRef Operator, size_t Number,
                          Phrases &Out) {
  const std::string V = slotName(N, "variable", Number) + "[__accx_e]",
                    Length = slotName(N, "length", Number),
                    S = slotName(N, "slots", Number) + "[__accx_p * " + Length +
                        " + __accx_e]";
  const OperatorRow &Op = *rowOf(Operator);
  const std::string Combine = PP.getLangOpts().CPlusPlus
                                  ? "__accx_slot<" + std::to_string(Op.Number) +
                                        ", " + slotName(N, "type", Number) +
                                        ">::add(" + V + ", " + S + ");"
                                  : replaced(Op.Combine, V, S);
  Out.add("for (unsigned long __accx_p = 0; __accx_p < (unsigned long)" +
              partName(*N.D, "used") +
              "; ++__accx_p) for (unsigned long __accx_e = 0; __accx_e < " +
              Length + "; ++__accx_e) " + Combine,
          N.D->Loc);
}

/// The marker of a loop of OpenACC, if that became one whose iterations may
/// run on several devices.
bool Planner::markPart(const Node &N, const Node &Loop, const Rewrite &R) {
  const unsigned Depth = splittableDepth(R);
  if (!Depth || Loop.LoopHeader.empty())
    return false;
  const auto Body = bodyOfNest(T.tokens(), Loop.LoopHeader.Begin - 2, Depth);
  if (!Body || T.tokens()[*Body].isNot(tok::l_brace))
    return false;
  if (PP.getLangOpts().OpenMPIsTargetDevice)
    Result.insert(*Body + 1, partMarker(*N.D));
  return true;
}

void Planner::planDistribute(const Node &N) {
  const Directive &D = *N.D;
  for (const Node *Around = N.Parent; Around; Around = Around->Parent)
    if (Around->D->Kind == DirectiveKind::Distribute) {
      error(D.Loc, "'distribute' may not stand in a loop that is distributed: "
                   "leave one of the two out");
      return;
    }
  visitAll(N.Children);
  Rewrite R;
  R.Statement = N.Statement;
  const Node *Acc = nullptr;
  const Rewrite *Planned = nullptr;
  if (!N.Children.empty() && N.Children.front()->At == N.Statement.Begin) {
    Acc = N.Children.front();
    const auto Found = Result.Rewrites.find(Acc);
    Planned = Found == Result.Rewrites.end() ? nullptr : &Found->second;
  }
  std::string Why = D.WhyWhole;
  if (Why.empty() && Acc && (!Planned || !markPart(N, *Acc, *Planned)))
    Why = "it did not become one parallel loop, or a value of its last "
          "iteration is needed";
  std::vector<Reduced> All;
  if (Why.empty())
    All = reductionsOf(T, F, N, Planned);
  for (const Reduced &Each : All)
    if (!rowOf(Each.Operator) || Each.Known.Class == TypeClass::Record ||
        Each.Known.Class == TypeClass::Pointer) {
      if (Each.Known.Class == TypeClass::Pointer &&
          !Each.What->Sections.empty())
        continue;
      Why = "'" + text(Each.What->Tokens) +
            "' is reduced, and is of no type of the language's own";
    }
  if (!Why.empty())
    All.clear();

  const Clause *Kind = D.find(ClauseKind::Schedule);
  const bool Blocks = Kind && Kind->Modifier == "block";
  const unsigned Bits = (Blocks ? InBlocks : OfOwners) | (Acc ? AccNumbers : 0);
  const std::string Devices = addDevices(D, R.Before);
  R.Before.add("const int " + partName(D, "parts") +
                   " = __accx_distribute_begin(" + Devices +
                   std::to_string(Bits) + "u, " +
                   (Why.empty() ? partName(D, "count") : "0"),
               D.Loc);
  // An instance tells.
  for (const Reduced &Each : All)
    if (Each.Known.Class == TypeClass::Unknown && PP.getLangOpts().CPlusPlus)
      R.Before.add(" * __is_arithmetic(__typeof__((", Each.What->Base,
                   elementOf(*Each.What, Each.Known) + "))", D.Loc);
  R.Before.add(", " + record(PP, D.Loc, "distribute", false) + ");(void)" +
                   partName(D, "parts") + ";",
               D.Loc);
  for (size_t I = 0; I < All.size(); ++I)
    addSlots(N, *All[I].What, All[I].Known, All[I].Operator, I, R.Before);
  R.After.add("const int " + partName(D, "used") +
                  " = __accx_distribute_end();(void)" + partName(D, "used") +
                  ";",
              D.Loc);
  for (size_t I = 0; I < All.size(); ++I)
    addCombined(N, All[I].Operator, I, R.After);
  Result.Rewrites[&N] = std::move(R);
  if (!Why.empty()) {
    if (Options.MissedRemarks)
      frontend::remark(Diags, D.Loc, /*Done=*/false,
                       "the loop stays whole on one device: " + Why);
    return;
  }
  std::string Text = "'distribute' splits the loop";
  const Clause *Listed = D.find(ClauseKind::Devices);
  Text += Listed && !Listed->Values.empty()
              ? " among the devices " + text(Listed->Arguments)
              : " among all devices";
  Text += Blocks ? " in even blocks" : " by the owners of what it writes";
  for (const Reduced &Each : All)
    Text += ", and combines '" + text(Each.What->Tokens) + "' with " +
            Each.Operator;
  remark(N, Text);
}

} // namespace accx::frontend
