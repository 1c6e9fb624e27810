// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every mistake the parser knows: its message, and its place.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx::test;

/// The report of \p Line, in which each `@` marks where one error or warning
/// is expected: its column becomes `@`. Notes follow with no column.
static std::string report(std::string Line, Language L = Language::CPlusPlus) {
  std::vector<unsigned> Marks;
  for (size_t At; (At = Line.find('@')) != std::string::npos;) {
    Marks.push_back(At + 1);
    Line.erase(At, 1);
  }
  Parsed P(Line, L);
  INFO(Line << "\n" << P.report());
  std::string Text;
  size_t Errors = 0, Mark = 0;
  for (const Message &M : P.R.messages()) {
    CHECK(M.Placed);
    if (M.Kind == Message::Note) {
      Text += "note: " + M.Text + "\n";
      continue;
    }
    Errors += M.Kind == Message::Error;
    unsigned Column = M.Column - sizeof("#pragma acc ") + 1;
    bool Right = Mark < Marks.size() && Column == Marks[Mark];
    Text += Right ? "" : std::to_string(Column) + ": ";
    Text += M.Kind == Message::Warning ? "warning: " : "";
    Text += M.Text + "\n";
    ++Mark;
  }
  CHECK(P.Good == (Errors == 0));
  CHECK(Mark == Marks.size());
  return Text;
}

TEST_CASE("mistakes: unknown directives") {
  CHECK(report("@") == "expected an OpenACC directive\n");
  CHECK(report("@(") == "expected an OpenACC directive\n");
  CHECK(report("@17 copy(a)") == "expected an OpenACC directive\n");
  CHECK(report("@paralel loop gang") ==
        "unknown OpenACC directive 'paralel'; did you mean 'parallel'?\n");
  CHECK(report("@hostdata") ==
        "unknown OpenACC directive 'hostdata'; did you mean 'host_data'?\n");
  CHECK(report("@zigzag FETCH_CHANNEL(a[i:1:1])") ==
        "unknown OpenACC directive 'zigzag'\n");
  CHECK(report("@end parallel") == "unknown OpenACC directive 'end'\n");
  CHECK(report("@if(1)") == "unknown OpenACC directive 'if'\n");
  CHECK(report("enter @copyin(a)") == "expected 'data' after 'enter'\n");
  CHECK(report("exit@") == "expected 'data' after 'exit'\n");
}

TEST_CASE("mistakes: unknown clauses") {
  CHECK(report("loop @gagn") ==
        "unknown OpenACC clause 'gagn'; did you mean 'gang'?\n");
  CHECK(report("data @present_or_copyn(a), copy(b)") ==
        "unknown OpenACC clause 'present_or_copyn'; did you mean "
        "'present_or_copy'?\n");
  CHECK(report("parallel @fcw(1)") ==
        "unknown OpenACC clause 'fcw' on 'parallel'\n");
  // Only what may stand here is suggested.
  CHECK(report("update @finalise") ==
        "unknown OpenACC clause 'finalise' on 'update'\n");
  CHECK(report("exit data delete(a) @finalise") ==
        "unknown OpenACC clause 'finalise'; did you mean 'finalize'?\n");
}

TEST_CASE("mistakes: clauses of other directives") {
  CHECK(report("kernels @private(a) copy(b) @firstprivate(c)") ==
        "'private' is not allowed on 'kernels'\n"
        "note: 'private' may stand on 'parallel', 'serial' or 'loop'\n"
        "'firstprivate' is not allowed on 'kernels'\n"
        "note: 'firstprivate' may stand on 'parallel' or 'serial'\n");
  CHECK(report("parallel loop @host(a)") ==
        "'host' is not allowed on 'parallel loop'\n"
        "note: 'host' may stand on 'update'\n");
  CHECK(report("wait(1) @wait(2)") ==
        "'wait' is not allowed on 'wait'\n"
        "note: 'wait' may stand on 'parallel', 'kernels', 'serial', 'data', "
        "'enter data', 'exit data', 'update peer' or 'update'\n");
}

TEST_CASE("mistakes: parentheses") {
  CHECK(report("parallel copy@") ==
        "expected '(' after 'copy'\n"
        "note: 'copy' takes an argument in parentheses\n");
  CHECK(report("parallel copy @a async") ==
        "expected '(' after 'copy'\n"
        "note: 'copy' takes an argument in parentheses\n");
  CHECK(report("parallel if @num_gangs(2)") ==
        "expected '(' after 'if'\n"
        "note: 'if' takes an argument in parentheses\n");
  CHECK(report("update self@") ==
        "expected '(' after 'self'\n"
        "note: 'self' takes an argument in parentheses\n");
  CHECK(report("loop seq@(1) reduction(@a)") ==
        "'seq' takes no argument on 'loop'\n"
        "missing operator in 'reduction'\n"
        "note: write 'reduction(operator: list)', where the operator is '+', "
        "'*', 'max', 'min', '&', '|', '^', '&&' or '||'\n");
  CHECK(report("routine worker@(2)") ==
        "'worker' takes no argument on 'routine'\n");
  CHECK(report("parallel@(a) async") ==
        "'parallel' takes no argument: expected a clause or the end of the "
        "line\n");
  CHECK(report("cache @@async") ==
        "expected '(' after 'cache'\n"
        "note: write 'cache(list)' with array elements or sub-arrays\n"
        "'async' is not allowed on 'cache'\n"
        "note: 'async' may stand on 'parallel', 'kernels', 'serial', 'data', "
        "'enter data', 'exit data', 'update' or 'wait'\n");
}

TEST_CASE("mistakes: brackets that do not close") {
  CHECK(report("parallel copy(a@") ==
        "expected ')'\nnote: to match this '('\n");
  CHECK(report("parallel copy(a[0:n@)") ==
        "expected ']'\nnote: to match this '['\n");
  CHECK(report("parallel if({@)") == "expected '}'\nnote: to match this '{'\n");
  CHECK(report("parallel copy(a@]) async(@") ==
        "expected ')'\nnote: to match this '('\n"
        "expected ')'\nnote: to match this '('\n");
}

TEST_CASE("mistakes: stray tokens") {
  CHECK(report("data copy(a) @) async") ==
        "expected an OpenACC clause before ')'\n");
  CHECK(report("data copy(a) @[x] async") ==
        "expected an OpenACC clause before '['\n");
  CHECK(report("data copy(a)@;") == "expected an OpenACC clause before ';'\n");
  CHECK(report("data copy(a),@, async") ==
        "expected an OpenACC clause before ','\n");
  CHECK(report("data copy(a),@") == "expected an OpenACC clause after ','\n");
  CHECK(report("data copy(a) @17 + 4 - 2 async @wrong") ==
        "expected an OpenACC clause before '17'\n"
        "unknown OpenACC clause 'wrong' on 'data'\n");
}

TEST_CASE("mistakes: empty arguments") {
  CHECK(report("parallel copy(@)") ==
        "expected a variable in the list of 'copy'\n");
  CHECK(report("parallel copy(a,@, b) private(@,@)") ==
        "expected a variable or sub-array in 'copy'\n"
        "expected a variable or sub-array in 'private'\n"
        "expected a variable or sub-array in 'private'\n");
  CHECK(report("data copyin(readonly:@)") ==
        "expected a variable in the list of 'copyin'\n");
  CHECK(report("parallel if(@) async(@) wait(@) num_gangs(1,@)") ==
        "expected an expression in 'if'\n"
        "expected an expression in 'async'\n"
        "note: without an argument 'async' has no parentheses\n"
        "expected a queue in 'wait'\n"
        "note: to wait for every queue leave the parentheses out\n"
        "expected an expression in 'num_gangs'\n");
  CHECK(report("loop gang(@) worker(num:@)") ==
        "expected an argument in 'gang'\n"
        "note: without an argument 'gang' has no parentheses\n"
        "expected an expression in 'worker'\n");
  CHECK(report("loop collapse(@) tile(@)") ==
        "expected an expression in 'collapse'\n"
        "expected an expression in 'tile'\n");
  CHECK(report("parallel default(@) device_type(@)") ==
        "expected 'none' or 'present' in 'default'\n"
        "expected a device type in 'device_type'\n"
        "note: name device types, as in 'device_type(nvidia, host)', or all "
        "with 'device_type(*)'\n");
  CHECK(report("routine(@) bind(@) seq") ==
        "expected the name of a function in 'routine'\n"
        "expected the name of a function or a string in 'bind'\n");
  CHECK(report("loop reduction(+:@)") ==
        "expected a variable in the list of 'reduction'\n");
}

TEST_CASE("mistakes: list items") {
  CHECK(report("data copy(@*p)") ==
        "expected a variable or sub-array in 'copy'\n"
        "note: write 'p[0:1]' for the object that a pointer points to\n");
  CHECK(report("data copy(f@(x))") ==
        "expected ',' or ')' after a list item of 'copy'\n"
        "note: a list item is a variable, a member or a sub-array, not the "
        "result of a call\n");
  CHECK(report("data copy(@3, @\"a\", @int, a@+b, a @b, (@))") ==
        "expected a variable or sub-array in 'copy'\n"
        "expected a variable or sub-array in 'copy'\n"
        "expected a variable or sub-array in 'copy'\n"
        "expected ',' or ')' after a list item of 'copy'\n"
        "expected ',' or ')' after a list item of 'copy'\n"
        "expected a variable or sub-array in 'copy'\n");
  CHECK(report("data copy(s.@, s->@3, n::@)") ==
        "expected a name in the list of 'copy'\n"
        "expected a name in the list of 'copy'\n"
        "expected a name in the list of 'copy'\n");
  CHECK(report("data copy(a[0:n@:2])") ==
        "a sub-array has no stride: expected ']'\n"
        "note: what follows the first ':' is the length\n");
  CHECK(report("data copy(a[@])") ==
        "expected an index or '[first:length]'\n"
        "note: '[:]' is the whole of a dimension whose length is known\n");
  CHECK(report("data copy(a[0:1]@.x)") ==
        "a sub-array has no members\n"
        "note: name an element, as in 'a[i].m', or put the sub-array last, as "
        "in 's.a[0:n]'\n");
  CHECK(report("host_data use_device(@a[0:n])") ==
        "'use_device' takes no sub-array\n"
        "note: name the variable: 'a'\n");
  CHECK(report("cache(@a)") ==
        "warning: 'cache' takes array elements and sub-arrays; 'a' is not "
        "cached\n"
        "note: name the part that an iteration uses, as in 'a[i:1]'\n");
}

TEST_CASE("mistakes: modifiers") {
  CHECK(report("data copyin(@readnoly: a) copyout(@readonly: b)") ==
        "unknown modifier 'readnoly' of 'copyin'; did you mean 'readonly'?\n"
        "note: 'copyin' takes 'readonly', 'always', 'alwaysin' or 'capture'\n"
        "unknown modifier 'readonly' of 'copyout'\n"
        "note: 'copyout' takes 'zero', 'always', 'alwaysout' or 'capture'\n");
  CHECK(report("data copyin(@: a) copyin(readonly, @: b)") ==
        "expected a modifier before ':' in 'copyin'\n"
        "note: 'copyin' takes 'readonly', 'always', 'alwaysin' or 'capture'\n"
        "expected a modifier in 'copyin'\n");
  CHECK(report("data copyin(readonly @zero: a) copyout(zero, @zero: b)") ==
        "expected ',' or ':' after a modifier of 'copyin'\n"
        "modifier 'zero' is repeated\n");
  CHECK(report("parallel private(a@:b)") ==
        "'private' takes no modifier: unexpected ':'\n"
        "note: a sub-array stands in brackets, as in 'a[first:length]'\n");
}

TEST_CASE("mistakes: reductions") {
  const std::string Help =
      "note: write 'reduction(operator: list)', where the operator is '+', "
      "'*', 'max', 'min', '&', '|', '^', '&&' or '||'\n";
  CHECK(report("loop reduction(@a)") ==
        "missing operator in 'reduction'\n" + Help);
  CHECK(report("loop reduction(@)") ==
        "missing operator in 'reduction'\n" + Help);
  CHECK(report("loop reduction(@:a)") ==
        "missing operator before ':' in 'reduction'\n" + Help);
  CHECK(report("loop reduction(+ @a)") ==
        "expected ':' after the operator of 'reduction'\n" + Help);
  CHECK(report("loop reduction(max@)") ==
        "expected ':' after the operator of 'reduction'\n" + Help);
  CHECK(report("loop reduction(@/:a) reduction(@avg:b) reduction(@++:c) "
               "reduction(@+ +:d)") ==
        "'/' is no operator of 'reduction'\n" + Help +
            "'avg' is no operator of 'reduction'\n" + Help +
            "'++' is no operator of 'reduction'\n" + Help +
            "'++' is no operator of 'reduction'\n" + Help);
}

TEST_CASE("mistakes: values") {
  CHECK(report("loop collapse(@0) tile(@0, 4, @-1)") ==
        "the argument of 'collapse' must be 1 or more\n"
        "the argument of 'tile' must be 1 or more\n"
        "the argument of 'tile' must be 1 or more\n");
  CHECK(report("loop collapse(@-2) vector(@0x0) worker(num: @0u)") ==
        "the argument of 'collapse' must be 1 or more\n"
        "the argument of 'vector' must be 1 or more\n"
        "the argument of 'worker' must be 1 or more\n");
  CHECK(report("parallel num_gangs(@0) vector_length(@-0)") ==
        "warning: the argument of 'num_gangs' must be 1 or more; the clause is "
        "ignored\n"
        "warning: the argument of 'vector_length' must be 1 or more; the "
        "clause is "
        "ignored\n");
  CHECK(report("loop collapse(1'0) tile(0x1F, 010, N - 1)") == "");
  CHECK(report("parallel async(0)") == "");
  CHECK(report("loop gang(dim: @4)") == "'dim' of 'gang' is 1, 2 or 3\n");
}

TEST_CASE("mistakes: too many arguments") {
  CHECK(report("parallel if(a, @b) num_gangs(1, 2, 3, @4)") ==
        "too many arguments: 'if' takes one on 'parallel'\n"
        "too many arguments: 'num_gangs' takes at most 3 on 'parallel'\n");
  CHECK(report("kernels num_gangs(1, @2)") ==
        "too many arguments: 'num_gangs' takes one on 'kernels'\n");
  CHECK(report("loop collapse(2, @3)") ==
        "too many arguments: 'collapse' takes one number of loops\n");
  CHECK(report("set device_type(host, @nvidia)") ==
        "'device_type' takes one device type on 'set'\n");
}

TEST_CASE("mistakes: files and messages") {
  CHECK(report("read(a) file(f, 0, @1)") ==
        "too many arguments: 'file' takes at most 2 on 'read'\n"
        "note: write 'file(descriptor, offset)'\n");
  CHECK(report("recv(a) from(0, 1@)") ==
        "too few arguments: 'from' takes 3 on 'recv'\n"
        "note: write 'from(rank, tag, communicator)'\n");
  CHECK(report("@send(a) async") == "'send' needs 'to'\n"
                                    "note: add 'to(rank, tag, "
                                    "communicator)'\n");
  CHECK(report("write@") == "expected '(' after 'write'\n"
                            "note: write 'write(data)' with a variable or a "
                            "part of an array, as in 'a[first:length]'\n");
  CHECK(report("write(a) file(f) @file(g)") ==
        "'file' may stand only once on 'write'\n"
        "note: the first one is here\n");
}

TEST_CASE("mistakes: expressions") {
  CHECK(report("parallel if(a@;b) async(a @b)") ==
        "expected ')' or an operator in the argument of 'if'\n"
        "expected ')' or an operator in the argument of 'async'\n");
  CHECK(report("loop collapse(force @2) gang(num @2)") ==
        "expected ')' or an operator in the argument of 'collapse'\n"
        "expected ')' or an operator in the argument of 'gang'\n");
  CHECK(report("parallel num_gangs(@*) async(1@:2)") ==
        "'*' is no argument of 'num_gangs'\n"
        "unexpected ':' in the argument of 'async'\n");
}

TEST_CASE("mistakes: keyed arguments") {
  CHECK(report("loop gang(num: 1, @num: 2)") ==
        "'gang' takes only one 'num' argument\n");
  CHECK(report("loop gang(@nun: 1) worker(@length: 4) vector(@: 3)") ==
        "unknown argument 'nun' of 'gang'; did you mean 'num'?\n"
        "note: 'gang' takes 'num', 'dim' or 'static'\n"
        "unknown argument 'length' of 'worker'\n"
        "note: 'worker' takes 'num'\n"
        "expected 'length' before ':' in 'vector'\n");
  CHECK(report("loop gang(num: @*) vector(@*)") ==
        "'*' is no argument of 'gang'\n'*' is no argument of 'vector'\n");
  CHECK(report("loop collapse(@x: 2)") == "unknown modifier 'x' of 'collapse'\n"
                                          "note: 'collapse' takes 'force'\n");
  CHECK(report("loop collapse(@: 2)") ==
        "expected 'force' before ':' in 'collapse'\n");
  CHECK(report("routine gang(@8)") == "expected 'dim:' in 'gang' of "
                                      "'routine'\n");
}

TEST_CASE("mistakes: wait") {
  CHECK(report("wait(devnum: 1@)") ==
        "expected ':' after the device number in 'wait'\n"
        "note: write 'wait(devnum: device : queues: list)'\n");
  CHECK(report("wait(devnum: 1 : queues:@) async") ==
        "expected a queue in 'wait'\n"
        "note: to wait for every queue leave the parentheses out\n");
  CHECK(report("wait(devnum: @: 1)") == "expected an expression in 'wait'\n");
  CHECK(report("wait(a@:b)") == "unexpected ':' in the argument of 'wait'\n");
}

TEST_CASE("mistakes: words") {
  CHECK(report("parallel default(@shared) default(none @a)") ==
        "unknown argument 'shared' of 'default'\n"
        "note: 'default' takes 'none' or 'present'\n"
        "expected ')' after the argument of 'default'\n");
  CHECK(report("parallel default(@nome)") ==
        "unknown argument 'nome' of 'default'; did you mean 'none'?\n"
        "note: 'default' takes 'none' or 'present'\n");
  CHECK(report("parallel device_type(*, @host)") ==
        "'*' stands alone in 'device_type'\n");
  CHECK(report("parallel dtype(nvidia @host)") ==
        "expected ',' or ')' after a device type of 'dtype'\n");
  CHECK(report("routine(a@.b) seq bind(\"x\" @y)") ==
        "expected ')' after the name of a function in 'routine'\n"
        "expected ')' after the string of 'bind'\n");
}

TEST_CASE("mistakes: repetition and conflicts") {
  CHECK(report("parallel async(1) if(a) @async(2) @if(b)") ==
        "'async' may stand only once on 'parallel'\n"
        "note: the first one is here\n"
        "'if' may stand only once on 'parallel'\n"
        "note: the first one is here\n");
  CHECK(report("parallel default(none) @default(present)") ==
        "'default' may stand only once on 'parallel'\n"
        "note: the first one is here\n");
  CHECK(report("loop gang @seq") ==
        "'seq' and 'gang' exclude each other on 'loop'\n"
        "note: 'gang' is here; leave one of them out\n");
  CHECK(report("kernels loop independent @auto") ==
        "'auto' and 'independent' exclude each other on 'kernels loop'\n"
        "note: 'independent' is here; leave one of them out\n");
  CHECK(report("atomic read @write") ==
        "'write' and 'read' exclude each other on 'atomic'\n"
        "note: 'read' is here; leave one of them out\n");
  CHECK(report("loop device_type(host) gang @seq") ==
        "'seq' and 'gang' exclude each other on 'loop'\n"
        "note: 'gang' is here; leave one of them out\n");
  CHECK(report("data device_type(host) @copy(a)") ==
        "'copy' cannot depend on the device type\n"
        "note: put it before this 'device_type'\n");
}

TEST_CASE("mistakes: one variable in two data clauses") {
  CHECK(report("data copy(a, b) present(c, @a)") ==
        "'a' stands more than once in the data clauses of 'data'\n"
        "note: it is first named here; leave one of them out\n");
  CHECK(
      report("parallel loop deviceptr(p) no_create(a[0:n], @p, @a[ 0 : n ])") ==
      "'p' stands more than once in the data clauses of 'parallel loop'\n"
      "note: it is first named here; leave one of them out\n"
      "warning: 'a[0:n]' stands more than once in the data clauses of "
      "'parallel loop'; together they are 'no_create'\n"
      "note: it is first named here\n");
  // What moves no data may be said twice.
  CHECK(report("data present(a, b, @a)") ==
        "warning: 'a' stands more than once in the data clauses of 'data'; "
        "together they are 'present'\n"
        "note: it is first named here\n");
  // Each would count.
  CHECK(report("enter data copyin(a) create(@a)") ==
        "'a' stands more than once in the data clauses of 'enter data'\n"
        "note: it is first named here; leave one of them out\n");
  CHECK(report("data copyin(a) copyout(@a)") ==
        "warning: 'a' stands more than once in the data clauses of 'data'; "
        "together they are 'copy'\n"
        "note: it is first named here\n");
}

TEST_CASE("mistakes: the operator '-'") {
  CHECK(report("loop reduction(@-: a)") ==
        "warning: '-' is no operator of OpenACC's 'reduction'; '+' is "
        "assumed, which combines differences as well\n");
}

TEST_CASE("mistakes: what a directive needs") {
  CHECK(report("@update async(1)") ==
        "'update' needs at least one of 'self' and 'device'\n");
  CHECK(report("@enter data async") ==
        "'enter data' needs at least one of 'copyin', 'create' and "
        "'attach'\n");
  CHECK(report("@exit data finalize") ==
        "'exit data' needs at least one of 'copyout', 'delete' and "
        "'detach'\n");
  CHECK(report("@set if(1)") ==
        "'set' needs at least one of 'device_type', 'device_num' and "
        "'default_async'\n");
  CHECK(report("@host_data if_present") == "'host_data' needs 'use_device'\n");
  CHECK(report("@routine(f) nohost") ==
        "warning: 'routine' without 'gang', 'worker', 'vector' or 'seq'; "
        "'seq' is assumed\n");
  // A clause with a mistake is not missed as well.
  CHECK(report("update self(@)") ==
        "expected a variable in the list of 'self'\n");
}

TEST_CASE("mistakes: every mistake of a line is reported") {
  CHECK(report("parallel @copyinn(a) @privat(b) if(@) @finalize @) async "
               "reduction(@b) @loop") ==
        "unknown OpenACC clause 'copyinn'; did you mean 'copyin'?\n"
        "unknown OpenACC clause 'privat'; did you mean 'private'?\n"
        "expected an expression in 'if'\n"
        "'finalize' is not allowed on 'parallel'\n"
        "note: 'finalize' may stand on 'exit data'\n"
        "expected an OpenACC clause before ')'\n"
        "missing operator in 'reduction'\n"
        "note: write 'reduction(operator: list)', where the operator is '+', "
        "'*', 'max', 'min', '&', '|', '^', '&&' or '||'\n"
        "unknown OpenACC clause 'loop' on 'parallel'\n");
  CHECK(report("loop @wrong gang @seq") ==
        "unknown OpenACC clause 'wrong' on 'loop'\n"
        "'seq' and 'gang' exclude each other on 'loop'\n"
        "note: 'gang' is here; leave one of them out\n");
}

TEST_CASE(
    "mistakes: a mistake inside a macro is shown where the macro is used") {
  Parsed P("parallel WRONG", Language::C, "#define WRONG copy(a,)\n");
  CHECK_FALSE(P.Good);
  REQUIRE(P.R.messages().size() == 1);
  CHECK(P.R.messages()[0].Line == 3);
  CHECK(P.report() == "10: error: expected a variable or sub-array in "
                      "'copy'\n");
}

TEST_CASE("mistakes: the end of line anywhere") {
  const std::string Whole =
      "parallel loop gang(num: n, static: *) reduction(+: s, t[0:n][:m]) "
      "if(c ? f<1, 2>(x) : y) wait(devnum: 1 : queues: 2) copyin(readonly: "
      "s.p[0:n]) tile(*, 4) default(none) device_type(host, nvidia) collapse("
      "force: 2)";
  for (size_t Length = 0; Length <= Whole.size(); ++Length) {
    Parsed P(Whole.substr(0, Length));
    CAPTURE(Whole.substr(0, Length), P.report());
    CHECK(P.Good == P.errors().empty());
    for (const Message &M : P.R.messages())
      CHECK(M.Placed);
  }
  Parsed P(Whole);
  CAPTURE(P.report());
  CHECK(P.Good);
}
