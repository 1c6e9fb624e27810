// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Valid directives are damaged: tokens go, come twice, change places, come from
// other lines or from nowhere, lines end early or run on. Whatever comes out,
// the parser returns, says what is wrong at a place in the file, and what it
// accepts is whole.

#include "Fuzz.h"

#include <functional>
#include <set>

using namespace accx::frontend;
using clang::Token;
namespace tok = clang::tok;

namespace accx::test {

static const char Corpus[] =
    R"(
#pragma acc parallel loop gang(num: n, static: *) worker vector(128) if(c)
#pragma acc parallel num_gangs(n, 2) num_workers(4) vector_length(32) async
#pragma acc parallel copy(a[0:n][:m][i], s.p[0:n]) copyin(readonly: b) self
#pragma acc parallel private(x, y[0:4]) firstprivate(z) reduction(+: s, t[0:n])
#pragma acc parallel reduction(max: m) reduction(&&: f) default(present)
#pragma acc parallel device_type(nvidia) num_gangs(8) dtype(*) async(2) wait
#pragma acc kernels loop independent collapse(force: 2) tile(*, 4) private(p)
#pragma acc kernels copyout(zero: c[0:n]) create(d) no_create(e) present(f)
#pragma acc kernels wait(devnum: c ? 1 : 2 : queues: q, 3) async(c ? 1 : 2)
#pragma acc serial deviceptr(p) attach(s.q) self(n > 1 && m[0](i, j) < 2)
#pragma acc serial loop seq reduction(||: a) pcopy(w), present_or_create(v)
#pragma acc loop gang vector collapse(3) device_type(host, radeon) seq
#pragma acc loop auto worker(num: f(a, b)[1]) vector(length: (4))
#pragma acc loop gang(dim: 2) reduction(^: x) reduction(min: y)
#pragma acc data copy(always, alwaysin: a[0:n]) if(g(h(1, 2), {3, 4})) default(none)
#pragma acc data copyin(this->x[0:n], (*p)[0:n], p->q.r[i].s) wait(1), async(2)
#pragma acc enter data copyin(a[:], b[n:]) create(c[:n]) attach(p) if(1)
#pragma acc exit data copyout(a) delete(b, c[0:n]) detach(p) finalize wait
#pragma acc host_data use_device(a, b) if_present if(n)
#pragma acc update self(a[0:n]) host(b) device(c[i][0:n]) if_present async
#pragma acc wait(devnum: 0 : 1, 2) async(3) if(x)
#pragma acc wait
#pragma acc atomic capture
#pragma acc atomic
#pragma acc routine(f) bind("g") vector nohost
#pragma acc routine gang(dim: 1) device_type(nvidia) bind(h)
#pragma acc declare copyin(a) create(b) device_resident(c) link(d) deviceptr(e)
#pragma acc cache(readonly: a[i:4][0:n], b[j])
#pragma acc init device_type(nvidia) device_num(1) if(c)
#pragma acc shutdown device_type(*)
#pragma acc set default_async(3) device_num(n) device_type(default)
#pragma acc parallel if([&, n](auto x) { int i = 0, j = 1; return i < j; }(n))
#pragma acc parallel num_gangs(f<1, 2>(n), a < b) num_workers(T{1, 2}.n >> 1)
)";

static const char CPlusPlusOnly[] = "#pragma acc data copy(B<1, C<2>>::d[0:n], "
                                    "n::v<int>) copyin(::w, x.Y::z)\n";

/// No directive: tokens that stand in none. The last line.
static const char Strays[] =
    "#pragma acc ( ) [ ] { } < > << >> : :: ; , ? . "
    "-> * & && | || ! ~ ^ % / = == # ## ... 0 -1 1.5e3 "
    "\"text\" 'c' L\"w\" if else for while return this "
    "sizeof template typename operator int delete \\ @ "
    "$ ` <: :> <% %> fcw end 0xffffffffffffffffffff\n";

static std::string corpus(Language L) {
  return std::string(Corpus) + (L == Language::CPlusPlus ? CPlusPlusOnly : "") +
         Strays;
}

Fuzz::Fuzz(Language L, uint64_t Seed) : R(corpus(L), L), Random(Seed) {
  for (const Rig::Line &Each : R.lines())
    Pool.insert(Pool.end(), Each.Tokens.begin(), Each.Tokens.end());
}

/// Any token of any line; now and then one that is no text.
Token Fuzz::stray() {
  Token T = Pool[below(Pool.size())];
  static constexpr tok::TokenKind Odd[] = {tok::annot_pragma_openmp,
                                           tok::annot_typename, tok::eof,
                                           tok::eod, tok::unknown};
  if (below(400))
    return T;
  tok::TokenKind Kind = Odd[below(std::size(Odd))];
  clang::SourceLocation Loc = T.getLocation();
  unsigned Length = T.getLength();
  T.startToken();
  T.setKind(Kind);
  T.setLocation(Loc);
  if (T.isAnnotation()) {
    T.setAnnotationEndLoc(Loc);
    T.setAnnotationValue(this); // whoever takes it for a name reads nonsense
  } else {
    T.setLength(Length);
  }
  return T;
}

void Fuzz::damage(Line &T) {
  size_t At = below(T.size() + 1), With = below(T.size() + 1);
  bool Inside = At < T.size() && With < T.size();
  switch (below(10)) {
  case 0:
    if (Inside)
      T.erase(T.begin() + At);
    break;
  case 1:
    T.insert(T.begin() + At, stray());
    break;
  case 2:
    if (Inside)
      T.insert(T.begin() + At, Token(T[With]));
    break;
  case 3:
    if (Inside)
      std::swap(T[At], T[With]);
    break;
  case 4:
    if (Inside)
      T[At] = stray();
    break;
  case 5: // a range goes
    if (Inside)
      T.erase(T.begin() + std::min(At, With), T.begin() + std::max(At, With));
    break;
  case 6: { // a range of another line comes
    const Line &Other = R.lines()[below(R.lines().size())].Tokens;
    size_t First = below(Other.size());
    size_t Length = below(Other.size() - First) + 1;
    Line Copy(Other.begin() + First, Other.begin() + First + Length);
    T.insert(T.begin() + At, Copy.begin(), Copy.end());
    break;
  }
  case 7: // a bracket, opening or closing
    for (const Token &Each : Pool)
      if (Each.isOneOf(tok::l_paren, tok::r_paren, tok::l_square, tok::r_square,
                       tok::l_brace, tok::r_brace) &&
          !below(40)) {
        T.insert(T.begin() + At, Each);
        break;
      }
    break;
  case 8: // one token many times
    if (Inside && T.size() < 200)
      T.insert(T.begin() + At, below(30), Token(T[With]));
    break;
  case 9:
    T.truncate(At);
    break;
  }
}

Fuzz::Line Fuzz::make() {
  Line T;
  if (below(20)) {
    T = R.lines()[below(R.lines().size() - 1)].Tokens;
  } else {
    // A directive's name, so that more than the name is looked at.
    T.push_back(R.lines()[below(R.lines().size() - 1)].Tokens.front());
    for (uint64_t Length = below(30); Length; --Length)
      T.push_back(stray());
  }
  for (uint64_t Times = below(6); Times; --Times)
    damage(T);
  return T;
}

std::string Fuzz::show(TokenRange Tokens) const {
  std::string Text;
  for (const Token &T : Tokens) {
    Text += T.isAnnotation() || T.isOneOf(tok::eof, tok::eod, tok::unknown)
                ? std::string("<") + tok::getTokenName(T.getKind()) + ">"
                : R.text(T);
    Text += ' ';
  }
  return Text;
}

std::string Fuzz::check(const Directive &D, bool Parsed) const {
  size_t Reported = 0;
  for (const Message &M : R.messages()) {
    Reported += M.Kind == Message::Error;
    if (!M.Placed)
      return "no place: " + M.Text;
    if (M.Text.empty() || M.Text.find(" '' ") != std::string::npos ||
        M.Text.ends_with(" ''"))
      return "names nothing: " + M.Text;
  }
  if (Parsed != (Reported == 0))
    return Parsed ? "accepted with errors" : "refused without error";
  if (Reported > 2 * D.Tokens.size() + 2)
    return std::to_string(Reported) + " errors";
  if (!Parsed)
    return "";

  const Token *Begin = D.Tokens.begin(), *End = D.Tokens.end();
  auto Within = [&](TokenRange T) {
    return T.empty() ||
           (!std::less<>()(T.begin(), Begin) && !std::less<>()(End, T.end()));
  };
  std::set<std::string> Mapped;
  for (const Clause &C : D.Clauses) {
    if (has(C.Kind, Mapping))
      for (const Item &I : C.Items)
        if (!Mapped.insert(R.text(I.Tokens)).second)
          return "mapped twice";
    if (!allows(D.Kind, D.HasLoop, C.Kind))
      return "clause not allowed";
    if (C.Loc.isInvalid() || C.EndLoc.isInvalid())
      return "clause without a place";
    if (!Within(C.Arguments) || !Within(C.ModifierValue))
      return "argument outside of the line";
    // Of two clauses one is made, whose argument is the item they share.
    bool Joined = has(C.Kind, Mapping) && C.Items.size() == 1 &&
                  C.Arguments.begin() == C.Items[0].Tokens.begin() &&
                  C.Arguments.end() == C.Items[0].Tokens.end();
    if (C.HasArguments && !Joined &&
        (C.Arguments.empty() || C.Arguments.begin()[-1].isNot(tok::l_paren) ||
         C.Arguments.end()->isNot(tok::r_paren)))
      return "argument not in parentheses";
    bool Lists = form(D.Kind, C.Kind) == ArgumentForm::Variables ||
                 form(D.Kind, C.Kind) == ArgumentForm::Ranges ||
                 form(D.Kind, C.Kind) == ArgumentForm::Reduction;
    if (C.HasArguments &&
        (Lists ? C.Items.empty() : C.Values.empty() && C.Keyed.empty()))
      return "argument lost";
    for (TokenRange V : C.Values)
      if (!Within(V) || V.empty())
        return "bad value";
    for (const Item &I : C.Items) {
      if (!Within(I.Tokens) || I.Tokens.empty() || I.Base.empty() ||
          I.Base.begin() != I.Tokens.begin() || !Within(I.Base) ||
          I.Sections.empty() != (I.Base.size() == I.Tokens.size()))
        return "bad item";
      for (const Section &S : I.Sections)
        if (!Within(S.Lower) || !Within(S.Length) ||
            (S.IsElement && (S.Lower.empty() || !S.Length.empty())))
          return "bad section";
      if (!I.Sections.empty() && I.Sections.front().IsElement)
        return "no section";
      (void)I.name();
    }
  }
  return "";
}

std::string Fuzz::parse(const Line &Tokens) {
  R.clear();
  Directive D;
  D.Tokens = Tokens;
  D.Begin = R.lines().front().Begin;
  D.End = R.lines().front().End;
  bool Parsed = R.parse(D);
  ++(Parsed ? Good : Bad);
  Clauses += Parsed ? D.Clauses.size() : 0;
  for (const Message &M : R.messages())
    Errors += M.Kind == Message::Error;
  std::string Trouble = check(D, Parsed);
  if (Trouble.empty() && D.Tokens.size() != Tokens.size())
    Trouble = "tokens changed";
  return Trouble.empty() ? "" : Trouble + ": " + show(Tokens);
}

std::string Fuzz::run(uint64_t Count) {
  // Damage is worth something only if the line was whole.
  for (size_t I = 0; I + 1 < R.lines().size(); ++I) {
    uint64_t Before = Good;
    std::string Trouble = parse(R.lines()[I].Tokens);
    if (Good == Before && Trouble.empty())
      Trouble = "not accepted: " + show(R.lines()[I].Tokens) +
                R.messages().front().Text;
    if (!Trouble.empty())
      return Trouble;
  }
  for (uint64_t I = 0; I < Count; ++I) {
    std::string Trouble = parse(make());
    if (!Trouble.empty())
      return Trouble;
  }
  return "";
}

} // namespace accx::test
