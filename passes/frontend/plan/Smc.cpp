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
#include "llvm/Support/FormatVariadic.h"

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

/// `(long)(e)`.
Phrase number(TokenRange E, SourceLocation Loc) {
  return Phrase("(long)(", E, ")", Loc);
}

Range rangeOf(const Section &S, bool IsSection, SourceLocation Loc) {
  Range R;
  if (IsSection) {
    R.First = {number(S.Lower, Loc)};
    R.Extent = {S.IsElement ? Phrase("1", Loc) : number(S.Length, Loc)};
    if (S.Lower.empty())
      R.First = {Phrase("0", Loc)};
    return R;
  }
  R.First = {number(S.Lower, Loc), Phrase(" - ", Loc), number(S.Length, Loc)};
  R.Extent = {Phrase("1 + ", Loc), number(S.Length, Loc), Phrase(" + ", Loc),
              number(S.After, Loc)};
  return R;
}

} // namespace

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
            Target->Clauses.add("firstprivate(", {}, Private, C.Loc);
          return {Phrase("0L, " + Same, C.Loc)};
        }
        const std::string Number = std::to_string(NumExtents++);
        const std::string Low =
            IsAtZero ? "0L" : "__accx_extent_" + Number + "_low";
        const std::string High = "__accx_extent_" + Number + "_high";
        if (IsAtZero)
          EndsFromZero[Length] = High;
        Phrases Set;
        if (!IsAtZero)
          Set.add("long " + Low + " = (long)(", S.Lower, ");", C.Loc);
        Set.add(llvm::formatv("long {0} = {1} + (long)(", High, Low).str(),
                S.Length, ");", C.Loc);
        R.Before.prepend(Set);
        const std::string Both = llvm::formatv("{0}, {1}", Low, High);
        Target->Clauses.add("firstprivate(", {}, (IsAtZero ? High : Both) + ")",
                            C.Loc);
        return {Phrase(Both, C.Loc)};
      }
    }
  return {};
}

/// Whether the item of a clause of fcw can be cached; reports it if not.
bool Planner::checkSmcArray(const ListItem &At, unsigned Type) {
  const Item &I = At.item();
  const ItemFacts Known = F.item(At);
  const SourceLocation Loc = I.Base.front().getLocation();
  const StringRef Spelling = At.clause().Spelling;
  if (Known.Resolved &&
      (Known.Class == TypeClass::Scalar || Known.Class == TypeClass::Record)) {
    error(Loc, "'%0' in '%1' is no array") << text(I.Base) << Spelling;
    return false;
  }
  if (Known.PointsToPointers && I.Sections.size() > 1) {
    error(Loc, "'%0' in '%1' is a table of pointers, not an array of more than "
               "one dimension")
        << text(I.Base) << Spelling;
    return false;
  }
  if ((Type & smc::Channel) && Known.Class == TypeClass::Pointer &&
      !Known.IsUnaliased) {
    error(Loc, "'%0' in '%1' must be 'restrict': writes through another "
               "pointer would be missed")
        << text(I.Base) << Spelling;
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

/// The markers that open and close one array's region. All compilations of a
/// unit must give a kernel the same arguments in the same order, which is that
/// of first use: the host's mentions what markers of devices use, and does
/// nothing.
void Planner::addSmcMarker(const Node &N, const ListItem &I, unsigned Type,
                           TokenRange Base, llvm::ArrayRef<Section> Sections,
                           Rewrite &R, Phrases &End) {
  const SourceLocation Loc = Base.front().getLocation();
  const StringRef Name =
      Base.size() == 1 ? Base.front().getIdentifierInfo()->getName() : "";
  const Phrases Known = knownExtent(N, Name);
  const bool Device = PP.getLangOpts().OpenMPIsTargetDevice;
  const size_t Dims = Sections.size();
  Phrases &Out = R.Before;
  const auto AddSize = [&](size_t Depth) {
    Out.add("(long)sizeof((", Base, element(Depth) + ")", Loc);
  };
  Out.add((Device ? markers::SmcBegin : "if (0) __accx_smc_mention") +
              ("(" + whereOf(Base)),
          Loc);
  Out.add(", (const void *)(", Base, "), " + std::to_string(Type) + ", ", Loc);
  AddSize(Dims);
  Out.add(", (long)__alignof__((", Base,
          element(Dims) + "), " + std::to_string(Dims), Loc);
  for (size_t D = 0; D < Dims; ++D) {
    const Range Of =
        rangeOf(Sections[D], Type & smc::Transparent, I.clause().Loc);
    Out.add(", ", Loc);
    AddSize(D + 1);
    Out.add(", ", Loc);
    Out.append(Of.First);
    Out.add(", ", Loc);
    Out.append(Of.Extent);
    Out.add(", ", Loc);
    // The indices that the dimension has.
    if (D == 0 && !Known.empty()) {
      Out.append(Known);
    } else if (D > 0 || F.item(I).HasLength) {
      Out.add("0, ", Loc);
      AddSize(D);
      Out.add(" / ", Loc);
      AddSize(D + 1);
    } else {
      Out.add("-9223372036854775807l - 1, 9223372036854775807l", Loc);
    }
  }
  for (size_t D = Dims; D < smc::MaxDims; ++D)
    Out.add(", 0, 0, 0, 0, 0", Loc);
  const Clause *Block = blockOf(N);
  const size_t Blocks = Block ? Block->Values.size() : 0;
  Out.add(", " + std::to_string(Blocks), Loc);
  for (size_t B = 0; B < smc::MaxDims; ++B)
    if (B < Blocks)
      Out.add(", (long)(", Block->Values[B], ")", Block->Loc);
    else
      Out.add(", 0", Loc);
  Out.add(");", Loc);
  if (Device)
    End.add(std::string(markers::SmcEnd) + "();", N.D->Loc);
}

void Planner::planSmc(const Node &N, Rewrite &R) {
  std::string Channel;
  for (const ListItem &I : itemsOf(*N.D)) {
    const unsigned Type = bitsOf(I.clause().Kind);
    const Item &It = I.item();
    if (!Type || !checkSmcArray(I, Type))
      continue;
    if (Type & smc::Channel)
      Channel = whereOf(It.Base);
    addSmcMarker(N, I, Type, It.Base, It.Sections, R, R.After);
  }
  if (!Channel.empty() && !PP.getTargetInfo().getTriple().isNVPTX())
    R.Before.prepend(
        {Phrase(markers::SmcUnavailable + ("(" + Channel + ");"), N.D->Loc)});
}

bool Planner::planSmcBarrier(const Node &N, Rewrite &R) {
  if (!PP.getLangOpts().OpenMPIsTargetDevice)
    return false;
  R.Before.add(std::string(markers::SmcBarrier) + "();", N.D->Loc);
  return true;
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
bool Planner::planCache(const Node &N, Rewrite &R) {
  const Token &Before = T.tokens()[N.At - 1];
  if (N.Block.empty() ||
      Before.isOneOf(tok::r_paren, tok::kw_else, tok::kw_do, tok::colon))
    return false;
  Phrases Ends;
  for (const ListItem &I : itemsOf(*N.D)) {
    const TokenRange All = I.item().Tokens;
    if (All.size() < 4 || All[0].isNot(tok::identifier) ||
        All[1].isNot(tok::l_square))
      continue;
    const auto Sections = sectionsOf(All.drop_front());
    if (Sections.empty() || Sections.size() > smc::MaxDims ||
        (F.item(I).PointsToPointers && Sections.size() > 1))
      continue;
    addSmcMarker(N, I, smc::Fetch | smc::Transparent, All.take_front(),
                 Sections, R, Ends);
  }
  if (!Ends.empty())
    Result.insert(N.Block.End - 1, "", std::move(Ends));
  return !R.Before.empty();
}

} // namespace accx::frontend
