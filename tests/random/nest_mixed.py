# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements between three levels of loops, clauses on constructs, and data
that pointers hold."""

from nest_regions import Regions
from nest_writer import EXTENTS


class Mixed(Regions):
    def three_levels(self):
        """Gang, worker, vector with statements and resets between them."""
        rng = self.rng
        rows, columns, depth = (rng.choice(EXTENTS[:7]) for _ in range(3))
        op, kind = self.operator()
        self.put(f"{kind} R[{rows * columns}], Q[{rows}], S = 0, Sum = {self.initial(op)};")
        self.put(f"fill({rows * columns}, R, R);")
        self.put(f"fill({rows}, Q, Q);")
        self.put("long Base;")
        levels = rng.choice([("gang", "worker", "vector"), ("", "", ""), ("gang", "worker", "seq"),
                             ("gang worker", "seq", "vector"), ("gang", "seq", "vector"), ("gang", "seq", "worker vector")])
        total = f" reduction({op}: Sum)" if self.chance(50) else ""
        private = " private(S)" if self.chance(40) else ""
        self.acc(f"parallel loop {levels[0]} {self.sizes('parallel')} {total} {private}")
        self.put(f"for (int I = 0; I < {rows}; ++I) {{")
        self.indent += 1
        self.put(f"Base = {self.value('I')};")
        self.acc(f"loop {levels[1]}" + (" private(S)" if "worker" in levels[1] or self.chance(30) else "") + total)
        self.put(f"for (int J = 0; J < {columns}; ++J) {{")
        self.indent += 1
        self.put(f"S = {self.initial(op)};")
        self.acc(f"loop {levels[2]} reduction({op}: S)")
        self.put(self.header("K", depth, False))
        self.put("  { " + self.update(op, "S", self.value("IJK")) + " }")
        self.put(f"R[I * {columns} + J] = S + Base;")
        if total:
            self.put("{ " + self.update(op, "Sum", self.value("IJ")) + " }")
        self.indent -= 1
        self.put("}")
        self.put(f"Q[I] = R[I * {columns}] + R[I * {columns} + {columns - 1}] + Base;")
        self.close()
        self.flush()
        self.show_array("R", rows * columns)
        self.show_array("Q", rows)
        self.put(f"show({self.number}, 1, &Sum);")

    def clauses(self):
        """firstprivate, arrays that are private, conditions, defaults."""
        rng = self.rng
        size = rng.choice(EXTENTS)
        kind = rng.choice(["int", "float", "long"])
        first, last = rng.randint(0, 3), rng.randint(0, 3)
        whole = first + size + last
        self.put(f"{kind} *A = ({kind} *)malloc({whole} * sizeof(*A)), B[{whole}], F[4] = {{1, 2, 3, 4}}, P[3], T = 5;")
        self.put(f"int Yes = {rng.randint(0, 1)}, Limit = {rng.randint(0, 70)};")
        self.put(f"fill({whole}, A, B);")
        construct = self.construct(("parallel", "serial"))
        text = f"{construct} loop {self.sizes(construct)} copy(A[{first}:{size}])"
        text += rng.choice([" firstprivate(F, T)", " firstprivate(F) firstprivate(T)"])
        text += rng.choice([f" copy(B[{first}:{size}])", f" copyin(B[{first}:{size}])"])
        text += " private(P)"
        text += rng.choice(["", " if(Yes)", " self(!Yes)", " if(Limit > 30)", " default(none) copyin(Limit)"])
        text += rng.choice(["", " gang", " gang vector", " gang worker vector", " gang(static: 4)"])
        self.acc(text)
        self.put(f"for (int I = {first}; I < {first + size}; ++I) {{")
        self.indent += 1
        self.put("for (int Q = 0; Q < 3; ++Q)")
        self.put("  P[Q] = F[Q] + I % (Q + 2);")
        self.put("if (I < Limit)")
        self.put("  P[1] += T;")
        self.put("A[I] = B[I] + P[0] + P[1] * P[2] + F[3];")
        self.close()
        self.flush()
        self.show_array("A", whole)
        self.put("free(A);")

    def pointers(self):
        """enter data, exit data, updates and finalize of what pointers hold."""
        rng = self.rng
        size = rng.choice(EXTENTS)
        self.put("struct Both { int N; double *P, *Q; } V;")
        self.put(f"V.N = {size};")
        self.put(f"V.P = (double *)malloc({size} * sizeof(double));")
        self.put(f"V.Q = (double *)malloc({size} * sizeof(double));")
        self.put(f"fill({size}, V.P, V.Q);")
        self.put("double *P = V.P, *Q = V.Q, S = 0;")
        queue = rng.choice(["", "", " async(2)"])
        again = self.chance(40)
        self.acc("enter data copyin(P[0:V.N]) create(Q[0:V.N])" + queue)
        if again:
            self.acc("enter data copyin(P[0:V.N])" + queue)
        self.acc("parallel loop present(P[0:V.N], Q[0:V.N])" + queue)
        self.put("for (int I = 0; I < V.N; ++I)")
        self.put(f"  Q[I] = P[I] * {rng.randint(2, 4)};")
        for _ in range(rng.randint(0, 3)):
            form = rng.randrange(4)
            if form == 0:
                self.acc("parallel loop reduction(+: S) present(Q[0:V.N])")
                self.lines[-1] += queue.replace("async", "wait")
                self.put("for (int I = 0; I < V.N; ++I)")
                self.put("  S += Q[I];")
            elif form == 1:
                self.acc("kernels loop independent copy(P[0:V.N])" + queue)
                self.put("for (int I = 0; I < V.N; ++I)")
                self.put("  P[I] += I % 3;")
            elif form == 2:
                self.acc("update self(Q[0:V.N]) if_present" + queue)
            else:
                self.acc(f"parallel loop gang num_gangs(3) present(P[0:V.N], Q){queue}")
                self.put("for (int I = 0; I < V.N; ++I)")
                self.put("  Q[I] += P[I];")
        self.acc("wait")
        final = " finalize" if again or self.chance(30) else ""
        self.acc(f"exit data copyout(P[0:V.N], Q[0:V.N]){final}")
        self.show_array("P", size)
        self.show_array("Q", size)
        self.put(f"show({self.number}, 1, &S);")
        self.put("free(P);")
        self.put("free(Q);")

    def local_declare(self):
        """Data of a block, and memory that begins as zeros."""
        rng = self.rng
        size = rng.choice(EXTENTS)
        self.put(f"int Out[{size}];")
        self.put("for (int Round = 0; Round < 3; ++Round) {")
        self.indent += 1
        self.put(f"int A[{size}], B[{size}];")
        self.put(f"fill({size}, A, B);")
        self.acc("declare copy(A) copyin(B)")
        self.acc("parallel loop" + rng.choice(["", " gang vector", " vector_length(16)"]))
        self.put(self.header("I", size, False))
        self.put("  A[I] += B[I] + Round;")
        self.acc("update self(A)")
        self.acc("data copyout(zero: Out)")
        self.acc("parallel loop present(Out)")
        self.put(f"for (int I = 0; I < {size}; I += 2)")
        self.put("  Out[I] = A[I];")
        self.put(f"for (int I = 1; I < {size}; I += 2)")
        self.put("  Out[I] = 0;")
        self.close()
        self.show_array("Out", size)

    def text(self):
        forms = [self.elements] * 4 + [self.reduce_all] * 4 + [self.reduce_rows] * 3
        forms += [self.phases, self.kernels_statements, self.kernels_statements]
        forms += [self.kernels_overlaps] * 4
        forms += [self.region, self.region, self.atomics, self.calls]
        forms += [self.three_levels, self.three_levels, self.clauses, self.clauses]
        forms += [self.pointers, self.local_declare]
        form = self.rng.choice(forms)
        form()
        head = f"/* {form.__name__} */\nstatic void nest{self.number}(void) {{"
        return "\n".join([head] + self.lines + ["}"])
