#!/usr/bin/env python3
"""One input, one result: runs assay-score again and again and compares what it writes.

    tests/soak/same_figures.py build/release/bin/assay-score [--library DIR ...]

1. The same audit (the built-in demo, whole catalogue) many times in a row: every byte of the JSON text, but for the
   times, and of the tables of all samples has to be the same.
2. Random small sets, by every way to find neighbours: the Frechet distance has to agree with numpy's.

Each for the library for linear algebra that the system chose, or for every folder given that holds a libopenblas.so.0
(Debian's packages libopenblas0-serial, -pthread and -openmp). Needs numpy. Some twenty minutes for each library.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np


def score(program, arguments, library):
    environment = dict(os.environ)
    if library:
        environment["LD_LIBRARY_PATH"] = library
    subprocess.run([program, "--quiet", *arguments], check=True, env=environment)


def digest(folder):
    """Of everything that an audit wrote there, less how long it took."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_bytes()
            if path.suffix == ".json":
                text = re.sub(rb'"(seconds|created)": [^,\n]*', b"", text)
            whole.update(path.name.encode() + b"\0" + text)
    return whole.hexdigest()


def differing_audits(program, library, runs):
    """How many of `runs` equal audits wrote something else than the first on one thread."""
    found = []
    for run in range(runs + 1):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            threads = 1 if run == 0 else (2, 0, 5)[run % 3]
            score(program, ["--demo", "--threads", str(threads), "--json", str(path / "audit.json"), "--csv",
                            str(path / "tables")], library)
            found.append(digest(path))
    return sum(one != found[0] for one in found[1:])


def frechet(a, b):
    """By its definition, in double precision."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    cov_a, cov_b = np.atleast_2d(np.cov(a, rowvar=False)), np.atleast_2d(np.cov(b, rowvar=False))
    values, vectors = np.linalg.eigh(cov_a)
    root = vectors * np.sqrt(np.clip(values, 0, None)) @ vectors.T
    shared = np.sqrt(np.clip(np.linalg.eigvalsh(root @ cov_b @ root), 0, None)).sum()
    return float(((a.mean(0) - b.mean(0)) ** 2).sum() + np.trace(cov_a) + np.trace(cov_b) - 2 * shared)


def wrong_distances(program, library, pairs):
    """How many of the Frechet distances of random small sets are off by more than a millionth."""
    models = 10
    wrong = 0
    for seed in range(pairs // models):
        random = np.random.default_rng(seed)
        dim = int(random.integers(1, 60))
        rows = lambda: dim + 30 + int(random.integers(300))
        sets = [random.normal(random.normal(0, 0.3), random.uniform(0.5, 2), (rows(), dim)).astype(np.float32)
                for _ in range(models + 1)]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            for number, one in enumerate(sets):
                np.save(path / f"{number}.npy", one)
            arguments = ["--real", str(path / "0.npy"), "--json", str(path / "audit.json"), "--threads", "2",
                         "--backend", ("gemm", "kdtree", "auto")[seed % 3], "--synthetic"]
            score(program, arguments + [str(path / f"{n}.npy") for n in range(1, models + 1)], library)
            audit = json.loads((path / "audit.json").read_text())
        for one, model in zip(sets[1:], audit["models"], strict=True):
            found, expected = model["metrics"]["frechet_distance"], frechet(sets[0], one)
            if abs(found - expected) > 1e-6 * expected:
                wrong += 1
                print(f"  seed {seed}: expected {expected:.6f}, found {found:.6f}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--library", action="append", help="folder with a libopenblas.so.0")
    parser.add_argument("--audits", type=int, default=300)
    parser.add_argument("--pairs", type=int, default=1000)
    arguments = parser.parse_args()
    failed = False
    for library in arguments.library or [None]:
        name = pathlib.Path(library).name if library else "the system's library"
        differing = differing_audits(arguments.program, library, arguments.audits)
        print(f"{name}: {differing} of {arguments.audits} audits differ", flush=True)
        wrong = wrong_distances(arguments.program, library, arguments.pairs)
        print(f"{name}: {wrong} of {arguments.pairs} Frechet distances are wrong", flush=True)
        failed = failed or differing > 0 or wrong > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
