#!/usr/bin/env python3
"""How often are good models accused? Audits real and synthetic sets of one law, with and without held-out samples.

usage: calibration.py ASSAY_SCORE [--audits N] [--seed S] [--check]

Prints, by setting, in how many audits the model was marked and in how many anything was said against it. With --check
the exit status is 1 if more than 1.5 % of all audits are marked, or more than 5 % are told a fault. docs/verdicts.md has
the rates. Needs NumPy; the program does not.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

FIXED = np.random.default_rng(77)
CENTRES = {d: FIXED.normal(size=(10, d)) * 3 for d in (2, 8, 16, 64)}
SURFACE = FIXED.normal(size=(6, 100))
RATES = FIXED.lognormal(-1, 1.5, 40)


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def one_hot(codes, values):
    return np.concatenate([np.eye(values)[codes[:, j]] for j in range(codes.shape[1])], 1)


def gauss(d):
    return lambda g, n: g.normal(size=(n, d))


def mixture(d):
    return lambda g, n: CENTRES[d][g.integers(0, 10, n)] + g.normal(size=(n, d))


def mixed_table(g, n):
    return np.c_[np.exp(g.normal(size=(n, 3))), one_hot(g.integers(0, 3, (n, 2)), 3), np.round(g.normal(40, 8, n)) / 8]


def unequal_widths(g, n):
    c = g.integers(0, 10, n)
    return CENTRES[16][c] + np.linspace(0.1, 4, 10)[c][:, None] * g.normal(size=(n, 16))


LAWS = {
    "gauss d2": gauss(2),
    "gauss d16": gauss(16),
    "gauss d256": gauss(256),
    "gauss d2048": gauss(2048),
    "mixture d2": mixture(2),
    "mixture d8": mixture(8),
    "mixture d64": mixture(64),
    "student": lambda g, n: g.standard_t(3, size=(n, 10)),
    "cauchy": lambda g, n: g.standard_cauchy(size=(n, 8)),
    "lognormal": lambda g, n: np.exp(2 * g.normal(size=(n, 10))),
    "unequal widths": unequal_widths,
    "surface": lambda g, n: np.tanh(g.normal(size=(n, 6)) @ SURFACE),
    "sphere": lambda g, n: unit(g.normal(size=(n, 48)) + 0.3),
    "spectrum": lambda g, n: g.normal(size=(n, 256)) / np.sqrt(np.arange(1, 257)),
    "one-hot": lambda g, n: one_hot(g.choice(5, (n, 6), p=[0.4, 0.3, 0.15, 0.1, 0.05]), 5),
    "one-hot of 3": lambda g, n: one_hot(g.choice(6, (n, 3), p=[0.4, 0.25, 0.15, 0.1, 0.06, 0.04]), 6),
    "flags": lambda g, n: (g.random((n, 30)) < 0.3) * 1.0,
    "counts": lambda g, n: g.poisson(2, (n, 12)) * 1.0,
    "genes": lambda g, n: np.log1p(g.poisson(RATES * g.gamma(2, 0.5, (n, 1)))),
    "rounded": lambda g, n: np.round(g.normal(size=(n, 4)), 1),
    "zero-inflated": lambda g, n: np.where(g.random((n, 8)) < 0.6, 0, np.abs(g.normal(size=(n, 8)))),
    "mixed table": mixed_table,
    "piano rolls": lambda g, n: (g.random((n, 192)) < 0.05) * 1.0,
}
SIZES = [(500, 500), (150, 200), (1000, 300), (300, 1000), (60, 60), (200, 20), (30, 400), (2000, 2000)]


def audit(exe, folder, sets):
    for name, rows in sets.items():
        np.save(f"{folder}/{name}.npy", np.ascontiguousarray(rows, "f4"))
    command = [exe, "--real", f"{folder}/real.npy", "--synthetic", f"m={folder}/model.npy", "--json", "-", "--quiet"]
    if "held" in sets:
        command += ["--held-out", f"{folder}/held.npy"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["models"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("exe")
    parser.add_argument("--audits", type=int, default=len(LAWS) * len(SIZES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    settings = [(law, size) for size in SIZES for law in LAWS]
    marked, told, audits, said = (collections.Counter() for _ in range(4))
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.audits):
            law, (n, m) = settings[i % len(settings)]
            g = np.random.default_rng([options.seed, i])
            sets = {"real": LAWS[law](g, n), "model": LAWS[law](g, m)}
            if (i // len(settings) + i) % 3 == 0:
                sets["held"] = LAWS[law](g, max(30, n // 2))
            model = audit(options.exe, folder, sets)
            marks = [f["id"] for f in model["findings"] if f["marks_model"]]
            against = not model["summary"].startswith(("As good as real", "No fault found"))
            for key in ("all", law, f"{n} / {m}", "with held-out" if "held" in sets else "without"):
                audits[key] += 1
                marked[key] += bool(marks)
                told[key] += against
            for name in marks:
                said[name] += 1
            if marks or against:
                print(
                    f"{i:5} {law}, {n} / {m}{' held-out' if 'held' in sets else ''}: {'(!) ' if marks else ''}{model['summary'][:170]}",
                    flush=True,
                )
    print(f"\n{'setting':18s} audits  marked   told a fault")
    for key in audits:
        print(
            f"{key:18s} {audits[key]:6}  {100 * marked[key] / audits[key]:5.1f} %  {100 * told[key] / audits[key]:5.1f} %"
        )
    print("marks:", dict(said))
    bad = marked["all"] > 0.015 * audits["all"] or told["all"] > 0.05 * audits["all"]
    sys.exit(options.check and bad)


if __name__ == "__main__":
    main()
