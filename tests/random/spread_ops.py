# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs do with spread arrays: see random_spread.py.

An operation's lines(dev) are C: for the devices, or what the same is on one
array in the host's memory.
"""

from spread_nests import Loop, Reads, offset_text, write_subscript

REDUCTIONS = [("+", "long"), ("+", "int"), ("+", "float"), ("+", "double"),
              ("max", "int"), ("min", "long"), ("max", "double"), ("min", "float"),
              ("*", "unsigned long"), ("&", "long"), ("|", "int"), ("^", "unsigned long"),
              ("&&", "int"), ("||", "int")]


def indent(lines):
    return ["  " + line if not line.startswith("#") else line for line in lines]


class Case:
    """What operations ask about their program."""

    def __init__(self, rng, acc, devices):
        self.rng, self.acc, self.devices = rng, acc, devices
        self.arrays, self.results = [], []

    def one(self):
        """Some device of the list."""
        if self.devices is None:
            return self.rng.choice(["0", "nd - 1", "2 % nd", "5 % nd"])
        return str(self.rng.choice(self.devices))

    def some(self):
        """A clause for some of them, in any order."""
        if self.devices is None:
            return self.rng.choice(["", "", " devices(all)", " devices(nd - 1)"])
        some = list(self.devices)
        self.rng.shuffle(some)
        if self.rng.random() < 0.3:
            some = some[: self.rng.randint(1, len(some))]
        return f" devices({', '.join(self.rng.choice([str(d), f'{d} + z']) for d in some)})"

    def spread(self):
        return [a for a in self.arrays if a.role == "spread"]

    def wait(self, what=""):
        if self.devices is None:
            return ["for (int d = 0; d < nd; ++d) {", f"#pragma acc wait{what} device(d)", "}"]
        return [f"#pragma acc wait{what} device({', '.join(map(str, self.devices))})"]

    def result(self, type, value):
        name = f"r{len(self.results)}"
        self.results.append((name, type, value))
        return name


class Nest:
    """A loop nest, over all devices or on one."""

    always_single = False

    def __init__(self, case, target, arrays, single=False, reduce=False, aliased=()):
        rng = case.rng
        self.case, self.target, self.single = case, target, single or self.always_single
        shape = target.dims if target else tuple(rng.choice([0, 1, 3, 17, 100, 2000])
                                                 for _ in range(rng.choice([1, 1, 2])))
        names = list("ijk"[: len(shape)])
        order = list(range(len(shape)))
        if rng.random() < 0.25:
            rng.shuffle(order)
        self.loops, subscripts = [None] * len(shape), [None] * len(shape)
        for dim, extent in enumerate(shape):
            text, low, high = write_subscript(rng, extent)
            place = order.index(dim)
            loop = Loop(rng, names[place], low, high)
            self.loops[place], subscripts[dim] = loop, text(names[place])
        self.collapse = rng.randint(1, len(shape))
        self.reads = Reads(rng, self.loops, [a for a in arrays if a is not target], ["c0", "c1"])
        self.body, self.reductions, self.atomics = [], [], []
        if target:
            self.write(subscripts)
        if reduce:
            for _ in range(rng.choice([1, 1, 2, 3])):
                self.reduction()
        histograms = [a for a in case.spread() if a is not target and a.size and a.form == "flat"
                      and a.role == "spread" and a not in self.reads.used and a not in aliased
                      and not a.values]
        if histograms and (rng.random() < 0.15 or not self.body):
            self.atomic(rng.choice(histograms))
        self.asynchronous = (case.acc and not single and not self.reductions
                             and rng.random() < 0.2)
        self.choose_directive()

    def write(self, subscripts):
        rng, target = self.case.rng, self.target
        perms = [a for a in self.case.arrays if a.one and target.dims == (a.values,) and a is not target]
        if perms and rng.random() < 0.5:
            perm = rng.choice(perms)
            self.reads.use(perm)
            subscripts = [perm.element(subscripts)]
        where = target.element(subscripts)
        value = self.reads.value()
        if rng.random() < 0.3:
            value += f" + 3 * (long){where}"
        if rng.random() < 0.15 and self.reads.arrays:
            inner = Loop(rng, "q", 0, rng.choice([2, 5, 20]))
            loops, self.reads.loops = self.reads.loops, self.reads.loops + [inner]
            self.body += ["long t = 0;", inner.head,
                          f"  t += {self.reads.element()} * {self.reads.term()};"]
            self.reads.loops = loops
            value += " + t"
        line = f"{where} = ({target.type})(({value}) & 1023);"
        if rng.random() < 0.2:
            line = f"if ((({self.reads.value()}) & 3) != {rng.randrange(4)}) {line}"
        self.body.append(line)

    def reduction(self):
        rng = self.case.rng
        op, type = rng.choice(REDUCTIONS)
        first = {"*": "1", "&": "1023", "&&": "1", "||": "0"}.get(op, str(rng.choice([0, 1, 7])))
        name = self.case.result(type, first)
        value = f"(({self.reads.value()}) & {rng.choice([7, 3])})"
        if op == "max" or op == "min":
            value = f"({type})(({self.reads.value()}) & 1023)"
            test = ">" if op == "max" else "<"
            line = rng.choice([f"{name} = {name} {test} {value} ? {name} : {value};",
                               f"if ({value} {test} {name}) {name} = {value};"])
        elif op == "&":
            line = f"{name} &= {value} | 512;"
        elif op == "*":
            line = f"{name} *= 2 * (unsigned long){value} + 1;"
        elif op == "&&":
            line = f"{name} = {name} && {value} != {rng.choice([9, 9, 2])};"
        elif op == "||":
            line = f"{name} = {name} || {value} == {rng.choice([9, 9, 2])};"
        else:
            line = f"{name} {op}= ({type}){value};"
        self.reductions.append((op, name))
        self.body.append(line)

    def atomic(self, array):
        rng = self.case.rng
        subscript = self.reads.subscript(array.size, 0)
        self.reads.arrays = [a for a in self.reads.arrays if a is not array]
        if array in self.reads.used:
            return
        value = f"({array.type})(({self.reads.value()}) & 7)"
        if array in self.reads.used:
            return
        op = "+" if array.type in ("float", "double") else rng.choice("++^|")
        self.atomics.append(array)
        self.body += ["#pragma acc atomic update" if self.case.acc else "#pragma omp atomic",
                      f"{array.element([subscript])} {op}= {value};"]

    def choose_directive(self):
        case, rng = self.case, self.case.rng
        text = f" collapse({self.collapse})" if self.collapse > 1 else ""
        for op, name in self.reductions:
            text += f" reduction({op} : {name})"
        if case.acc:
            head = rng.choice(["acc parallel loop", "acc parallel loop gang vector", "acc kernels loop",
                               "acc parallel loop independent", "acc kernels loop independent"])
            text += rng.choice(["", "", "", " vector_length(64)"])
        else:
            head = rng.choice(["omp target teams distribute parallel for"] * 4 +
                              ["omp target teams loop", "omp target teams distribute parallel for simd"])
            text += rng.choice(["", "", "", " thread_limit(64)"]) + rng.choice(["", "", "", " num_teams(3)"])
        used = self.reads.used + self.atomics + ([self.target] if self.target else [])
        for array in dict.fromkeys(used):
            text += self.map(array)
        self.directive = f"#pragma {head}{text}"
        schedule = rng.choice(["", "", "", " schedule(owner)", " schedule(block)"])
        self.distribute = f"#pragma accx distribute{case.some()}{schedule}"
        self.where, self.queue = case.one(), rng.choice([1, 2, 5])

    def map(self, array):
        acc, rng = self.case.acc, self.case.rng
        if array.role == "local":
            return f" copyin({array.name})" if acc and rng.random() < 0.5 else ""
        if array.role == "free":
            if array is self.target:
                return f" {'copy' if acc else 'map'}({'' if acc else 'tofrom: '}{array.section()})"
            return f" {'copyin' if acc else 'map'}({'' if acc else 'to: '}{array.section()})"
        if acc:
            return rng.choice([f" present({array.name})", f" present({array.section()})",
                               f" copy({array.section()})"])
        return rng.choice(["", "", f" map(tofrom: {array.section()})",
                           f" map(present, tofrom: {array.section()})" if array.size else ""])

    def lines(self, dev):
        body = self.body if dev else [line for line in self.body if not line.startswith("#")]
        for loop in reversed(self.loops):
            body = [loop.head + " {"] + indent(body) + ["}"]
        if not dev:
            return body
        head = self.directive
        if self.single:
            head += f" {'deviceid' if self.case.acc else 'device'}({self.where})"
            if self.case.acc:
                return [head] + body + [f"#pragma acc wait device({self.where})"]
            return [head] + body
        if self.asynchronous:
            head += f" async({self.queue})"
        body = [self.distribute, head] + body
        return body + (self.case.wait(f"({self.queue})") if self.asynchronous else [])


class Update:
    """A part goes to the host, changes and goes back, each by some device."""

    def __init__(self, case, array):
        rng = case.rng
        self.case, self.array = case, array
        rows = array.size if array.form == "flat" else array.dims[0]
        self.first = rng.randrange(rows) if rng.random() < 0.8 else 0
        self.length = rng.choice([rows - self.first, rng.randint(0, rows - self.first),
                                  min(3, rows - self.first)])
        self.routine = rng.random() < 0.3
        self.poison = array.role == "spread" and rng.random() < 0.7
        self.devices = case.one(), case.one()
        self.add = rng.randrange(9)

    def lines(self, dev):
        array, acc = self.array, self.case.acc
        part = array.section(self.first, self.length)
        first, last = self.first, self.first + self.length
        row = array.size // (1 if array.form == "flat" else array.dims[0])
        inside = 1 if array.form == "flat" else row
        base = f"(&{array.element(['0'] * (1 if array.form == 'flat' else len(array.dims)))})"
        if array.form == "flat":
            base = array.name
        change = [f"for (long x = {first * inside}; x < {last * inside}; ++x)",
                  f"  {base}[x] = ({array.type})(((long){base}[x] * 5 + {self.add}) & 1023);"]
        if not dev:
            return change
        out = []
        if self.poison:
            out += [f"for (long x = 0; x < {array.size}; ++x)", f"  {base}[x] = ({array.type})77;"]
        bytes_ = f"{self.length * inside} * sizeof({array.type})"
        if acc and self.routine and self.length:
            out += [f"acc_set_device_num({self.devices[0]}, acc_device_not_host);",
                    f"acc_update_self({base} + {first * inside}, {bytes_});", *change,
                    f"acc_set_device_num({self.devices[1]}, acc_device_not_host);",
                    f"acc_update_device({base} + {first * inside}, {bytes_});",
                    "acc_set_device_num(0, acc_device_not_host);"]
        elif acc:
            out += [f"#pragma acc update self({part}) deviceid({self.devices[0]})",
                    f"#pragma acc wait device({self.devices[0]})", *change,
                    f"#pragma acc update device({part}) deviceid({self.devices[1]})",
                    f"#pragma acc wait device({self.devices[1]})"]
        else:
            out += [f"#pragma omp target update from({part}) device({self.devices[0]})", *change,
                    f"#pragma omp target update to({part}) device({self.devices[1]})"]
        return out


class Memcpy:
    """Part of one flat array to a part of another, or of the same."""

    def __init__(self, case, to, source):
        rng = case.rng
        self.case, self.to, self.source = case, to, source
        self.length = rng.randint(1, min(to.size, source.size))
        if to is source:
            self.length = max(1, self.length // 2)
        self.from_, self.at = rng.randint(0, source.size - self.length), rng.randint(0, to.size - self.length)
        if to is source:
            self.from_, self.at = 0, to.size - self.length
        self.devices = case.one(), case.one()
        self.staged = rng.random() < 0.4

    def lines(self, dev):
        to, source, acc = self.to.name, self.source.name, self.case.acc
        length, there, here = self.length, self.at, self.from_
        size = f"sizeof({self.to.type})"
        if self.to is self.source and self.to.size < 2:
            return []
        if not dev:
            return [f"memcpy({to} + {there}, {source} + {here}, {length} * {size});"]
        d, e = self.devices
        if acc:
            select = lambda n: f"acc_set_device_num({n}, acc_device_not_host);"
            if self.staged:
                lines = [f"void *t = malloc({length} * {size});", select(e),
                         f"acc_memcpy_from_device(t, acc_deviceptr({source} + {here}), {length} * {size});",
                         select(d),
                         f"acc_memcpy_to_device(acc_deviceptr({to} + {there}), t, {length} * {size});", "free(t);"]
            else:
                lines = [select(d), f"void *t = acc_deviceptr({to} + {there}), *f = acc_deviceptr({source} + {here});",
                         f"acc_memcpy_device(t, f, {length} * {size});"]
            return ["{", *indent(lines + [select(0)]), "}"]
        copy = (lambda t, f, td, fd, a, b:
                f"bad |= omp_target_memcpy({t}, {f}, {length} * {size}, {a} * {size}, {b} * {size}, {td}, {fd});")
        get = lambda name, n: f"omp_get_mapped_ptr({name}, {n})"
        if self.staged:
            lines = [f"void *t = malloc({length} * {size});",
                     copy("t", get(source, e), "omp_get_initial_device()", e, 0, here),
                     copy(get(to, d), "t", d, "omp_get_initial_device()", there, 0), "free(t);"]
        else:
            lines = [copy(get(to, d), get(source, e), d, e, there, here)]
        return ["{", *indent(lines), "}"]


class Pieces:
    """One piece of a flat array on each of several devices at once."""

    def __init__(self, case, array, arrays):
        rng = case.rng
        self.case, self.array = case, array
        self.devices = [case.one() for _ in range(rng.choice([2, 3]))]
        loop = Loop(rng, "i", 0, array.size - 1)
        loop.low, loop.high = 0, array.size - 1
        reads = Reads(rng, [loop], [a for a in arrays if a is not array and a.role == "spread"], ["c0", "c1"])
        self.value = reads.value()
        self.used = reads.used

    def lines(self, dev):
        name, size = self.array.name, self.array.size
        line = f"{name}[i] = ({self.array.type})(({self.value} + (long){name}[i]) & 1023);"
        if not dev:
            return [f"for (int i = 0; i < {size}; ++i)", "  " + line]
        pieces = len(self.devices)
        out = ["{", f"const int list[] = {{{', '.join(self.devices)}}};",
               f"for (int p = 0; p < {pieces}; ++p) {{",
               f"const int lo = {size}L * p / {pieces}, hi = {size}L * (p + 1) / {pieces};"]
        if self.case.acc:
            present = ", ".join(a.name for a in [self.array, *self.used])
            out.append(f"#pragma acc parallel loop deviceid(list[p]) present({present})")
        else:
            out.append("#pragma omp target teams distribute parallel for device(list[p]) nowait")
        out += ["for (int i = lo; i < hi; ++i)", "  " + line, "}"]
        if self.case.acc:
            out += [f"for (int p = 0; p < {pieces}; ++p) {{", "#pragma acc wait device(list[p])", "}"]
        else:
            out.append("#pragma omp taskwait")
        return out + ["}"]


class Steps:
    """A time loop over two arrays that swap."""

    def __init__(self, case, one, other, arrays):
        rng = case.rng
        self.case, self.one, self.other = case, one, other
        self.steps = rng.choice([1, 2, 5, 12])
        source, target = one.alias("p"), other.alias("q")
        rest = [a for a in arrays if a is not one and a is not other and a.role != "free"]
        self.nests = [Nest(case, target, [source] * (len(rest) + 1) + rest, reduce=rng.random() < 0.2,
                           aliased=(one, other))]
        if rng.random() < 0.3:
            self.nests.append(Nest(case, target, [source], single=True, aliased=(one, other)))

    def lines(self, dev):
        columns = "".join(f"[{d}]" for d in self.one.dims[1:]) if self.one.form != "flat" else ""
        type = self.one.type
        name = (lambda n: f"*{n}") if not columns else (lambda n: f"(*{n}){columns}")
        body = [line for nest in self.nests for line in nest.lines(dev)]
        return ["{", f"{type} {name('p')} = {self.one.name}, {name('q')} = {self.other.name};",
                f"for (int s = 0; s < {self.steps}; ++s) {{", *indent(body),
                f"  {type} {name('w')} = p; p = q; q = w;", "}", "}"]


class Scalar:
    def __init__(self, case):
        self.text = case.rng.choice(["c0 = (c0 * 3 + 1) & 15;", "c1 = (c1 + c0) & 7;"])

    def lines(self, dev):
        return [self.text]


class Owners:
    """Each byte belongs to a device of the list."""

    def __init__(self, case, array):
        self.case, self.array = case, array

    def lines(self, dev):
        if not dev or not self.array.size:
            return []
        array, devices = self.array, self.case.devices
        known = (" || ".join(f"o == {d}" for d in devices) if devices is not None
                 else "o >= 0 && o < nd")
        base = array.name if array.form == "flat" else f"(char *){array.name}"
        size = array.size if array.form == "flat" else f"(long){array.size} * sizeof({array.type})"
        return [f"for (long x = 0; x < {size}; x += 61) {{",
                f"  const int o = accx_owner_of({base} + x);", f"  bad |= !({known});", "}"]
