// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parser makes of a directive's name and of its clauses' arguments.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx::frontend;
using namespace accx::test;

static std::string values(const Parsed &P, ClauseKind K) {
  std::string Text;
  for (TokenRange V : P.clause(K).Values)
    Text += (Text.empty() ? "" : " | ") + P.text(V);
  return Text;
}

static std::string keyed(const Parsed &P, ClauseKind K) {
  std::string Text;
  for (const KeyedValue &V : P.clause(K).Keyed)
    Text += (Text.empty() ? "" : " | ") + V.Key.str() + "=" + P.text(V.Value);
  return Text;
}

TEST_CASE("commas between clauses or none") {
  for (const char *Line : {"parallel async copy(a) private(b)",
                           "parallel async, copy(a), private(b)",
                           "parallel, async copy(a), private(b)",
                           "parallel,async,copy(a)private(b)"}) {
    Parsed P(Line);
    CAPTURE(Line, P.report());
    REQUIRE(P.Good);
    REQUIRE(P.D.Clauses.size() == 3);
    CHECK(P.D.Clauses[0].Kind == ClauseKind::Async);
    CHECK(P.D.Clauses[1].Kind == ClauseKind::Copy);
    CHECK(P.D.Clauses[2].Kind == ClauseKind::Private);
  }
}

TEST_CASE("locations") {
  Parsed P("enter data copyin(a) async");
  REQUIRE(P.Good);
  CHECK(P.D.Loc == P.D.Tokens[0].getLocation());
  const Clause &C = P.clause(ClauseKind::CopyIn);
  CHECK(C.Loc == P.D.Tokens[2].getLocation());
  CHECK(C.EndLoc == P.D.Tokens[5].getLocation());
  const Clause &A = P.clause(ClauseKind::Async);
  CHECK(A.Loc == P.D.Tokens[6].getLocation());
  CHECK(A.EndLoc == A.Loc);
  CHECK_FALSE(A.HasArguments);
}

TEST_CASE("words from macros") {
  Parsed P("DIRECTIVE BOTH(copy(a), gang(num: 2)) IF", Language::C,
           "#define DIRECTIVE kernels LOOP\n#define LOOP loop\n"
           "#define BOTH(x, y) x y\n#define IF if(1)\n");
  CAPTURE(P.report());
  REQUIRE(P.Good);
  CHECK(P.D.Kind == DirectiveKind::Kernels);
  CHECK(P.D.HasLoop);
  CHECK(P.D.Clauses.size() == 3);
}

TEST_CASE("expressions") {
  Parsed P("parallel if([&]{ int a = 1, b = 2; return a < b; }()) "
           "self(g<1, 2>(x)) num_workers(n ? 2 : 4) num_gangs(h<int, 3>(n), "
           "a < b, T{1, 2}.x)");
  CAPTURE(P.report());
  REQUIRE(P.Good);
  CHECK(P.clause(ClauseKind::If).Values.size() == 1);
  CHECK(values(P, ClauseKind::Self) == "g < 1 , 2 > ( x )");
  CHECK(values(P, ClauseKind::NumWorkers) == "n ? 2 : 4");
  CHECK(values(P, ClauseKind::NumGangs) ==
        "h < int , 3 > ( n ) | a < b | T { 1 , 2 } . x");
}

TEST_CASE("less than is no template in C") {
  Parsed P("parallel num_gangs(a < b, c > (d))", Language::C);
  REQUIRE(P.Good);
  CHECK(values(P, ClauseKind::NumGangs) == "a < b | c > ( d )");
}

TEST_CASE("self of update and self of compute constructs") {
  Parsed P("update self(a[0:n]) host(b) device(c) if_present");
  REQUIRE(P.Good);
  REQUIRE(P.D.Clauses.size() == 4);
  CHECK(P.D.Clauses[0].Kind == ClauseKind::Self);
  CHECK(P.D.Clauses[0].Items.size() == 1);
  CHECK(P.D.Clauses[1].Kind == ClauseKind::Self);
  CHECK(P.D.Clauses[1].Spelling == "host");
  CHECK(P.D.Clauses[1].Items.size() == 1);
  Parsed Q("serial self");
  REQUIRE(Q.Good);
  CHECK_FALSE(Q.clause(ClauseKind::Self).HasArguments);
}

TEST_CASE("modifiers of data clauses") {
  Parsed P("data copyin(readonly: a) copyout(always, zero: b[0:n]) create(c)");
  REQUIRE(P.Good);
  CHECK(P.clause(ClauseKind::CopyIn).Modifier == "readonly");
  const Clause &Out = P.clause(ClauseKind::CopyOut);
  CHECK(Out.Modifier == "always");
  CHECK(Out.hasModifier("always"));
  CHECK(Out.hasModifier("zero"));
  CHECK_FALSE(Out.hasModifier("readonly"));
  CHECK(Out.Items.size() == 1);
  CHECK(P.text(Out.Items[0].Base) == "b");
  CHECK(P.clause(ClauseKind::Create).Modifier == "");
  // A variable may have a modifier's name.
  Parsed Q("data copyin(readonly, zero) create(always[0:n])");
  REQUIRE(Q.Good);
  CHECK(Q.clause(ClauseKind::CopyIn).Items.size() == 2);
}

TEST_CASE("reductions") {
  Parsed P("loop reduction(+: s, t[0:n]) reduction(max:m) reduction(&&:a.b)");
  REQUIRE(P.Good);
  CHECK(P.D.Clauses[0].Modifier == "+");
  CHECK(P.D.Clauses[0].Items.size() == 2);
  CHECK(P.D.Clauses[0].Items[1].Sections.size() == 1);
  CHECK(P.D.Clauses[1].Modifier == "max");
  CHECK(P.D.Clauses[2].Modifier == "&&");
  Parsed Q("loop reduction(and: a) reduction(bitor: b)");
  CAPTURE(Q.report());
  REQUIRE(Q.Good);
  CHECK(Q.D.Clauses[0].Modifier == "&&");
  CHECK(Q.D.Clauses[1].Modifier == "|");
}

TEST_CASE("levels") {
  Parsed P("kernels loop gang(num: n + 1, static: *, dim: 2) worker(4) "
           "vector(length: c ? 32 : 64)");
  CAPTURE(P.report());
  REQUIRE(P.Good);
  CHECK(keyed(P, ClauseKind::Gang) == "num=n + 1 | static=* | dim=2");
  CHECK(P.clause(ClauseKind::Gang).Modifier == "static");
  CHECK(P.text(P.clause(ClauseKind::Gang).ModifierValue) == "*");
  CHECK(P.text(*P.clause(ClauseKind::Gang).keyed("static")) == "*");
  CHECK(values(P, ClauseKind::Gang) == "n + 1");
  CHECK(values(P, ClauseKind::Vector) == "c ? 32 : 64");
  CHECK(keyed(P, ClauseKind::Worker) == "num=4");
  CHECK(keyed(P, ClauseKind::Vector) == "length=c ? 32 : 64");
  Parsed Q("loop gang(8) vector");
  REQUIRE(Q.Good);
  CHECK(keyed(Q, ClauseKind::Gang) == "num=8");
  CHECK(Q.clause(ClauseKind::Gang).keyed("dim") == nullptr);
  CHECK_FALSE(Q.clause(ClauseKind::Vector).HasArguments);
  Parsed S("loop gang(static: 16)");
  REQUIRE(S.Good);
  CHECK(keyed(S, ClauseKind::Gang) == "static=16");
  CHECK(S.clause(ClauseKind::Gang).Values.empty());
  Parsed T("loop gang(dim: 2, 8)");
  REQUIRE(T.Good);
  CHECK(T.clause(ClauseKind::Gang).Modifier == "dim");
  CHECK(T.text(T.clause(ClauseKind::Gang).ModifierValue) == "2");
  CHECK(values(T, ClauseKind::Gang) == "8");
}

TEST_CASE("wait") {
  Parsed P("wait(devnum: c ? 1 : 2 : queues: q, 3) async(4)");
  REQUIRE(P.Good);
  const Clause &W = P.clause(ClauseKind::Argument);
  CHECK(W.Modifier == "devnum");
  CHECK(P.text(W.ModifierValue) == "c ? 1 : 2");
  CHECK(values(P, ClauseKind::Argument) == "q | 3");
  CHECK(values(P, ClauseKind::Async) == "4");
  Parsed Q("parallel wait(queues: 1, 2) wait");
  REQUIRE(Q.Good);
  CHECK(Q.D.Clauses[0].Modifier == "");
  CHECK(Q.D.Clauses[0].Values.size() == 2);
  CHECK_FALSE(Q.D.Clauses[1].HasArguments);
  // Variables may have these names.
  Parsed S("wait(queues, devnum)");
  REQUIRE(S.Good);
  CHECK(values(S, ClauseKind::Argument) == "queues | devnum");
}

TEST_CASE("collapse and tile") {
  Parsed P("loop collapse(force: N - 1) tile(*, 4, T)");
  REQUIRE(P.Good);
  CHECK(P.clause(ClauseKind::Collapse).Modifier == "force");
  CHECK(values(P, ClauseKind::Collapse) == "N - 1");
  CHECK(values(P, ClauseKind::Tile) == "* | 4 | T");
}

TEST_CASE("names") {
  Parsed P("routine(n::f) bind(\"g\") gang(dim: 1) nohost");
  REQUIRE(P.Good);
  CHECK(P.clause(ClauseKind::Argument).Items.size() == 1);
  CHECK(values(P, ClauseKind::Argument) == "n :: f");
  CHECK(values(P, ClauseKind::Bind) == "\"g\"");
  CHECK(keyed(P, ClauseKind::Gang) == "dim=1");
}

TEST_CASE("devices and their arrays") {
  Parsed All("spread(a[0:n], b) devices(all) block(4)");
  CAPTURE(All.report());
  REQUIRE(All.Good);
  CHECK(All.D.Kind == DirectiveKind::Spread);
  CHECK(All.clause(ClauseKind::Argument).Items.size() == 2);
  CHECK(values(All, ClauseKind::Devices) == "");
  CHECK(values(All, ClauseKind::Block) == "4");
  Parsed Some("enter replicate(a[0:n]) devices(0, all + f(1, 2))");
  REQUIRE(Some.Good);
  CHECK(Some.D.Kind == DirectiveKind::EnterReplicate);
  CHECK(values(Some, ClauseKind::Devices) == "0 | all + f ( 1 , 2 )");
  Parsed Exit("exit spread(a[0:n])");
  REQUIRE(Exit.Good);
  CHECK(Exit.D.Kind == DirectiveKind::ExitSpread);
}

TEST_CASE("files and messages") {
  Parsed Read("read(a[0:n]) file(f(1, 2), 8 * n) after(e, v[1]) event(x->e)");
  CHECK(Read.report() == "");
  CHECK(Read.D.Kind == DirectiveKind::ReadFile);
  CHECK(Read.clause(ClauseKind::Argument).Items.size() == 1);
  const Clause &File = Read.clause(ClauseKind::File);
  REQUIRE(File.Values.size() == 2);
  CHECK(Read.text(File.Values[0]) == "f ( 1 , 2 )");
  CHECK(Read.text(File.Values[1]) == "8 * n");
  REQUIRE(Read.clause(ClauseKind::After).Values.size() == 2);
  CHECK(Read.text(Read.clause(ClauseKind::Event).Values[0]) == "x -> e");
  Parsed Send("send(a) to(r + 1, tag, std::get<0>(c))");
  CHECK(Send.report() == "");
  const Clause &To = Send.clause(ClauseKind::To);
  REQUIRE(To.Values.size() == 3);
  CHECK(Send.text(To.Values[2]) == "std :: get < 0 > ( c )");
  CHECK(To.Items.empty());
  // The clause of the same name copies between devices.
  Parsed Peer("update peer to(a) to_device(1) from(a) from_device(0)");
  CHECK(Peer.clause(ClauseKind::To).Items.size() == 1);
}

TEST_CASE("distributed loops") {
  Parsed P("distribute devices(0, n) schedule(block)");
  CAPTURE(P.report());
  REQUIRE(P.Good);
  CHECK(P.D.Kind == DirectiveKind::Distribute);
  CHECK(values(P, ClauseKind::Devices) == "0 | n");
  CHECK(P.clause(ClauseKind::Schedule).Modifier == "block");
  CHECK(Parsed("distribute").Good);
  CHECK_FALSE(Parsed("distribute schedule(none)").Good);
}

TEST_CASE("default") {
  CHECK(Parsed("data default(present)").clause(ClauseKind::Default).Modifier ==
        "present");
  CHECK(Parsed("parallel default(none)").clause(ClauseKind::Default).Modifier ==
        "none");
}

TEST_CASE("device types") {
  Parsed P("parallel num_gangs(1) device_type(nvidia, default) num_gangs(2) "
           "async dtype(*) async(3)");
  REQUIRE(P.Good);
  std::vector<unsigned> Parts;
  for (const Clause &C : P.D.Clauses)
    Parts.push_back(C.DevicePart);
  CHECK(Parts == std::vector<unsigned>{0, 1, 1, 1, 2, 2});
  CHECK(values(P, ClauseKind::DeviceType) == "nvidia | default");
  Parsed Q("init device_type(nvidia, host) device_num(1) if(c)");
  REQUIRE(Q.Good);
  for (const Clause &C : Q.D.Clauses)
    CHECK(C.DevicePart == 0);
  Parsed S("loop seq device_type(nvidia) gang vector dtype(host) worker");
  CHECK(S.Good);
}

TEST_CASE("atomic without a kind") {
  Parsed P("atomic");
  CHECK(P.Good);
  CHECK(P.D.Clauses.empty());
  Parsed Q("atomic capture");
  CHECK(Q.Good);
  CHECK(Q.D.has(ClauseKind::Capture));
}

TEST_CASE("one variable in clauses that do not place it") {
  for (const char *Line :
       {"parallel copy(x) reduction(+: x)",
        "enter data copyin(s.p) attach(s.p)",
        "enter data copyin(a[0:n]) create(a[n:m])",
        "exit data copyout(p[0:n]) detach(p)", "update self(a) device(a)",
        "data copyin(s) create(s.x)"}) {
    Parsed P(Line);
    CAPTURE(Line, P.report());
    CHECK(P.Good);
  }
}

/// `kind(modifier: item)` of every mapping clause, in order.
static std::string mappings(const std::string &Line) {
  Parsed P(Line);
  INFO(Line << "\n" << P.report());
  CHECK(P.Good);
  std::string Text;
  for (const Clause &C : P.D.Clauses) {
    if (!has(C.Kind, Mapping))
      continue;
    Text += row(C.Kind).Spelling.str() + "(";
    for (llvm::StringRef M : C.Modifiers)
      Text += M.str() + ": ";
    for (const Item &I : C.Items)
      Text += P.text(I.Tokens) + (&I == &C.Items.back() ? "" : ", ");
    Text += ") ";
  }
  return Text;
}

TEST_CASE("clauses that map the same item are joined") {
  CHECK(mappings("data copyin(a) copyout(a)") == "copy(a) ");
  CHECK(mappings("data copyout(a, b) copy(c, a)") ==
        "copyout(b) copy(c) copy(a) ");
  CHECK(mappings("serial copy(a[0:n]) copyout(a[0 : n])") ==
        "copy(a [ 0 : n ]) ");
  CHECK(mappings("data create(zero: b[0:n]) copyout(b[0:n])") ==
        "copyout(zero: b [ 0 : n ]) ");
  CHECK(mappings("data copyout(b) create(b)") == "copyout(b) ");
  CHECK(mappings("data copyin(readonly: a) copyout(a)") == "copy(a) ");
  CHECK(mappings("data copy(a, a, a)") == "copy(a) ");
  CHECK(mappings("data copyin(a) create(a) copyout(a) copy(b)") ==
        "copy(b) copy(a) ");
  CHECK(mappings("declare copyin(a) create(b, a)") == "create(b) copyin(a) ");
}

TEST_CASE("the operator '-' combines as '+'") {
  Parsed P("loop reduction(-: a)");
  REQUIRE(P.Good);
  CHECK(P.D.Clauses[0].Modifier == "+");
}

TEST_CASE("sub-arrays on declare") {
  CHECK(mappings("declare copy(c[0:n]) create(d)") ==
        "copy(c [ 0 : n ]) create(d) ");
}
