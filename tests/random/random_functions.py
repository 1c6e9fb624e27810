# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C functions for `declare simd`, with what calls them needs to know."""

import random

TYPES = {"int": 32, "float": 32, "double": 64, "long": 64, "short": 16,
         "char": 8}
SIZE = 64  # elements of an array that every index reaches


class Function:
    """One function: its clauses, its text, and its variants' shape."""

    def __init__(self, rng, index, earlier):
        self.rng = rng
        self.name = f"f{index}"
        self.earlier = earlier
        self.result = rng.choice(["int", "int", "float", "float", "double",
                                  "long", "void", "short", "char"])
        # Name, type, kind: v, u, or the step of a linear one.
        self.params = [("l", "int", rng.choice([1, 1, 1, 2, -1])),
                       ("n", "int", "u"),
                       ("in", "const int *", "u"),
                       ("fin", "const float *", "u"),
                       ("out", "int *", "u")]
        for i in range(rng.randint(1, 3)):
            self.params.append((f"v{i}", rng.choice(
                ["int", "int", "float", "double", "long", "short"]), "v"))
        if rng.random() < 0.5:
            self.params.append(("u0", "int", "u"))
        if rng.random() < 0.3:
            self.params.append(("pl", "const double *", 1))
        rng.shuffle(self.params)
        self.simdlen = rng.choice([None, None, None, 4, 8, 16])
        self.branch = rng.choice(["", "", "inbranch", "notinbranch"])
        self.locals = []
        self.depth = 0
        self.loops = 0
        self.names = 0
        self.calls = False
        self.text = self.define()

    # Expressions.

    def variables(self, types):
        return ([n for n, t, _ in self.params if t in types and n != "n"]
                + [n for n, t in self.locals if t in types])

    def integer(self, depth=2):
        r = self.rng
        choices = self.variables(("int", "long", "short", "char"))
        kind = r.randint(0, 11)
        if depth == 0 or kind < 3:
            return r.choice(choices + [str(r.randint(-9, 99))])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        if kind < 7:
            op = r.choice("+-*&|^")
            return f"(int)((unsigned)({a}) {op} (unsigned)({b}))"
        if kind == 7:
            return f"in[({a}) & {SIZE - 1}]"
        if kind == 8:
            return f"((({b}) & 15) ? ({a}) / (({b}) & 15) : ({a}) % 7)"
        if kind == 9:
            return f"(int)((unsigned)({a}) >> (({b}) & 7))"
        if kind == 10:
            return f"(({a}) < ({b}) ? ({a}) : ({b}))"
        return f"(int)({self.real(depth - 1)} > {self.real(0)})"

    def real(self, depth=2):
        r = self.rng
        choices = self.variables(("float", "double"))
        kind = r.randint(0, 8)
        if depth == 0 or kind < 2:
            return r.choice(choices + [f"{r.randint(-8, 8)}.5f"])
        a, b = self.real(depth - 1), self.real(depth - 1)
        if kind < 5:
            return f"(({a}) {r.choice('+-*')} ({b}))"
        if kind == 5:
            return f"fin[({self.integer(depth - 1)}) & {SIZE - 1}]"
        if kind == 6:
            return f"(float)(short)({self.integer(depth - 1)})"
        if kind == 7:
            return f"__builtin_fabs({a})"
        return f"(({a}) < ({b}) ? ({b}) : ({a}) * 0.5f)"

    def condition(self):
        r = self.rng
        kind = r.randint(0, 5)
        if kind == 0:
            return f"({self.integer(1)}) & {r.choice([1, 2, 3, 6])}"
        if kind == 1:
            return f"{self.real(1)} > {self.real(1)}"
        if kind == 2 and self.has("u0"):
            return f"u0 > {r.randint(0, 20)}"
        if kind == 3:
            return f"({self.integer(1)}) < ({self.integer(1)}) && " \
                   f"({self.integer(0)}) != {r.randint(0, 5)}"
        return f"({self.integer(1)}) < ({self.integer(1)})"

    def has(self, name):
        return any(n == name for n, _, _ in self.params)

    # Statements.

    def block(self, count):
        self.depth += 1
        outer = len(self.locals)
        text = " ".join(self.statement() for _ in range(count))
        del self.locals[outer:]
        self.depth -= 1
        return "{ " + text + " }"

    def leave(self):
        if self.result == "void":
            return "return;"
        if self.result in ("float", "double"):
            return f"return {self.real(1)};"
        return f"return ({self.result})({self.integer(1)});"

    def loop(self):
        r = self.rng
        self.names += 1
        k = f"k{self.names}"
        bound = r.choice([f"(({self.integer(1)}) & 7)", "u0" if self.has("u0")
                          else "5", str(r.randint(1, 6))])
        self.loops += 1
        self.locals.append((k, "int"))
        body = self.block(r.randint(1, 3))
        self.locals.pop()
        self.loops -= 1
        step = "++" if r.random() < 0.8 else " += 2"
        return f"for (int {k} = 0; {k} < {bound}; {k}{step}) {body}"

    def store(self):
        """To an element of the lane's own: 2 * (l + 64) and the next."""
        return f"out[2 * (l + 64) + {self.rng.randint(0, 1)}] = " \
               f"{self.integer(1)};"

    def call(self):
        callee = self.rng.choice(self.earlier)
        values = []
        for name, kind, shape in callee.params:
            if shape in ("u", callee.step_of("pl")) and self.has(name):
                values.append(name)
            elif name == "l":
                values.append("l")
            elif name == "pl":
                return None
            elif name == "u0":
                values.append("5")
            elif kind in ("float", "double"):
                values.append(self.real(1))
            else:
                values.append(f"({kind})({self.integer(1)})")
        # A callee's stores go to the lane's elements only for its own step.
        if callee.step_of("l") != self.step_of("l"):
            return None
        self.calls = True
        text = f"{callee.name}({', '.join(values)})"
        if callee.result == "void":
            return text + ";"
        targets = [n for n, t in self.locals
                   if (t in ("float", "double"))
                   == (callee.result in ("float", "double"))
                   and not n.startswith("k")]
        if not targets:
            return None
        return f"{self.rng.choice(targets)} = {text};"

    def step_of(self, name):
        return next((s for n, _, s in self.params if n == name), None)

    def statement(self):
        r = self.rng
        kind = r.randint(0, 19)
        if self.depth > 3:
            kind = min(kind, 4)
        if kind < 6:
            name, ty = r.choice([v for v in self.locals
                                 if not v[0].startswith("k")])
            value = self.real() if ty in ("float", "double") else \
                f"({ty})({self.integer()})"
            return f"{name} = {value};"
        if kind < 10:
            text = f"if ({self.condition()}) {self.block(r.randint(1, 3))}"
            if r.random() < 0.5:
                text += f" else {self.block(r.randint(1, 2))}"
            return text
        if kind < 13:
            return self.loop()
        if kind == 13:
            return f"if ({self.condition()}) {self.leave()}"
        if kind == 14 and self.loops:
            return f"if ({self.condition()}) " \
                   f"{r.choice(['break;', 'continue;'])}"
        if kind == 15:
            return f"if (l >= 0 && l < n) {{ {self.pick('int')} = in[l]; }}"
        if kind == 16:
            return self.store()
        if kind == 17 and self.earlier:
            return self.call() or self.store()
        if kind == 18:
            cases = " ".join(
                f"case {i}: {self.block(1)} {r.choice(['break;', ''])}"
                for i in r.sample(range(8), 3))
            outer, self.loops = self.loops, 0
            text = f"switch (({self.integer(1)}) & 7) {{ {cases} " \
                   f"default: {self.block(1)} }}"
            self.loops = outer
            return text
        if kind == 19:
            self.names += 1
            a = f"a{self.names}"
            return (f"{{ int {a}[8]; for (int q = 0; q < 8; q++) {a}[q] = q * "
                    f"({self.integer(0)} & 255); {a}[({self.integer(1)}) & 7] "
                    f"= {self.integer(1)}; {self.pick('int')} = "
                    f"{a}[({self.integer(1)}) & 7]; }}")
        if self.has("pl") and r.random() < 0.5:
            return f"if (l >= 0 && l < n) {{ {self.pick('double')} = *pl; }}"
        return self.store()

    def pick(self, ty):
        return self.rng.choice([n for n, t in self.locals if t == ty
                                and not n.startswith("k")])

    def define(self):
        r = self.rng
        head = []
        for i, ty in enumerate(["int", "int", "float", "double",
                                r.choice(["long", "short", "char"])]):
            head.append(f"{ty} x{i} = {r.randint(0, 9)};")
            self.locals.append((f"x{i}", ty))
        body = "\n  ".join(self.statement() for _ in range(r.randint(2, 6)))
        end = ""
        if self.result in ("float", "double"):
            end = "return x2 + (float)x3 + x0;"
        elif self.result != "void":
            end = (f"return ({self.result})(int)"
                   "((unsigned)x0 + (unsigned)x4);")
        else:
            end = "out[2 * (l + 64)] = x0;"
        clauses = "".join(
            f" uniform({n})" if s == "u" else f" linear({n}:{s})"
            for n, _, s in self.params if s != "v")
        if self.simdlen:
            clauses += f" simdlen({self.simdlen})"
        self.pragma = f"#pragma omp declare simd{clauses} {self.branch}"
        params = ", ".join(f"{t}{n}" if t.endswith("*") else f"{t} {n}"
                           for n, t, _ in self.params)
        self.prototype = f"{self.result} {self.name}({params})"
        return (f"{self.pragma}\n{self.prototype} {{\n  {' '.join(head)}\n  "
                f"{body}\n  {end}\n}}\n")


def functions(seed, count):
    rng = random.Random(seed)
    result = []
    for index in range(count):
        leaves = [f for f in result if not f.calls]
        result.append(Function(rng, index, leaves[-5:]))
    return result
