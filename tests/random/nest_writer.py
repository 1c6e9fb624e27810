# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every form of random nest is written with: loops, levels, reductions."""

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

    def close(self):
        """Closes every brace that is open in the function."""
        opened = sum(l.count("{") - l.count("}") for l in self.lines if not l.startswith("#"))
        for _ in range(opened):
            self.indent -= 1
            self.put("}")
        self.indent = 1
