# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several constructs and statements in kernels and data regions."""

from nest_loops import Loops
from nest_writer import EXTENTS


class Regions(Loops):
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

    def kernels_overlaps(self):
        """kernels around plain loops; pointers into one block, with offsets."""
        rng = self.rng
        size = rng.choice(EXTENTS[3:])
        kind = rng.choice(["int", "long", "short"])
        self.put(f"{kind} Block[{4 * size}], Low[{size}], S = 2, M = -1, T;")
        self.put(f"fill({4 * size}, Block, Block);")
        self.put(f"fill({size}, Low, Low);")
        for name in "PQR":
            first = rng.choice([0, 0, 1, size // 2, size, size, 2 * size])
            self.put(f"{kind} *{name} = Block + {first};")
        self.put(f"int N = {size}, At, Of;")
        self.put(f"{kind} *Row;")
        # The same through a structure, with a scalar and an array in it.
        members = self.chance(50)
        arrays, length, more = ["P", "P", "Q", "R", "Low"], "N", ""
        if members:
            self.put(f"struct W{self.number} {{ {kind} *P, *Q, *R; int N; {kind} F, V[{size}]; }} Whole = {{P, Q, R, N, 3, {{0}}}};")
            self.put(f"struct W{self.number} *W = &Whole;")
            arrays, length, more = ["W->P", "W->P", "W->Q", "W->R", "Low", "W->V", "Q"], "W->N", " + W->F"
        c89 = self.chance(30)
        if c89:
            self.put("int I, J;")
        own = "" if c89 else "int "
        self.acc("data copy(Block, Low)")
        if members:
            self.acc(f"data copy(W[0:1], W->P[0:{size}], W->Q[0:{size}], W->R[0:{size}])")
        self.acc("kernels")
        if self.chance(85):
            self.put("{")
            self.indent += 1
        for _ in range(rng.randint(1, 4) if self.indent > 1 else 1):
            to, a, b = (rng.choice(arrays) for _ in range(3))
            at, of, other = (rng.choice(["I", "I", "I", "I + 1", "I - 1", "I + 0", f"{length} - 1 - I", "I / 2"]) for _ in range(3))
            head = rng.choice(
                [
                    f"for ({own}I = 1; I < {length} - 1; ++I)",
                    f"for ({own}I = {length} - 2; I >= 1; --I)",
                    f"for ({own}I = 1; I <= {size} - 2; I += {rng.randint(1, 3)})",
                ]
            )
            value = f"({a}[{of}] + {b}[{other}] * 3 + I{more}) % 97"
            form = rng.randrange(12)
            own_directive = self.chance(35)
            if own_directive and form != 8:
                self.acc("loop" + rng.choice(["", "", " gang", " gang vector", " auto"]))
            if form < 3:
                self.put(f"{head} {to}[{at}] = {value};")
            elif form == 3:
                self.put(f"{head} {{ T = {value}; {to}[{at}] = T + T % 3; }}")
            elif form == 4:
                self.put(f"{head} if ({self.condition('I')}) {to}[{at}] = {value};")
            elif form == 5:
                self.put(f"{head} {{ {to}[{at}] = {value}; S += {to}[{of}]; if (M < {a}[{of}]) M = {a}[{of}]; }}")
            elif form == 6:
                self.put(f"{head} {{ int At = {at}; {to}[At] = {value}; }}")
            elif form == 7:  # indices that the loop assigns
                self.put(
                    f"{head} {{ "
                    + rng.choice(
                        [
                            f"At = {at}; Of = At; {to}[Of] = {value};",
                            f"int K; K = {at}; {to}[K] = {value};",
                            f"{kind} *Row = {to} + ({at}); Row[0] = {value};",
                            f"{kind} *Row = &{to}[{at}]; *Row = {value};",
                            f"Row = {to} + ({at}); Row[0] = {value};",
                            f"if (I % 3) {{ At = {at}; {to}[At] = {value}; }}",
                            f"At = {at}; if (I % 3) {to}[At] = {value};",
                        ]
                    )
                    + " }"
                )
            elif form == 8:
                inner = rng.choice(["At = I;", "if (I % 2) At = I;", "At = I; At++;", "Of = At; At = I;", "At = I; Of = At; At = At + 1;"])
                where = rng.choice(["At", "At", "Of"]) if "Of" in inner else "At"
                self.put("At = Of = 1;")
                self.put(f"{head} {{ {inner} {to}[{where}] = {value}; }}")
            elif form == 9 and members:
                self.put(f"{head} {{ {to}[{at}] = {value}; {rng.choice(['W->F = I % 5;', 'W->F++;', 'if (I == 3) W->F = 2;'])} }}")
            else:
                width = rng.choice([1, 2, 3, 5])
                rows = max(size // width, 1)
                shift = rng.choice(["", " + 1", f" + {width}", " - 1"]) if a not in ("Low", "P", "W->P", "W->V") else ""
                self.put(f"for ({own}J = 0; J < {rows}; ++J)")
                if own_directive and self.chance(60):
                    self.acc("loop" + rng.choice(["", " vector"]))
                self.put(f"  for ({own}I = 0; I < {width}; ++I)")
                where = f"J * {width} + I"
                first = " + 1" if "-" in shift else ""
                temporary = rng.choice(["", "", f"int K = {where}; ", f"At = {where}; "])
                if temporary:
                    where = temporary.split(" = ")[0].replace("int ", "")
                self.put(f"    {{ {temporary}{to}[{where}] = ({a}[{where}{first}{shift}] + I * 2 + J) % 89; S += {to}[{where}]; }}")
        self.close()
        self.show_array("Block", 4 * size)
        self.show_array("Low", size)
        if members:
            self.show_array("W->V", size)
            self.put(f"show({self.number}, 1, &W->F);")
        self.put(f"show({self.number}, 1, &S);")
        self.put(f"show({self.number}, 1, &M);")

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
