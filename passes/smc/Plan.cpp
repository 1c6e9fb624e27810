//===- Plan.cpp - Which arrays of a kernel are cached, and how ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans a kernel: the shape of its blocks, each array's copy, and the use of
// shared memory. Accesses, expressions and regions are found by sources of
// their own; here their answers become one decision or a refusal.
//
//===----------------------------------------------------------------------===//

#include "smc/Plan.h"

#include "blocks/Notes.h"
#include "blocks/Region.h"
#include "ir/Remark.h"
#include "offload/Annotations.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <numeric>

using namespace llvm;
using namespace accx::blocks;
using namespace llvm::PatternMatch;

namespace accx::smc {

static constexpr unsigned MaxThreads = 1024;
static constexpr unsigned WarpThreads = 32;
static constexpr int64_t MaxBytes = 1 << 24;
static constexpr int64_t MaxExtent = 1 << 16;
/// Iterations, and the last test, of loops that become straight code: what they
/// read then has constant offsets.
static constexpr unsigned MaxShort = 33;
/// Iterations of longer ones that do.
static constexpr unsigned Unrolled = 16;

namespace {

class Planner {
  Function &Kernel;
  const RefuseAt Refuse;
  LoopInfo &Loops;
  const DominatorTree &DT;
  const PostDominatorTree &PDT;
  ScalarEvolution &SE;
  UniformityInfo &Uniformity;
  int64_t Bytes = 0;
  /// The detail of the last refusal.
  std::string Detail;

public:
  Planner(Function &Kernel, FunctionAnalysisManager &FAM, RefuseAt Refuse)
      : Kernel(Kernel), Refuse(Refuse),
        Loops(FAM.getResult<LoopAnalysis>(Kernel)),
        DT(FAM.getResult<DominatorTreeAnalysis>(Kernel)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(Kernel)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(Kernel)),
        Uniformity(FAM.getResult<UniformityInfoAnalysis>(Kernel)) {}

  std::vector<NestPlan> plan() {
    // Regions by the loop that deals out their iterations.
    MapVector<Loop *, SmallVector<CallInst *, 4>> Regions;
    ReversePostOrderTraversal<Function *> Order(&Kernel);
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block)
        if (noteOf(I) == NoteKind::Begin)
          Regions[outermost(*Block)].push_back(cast<CallInst>(&I));
    std::vector<NestPlan> Plans;
    for (auto &[L, Begins] : Regions)
      if (std::optional<NestPlan> P = planNest(L, Begins))
        Plans.push_back(std::move(*P));
    // One block for all.
    if (Plans.size() > 1)
      for (NestPlan &P : drop_begin(Plans))
        if (P.Nest.threadsFor(P.Shape) !=
            Plans.front().Nest.threadsFor(Plans.front().Shape))
          drop(P, Refusal::BlockShape);
    erase_if(Plans,
             [](const NestPlan &P) { return P.Groups.empty() && !P.Team; });
    return Plans;
  }

private:
  Loop *outermost(const BasicBlock &Block) const {
    Loop *L = Loops.getLoopFor(&Block);
    return L ? L->getOutermostLoop() : nullptr;
  }

  void drop(NestPlan &P, Refusal R) const {
    for (GroupPlan &G : P.Groups)
      for (ArrayPlan &A : G.Arrays)
        Refuse(*A.Begin, R, "");
    if (P.Team)
      Refuse(*P.Team, R, "");
    P.Team = nullptr;
    P.Groups.clear();
  }

  std::optional<NestPlan> planNest(Loop *L, ArrayRef<CallInst *> Begins) {
    NestPlan P;
    Refusal R = L ? BlockNest::match(*L, P.Nest) : Refusal::NotGridLoop;
    if (R == Refusal::None)
      R = P.Nest.checkBody();
    if (R == Refusal::None)
      R = chooseShape(P, Begins);
    if (R != Refusal::None) {
      for (CallInst *Begin : Begins)
        Refuse(*Begin, R, "");
      return std::nullopt;
    }
    P.Forms = std::make_unique<AffineForms>(P.Nest, P.Shape, Uniformity);
    if (isTeam(*Begins.front()))
      return planTeam(P, Begins);
    for (CallInst *Begin : Begins) {
      ArrayPlan A;
      R = planArray(*Begin, P, A);
      if (R != Refusal::None) {
        Refuse(*Begin, R, Detail);
        Detail.clear();
        continue;
      }
      // A channel that no code uses, or that is no help.
      if (A.Accesses.empty())
        continue;
      if (P.Groups.empty() || !joins(*P.Groups.back().Last, *Begin))
        P.Groups.emplace_back();
      P.Groups.back().Last = Begin;
      P.Groups.back().IsInLoop =
          Loops.getLoopFor(Begin->getParent()) != P.Nest.Nest;
      P.Groups.back().Arrays.push_back(std::move(A));
    }
    if (P.Groups.empty())
      return std::nullopt;
    return P;
  }

  /// Whether one block of \p Threads does all iterations.
  static bool isOnly(const BlockNest &N, unsigned Threads) {
    const auto *Trip = dyn_cast<ConstantInt>(N.Trip);
    return N.Indices.size() == 1 && Trip && Trip->getZExtValue() == Threads;
  }

  /// A row is a block, and all there is to it.
  std::optional<NestPlan> planTeam(NestPlan &P,
                                   ArrayRef<CallInst *> Begins) const {
    const auto *Columns =
        P.Shape.size() == 2
            ? dyn_cast_or_null<ConstantInt>(P.Nest.Indices[0].Divisor)
            : nullptr;
    const bool IsRow =
        Columns && P.Shape[0] == 1 && Columns->getZExtValue() == P.Shape[1];
    if ((!IsRow && !isOnly(P.Nest, P.Shape.back())) ||
        !all_of(Begins, [](auto *B) { return isTeam(*B); })) {
      for (CallInst *Begin : Begins)
        Refuse(*Begin, Refusal::BlockShape, "");
      return std::nullopt;
    }
    P.Nest.takeRows();
    P.Team = Begins.front();
    // Few threads have no others to run while they wait for loads, so they load
    // all at once.
    P.IsStraight = true;
    const auto All = P.Nest.Nest->getLoopsInPreorder();
    for (Loop *L : drop_begin(All)) {
      const unsigned Trips = SE.getSmallConstantTripCount(L);
      if (L->isInnermost() && Trips >= 2 && Trips <= MaxShort &&
          isStraight(*L, Trips))
        P.ShortLoops.insert(L);
      else
        P.IsStraight = false;
    }
    return std::move(P);
  }

  /// Whether \p L is little code, even \p Trips times, and waits for no other
  /// thread.
  static bool isStraight(const Loop &L, unsigned Trips) {
    constexpr unsigned MaxCode = 1024;
    unsigned Size = 0;
    for (const BasicBlock *Block : L.blocks())
      for (const Instruction &I : *Block) {
        if (noteOf(I) == NoteKind::Barrier ||
            (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
          return false;
        ++Size;
      }
    return Size * Trips <= MaxCode;
  }

  /// Whether nothing but arguments of markers stands between the two.
  static bool joins(const CallInst &One, const CallInst &Other) {
    if (One.getParent() != Other.getParent())
      return false;
    for (const Instruction &I :
         make_range(std::next(One.getIterator()), Other.getIterator()))
      if (I.mayWriteToMemory() && noteOf(I) != NoteKind::Begin)
        return false;
    return true;
  }

  /// Takes the shape that clauses give, else 256 threads, as near to a square
  /// as rows of 16 are.
  Refusal chooseShape(NestPlan &P, ArrayRef<CallInst *> Begins) const {
    std::optional<BlockShape> Asked;
    for (CallInst *Begin : Begins) {
      const auto Numbers = askedShape(*Begin);
      if (!Numbers)
        return Refusal::NotConstant;
      if (any_of(*Numbers, [](int64_t N) { return N < 1 || N > MaxThreads; }))
        return Refusal::BlockShape;
      if (Numbers->empty())
        continue;
      const BlockShape Shape(Numbers->begin(), Numbers->end());
      if (Asked && *Asked != Shape)
        return Refusal::BlockShape;
      Asked = Shape;
    }
    const bool IsExact =
        any_of(Begins, [](const CallInst *Begin) { return isChannel(*Begin); });
    unsigned Limit = 256;
    const bool HasLimit = Kernel.hasFnAttribute("omp_target_thread_limit");
    if (HasLimit)
      if (const uint64_t Own = offload::annotated(Kernel, "maxntidx"))
        Limit = std::min<uint64_t>(Own, MaxThreads);
    if (Asked) {
      // The number of a single gang is known to be 0.
      if (isTeam(*Begins.front()) && isOnly(P.Nest, Asked->back()))
        Asked->erase(Asked->begin());
      if (Asked->size() == 1)
        P.Nest.flatten();
      if (Asked->size() != P.Nest.Indices.size() ||
          threadsOf(*Asked) > (HasLimit ? Limit : MaxThreads))
        return Refusal::BlockShape;
      P.Shape = *Asked;
    } else {
      if (!IsExact)
        Limit = std::max(WarpThreads, Limit / WarpThreads * WarpThreads);
      constexpr unsigned Row = 16;
      switch (P.Nest.Indices.size()) {
      case 1:
        P.Shape = {Limit};
        break;
      case 2:
        P.Shape = {Limit / Row, Row};
        break;
      default:
        P.Shape = {Limit / WarpThreads, 2, Row};
      }
    }
    return threadsOf(P.Shape) == 0 ? Refusal::BlockShape : Refusal::None;
  }

  /// The same for all threads of a block.
  bool isSame(Value *V, const BlockNest &N) const {
    return N.Nest->isLoopInvariant(V) || Uniformity.isUniform(V);
  }

  /// The end of the array's range of indices, if it is known.
  Value *limit(Value *V, int64_t Unknown, const BlockNest &N) const {
    const auto *C = dyn_cast<ConstantInt>(V);
    if ((C && C->getSExtValue() == Unknown) || !isSame(V, N))
      return nullptr;
    return elementsOf(V);
  }

  /// \p V; what bytes of an object are divided by its elements', as they fit.
  static Value *elementsOf(Value *V) {
    Value *Bytes, *L, *R;
    const APInt *Element;
    if (!match(V, m_IDiv(m_Value(Bytes), m_APInt(Element))) ||
        !match(Bytes, m_NUWMul(m_Value(L), m_Value(R))))
      return V;
    if (match(L, m_SpecificInt(*Element)))
      return R;
    return match(R, m_SpecificInt(*Element)) ? L : V;
  }

  Refusal tooLarge(const Twine &Need) {
    Detail = (" (" + Need + ")").str();
    return Refusal::SharedMemory;
  }

  /// Whether \p V is known to be a multiple of \p Of.
  static bool isMultiple(const Value *V, int64_t Of, const Instruction &At) {
    return isPowerOf2_64(Of) &&
           computeKnownBits(V, At.getDataLayout()).countMinTrailingZeros() >=
               Log2_64(Of);
  }

  /// The largest parts such that each write writes whole ones.
  static void findParts(ArrayPlan &A) {
    int64_t Part = 0;
    for (const Access &Each : A.Accesses)
      if (Each.isWrite())
        Part = std::gcd(Part, Each.size());
    for (const Access &Each : A.Accesses)
      for (const Term &T : Each.Terms)
        if (Part && Each.isWrite() && T.Dim == A.Dims.size()) {
          // In one dimension a number of bytes: elements, and what is within.
          const bool IsKnown =
              !T.V || A.Dims.size() > 1 ||
              isMultiple(T.V, std::gcd(Part, A.Element), *Each.At);
          Part = !IsKnown ? 1
                 : T.V    ? std::gcd(Part, A.Element)
                          : std::gcd(Part, T.Factor);
        }
    A.Part = std::gcd(Part, A.Element);
  }

  /// Whether the copy has an element for each iteration of a block, and that is
  /// the one that the iteration declares.
  static bool hasOwnPlaces(const ArrayPlan &A, const BlockShape &Shape) {
    SmallVector<bool, 3> Seen(Shape.size(), false);
    for (const DimPlan &Dim : A.Dims) {
      unsigned Used = 0;
      for (unsigned D = 0; D < Shape.size(); ++D)
        if (Dim.Form.Factors[D]) {
          if (Dim.Form.Factors[D] != 1 || Seen[D])
            return false;
          Seen[D] = true;
          ++Used;
        }
      if (Dim.Own != 1 || Used != 1)
        return false;
    }
    for (unsigned D = 0; D < Shape.size(); ++D)
      if (!Seen[D] && Shape[D] > 1)
        return false;
    return true;
  }

  /// Whether two copies are better than two barriers for each write.
  bool writesInTurn(const ArrayPlan &A, const NestPlan &P,
                    const CallInst &Begin) const {
    const auto IsWrite = [](const Access &Each) { return Each.isWrite(); };
    return A.isChannel() && A.FetchesOwn == A.isFetched() &&
           isPowerOf2_64(A.Element) && A.Element <= 8 && A.Unit == A.Element &&
           (!A.isWrittenBack() || A.WritesOwn) && hasOwnPlaces(A, P.Shape) &&
           Loops.getLoopFor(Begin.getParent()) == P.Nest.Nest &&
           Bytes + 2 * A.sideBytes() <= SharedBytes &&
           any_of(A.Accesses, IsWrite) &&
           all_of(A.Accesses, [&](const Access &Each) {
             if (!Each.isWrite())
               return true;
             const WriteBarriers Around = barriersOf(*Each.At);
             return Each.IsOwn && Each.size() == A.Element && Around.Before &&
                    Around.After;
           });
  }

  Refusal planArray(CallInst &Begin, NestPlan &P, ArrayPlan &A) {
    if (!readArray(Begin, A))
      return Refusal::NotConstant;
    if (!P.Nest.Nest->isLoopInvariant(A.Base))
      return Refusal::NotAffine;
    if (mayPart(*Begin.getParent(), *P.Nest.Nest, Uniformity, PDT))
      return Refusal::Divergent;
    for (DimPlan &Dim : A.Dims) {
      const auto *Number = dyn_cast<ConstantInt>(Dim.Extent);
      if (!Number)
        return Refusal::NotConstant;
      Dim.Own = Number->getSExtValue();
      const auto Form = P.Forms->of(Dim.First);
      if (!isSame(Dim.Pitch, P.Nest) || !Form ||
          any_of(Form->Factors, [](int64_t F) { return F < 0; }))
        return Refusal::NotAffine;
      const int64_t Growth = Form->growth(P.Shape);
      Dim.Span = Dim.Own + Growth;
      if (Dim.Own < 1 || Dim.Own > MaxExtent || Growth > MaxExtent)
        return tooLarge("a range of " + Twine(Dim.Span) + " elements");
      Dim.Form = *Form;
      Dim.Low = limit(Dim.Low, INT64_MIN, P.Nest);
      Dim.High = limit(Dim.High, INT64_MAX, P.Nest);
      if (!Dim.Low || !Dim.High) {
        Dim.Low = Dim.High = nullptr;
        if (A.isTransparent())
          return Refusal::UnknownExtent;
      }
      if (A.bytes() > MaxBytes)
        return tooLarge("more than " + Twine(MaxBytes) + " bytes");
    }
    const Region R(Begin, Loops, DT);
    if ((!R.IsClosed && !A.isTransparent()) || (A.isChannel() && !R.End))
      return Refusal::LoopForm;
    A.End = R.End;
    if (const Refusal Why = findAccesses(R, A, SE, Loops, DT);
        Why != Refusal::None)
      return Why;
    if (A.Accesses.empty())
      return Refusal::None;
    A.IsPrivate = A.isChannel() && A.isFetched() &&
                  all_of(A.Accesses, [](const Access &Each) {
                    return Each.IsOwn && !Each.isWrite();
                  });
    if (A.IsPrivate)
      return Refusal::None;
    A.FetchesOwn = A.isFetched() && A.Element == A.Unit && A.Unit <= 16 &&
                   hasOwnPlaces(A, P.Shape) &&
                   Loops.getLoopFor(Begin.getParent()) == P.Nest.Nest;
    if (A.isWrittenBack())
      findParts(A);
    A.WritesOwn =
        A.Part == A.Element && all_of(A.Accesses, [](const Access &Each) {
          return Each.IsOwn || !Each.isWrite();
        });
    A.InTurn = writesInTurn(A, P, Begin);
    const int64_t Own =
        A.sideBytes() * (A.InTurn ? 2 : 1) + alignTo(A.flagBytes(), 16);
    if (Bytes + Own > SharedBytes)
      return tooLarge(Twine(Own) + " bytes beside " + Twine(Bytes) + " of " +
                      Twine(SharedBytes));
    Bytes += Own;
    for (const Access &Each : A.Accesses) {
      Loop *Inner = Loops.getLoopFor(Each.At->getParent());
      const unsigned Trips = SE.getSmallConstantTripCount(Inner);
      if (!Inner->isInnermost() || Trips < 2)
        continue;
      if (Trips <= MaxShort) {
        P.ShortLoops.insert(Inner);
        P.MostTurns = std::max(P.MostTurns, Trips);
      } else if (Trips % Unrolled <= 1)
        P.LongLoops.insert(Inner);
    }
    return Refusal::None;
  }
};

} // namespace

void NestPlan::print(raw_ostream &OS) const {
  OS << "  blocks of ";
  interleave(Shape, OS, " x ");
  OS << "\n";
  for (const GroupPlan &G : Groups)
    for (const ArrayPlan &A : G.Arrays) {
      const auto Count = [&](const char *What, bool (*Is)(const Access &)) {
        OS << ", " << ir::Counted(count_if(A.Accesses, Is), What);
      };
      OS << "  " << whereOf(*A.Begin) << ": ";
      interleave(A.Dims, OS, [&](const DimPlan &D) { OS << D.Span; }, " x ");
      OS << " elements of " << ir::Counted(A.Element, "byte");
      Count("read", [](const Access &Each) { return !Each.isWrite(); });
      Count("test", [](const Access &Each) { return Each.NeedsTest; });
      if (&A != &G.Arrays.front())
        OS << ", fetched with the one before";
      if (A.isChannel()) {
        Count("write", [](const Access &Each) { return Each.isWrite(); });
        Count("access", [](const Access &Each) { return Each.IsOwn; });
        OS << " of a thread's own element";
        if (A.Part)
          OS << ", written back by parts of " << ir::Counted(A.Part, "byte");
      }
      OS << "\n";
    }
}

std::vector<NestPlan> planKernel(Function &Kernel, FunctionAnalysisManager &FAM,
                                 RefuseAt Refuse) {
  return Planner(Kernel, FAM, Refuse).plan();
}

} // namespace accx::smc
