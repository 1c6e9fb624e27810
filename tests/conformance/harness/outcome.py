# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one run of a test gave, and how the runs on two runtimes compare."""

from dataclasses import dataclass

# Higher is better. A run that neither passes nor ends is worse than one that
# fails; everything of equal rank compares as equal.
RANK = {
    "PASS": 3,
    "XFAIL": 3,
    "XPASS": 3,
    "SKIPPED": 2,
    "UNSUPPORTED": 2,
    "FAIL": 1,
    "CRASH": 1,
    "NOCOMPILE": 1,
    "UNRESOLVED": 1,
    "TIMEOUT": 0,
}


@dataclass
class Outcome:
    """One run: a key of RANK, and the output."""

    code: str
    output: str = ""

    @property
    def rank(self):
        return RANK[self.code]

    def __str__(self):
        return self.code


def mean(outcomes):
    return sum(outcome.rank for outcome in outcomes) / len(outcomes)


def verdict(stock, ours):
    """Compares the runs of one test: equal, better, worse or unstable.

    A test is worse when its runs with ours rank lower in the mean than those
    with stock. Only where stock itself does not give the same result each
    time is that called unstable instead.
    """
    if mean(ours) > mean(stock):
        return "better"
    if mean(ours) == mean(stock):
        return "equal"
    return "unstable" if len({run.rank for run in stock}) > 1 else "worse"


def summarize(outcomes):
    """The outcomes of one test on one library as a short text."""
    texts = [str(outcome) for outcome in outcomes]
    if len(set(texts)) == 1:
        return texts[0]
    counts = {text: texts.count(text) for text in dict.fromkeys(texts)}
    return ", ".join(f"{count}x {text}" for text, count in counts.items())
