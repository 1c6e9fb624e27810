//===- Launches.cpp - Writes launches of several steps --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cell beside the nest that iterations read keeps what it has: after an even
// number of steps what In has, after an odd one what Out has, as the program
// reads the two in turns. Which of these cells exist, the reads tell that every
// iteration makes.
//
//===----------------------------------------------------------------------===//

#include "frontend/timetile/Launches.h"

#include "frontend/parse/LoopDim.h"
#include "frontend/parse/TokenText.h"
#include "frontend/timetile/TimeTiles.h"

#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace accx::frontend::timetile {
namespace {

/// Where the program does not ask for launches of several steps, they are made
/// for planes of so many cells, whose steps are shorter than a launch takes
/// (docs/benchmarks/software-cache.md).
constexpr long FewCells = 1 << 19;

class LaunchWriter {
public:
  LaunchWriter(Unit &U, Preprocessor &PP, const Tiling &T, UnitTokens &Out)
      : U(U), In(U.Tokens), PP(PP), Out(Out), D(T.D), L(T.Loop), Steps(T.Steps),
        Block(T.Block), Kept(T.Kept) {}

  void write();

private:
  void text(const Twine &S) {
    llvm::SmallString<256> Buffer;
    lexText(PP, S.toStringRef(Buffer), D->Loc, Out);
  }
  template <typename... Ts> void format(const char *Form, const Ts &...Of) {
    text(llvm::formatv(Form, Of...).str());
  }
  void tokens(size_t Begin, size_t End) {
    Out.insert(Out.end(), In.begin() + Begin, In.begin() + End);
  }
  std::string spelled(TokenRange R) const { return spell(PP, R); }
  std::string spelled(Span S) const {
    return spell(PP, TokenRange(In).slice(S.Begin, S.End - S.Begin));
  }
  void accDirective(const std::string &Line) {
    addDirective(U, PP, Line, D->Loc, Out);
  }
  void describe();
  void bounds();
  void test();
  void launches();
  void region();
  void body();
  void ownLoop();
  std::string typeOf(const LoopHead &H) const;
  std::string closed(const LoopHead &H) const {
    return "(long)(" + spelled(H.Bound) + (H.isClosed() ? ") + 1" : ")");
  }
  std::string step() const {
    return L.Time.Step.empty() ? "1" : "(long)(" + spelled(L.Time.Step) + ")";
  }
  unsigned dims() const { return L.Nest.size(); }
  std::string inside(int64_t Row, int64_t Column) const;
  std::string element() const { return L.In + (L.IsNested ? "[0][0]" : "[0]"); }
  /// How far the cells reach that every iteration reads.
  std::pair<int64_t, int64_t> margin(unsigned Dim) const {
    std::pair<int64_t, int64_t> M{0, 0};
    for (const auto &[Row, Column] : L.Always) {
      const int64_t By = Dim ? Column : Row;
      M = {std::max(M.first, -By), std::max(M.second, By)};
    }
    return M;
  }

  Unit &U;
  const UnitTokens &In;
  Preprocessor &PP;
  UnitTokens &Out;
  Directive *const D;
  const TimeLoop &L;
  const long Steps;
  const long *const Block;
  const std::string &Kept;
};

std::string LaunchWriter::typeOf(const LoopHead &H) const {
  return H.declares() ? spelled(H.Declared.drop_back())
                      : "__typeof__(" + spelled(H.Variable) + ")";
}

void LaunchWriter::bounds() {
  // As the loop itself compares and steps.
  text("long __accx_done = 0; { const " + typeOf(L.Time) + " __accx_time = (" +
       typeOf(L.Time) + ")(" + spelled(L.Time.Init) +
       "); const long __accx_start = (long)__accx_time, __accx_step = " +
       step() + ", __accx_all = __accx_step > 0 && __accx_time " +
       tok::getPunctuatorSpelling(L.Time.Relation) + " (" +
       spelled(L.Time.Bound) + ") ? (" + closed(L.Time) +
       " - __accx_start + __accx_step - 1) / __accx_step : 0;");
  for (unsigned Dim = 0; Dim < dims(); ++Dim) {
    const std::string N = std::to_string(Dim);
    text("const long " + firstOf(Dim) + " = (long)(" +
         spelled(L.Nest[Dim].Init) + "), " + endOf(Dim) + " = " +
         closed(L.Nest[Dim]) + ";");
    // In the loop's own type, which may be half as long.
    const std::string Type = "const " + typeOf(L.Nest[Dim]);
    format("{0} __accx_from{1} = ({0}){2}, __accx_past{1} = ({0}){3};", Type, N,
           firstOf(Dim), endOf(Dim));
    const long Inner = Block[Dim] - Steps * (L.Before[Dim] + L.Behind[Dim]);
    format("const long __accx_pad{0} = ({1} - {2} + {3}) / {4} * {5};", N,
           endOf(Dim), firstOf(Dim), Inner - 1, Inner, Block[Dim]);
    const auto [Before, Behind] = margin(Dim);
    format("const long __accx_low{0} = {1} - {2}, __accx_high{0} = {3} + {4}; "
           "(void)__accx_low{0}; (void)__accx_high{0};",
           N, firstOf(Dim), Before, endOf(Dim), Behind);
  }
  text("typedef __typeof__(" + element() + ") __accx_cell;");
  if (!L.Stride.empty())
    text("__extension__ typedef __accx_cell __accx_row[(long)(" + L.Stride +
         ") > 0 ? (long)(" + L.Stride + ") : 1];");
  else
    text("typedef __typeof__(" + L.In + "[0]) __accx_row;");
  text("const void *const __accx_arrays[] = {");
  for (const std::string &Name : {L.In, L.Out})
    text("(const void *)&" + Name + "[0],");
  for (const std::string &Name : L.Others)
    text("(const void *)&" + Name + "[0],");
  for (const std::string &Name : L.Records)
    text("(const void *)&" + Name + ",");
  text("};");
}

void LaunchWriter::test() {
  std::string If = timeTileSwitch(*D) + " && __accx_all > " +
                   std::to_string(D->Implied ? 2 * Steps : 2);
  const auto IsWhole = [&](TokenRange Of) {
    const std::string E = spelled(Of);
    If += " && !((double)(" + E + ") < (double)(long)(" + E +
          ")) && (double)(" + E + ") <= (double)(long)(" + E + ")";
  };
  for (const LoopHead *H : {&L.Time, &L.Nest.front(), &L.Nest.back()}) {
    IsWhole(H->Init);
    IsWhole(H->Bound);
  }
  if (!L.Time.Step.empty())
    IsWhole(L.Time.Step);
  for (unsigned Dim = 0; Dim < dims(); ++Dim)
    If += " && " + endOf(Dim) + " > " + firstOf(Dim) + " && __accx_pad" +
          std::to_string(Dim) + " <= 0x7fffffff";
  if (!L.Stride.empty())
    If += " && __accx_low1 >= 0 && __accx_high1 <= (long)(" + L.Stride + ")";
  for (unsigned Dim = 0; Dim < dims(); ++Dim)
    If += " && " + endOf(Dim) + " <= (sizeof(__accx_from" +
          std::to_string(Dim) + ") < 8 ? 0x7fff0000 : 0x7fffffff00000000)";
  if (D->Implied && dims() == 2)
    If += " && (" + endOf(0) + " - " + firstOf(0) + ") * (" + endOf(1) + " - " +
          firstOf(1) + ") <= " + std::to_string(FewCells);
  if (L.Needs != "1")
    If += " && " + L.Needs;
  // Of a condition that it knows Clang leaves regions out, on the host alone.
  text("int __accx_go = " + If + " && __accx_time_tiles(__accx_arrays, " +
       std::to_string(2 + L.Others.size()) + ", " +
       std::to_string(2 + L.Others.size() + L.Records.size()) +
       ", __accx_low0 * (long)sizeof(__accx_row), __accx_high0 * "
       "(long)sizeof(__accx_row)); if (__accx_go) {");
}

/// As many as leave the last step to the program, and both arrays in the order
/// that the program's steps leave them in. After an even number of steps in one
/// launch the two are in the other order until a later launch: `turn`.
void LaunchWriter::launches() {
  const std::string S = std::to_string(Steps);
  text("long __accx_left = __accx_all - 1, __accx_launches = (__accx_left + " +
       std::to_string(Steps - 1) + ") / " + S +
       "; if ((__accx_left ^ __accx_launches) & 1) ++__accx_launches;");
  text("for (; __accx_launches > 0; --__accx_launches) {");
  text("const long __accx_steps = (__accx_left + __accx_launches - 1) / "
       "__accx_launches; {");
  if (!L.Always.empty())
    text("const int __accx_turn = (__accx_left + __accx_launches) & 1;");
  region();
  text("} __accx_left -= __accx_steps; __accx_done += __accx_steps; {");
  tokens(L.Swap.Begin, L.Swap.End);
  text("} } } }");
}

/// Whether the cell that lies \p Row rows and \p Column columns before this one
/// is in the nest.
std::string LaunchWriter::inside(int64_t Row, int64_t Column) const {
  std::string Text;
  for (unsigned Dim = 0; Dim < dims(); ++Dim) {
    const int64_t By = Dim ? Column : Row;
    const std::string V =
        llvm::formatv(By ? "__accx_cell{0} - ({1})" : "__accx_cell{0}", Dim, By)
            .str();
    Text += llvm::formatv("{0}{1} >= __accx_from{2} && {1} < __accx_past{2}",
                          Dim ? " && " : "", V, Dim)
                .str();
  }
  return "(" + Text + ")";
}

void LaunchWriter::region() {
  text("__accx_row *__restrict const __accx_in = (__accx_row *)" + L.In +
       ", *const __accx_out = (__accx_row *)" + L.Out + ";");
  std::string Line = "parallel loop";
  if (dims() == 2)
    Line += " collapse(2)";
  for (const char *Name : {"__accx_in", "__accx_out"})
    Line += std::string(" present(") + Name +
            "[__accx_low0 : __accx_high0 - __accx_low0])";
  accDirective(Line + Kept);
  std::string Reach, Own = "__accx_in", Cell = "__accx_out",
                     Fetched = "__accx_in";
  for (unsigned Dim = 0; Dim < dims(); ++Dim) {
    format("for (int __accx_i{0} = 0; __accx_i{0} < (int)__accx_pad{0}; "
           "++__accx_i{0})",
           Dim);
    // A step takes cells of the block's edges away.
    const auto Within = [&](const std::string &Cells, int64_t Each) {
      if (Each)
        Reach += llvm::formatv("if ({0} / {1} < __accx_reach) __accx_reach = "
                               "{0} / {1};",
                               Cells, Each);
    };
    const std::string At = "__accx_p" + std::to_string(Dim);
    Within(At, L.Before[Dim]);
    Within("(" + std::to_string(Block[Dim] - 1) + " - " + At + ")",
           L.Behind[Dim]);
    // What has no sign would not be before the array but far behind it.
    const std::string V = timetile::isSigned(L.Nest[Dim])
                              ? spelled(L.Nest[Dim].Variable)
                              : llvm::formatv("__accx_at{0}", Dim).str();
    Own += "[" + V + "]";
    Cell += "[" + V + "]";
    Fetched += "[" + V + " : 0 : 0]";
  }
  text("{");
  std::string Nearest;
  for (unsigned Dim = 0; Dim < dims(); ++Dim) {
    const std::string Type = "const " + typeOf(L.Nest[Dim]),
                      Name = spelled(L.Nest[Dim].Variable);
    const std::string Place =
        llvm::formatv("(__accx_i{0} - (__accx_i{0} / {1} * {2} + {3}))", Dim,
                      Block[Dim], Steps * (L.Before[Dim] + L.Behind[Dim]),
                      Steps * L.Before[Dim])
            .str();
    format("const int __accx_p{0} = __accx_i{0} % {1}; {2} __accx_cell{0} = "
           "__accx_from{0} + {3}; const long __accx_at{0} = {4} + {3}; "
           "(void)__accx_p{0}, (void)__accx_at{0};",
           Dim, Block[Dim], Type, Place, firstOf(Dim));
    Nearest += llvm::formatv(
                   "{0} {1} = __accx_cell{2} < __accx_from{2} ? __accx_from{2} "
                   ": __accx_cell{2} >= __accx_past{2} ? __accx_past{2} - 1 : "
                   "__accx_cell{2}; (void){1};",
                   Type, Name, Dim)
                   .str();
  }
  // Those of a cell in the nest, where this one is not.
  if (!L.Kept.empty())
    text(Nearest);
  for (size_t K = 0; K < L.Kept.size(); ++K)
    text("__extension__ const __auto_type __accx_kept" + std::to_string(K) +
         " = " + spelled(L.Kept[K]) + ";");
  text("{");
  for (unsigned Dim = 0; Dim < dims(); ++Dim)
    text("const " + typeOf(L.Nest[Dim]) + " " + spelled(L.Nest[Dim].Variable) +
         " = __accx_cell" + std::to_string(Dim) + ";");
  const bool Edges = !L.Always.empty();
  text("const int __accx_nest = " + inside(0, 0) + ";");
  const std::string S = std::to_string(Steps);
  text("int __accx_reach = __accx_nest ? " + S + " : 0; " + Reach +
       "const int __accx_centre = __accx_reach == " + S +
       "; if ((int)__accx_steps < __accx_reach) __accx_reach = "
       "(int)__accx_steps;");
  text("int __accx_mine = 0; __accx_cell __accx_value = 0;");
  if (Edges) {
    std::string Edge;
    for (const auto &[Row, Column] : L.Always)
      Edge += (Edge.empty() ? "" : " || ") + inside(Row, Column);
    text("const int __accx_edge = !__accx_nest && (" + Edge +
         "); const __accx_cell __accx_even = !__accx_edge ? (__accx_cell)0 : "
         "__accx_turn ? " +
         Cell + " : " + Own +
         ", __accx_odd = !__accx_edge ? (__accx_cell)0 : __accx_turn ? " + Own +
         " : " + Cell + ";");
  }
  std::string Blocks = std::to_string(Block[0]);
  if (dims() == 2)
    Blocks += ", " + std::to_string(Block[1]);
  accDirective("fcw FETCH_CHANNEL(" + Fetched + ") block(" + Blocks + ")");
  if (Edges)
    text("{ if (__accx_edge && __accx_turn) " + Own + " = __accx_even;");
  text("for (int __accx_k = 0; __accx_k < " + S + "; ++__accx_k) {");
  text("__accx_mine = __accx_k < __accx_reach; if (__accx_mine) {");
  body();
  text("}");
  if (Edges)
    text("if (__accx_edge) { __accx_value = __accx_k & 1 ? __accx_even : "
         "__accx_odd; }");
  text("if (__accx_k == " + std::to_string(Steps - 1) + ") break;");
  text("if (__accx_mine" + std::string(Edges ? " || __accx_edge" : "") + ") " +
       Own + " = __accx_value; }" + (Edges ? " }" : ""));
  text("if (__accx_centre) " + Cell + " = __accx_value; } }");
}

/// The program's, with its reads and its store on the block's copy.
void LaunchWriter::body() {
  const std::string T = spelled(L.Time.Variable);
  text("const " + typeOf(L.Time) + " " + T + " = (" + typeOf(L.Time) +
       ")(__accx_start + (__accx_done + __accx_k) * __accx_step); (void)" + T +
       ";");
  size_t I = L.Cell.Begin;
  auto Next = L.Reads.begin();
  size_t K = 0;
  while (I < L.Cell.End) {
    if (I == L.Store.Begin) {
      text("__accx_value");
      I = L.Store.End;
    } else if (Next != L.Reads.end() && I == Next->Tokens.Begin) {
      text("__accx_in" + (dims() == 2 ? "[" + Next->Row + "]" : "") + "[" +
           Next->Column + "]");
      I = Next->Tokens.End;
      ++Next;
    } else if (K < L.Kept.size() && I == L.Kept[K].Begin) {
      text("__accx_kept" + std::to_string(K));
      I = L.Kept[K++].End;
    } else {
      Out.push_back(In[I++]);
    }
  }
}

/// The program's loop, from the steps on that launches have done.
void LaunchWriter::ownLoop() {
  text("for (");
  for (const Token &T : L.Time.Declared)
    Out.push_back(T);
  text(" = (" + typeOf(L.Time) + ")((");
  for (const Token &T : L.Time.Init)
    Out.push_back(T);
  text(") + __accx_done * " + step() + ");");
  // From the condition on.
  size_t I = L.For + 2;
  while (In[I].isNot(tok::semi))
    ++I;
  tokens(I + 1, L.End);
}

/// What the tree is asked.
void LaunchWriter::describe() {
  D->Arrays = {L.In, L.Out};
  D->Arrays.insert(D->Arrays.end(), L.Others.begin(), L.Others.end());
  D->Assigned = L.Private;
  D->Assigned.insert(D->Assigned.end(),
                     {L.In, L.Out, spelled(L.Time.Variable)});
  D->Counters = {spelled(L.Time.Variable)};
  for (const LoopHead &H : L.Nest) {
    D->Assigned.push_back(spelled(H.Variable));
    D->Counters.push_back(spelled(H.Variable));
  }
  D->Numbers = L.Numbers;
  D->Constants = L.Constants;
  D->HasLeast = L.HasLeast;
}

void LaunchWriter::write() {
  describe();
  text("{");
  bounds();
  test();
  launches();
  ownLoop();
  text("}");
}

} // namespace

Directive *addDirective(Unit &U, Preprocessor &PP, StringRef Line,
                        SourceLocation Loc, UnitTokens &Out) {
  auto New = std::make_unique<Directive>();
  for (const auto &Each : U.Directives)
    New->Ordinal = std::max(New->Ordinal, Each->Ordinal + 1);
  New->Begin = New->Loc = New->End = Loc;
  lexText(PP, Line, Loc, New->Tokens);
  if (!parseDirective(PP, *New))
    return nullptr;
  New->IsOwn = New->IsMade = true;
  makeDirectiveToken(Out.emplace_back(), New.get());
  return U.Directives.emplace_back(std::move(New)).get();
}

void writeLaunches(Unit &U, Preprocessor &PP, const Tiling &T,
                   UnitTokens &Out) {
  LaunchWriter(U, PP, T, Out).write();
}

} // namespace accx::frontend::timetile
