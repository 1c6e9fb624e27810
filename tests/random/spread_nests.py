# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays, subscripts and loops of random programs: see random_spread.py."""

TYPES = ["int", "int", "long", "float", "double"]


class Array:
    """An array; role: how it gets to the devices.

    spread, replicated: by that directive; everywhere: by a copy on each device;
    free: mapped where it is used; local: a small one of the function, mapped
    without a clause.
    """

    def __init__(self, name, type, dims, form="flat", role="spread", values=0, one=False):
        self.name, self.type, self.dims = name, type, dims
        self.form, self.role = form, role
        self.values = values  # If not 0, its elements are indices below it,
        self.one = one  # and each of them once.
        self.runtime = False  # Whether the compiler sees its extents.

    def alias(self, name):
        other = Array(name, self.type, self.dims, self.form, self.role, self.values)
        other.runtime = self.runtime
        return other

    @property
    def size(self):
        size = 1
        for dim in self.dims:
            size *= dim
        return size

    def number(self, value):
        return f"({value} + z)" if self.runtime else str(value)

    def section(self, first=0, length=None):
        """Of its outermost dimension."""
        if self.form == "local" or (self.form == "static" and length is None):
            return self.name
        if length is None:
            length = self.size if self.form == "flat" else self.dims[0]
        return f"{self.name}[{first}:{self.number(length)}]"

    def element(self, subscripts):
        """One expression for each of its dimensions."""
        if self.form != "flat":
            return self.name + "".join(f"[{s}]" for s in subscripts)
        text = f"({subscripts[0]})" if len(subscripts) > 1 else subscripts[0]
        for k, subscript in enumerate(subscripts[1:], 1):
            text = f"({text} * {self.number(self.dims[k])} + ({subscript}))"
        return f"{self.name}[{text}]"


class Loop:
    """A loop over some values of [low, high], or over none."""

    def __init__(self, rng, name, low, high):
        self.name = name
        self.step = rng.choice([1, 1, 1, 1, 1, 1, 2, 3, 5])
        kind = rng.random()
        if kind < 0.6 or high <= low:
            first, last = low, high
        elif kind < 0.85:
            first = rng.randint(low, high)
            last = rng.randint(first, high)
        elif kind < 0.93:
            first = rng.randint(low, high)
            last = min(high, first + rng.choice([0, 1, 2]))
        else:
            first, last = low, low - 1
        if first > last:
            first, last = 0, -1
        else:
            last = first + (last - first) // self.step * self.step
        self.low, self.high = (first, last) if first <= last else (0, 0)
        self.count = (last - first) // self.step + 1
        self.type = rng.choice(["int"] * 5 + ["long"] * 2 + ["short"]
                               + (["unsigned", "unsigned long"] if first >= 0 else []))
        if self.type == "short" and max(abs(first), abs(last)) > 30000:
            self.type = "int"
        self.write_head(rng, first, last)

    def write_head(self, rng, first, last):
        name, step = self.name, self.step
        slack = rng.randrange(step)
        down = rng.random() < 0.25 and not self.type.startswith("unsigned")
        if self.count < 1:
            test, begin, end = rng.choice([(">", 0, 0), (">", -3, 2)] if down else
                                          [("<", 0, 0), ("<", 3, 1)])
        elif down:
            begin = last
            test, end = rng.choice([(">", first - 1 - slack), (">=", first - slack)])
        else:
            begin = first
            test, end = rng.choice([("<", last + 1 + slack), ("<=", last + slack)])
            if test == "<" and step == 1 and rng.random() < 0.1:
                test = "!="
        way = "-" if down else "+"
        move = f"{name} {way}= {step}" if step > 1 else rng.choice([way * 2 + name, name + way * 2])
        begin, end = (f"{v} + z" if rng.random() < 0.6 else v for v in (begin, end))
        self.head = f"for ({self.type} {name} = {begin}; {name} {test} {end}; {move})"


def offset_text(name, offset):
    return name if offset == 0 else f"{name} {'+' if offset > 0 else '-'} {abs(offset)}"


def write_subscript(rng, extent):
    """How a loop over a dimension writes it: (text of the counter, low, high)."""
    kind = rng.random()
    if kind < 0.8:
        offset = rng.choice([0, 0, 0, 0, 1, -1, 3, -2])
        return (lambda v: offset_text(v, offset)), -offset, extent - 1 - offset
    if kind < 0.9:
        top = extent - 1 + rng.choice([0, 0, 2])
        return (lambda v: f"{top} - {v}"), top - extent + 1, top
    factor = rng.choice([2, 3])
    offset = rng.choice([0, 1])
    return (lambda v: offset_text(f"{factor} * {v}", offset)), 0, (extent - 1 - offset) // factor


class Reads:
    """Random expressions of loop counters, scalars and array elements."""

    def __init__(self, rng, loops, arrays, scalars):
        self.rng, self.loops, self.scalars = rng, loops, scalars
        self.arrays = [a for a in arrays if a.size]
        self.used = []

    def use(self, array):
        if array not in self.used:
            self.used.append(array)

    def subscript(self, extent, depth):
        rng = self.rng
        loop = rng.choice(self.loops) if self.loops else None
        indices = [a for a in self.arrays if 0 < a.values <= extent]
        kind = rng.random()
        if loop is None or kind < 0.06:
            return str(rng.randrange(extent))
        if indices and kind < 0.25 and depth < 2:
            array = rng.choice(indices)
            self.use(array)
            return array.element([self.subscript(array.size, depth + 1)])
        low, high = loop.low, loop.high
        if high - low < extent and kind < 0.85:
            if kind < 0.75:
                offset = rng.choice([o for o in [0, 0, 0, 1, -1, 2, -low, extent - 1 - high]
                                     if 0 <= low + o and high + o < extent] or [-low])
                return offset_text(loop.name, offset)
            top = rng.randint(high, low + extent - 1)
            return f"{top} - {loop.name}"
        factor = rng.choice([1, 2, 3, 7])
        offset = rng.randrange(50) - min(0, factor * low)
        return f"({factor} * {loop.name} + {offset}) % {extent}"

    def element(self):
        """An element of an array, as a long."""
        array = self.rng.choice(self.arrays)
        self.use(array)
        return "(long)" + array.element([self.subscript(d, 0) for d in array.dims])

    def term(self):
        kind = self.rng.random()
        if kind < 0.65 and self.arrays:
            return self.element()
        if kind < 0.85 and self.loops:
            return f"(long){self.rng.choice(self.loops).name}"
        return self.rng.choice(self.scalars)

    def value(self):
        rng = self.rng
        terms = [self.term() for _ in range(rng.choice([1, 2, 2, 3]))]
        text = f"{terms[0]} * {rng.randrange(1, 9)}"
        for term in terms[1:]:
            text += f" {rng.choice('++-^')} {term}"
            if rng.random() < 0.3:
                text = f"mix({text}, {rng.choice(self.scalars)})"
        return text
