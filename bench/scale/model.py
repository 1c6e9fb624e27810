#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits a model to RESULT lines of bench/scale and predicts more devices.

A step on N devices takes

    t(N) = work / N  +  exchange(N)  +  constant

    work      w * items of the step; w_cache instead of w where a device's part
              of the arrays fits its second cache
    exchange  a + b * (N - 1), only where N > 1: a is what neighbours take, b
              what each further device costs the one thread that queues
    constant  c, a launch and its end

Coefficients are not negative, and those with the least relative error. Runs on
1 and 2 devices cannot tell a from b: the prediction is then a range, from all
of it being a (best) to all of it being b (worst).

usage: model.py [FILE...] [--impl accx-spread] [--cache MiB]
"""

import argparse
import itertools

import results

# Items of a step and bytes that it works on, by the size.
PROBLEMS = {
    "scale-jacobi": (lambda n: n * n, lambda n: 8 * n * n),
    "scale-hydro": (lambda n: n * n, lambda n: 32 * n * n),
    "scale-product": (lambda n: n ** 3, lambda n: 0),
    "scale-nbody": (lambda n: n * n, lambda n: 0),
    "scale-sum": (lambda n: n, lambda n: 4 * n),
}
TARGETS = (4, 8, 64)
NAMES = ("w", "w_cache", "c", "a", "b")


def row(problem, size, devices, cache):
    """What each coefficient counts with."""
    items, size_of = problem
    cached = 0 < size_of(size) / devices <= cache
    work = items(size) / devices
    return [0 if cached else work, work if cached else 0, 1,
            1 if devices > 1 else 0, devices - 1]


def solve(matrix, vector):
    """A small linear system, or None where it has no one solution."""
    n = len(vector)
    rows = [list(m) + [v] for m, v in zip(matrix, vector)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        if abs(rows[pivot][i]) < 1e-12:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def fit(rows, times, used):
    """Least squares of the relative error, with no negative coefficient."""
    best, least = None, float("inf")
    # Columns are scaled, as work counts in billions.
    scale = [max(abs(r[k]) for r in rows) or 1 for k in range(len(NAMES))]
    for count in range(1, len(used) + 1):
        for chosen in itertools.combinations(used, count):
            a = [[r[k] / scale[k] / t for k in chosen]
                 for r, t in zip(rows, times)]
            normal = [[sum(x[i] * x[j] for x in a) for j in range(count)]
                      for i in range(count)]
            found = solve(normal, [sum(x[i] for x in a) for i in range(count)])
            if found is None or min(found) < 0:
                continue
            error = sum((sum(f * v for f, v in zip(found, x)) - 1) ** 2
                        for x in a)
            # One coefficient more has to gain something.
            if error < least * 0.98 - 1e-12:
                least = error
                best = [0.0] * len(NAMES)
                for k, f in zip(chosen, found):
                    best[k] = f / scale[k]
    return best


def value(coefficients, r):
    return sum(c * x for c, x in zip(coefficients, r))


def worst(model, rows, times):
    return max(abs(value(model, r) / t - 1) for r, t in zip(rows, times))


def report(bench, points, cache):
    problem = PROBLEMS[bench]
    rows = [row(problem, size, n, cache) for size, n, _ in points]
    times = [ms for _, _, ms in points]
    counts = sorted({n for _, n, _ in points})
    most = counts[-1]
    if most == 1:
        return
    usable = [k for k in range(len(NAMES)) if any(r[k] for r in rows)]
    sides = {"": usable}
    if most == 2:
        sides = {"best ": [k for k in usable if k != 4],
                 "worst ": [k for k in usable if k != 3]}
    models = {}
    for side, used in sides.items():
        models[side] = fit(rows, times, used)
        if models[side] is None:
            print(f"# {bench}: no model")
            return
    first = next(iter(models.values()))
    text = " ".join(f"{n}={c:.3g}" for n, c in zip(NAMES, first) if c)
    print(f"# {bench}: {text} ms; {len(points)} points, largest error "
          f"{100 * worst(first, rows, times):.1f} %")
    for (size, n, ms), r in zip(points, rows):
        got = value(first, r)
        print(f"#   {size} on {n}: {ms:.4f} ms, model {got:.4f} "
              f"({100 * (got / ms - 1):+.1f} %)")
    # What fewer devices would have said of the most that were measured.
    fewer = [i for i, p in enumerate(points) if p[1] < most]
    if len({points[i][1] for i in fewer}) > 1:
        model = fit([rows[i] for i in fewer], [times[i] for i in fewer], usable)
        rest = [i for i in range(len(points)) if i not in fewer]
        if model and rest:
            error = worst(model, [rows[i] for i in rest],
                          [times[i] for i in rest])
            print(f"#   fitted without {most} devices it is off there by up "
                  f"to {100 * error:.1f} %")
    for size in sorted({size for size, _, _ in points}):
        alone = next((ms for s, n, ms in points if s == size and n == 1), None)
        words = []
        for n in TARGETS:
            both = [value(m, row(problem, size, n, cache))
                    for m in models.values()]
            span = "-".join(dict.fromkeys(f"{t:.4f}" for t in both))
            word = f"{n} devices {span} ms"
            if alone:
                gains = dict.fromkeys(f"{alone / t / n:.2f}" for t in both)
                word += f" ({'-'.join(gains)})"
            words.append(word)
        print(f"#   {size}: {'; '.join(words)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--impl", default="accx-spread")
    parser.add_argument("--cache", type=float, default=40,
                        help="MiB of a device's second cache (40)")
    options = parser.parse_args()
    table = results.medians(results.read(options.files))
    print("# model: t(N) = work / N + exchange(N) + constant; in brackets the "
          "efficiency")
    for bench in PROBLEMS:
        points = [(int(size), n, ms)
                  for size, times in table.get(bench, {}).items()
                  for (impl, n), ms in times.items() if impl == options.impl]
        if points:
            report(bench, sorted(points), options.cache * 2 ** 20)


if __name__ == "__main__":
    main()
