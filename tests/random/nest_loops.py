# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nests of loops in one construct: element by element, and reductions."""

from nest_writer import EXTENTS, Nest


class Loops(Nest):
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
