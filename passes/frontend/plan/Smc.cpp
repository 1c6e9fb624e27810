//===- Smc.cpp - fcw, cache, smc: markers around statements ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes need to know becomes the arguments of a marker, in compilations
// for devices. A host cannot run the channel types, whose iterations need each
// other: there the statement becomes a message and an end of the program.
//
// docs/smc.md is the contract.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Tokens.h"
#include "frontend/plan/Planner.h"
#include "markers/Markers.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

namespace smc = markers::smc;

namespace {

struct SmcType {
  ClauseKind Kind;
  unsigned Bits;
};

constexpr SmcType Types[] = {
    {ClauseKind::FetchOnly, smc::Fetch},
    {ClauseKind::ChannelOnly, smc::Channel},
    {ClauseKind::FetchChannel, smc::Fetch | smc::Channel},
    {ClauseKind::ChannelWb, smc::Channel | smc::WriteBack},
    {ClauseKind::FetchChannelWb, smc::Fetch | smc::Channel | smc::WriteBack},
};

unsigned bitsOf(ClauseKind K) {
  for (const SmcType &T : Types)
    if (T.Kind == K)
      return T.Bits;
  return 0;
}

/// A dimension: its first index and how many, as an iteration declares them.
struct Range {
  Phrases First;
  Phrases Extent;
};

/// `(a)[0][0]`.
std::string element(unsigned Depth) {
  std::string Text = ")";
  for (unsigned I = 0; I < Depth; ++I)
    Text += "[0]";
  return Text;
}

void add(Phrases &To, Phrases What) {
  To.insert(To.end(), What.begin(), What.end());
}

/// Writes the arguments of one array's marker.
class MarkerWriter {
  TokenRange Base;
  SourceLocation Loc;
  const bool HasLength;
  Phrases Out;

  void text(std::string Text) {
    Out.push_back(phrase(std::move(Text), {}, "", Loc));
  }
  void sizeOf(unsigned Depth) {
    Out.push_back(phrase("(long)sizeof((", Base, element(Depth) + ")", Loc));
  }

public:
  MarkerWriter(TokenRange Base, SourceLocation Loc, bool HasLength)
      : Base(Base), Loc(Loc), HasLength(HasLength) {}

  Phrases write(const std::string &Function, const std::string &Where,
                unsigned Type, const std::vector<Range> &Ranges,
                const Phrases &Known, const Clause *Block) {
    const unsigned Dims = Ranges.size();
    text(Function + "(" + Where);
    Out.push_back(phrase(", (const void *)(", Base, "), ", Loc));
    text(std::to_string(Type) + ", ");
    sizeOf(Dims);
    Out.push_back(
        phrase(", (long)__alignof__((", Base, element(Dims) + ")", Loc));
    text(", " + std::to_string(Dims));
    for (unsigned D = 0; D < smc::MaxDims; ++D) {
      if (D >= Dims) {
        text(", 0, 0, 0, 0, 0");
        continue;
      }
      text(", ");
      sizeOf(D + 1);
      text(", ");
      add(Out, Ranges[D].First);
      text(", ");
      add(Out, Ranges[D].Extent);
      text(", ");
      limits(D, Known);
    }
    const unsigned Blocks = Block ? Block->Values.size() : 0;
    text(", " + std::to_string(Blocks));
    for (unsigned B = 0; B < smc::MaxDims; ++B)
      if (B < Blocks)
        Out.push_back(phrase(", (long)(", Block->Values[B], ")", Block->Loc));
      else
        text(", 0");
    text(");");
    return std::move(Out);
  }

private:
  /// The indices that dimension \p D has.
  void limits(unsigned D, const Phrases &Known) {
    if (D == 0 && !Known.empty()) {
      add(Out, Known);
    } else if (D > 0 || HasLength) {
      text("0, ");
      sizeOf(D);
      text(" / ");
      sizeOf(D + 1);
    } else {
      text("-9223372036854775807l - 1, 9223372036854775807l");
    }
  }
};

/// `(long)(e)`.
Phrase number(TokenRange E, SourceLocation Loc) {
  return phrase("(long)(", E, ")", Loc);
}

Range rangeOf(const Section &S, bool IsSection, SourceLocation Loc) {
  Range R;
  if (IsSection) {
    R.First = {number(S.Lower, Loc)};
    R.Extent = {S.IsElement ? phrase("1", {}, "", Loc) : number(S.Length, Loc)};
    if (S.Lower.empty())
      R.First = {phrase("0", {}, "", Loc)};
    return R;
  }
  R.First = {number(S.Lower, Loc), phrase(" - ", {}, "", Loc),
             number(S.Length, Loc)};
  R.Extent = {phrase("1 + ", {}, "", Loc), number(S.Length, Loc),
              phrase(" + ", {}, "", Loc), number(S.After, Loc)};
  return R;
}

} // namespace

/// `file:line: 'array'`.
std::string quoted(StringRef Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + "\"";
}

std::string whereOf(Preprocessor &PP, SourceLocation Loc,
                    const std::string &Array) {
  const PresumedLoc At = PP.getSourceManager().getPresumedLoc(Loc);
  const std::string Place =
      At.isValid()
          ? (llvm::Twine(At.getFilename()) + ":" + llvm::Twine(At.getLine()))
                .str()
          : "?";
  return quoted(Place + ": '" + Array + "'");
}

/// The OpenMP directive of the region around \p N.
static OmpDirective *targetAround(Plan &Result, const Node &N) {
  for (const Node *Around = N.Parent; Around; Around = Around->Parent)
    if (const auto Found = Result.Rewrites.find(Around);
        Found != Result.Rewrites.end())
      for (OmpDirective &Omp : Found->second.Directives)
        if (StringRef(Omp.Name).starts_with("target") &&
            Omp.Name != "target data")
          return &Omp;
  return nullptr;
}

/// The section of \p Name that a data clause on a construct around \p N names:
/// its first index and the one behind its last, as variables that are set in
/// front of that construct. Nothing where it is not known.
Phrases Planner::knownExtent(const Node &N, StringRef Name) {
  OmpDirective *Target = Name.empty() ? nullptr : targetAround(Result, N);
  if (!Target)
    return {};
  for (const Node *Around = N.Parent; Around; Around = Around->Parent)
    for (const Clause &C : Around->D->Clauses) {
      if (!has(C.Kind, Mapping))
        continue;
      for (const Item &I : C.Items) {
        if (I.name() != Name)
          continue;
        const auto Found = Result.Rewrites.find(Around);
        if (C.Kind == ClauseKind::DevicePtr || I.Sections.empty() ||
            I.Sections.front().Length.empty() || I.Sections.front().IsElement ||
            Found == Result.Rewrites.end())
          return {};
        const Section &S = I.Sections.front();
        // Sections mostly begin at 0; a constant is no argument of the kernel.
        const bool IsAtZero = S.Lower.empty() || text(S.Lower) == "0";
        Rewrite &R = Found->second;
        // One test of an index then does for all arrays of that length.
        const auto Length = std::pair(Around, text(S.Length));
        if (const auto Known = EndsFromZero.find(Length);
            IsAtZero && Known != EndsFromZero.end()) {
          const std::string &Same = Known->second;
          const std::string Private = Same + ")";
          if (llvm::none_of(Target->Clauses, [&](const Phrase &Has) {
                return Has.Before == "firstprivate(" && Has.After == Private;
              }))
            Target->Clauses.push_back(
                phrase("firstprivate(", {}, Private, C.Loc));
          return {phrase("0L, " + Same, {}, "", C.Loc)};
        }
        const std::string Number = std::to_string(NumExtents++);
        const std::string Low =
            IsAtZero ? "0L" : "__accx_extent_" + Number + "_low";
        const std::string High = "__accx_extent_" + Number + "_high";
        if (IsAtZero)
          EndsFromZero[Length] = High;
        Phrases Set;
        Set.push_back(phrase("long ", {}, "", C.Loc));
        if (!IsAtZero) {
          Set.push_back(phrase(Low, {}, " = ", C.Loc));
          Set.push_back(number(S.Lower, C.Loc));
          Set.push_back(phrase(", ", {}, "", C.Loc));
        }
        Set.push_back(phrase(High, {}, " = ", C.Loc));
        Set.push_back(phrase(Low, {}, " + ", C.Loc));
        Set.push_back(number(S.Length, C.Loc));
        Set.push_back(phrase(";", {}, "", C.Loc));
        R.Before.insert(R.Before.begin(), Set.begin(), Set.end());
        std::string Both = Low;
        Both += ", ";
        Both += High;
        Target->Clauses.push_back(
            phrase("firstprivate(", {}, (IsAtZero ? High : Both) + ")", C.Loc));
        return {phrase(Both, {}, "", C.Loc)};
      }
    }
  return {};
}

/// Whether the item of a clause of fcw can be cached; reports it if not.
bool Planner::checkSmcArray(const Node &N, unsigned ClauseIndex,
                            unsigned ItemIndex, unsigned Type) {
  const Clause &C = N.D->Clauses[ClauseIndex];
  const Item &I = C.Items[ItemIndex];
  const ItemFacts Known = F.item(N.D->Ordinal, ClauseIndex, ItemIndex);
  const SourceLocation Loc = I.Base.front().getLocation();
  if (Known.Resolved &&
      (Known.Class == TypeClass::Scalar || Known.Class == TypeClass::Record)) {
    report(Loc, DiagnosticsEngine::Error, "'%0' in '%1' is no array")
        << text(I.Base) << C.Spelling;
    return false;
  }
  if (Known.PointsToPointers && I.Sections.size() > 1) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' in '%1' is a table of pointers, not an array of more than "
           "one dimension")
        << text(I.Base) << C.Spelling;
    return false;
  }
  if ((Type & smc::Channel) && Known.Class == TypeClass::Pointer &&
      !Known.IsUnaliased) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' in '%1' must be 'restrict': writes through another pointer "
           "would be missed")
        << text(I.Base) << C.Spelling;
    return false;
  }
  return true;
}

/// What says how many iterations a block of \p N has: its own clause, else a
/// constant length of vectors around it that is all there is of a block.
static const Clause *blockOf(const Node &N) {
  if (const Clause *Own = N.D->find(ClauseKind::Block))
    return Own;
  for (const Node *Around = N.Parent; Around; Around = Around->Parent) {
    const Directive &D = *Around->D;
    if (D.has(ClauseKind::Collapse) || D.has(ClauseKind::Tile) ||
        D.has(ClauseKind::Worker) || D.has(ClauseKind::NumWorkers))
      return nullptr;
    for (const ClauseKind Kind : {ClauseKind::VectorLength, ClauseKind::Vector})
      if (const Clause *Length = D.find(Kind);
          Length && Length->Values.size() == 1)
        return Length->Values[0].size() == 1 &&
                       Length->Values[0].front().is(tok::numeric_constant)
                   ? Length
                   : nullptr;
  }
  return nullptr;
}

/// The marker that opens one array's region. All compilations of a unit must
/// give a kernel the same arguments in the same order, which is that of first
/// use: the host's mentions what markers of devices use, and does nothing.
void Planner::addSmcMarker(const Node &N, unsigned C, unsigned I, unsigned Type,
                           TokenRange Base, llvm::ArrayRef<Section> Sections,
                           Phrases &Out) {
  const Clause &Of = N.D->Clauses[C];
  const SourceLocation Loc = Base.front().getLocation();
  const StringRef Name =
      Base.size() == 1 ? Base.front().getIdentifierInfo()->getName() : "";
  const Phrases Known = knownExtent(N, Name);
  std::vector<Range> Ranges;
  for (const Section &S : Sections)
    Ranges.push_back(rangeOf(S, Type & smc::Transparent, Of.Loc));
  const ItemFacts Facts = F.item(N.D->Ordinal, C, I);
  add(Out, MarkerWriter(Base, Loc, Facts.HasLength)
               .write(PP.getLangOpts().OpenMPIsTargetDevice
                          ? markers::SmcBegin
                          : "if (0) __accx_smc_mention",
                      whereOf(PP, Loc, text(Base)), Type, Ranges, Known,
                      blockOf(N)));
}

void Planner::planSmc(const Node &N) {
  const Directive &D = *N.D;
  Rewrite R;
  R.Statement = N.Statement;
  std::string Channel;
  for (unsigned C = 0; C < D.Clauses.size(); ++C) {
    const unsigned Type = bitsOf(D.Clauses[C].Kind);
    for (unsigned I = 0; Type && I < D.Clauses[C].Items.size(); ++I) {
      const Item &It = D.Clauses[C].Items[I];
      if (!checkSmcArray(N, C, I, Type))
        continue;
      if (Type & smc::Channel)
        Channel = whereOf(PP, It.Base.front().getLocation(), text(It.Base));
      addSmcMarker(N, C, I, Type, It.Base, It.Sections, R.Before);
      if (PP.getLangOpts().OpenMPIsTargetDevice)
        R.After.push_back(
            phrase(std::string(markers::SmcEnd) + "();", {}, "", D.Loc));
    }
  }
  if (!Channel.empty() && !PP.getTargetInfo().getTriple().isNVPTX())
    R.Before.insert(
        R.Before.begin(),
        phrase("__accx_smc_unavailable(" + Channel + ");", {}, "", D.Loc));
  Result.Rewrites.emplace(&N, std::move(R));
}

void Planner::planSmcBarrier(const Node &N) {
  if (!PP.getLangOpts().OpenMPIsTargetDevice)
    return;
  Rewrite R;
  R.Before.push_back(
      phrase(std::string(markers::SmcBarrier) + "();", {}, "", N.D->Loc));
  Result.Rewrites.emplace(&N, std::move(R));
}

/// The dimensions of `a[i][k:n]`: its parser takes `a[i]` for the base.
static llvm::SmallVector<Section, 3> sectionsOf(TokenRange Brackets) {
  llvm::SmallVector<Section, 3> Out;
  for (const Token *T = Brackets.begin(); T != Brackets.end();) {
    const Token *Past = skipGroup(T, Brackets.end());
    if (T->isNot(tok::l_square))
      return {};
    const TokenRange Inner = between(T + 1, Past - 1);
    const Token *Colon = findColon(Inner);
    Section S;
    S.Lower = between(Inner.begin(), Colon);
    S.IsElement = Colon == Inner.end();
    if (!S.IsElement)
      S.Length = between(Colon + 1, Inner.end());
    if (!S.IsElement && S.Length.empty())
      return {};
    Out.push_back(S);
    T = Past;
  }
  return Out;
}

/// A hint: what cannot be cached is left alone. The region is the rest of the
/// block that the directive stands in.
void Planner::planCache(const Node &N) {
  const Token &Before = T.tokens()[N.At - 1];
  if (N.Block.empty() || !N.D->has(ClauseKind::Argument) ||
      Before.isOneOf(tok::r_paren, tok::kw_else, tok::kw_do, tok::colon))
    return;
  const unsigned C = N.D->find(ClauseKind::Argument) - N.D->Clauses.begin();
  Rewrite R;
  Insertion Ends;
  for (unsigned I = 0; I < N.D->Clauses[C].Items.size(); ++I) {
    const TokenRange All = N.D->Clauses[C].Items[I].Tokens;
    if (All.size() < 4 || All[0].isNot(tok::identifier) ||
        All[1].isNot(tok::l_square))
      continue;
    const auto Sections = sectionsOf(All.drop_front());
    const ItemFacts Known = F.item(N.D->Ordinal, C, I);
    if (Sections.empty() || Sections.size() > smc::MaxDims ||
        (Known.PointsToPointers && Sections.size() > 1))
      continue;
    Phrases Begin;
    addSmcMarker(N, C, I, smc::Fetch | smc::Transparent, All.take_front(),
                 Sections, Begin);
    add(R.Before, Begin);
    if (PP.getLangOpts().OpenMPIsTargetDevice)
      Ends.Statements.push_back(
          phrase(std::string(markers::SmcEnd) + "();", {}, "", N.D->Loc));
  }
  if (!Ends.Statements.empty())
    Result.Insertions.emplace(N.Block.End - 1, std::move(Ends));
  if (!R.Before.empty())
    Result.Rewrites.emplace(&N, std::move(R));
}

} // namespace accx::frontend
