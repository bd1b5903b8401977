#!/usr/bin/env python3
"""How often intervals and comparisons hold, through the built program.

Many audits of two models that follow the real set's own law, all sets drawn anew. Per law, sizes and metric: the share
of 95 % intervals that contain the mean of the metric over these audits, and the share of comparisons of the two models
whose interval excludes zero.

usage: interval_rates.py PROGRAM [--audits 40] [--jobs 2] [--laws NAME ..] [--sizes 500x500 ..] [--check]
"""

import argparse
import concurrent.futures
import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

METRICS = [
    "clipped_density",
    "clipped_coverage",
    "density",
    "coverage",
    "recall",
    "rce",
    "re",
    "authenticity",
    "precision",
    "pce",
]
SIZES = ["500x500", "200x2000", "2000x200"]
LEAST_HELD = 0.85
LEAST_HELD_ONCE = 0.80  # in at most two settings of a metric
MOST_DIFFERING = 0.08


def gauss(dim):
    return lambda random, rows: random.normal(size=(rows, dim))


def mixture(dim):
    centres = 3 * np.random.default_rng(77).normal(size=(10, dim))
    return lambda random, rows: centres[random.integers(0, 10, rows)] + random.normal(size=(rows, dim))


def lognormal(dim, sigma):
    return lambda random, rows: np.exp(sigma * random.normal(size=(rows, dim)))


def student(dim, freedom):
    return lambda random, rows: random.standard_t(freedom, size=(rows, dim))


def uneven(dim):
    """Four clusters of widths 0.01 to 10."""
    centres = 20 * np.random.default_rng(6).normal(size=(4, dim))
    width = np.array([0.01, 0.1, 1, 10])

    def draw(random, rows):
        cluster = random.integers(0, 4, rows)
        return centres[cluster] + width[cluster, None] * random.normal(size=(rows, dim))

    return draw


def swiss_roll(dim, noise):
    basis = np.linalg.qr(np.random.default_rng(7).normal(size=(dim, 3)))[0]

    def draw(random, rows):
        angle = 1.5 * np.pi * (1 + 2 * random.uniform(size=rows))
        rolled = np.stack([angle * np.cos(angle), 21 * random.uniform(size=rows), angle * np.sin(angle)], 1)
        return rolled @ basis.T + noise * random.normal(size=(rows, dim))

    return draw


def sphere(dim):
    centres = np.random.default_rng(8).normal(size=(20, dim))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)

    def draw(random, rows):
        points = centres[random.integers(0, 20, rows)] + 0.5 * random.normal(size=(rows, dim)) / np.sqrt(dim)
        return points / np.linalg.norm(points, axis=1, keepdims=True)

    return draw


def table(random, rows):
    """Ages, jobs, incomes of which half are 0, flags, weeks of work."""
    age = random.integers(18, 90, rows)
    job = np.minimum(random.geometric(0.3, rows), 8) - 1
    income = np.where(random.uniform(size=rows) < 0.5, 0, np.exp(1 + 0.5 * random.normal(size=rows) + 0.02 * age))
    flags = random.uniform(size=(rows, 5)) < [0.01, 0.05, 0.3, 0.5, 0.9]
    gain = np.where(random.uniform(size=rows) < 0.92, 0, np.round(random.lognormal(3, 1, rows)))
    hours = np.round(random.normal(40, 8, rows))
    return np.column_stack([(age - 50) / 20, np.eye(8)[job], income / 10, flags, gain / 30, hours / 10])


def zero_inflated(dim, share):
    return lambda random, rows: np.where(
        random.uniform(size=(rows, dim)) < share, 0, np.abs(random.normal(size=(rows, dim)))
    )


LAWS = {
    "gauss d2": gauss(2),
    "gauss d16": gauss(16),
    "gauss d128": gauss(128),
    "mixture d2": mixture(2),
    "mixture d16": mixture(16),
    "lognormal d8": lognormal(8, 2),
    "lognormal d64": lognormal(64, 2),
    "student d8": student(8, 3),
    "uneven d16": uneven(16),
    "swiss roll d64": swiss_roll(64, 0.01),
    "sphere d256": sphere(256),
    "table": table,
    "zero-inflated d8": zero_inflated(8, 0.5),
}


def audit(program, law, sizes, number):
    """One audit: per metric the values of both models, their intervals and whether the models differ."""
    random = np.random.default_rng([number, zlib.crc32(law.encode()), *sizes])
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--quiet", "--json", "-", "--threads", "1"]
        for name, option, rows in (
            ("real", "--real", sizes[0]),
            ("a", "--synthetic", sizes[1]),
            ("b", "--synthetic", sizes[1]),
        ):
            file = str(Path(folder) / f"{name}.npy")
            np.save(file, LAWS[law](random, rows).astype(np.float32))
            command += [option, file]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    comparison = result["comparisons"][0]["metrics"]
    nan = float("nan")

    def bound(model, metric, end):
        value = model["intervals"][metric][end]
        return nan if value is None else value

    return {
        metric: [
            [model["metrics"][metric] for model in result["models"]],
            [bound(model, metric, "low") for model in result["models"]],
            [bound(model, metric, "high") for model in result["models"]],
            [comparison[metric]["excludes_zero"]] * 2,
        ]
        for metric in METRICS
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--audits", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--laws", nargs="*", default=list(LAWS))
    parser.add_argument("--sizes", nargs="*", default=SIZES)
    parser.add_argument("--check", action="store_true", help="exit with 1 where rates miss what they should be")
    given = parser.parse_args()
    print("| law | N x M |", " | ".join(METRICS), "|")
    print("|" + "---|" * (2 + len(METRICS)))
    differing, comparisons = 0, 0
    low = {metric: [] for metric in METRICS}
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for law in given.laws:
            for size in given.sizes:
                sizes = [int(rows) for rows in size.split("x")]
                found = list(pool.map(lambda number: audit(given.program, law, sizes, number), range(given.audits)))
                cells = []
                for metric in METRICS:
                    values, lows, highs, differ = np.array([one[metric] for one in found], float).transpose(1, 0, 2)
                    rounding = 1e-12 + 1e-12 * abs(values.mean())
                    held = ((lows - rounding <= values.mean()) & (values.mean() <= highs + rounding)).mean()
                    cells.append(f"{100 * held:.0f} / {100 * differ.mean():.0f}")
                    differing += differ[:, 0].sum()
                    comparisons += len(differ)
                    if held < LEAST_HELD:
                        low[metric].append(held)
                print(f"| {law} | {size} |", " | ".join(cells), "|", flush=True)
    print(f"\nholds the mean / differs, %. Differing in all: {100 * differing / comparisons:.1f} %")
    missed = [metric for metric in METRICS if len(low[metric]) > 2 or min(low[metric], default=1) < LEAST_HELD_ONCE]
    if missed:
        print("held too seldom:", ", ".join(missed))
    sys.exit(1 if given.check and (missed or differing > MOST_DIFFERING * comparisons) else 0)


if __name__ == "__main__":
    main()
