# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C program of random OpenACC loop nests: random-nests.py SEED [COUNT]

Every nest is free of races and prints the same whether its directives count or
not. Values are small integers, so that no order of a reduction matters to the
result, in floating point either. `--only N` writes one nest of the program.
"""

import random
import sys

ORDER = ["gang", "worker", "vector"]
TYPES = ["int", "unsigned", "long", "float", "double", "short"]
OPERATORS = ["+", "*", "max", "min", "&", "|", "^", "&&", "||"]
EXTENTS = [1, 2, 3, 5, 16, 17, 33, 64, 100]


class Nest:
    """One function: its text is collected in `lines`."""

    def __init__(self, number, rng):
        self.number = number
        self.rng = rng
        self.lines = []
        self.indent = 1
        self.declared = set()

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def put(self, text):
        self.lines.append("  " * self.indent + text)

    def acc(self, text):
        self.lines.append("#pragma acc " + " ".join(text.split()))

    # Loops.

    def levels(self, depth):
        """A clause for each of `depth` nested loops, in the right order."""
        rng = self.rng
        if self.chance(25):
            return [""] * depth
        left = list(ORDER)
        result = []
        for d in range(depth):
            choice = rng.randrange(10)
            if choice < 2 or not left:
                result.append("seq" if choice == 0 or not left else "")
                if not result[-1]:  # takes what suits it; what is left is unsure
                    left = left[1:] if d + 1 < depth else []
                continue
            inner = depth - d - 1
            first = 0 if d == 0 and choice < 8 else rng.randrange(len(left))
            count = rng.randint(1, max(1, len(left) - first - inner))
            taken = left[first : first + count]
            left = left[first + count :]
            result.append(" ".join(taken))
        if "" in result and any(result):
            # A written level must not stand below a loop that chose it.
            result = [r if r else "seq" for r in result]
        return result

    def names(self, depth):
        return "IJKL"[:depth]

    def header(self, name, extent, own):
        rng = self.rng
        decl = "" if own else "int "
        form = rng.randrange(5)
        if form == 0:
            return f"for ({decl}{name} = 0; {name} <= {extent} - 1; {name}++)"
        if form == 1:
            return f"for ({decl}{name} = {extent} - 1; {name} >= 0; --{name})"
        if form == 2:
            return f"for ({decl}{name} = 0; {extent} > {name}; {name} += 1)"
        return f"for ({decl}{name} = 0; {name} < {extent}; ++{name})"

    def value(self, names, extra=()):
        """An expression of small integers."""
        rng = self.rng
        parts = [f"{rng.randint(1, 5)} * {n} % {rng.randint(2, 9)}" for n in names]
        parts += list(extra)
        rng.shuffle(parts)
        return " + ".join(parts[: rng.randint(1, len(parts))])

    def condition(self, names):
        name = self.rng.choice(names)
        return f"({name} + {self.rng.randint(0, 3)}) % {self.rng.randint(2, 4)} != 0"

    def update(self, op, var, expression):
        """Statements that reduce `expression` into `var`."""
        rng = self.rng
        e = f"({expression})"
        if op in "+&|^":
            if rng.randrange(3) == 0:
                return f"{var} = {var} {op} {e};"
            return f"{var} {op}= {e};"
        if op == "*":
            return f"{var} *= {e} % 3 == 1 ? -1 : 1;"
        if op in ("&&", "||"):
            test = "!= 3" if op == "&&" else "== 3"
            return f"{var} = {var} {op} {e} % 7 {test};"
        compare = ">" if op == "max" else "<"
        form = rng.randrange(3)
        if form == 0:
            return f"{var} = {var} {compare} {e} ? {var} : {e};"
        if form == 1:
            return f"if ({e} {compare} {var}) {var} = {e};"
        return f"{var} = {e} {compare} {var} ? {e} : {var};"

    def operator(self):
        op = self.rng.choice(OPERATORS)
        kinds = TYPES if op in ("+", "*", "max", "min") else ["int", "unsigned", "long"]
        return op, self.rng.choice(kinds)

    def initial(self, op):
        return {"+": 7, "*": 3, "max": -9, "min": 99, "&": -1, "|": 8, "^": 5, "&&": 1, "||": 0}[op]

    # Constructs.

    def construct(self, kinds=("parallel", "kernels", "serial")):
        rng = self.rng
        weights = {"parallel": 6, "kernels": 3, "serial": 1}
        return rng.choices(kinds, [weights[k] for k in kinds])[0]

    def sizes(self, kind, data="", gangs=True):
        """`gangs`: a gang loop shares the work, or every gang would do all."""
        text = ""
        if kind != "serial":
            for clause, most in (("num_gangs", 9), ("num_workers", 4), ("vector_length", 33)):
                if self.chance(20) and (gangs or clause != "num_gangs"):
                    text += f" {clause}({self.rng.randint(1, most)})"
        # A data construct around would end before the queue does.
        if data != "data" and self.chance(10):
            text += " async(1) wait(1)"
        return text

    def declare(self, text):
        if text not in self.declared:
            self.declared.add(text)
            self.put(text)

    def show_array(self, name, size):
        self.put(f"show({self.number}, {size}, {name});")

    def flush(self):
        self.acc("wait")

    def indices(self, names, extents):
        text = names[0]
        for n, e in zip(names[1:], extents[1:]):
            text = f"({text}) * {e} + {n}"
        return text

    def elements(self):
        """Out[i, j, k] = f(i, j, k), with temporaries and sequential loops."""
        rng = self.rng
        depth = rng.randint(1, 3)
        names = self.names(depth)
        extents = [rng.choice(EXTENTS) for _ in names]
        size = 1
        for e in extents:
            size *= e
        kind = rng.choice(["int", "long", "double", "float"])
        self.put(f"{kind} Out[{size}], In[{size}];")
        self.put(f"fill({size}, Out, In);")
        construct = self.construct()
        c89 = self.chance(30)
        if c89:
            self.put(f"int {', '.join(names)};")
        temporary = rng.choice(["none", "outside", "private", "inside"])
        if temporary in ("outside", "private"):
            self.put(f"{kind} T = 1;")
        scalar = self.chance(50)
        if scalar:
            self.put(f"{kind} F = {rng.randint(1, 9)};")
        data = rng.choice(["", "copy(Out) copyin(In)", "data", "enter"])
        if data == "data":
            self.acc("data copy(Out) copyin(In)")
            self.put("{")
            self.indent += 1
        elif data == "enter":
            self.acc("enter data copyin(Out, In)")
        clauses = data if data.startswith("copy") else ""
        collapse = rng.randint(2, depth) if depth > 1 and self.chance(35) else 1
        tile = not c89 and collapse == 1 and depth > 1 and self.chance(15)
        levels = self.levels(depth - (collapse - 1))
        gangs = construct == "kernels" or "gang" in " ".join(levels) or not any(levels)
        if construct == "kernels" and self.chance(60):
            levels = ["independent " + l if l != "seq" else l for l in levels]
        private = " private(T)" if temporary == "private" and construct != "kernels" else ""
        if tile:
            a, b = rng.choice([2, 4, 7]), rng.choice([3, 8])
            levels = [f"{levels[0]} tile({a}, {b})"] + levels[2:] if levels[0] != "seq" else levels
            tile = "tile" in levels[0]
        if rng.randrange(3):
            head = f"{construct} loop {self.sizes(construct, data, gangs)} {clauses}"
            first = head + " " + levels[0]
        else:
            self.acc(f"{construct} {self.sizes(construct, data, gangs)} {clauses}")
            self.put("{")
            self.indent += 1
            first = "loop " + levels[0]
            clauses = None
        spanned = collapse if collapse > 1 else 2 if tile else 1
        d = 0
        level = 0
        braces = 0
        while d < depth:
            count = spanned if d == 0 else 1
            text = first if d == 0 else "loop " + levels[level]
            text += f" collapse({collapse})" if d == 0 and collapse > 1 else ""
            last = d + count >= depth
            text += private if d == 0 else ""
            self.acc(text)
            level += 1
            for k in range(count):
                self.put(self.header(names[d + k], extents[d + k], c89))
                self.indent += 1
            d += count
            if not last:
                self.lines[-1] += " {"
                braces += 1
        where = self.indices(list(names), extents)
        self.indent -= 1
        self.put("{")
        self.indent += 1
        expression = self.value(names, [f"In[{where}]"] + (["F"] if scalar else []))
        if temporary == "none":
            target = f"Out[{where}]"
            self.put(f"{target} = {expression};")
        else:
            if temporary == "inside":
                self.put(f"{kind} T;")
            self.put(f"T = {expression};")
            if self.chance(50):
                self.put(f"if ({self.condition(names)})")
                self.put(f"  T += {rng.randint(1, 4)};")
            if self.chance(40):
                self.put(f"for (int Q = 0; Q < {rng.randint(1, 5)}; ++Q)")
                self.put("  T += Q;")
            self.put(f"Out[{where}] {rng.choice(['=', '+='])} T;")
        self.close()
        if data == "enter":
            self.flush()
            self.acc("exit data copyout(Out) delete(In)")
        self.flush()
        self.show_array("Out", size)

    def close(self):
        """Closes every brace that is open in the function."""
        opened = sum(l.count("{") - l.count("}") for l in self.lines if not l.startswith("#"))
        for _ in range(opened):
            self.indent -= 1
            self.put("}")
        self.indent = 1

    def reduce_all(self):
        """A reduction over all loops; the clause at one of many places."""
        rng = self.rng
        depth = rng.randint(1, 3)
        names = self.names(depth)
        extents = [rng.choice(EXTENTS) for _ in names]
        op, kind = self.operator()
        self.put(f"{kind} S = {self.initial(op)};")
        construct = self.construct()
        levels = self.levels(depth)
        place = rng.choice(["every", "outer", "inner", "construct"])
        gangs = construct == "kernels" or "gang" in " ".join(levels) or not any(levels)
        if construct == "kernels":
            place = "every"
            levels = ["independent " + l if l != "seq" else l for l in levels]
        clause = f" reduction({op}: S)"
        data = rng.choice(["", "", "copy(S)", "data"])
        if data == "data":
            self.acc("data copy(S)")
            self.put("{")
            self.indent += 1
        copy = data if data == "copy(S)" else ""
        joined = place != "construct" and self.chance(60)
        if not joined:
            on = clause if place == "construct" else ""
            self.acc(f"{construct} {self.sizes(construct, data, gangs)} {copy} {on}")
            self.put("{")
            self.indent += 1
        collapse = depth if depth > 1 and self.chance(25) else 1
        c89 = self.chance(20)
        if c89:
            self.lines.insert(0, f"  int {', '.join(names)};")
        for d in range(depth):
            if collapse == 1 or d == 0:
                text = f"{construct} loop {self.sizes(construct, data, gangs)} {copy}" if joined and d == 0 else "loop"
                text += " " + levels[d]
                if collapse > 1:
                    text += f" collapse({collapse})"
                if place == "every" or (place == "outer" and d == 0) or (place == "inner" and d + 1 == depth) or (place == "inner" and collapse > 1):
                    text += clause
                self.acc(text)
            self.put(self.header(names[d], extents[d], c89) + (" {" if collapse == 1 and d + 1 < depth else ""))
            self.indent += 1
        self.indent -= 1
        self.put("{")
        self.indent += 1
        expression = self.value(names)
        if self.chance(30):
            self.put(f"if ({self.condition(names)})")
        self.put("{ " + self.update(op, "S", expression) + " }")
        self.close()
        self.flush()
        self.put(f"show({self.number}, 1, &S);")

    def reduce_rows(self):
        """An inner reduction, reset and stored in each outer iteration."""
        rng = self.rng
        rows, columns = rng.choice(EXTENTS), rng.choice(EXTENTS)
        op, kind = self.operator()
        self.put(f"{kind} R[{rows}], S = 0;")
        self.put(f"fill({rows}, R, R);")
        outer, inner = rng.choice([("gang", "worker"), ("gang", "vector"), ("gang", "worker vector"),
                                   ("", ""), ("gang worker", "vector"), ("worker", "vector"),
                                   ("gang vector", "seq"), ("seq", "gang vector"), ("seq", "vector")])
        construct = self.construct(("parallel", "serial"))
        if outer == "seq" and "gang" in inner:
            # Gangs would store what others have not finished.
            inner = "vector"
        inside = self.chance(40)
        second = self.chance(30)
        private = " private(S)" if not inside and self.chance(40) else ""
        gangs = "gang" in outer or not outer
        self.acc(f"{construct} loop {outer} {self.sizes(construct, '', gangs)} {private}")
        self.put(self.header("I", rows, False) + " {")
        self.indent += 1
        self.put(f"{kind + ' ' if inside else ''}S = {self.initial(op)};")
        self.acc(f"loop {inner} reduction({op}: S)")
        self.put(self.header("J", columns, False))
        self.put("  { " + self.update(op, "S", self.value("IJ")) + " }")
        if second:
            self.put("R[I] = S;")
            self.put(f"S = {self.initial(op)};")
            self.acc(f"loop {inner} reduction({op}: S)")
            self.put(self.header("J", columns, False))
            self.put("  { " + self.update(op, "S", self.value("IJ")) + " }")
            self.put("R[I] += S;")
        else:
            self.put("R[I] = S;")
        self.close()
        self.flush()
        self.show_array("R", rows)

    def phases(self):
        """Two inner loops of one outer loop, the second uses the first's."""
        rng = self.rng
        rows, columns = rng.choice(EXTENTS), rng.choice(EXTENTS)
        kind = rng.choice(["int", "double"])
        size = rows * columns
        self.put(f"{kind} A[{size}], B[{size}], Base;")
        self.put(f"fill({size}, A, B);")
        outer, inner = rng.choice([("gang", "vector"), ("gang", "worker"), ("gang", "worker vector"), ("", "")])
        construct = self.construct(("parallel", "serial"))
        self.acc(f"{construct} loop {outer} {self.sizes(construct)} copy(A, B)")
        self.put(f"for (int I = 0; I < {rows}; ++I) {{")
        self.indent += 1
        self.put(f"Base = {self.value('I')};")
        self.acc(f"loop {inner}")
        self.put(self.header("J", columns, False))
        self.put(f"  A[I * {columns} + J] = Base + {self.value('IJ')};")
        self.put(f"Base = Base * 2 + A[I * {columns}];")
        self.acc(f"loop {inner}")
        self.put(self.header("J", columns, False))
        self.put(f"  B[I * {columns} + J] = Base - A[I * {columns} + {columns} - 1 - J];")
        self.close()
        self.flush()
        self.show_array("B", size)

    def kernels_statements(self):
        """kernels around loops and statements, proven, refused, declared."""
        rng = self.rng
        size = rng.choice(EXTENTS[2:])
        kind = rng.choice(["int", "long", "double"])
        self.put(f"{kind} A[{size}], B[{size}], S = 2, T = 0;")
        self.put(f"fill({size}, A, B);")
        self.acc("kernels" + rng.choice(["", " copy(A, B)", " copy(A) copyin(B)" if False else ""]))
        self.put("{")
        self.indent += 1
        for _ in range(rng.randint(1, 5)):
            form = rng.randrange(8)
            directive = rng.choice(["", "loop", "loop", "loop auto"])
            if form == 0:
                self.put(f"{rng.choice(['S', 'T', 'A[0]', 'B[' + str(size - 1) + ']'])} += {rng.randint(1, 5)};")
                continue
            if directive:
                self.acc(directive + (" independent" if form in (1, 2) and directive == "loop" else ""))
            if form in (1, 2):
                self.put(self.header("I", size, False))
                self.put(f"  A[I] = B[I] + {self.value('I', ['S'])};")
            elif form == 3:  # carried by iterations: must not run in parallel
                self.put(f"for (int I = 1; I < {size}; ++I)")
                self.put("  A[I] = A[I - 1] % 1000 + B[I];" if kind != "double" else "  A[I] = B[I] - A[I - 1];")
            elif form == 4:
                self.put(f"for (int I = 0; I < {size} - 1; ++I)")
                self.put("  B[I] = B[I + 1] + 1;")
            elif form == 5:
                self.put(self.header("I", size, False))
                self.put("  T += A[I];")
            elif form == 6:
                self.put(self.header("I", size, False))
                self.put("{")
                self.put("  S = A[I];")
                self.put("  B[I] = S + 1;")
                self.put("}")
            else:
                self.put(f"for (int I = 0; I < {size} / 2; ++I)")
                self.put(f"  A[2 * I] = A[2 * I + {rng.choice([0, 1])}] + 1;")
        self.close()
        self.show_array("A", size)
        self.show_array("B", size)
        self.put(f"show({self.number}, 1, &S);")
        self.put(f"show({self.number}, 1, &T);")

    def region(self):
        """Several constructs and updates in one data region."""
        rng = self.rng
        size = rng.choice(EXTENTS[2:])
        kind = rng.choice(["int", "float", "long"])
        self.put(f"{kind} A[{size}], B[{size}], C[{size}], S = 1;")
        self.put(f"fill({size}, A, B);")
        self.put(f"fill({size}, C, C);")
        self.acc("data copy(A) copyin(B) create(C)" + rng.choice(["", " copy(S)"]))
        self.put("{")
        self.indent += 1
        self.acc("parallel loop" + rng.choice(["", " present(C)", " default(present)"]))
        self.put(self.header("I", size, False))
        self.put("  C[I] = I % 7;")
        for _ in range(rng.randint(1, 4)):
            form = rng.randrange(4)
            if form == 0:
                self.acc(f"{rng.choice(['parallel', 'kernels', 'serial'])} loop")
                self.put(self.header("I", size, False))
                self.put(f"  C[I] += {rng.choice('AB')}[I] + {rng.randint(0, 3)};")
            elif form == 1:
                self.acc("parallel loop reduction(+: S)")
                self.put(self.header("I", size, False))
                self.put("  S += C[I];")
            elif form == 2:
                self.acc("parallel loop gang vector")
                self.put(self.header("I", size, False))
                self.put("  A[I] = C[I] + B[I];")
            else:
                self.acc("update self(A)")
                first = rng.randrange(size)
                self.put(f"for (int I = {first}; I < {size}; ++I)")
                self.put("  A[I] += 3;")
                self.acc(f"update device(A[{first}:{size - first}])")
        self.acc("update self(C)")
        self.close()
        for name in "ABC":
            self.show_array(name, size)
        self.put(f"show({self.number}, 1, &S);")

    def atomics(self):
        rng = self.rng
        size, bins = rng.choice(EXTENTS), rng.randint(1, 9)
        self.put(f"int Count[{bins}], Total = 3;")
        self.put(f"fill({bins}, Count, Count);")
        construct = self.construct(("parallel", "serial"))
        self.acc(f"{construct} loop {rng.choice(['', 'gang', 'vector', 'gang vector'])} copy(Count, Total)")
        self.put(self.header("I", size, False) + " {")
        self.indent += 1
        self.acc(rng.choice(["atomic", "atomic update"]))
        self.put(f"Count[I * {rng.randint(1, 5)} % {bins}] += {rng.choice(['1', 'I'])};")
        self.put(f"if ({self.condition('I')}) {{")
        self.indent += 1
        self.acc("atomic")
        self.put("Total++;")
        self.close()
        self.show_array("Count", bins)
        self.put(f"show({self.number}, 1, &Total);")

    def calls(self):
        """Routines with and without loops of their own."""
        rng = self.rng
        rows, columns = rng.choice(EXTENTS), rng.choice(EXTENTS)
        self.put(f"int A[{rows * columns}], R[{rows}];")
        self.put(f"fill({rows * columns}, A, A);")
        self.put(f"fill({rows}, R, R);")
        self.acc(f"parallel loop gang {self.sizes('parallel')} copy(A, R)")
        self.put(self.header("I", rows, False) + " {")
        self.indent += 1
        routine = rng.choice(["scaleVector", "scaleWorker", "scaleSeq"])
        self.put(f"{routine}({columns}, A + I * {columns}, {rng.randint(1, 4)});")
        self.put(f"R[I] = {rng.choice(['sumVector', 'sumSeq'])}({columns}, A + I * {columns});")
        self.close()
        self.flush()
        self.show_array("A", rows * columns)
        self.show_array("R", rows)

    def text(self):
        forms = [self.elements] * 4 + [self.reduce_all] * 4 + [self.reduce_rows] * 3
        forms += [self.phases, self.kernels_statements, self.kernels_statements]
        forms += [self.region, self.region, self.atomics, self.calls]
        form = self.rng.choice(forms)
        form()
        head = f"/* {form.__name__} */\nstatic void nest{self.number}(void) {{"
        return "\n".join([head] + self.lines + ["}"])


PROLOGUE = """\
#include <stdio.h>

#define fill(N, X, Y) \\
  for (int At = 0; At < (N); ++At) \\
    (X)[At] = At * 7 % 13, (Y)[At] = At * 5 % 11
#define show(Nest, N, X) \\
  do { \\
    long Sum = 0; \\
    for (int At = 0; At < (N); ++At) \\
      Sum = (Sum * 31 + (long)((X)[At] * 4)) & 0xffffffffffffL; \\
    printf("%d " #X " %ld\\n", Nest, Sum); \\
  } while (0)

#pragma acc routine vector
static void scaleVector(int N, int *A, int F) {
#pragma acc loop vector
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * F + I % 3;
}
#pragma acc routine worker
static void scaleWorker(int N, int *A, int F) {
#pragma acc loop worker vector
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * F + I % 3;
}
#pragma acc routine seq
static void scaleSeq(int N, int *A, int F) {
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * F + I % 3;
}
#pragma acc routine vector
static int sumVector(int N, const int *A) {
  int S = 0;
#pragma acc loop vector reduction(+: S)
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
}
#pragma acc routine seq
static int sumSeq(int N, const int *A) {
  int S = 0;
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
}
"""


def main(arguments):
    only = None
    if "--only" in arguments:
        at = arguments.index("--only")
        only = int(arguments[at + 1])
        del arguments[at : at + 2]
    seed = int(arguments[0])
    count = int(arguments[1]) if len(arguments) > 1 else 30
    print(PROLOGUE)
    nests = range(count) if only is None else [only]
    for number in nests:
        print(Nest(number, random.Random(seed * 1000 + number)).text() + "\n")
    print("int main(void) {")
    for number in nests:
        print(f"  nest{number}();")
    print("  return 0;\n}")


main(sys.argv[1:])
