#!/usr/bin/env python3
"""The steps that the published Python programs take for the metrics that Assay computes, timed beside assay-score.

Written from docs/metrics.md and the papers, with the tools and in the order of the published programs: a program per
paper, each from the embeddings on: scikit-learn's NearestNeighbors and its ball tree, whole distance matrices from
pairwise_distances, a calibration that sums every beta-binomial law in full. Not part of the product: it needs NumPy, SciPy
and scikit-learn, which Assay does not. Exits with 1 when the figures disagree.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5000, help="of each set")
    parser.add_argument("--dim", type=int, default=1024)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=7, help="of assay-score; the Python steps run once")
    parser.add_argument("--score", default="build/release/bin/assay-score", help="the program to run beside")
    return parser.parse_args()


ARGUMENTS = parse_arguments()
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(ARGUMENTS.threads)  # read when NumPy is loaded

import numpy as np  # noqa: E402
import scipy  # noqa: E402
import sklearn  # noqa: E402
from scipy.special import gammaln, psi  # noqa: E402
from scipy.stats import betabinom  # noqa: E402
from sklearn.metrics import pairwise_distances  # noqa: E402
from sklearn.neighbors import NearestNeighbors  # noqa: E402


def distances(a, b):
    return pairwise_distances(a, b, metric="euclidean", n_jobs=ARGUMENTS.threads)


def kth_distances(matrix, k):
    """k-th smallest entry of each row of a set's distances to itself; the row's own zero is the 0-th."""
    return np.partition(matrix, k, axis=-1)[:, k]


def expected_coverage(rows, samples, k):
    """Mean coverage by m good samples, for every m up to `samples`: all of each beta-binomial law."""
    expected = np.zeros(samples + 1)
    for good in range(k, samples + 1):
        counts = np.arange(good + 1)
        expected[good] = (np.minimum(counts, k) * betabinom.pmf(counts, good, k, rows - k)).sum() / k
    return expected


def clipped_density_and_coverage(real, synthetic, k):
    """Salvy, Talbot, Thirion, ICLR 2026; without the calibration of the coverage.

    Their program finds the synthetic samples within the largest clipped radius of each real one by a ball tree, whatever
    the dimension, and leaves the other searches to scikit-learn's choice (from 16 dimensions on: brute force).
    """
    jobs = ARGUMENTS.threads
    known, neighbors = NearestNeighbors(n_neighbors=k + 1, n_jobs=jobs).fit(real).kneighbors(real)
    radii = known[:, -1]
    clipped = np.minimum(radii, np.median(radii))
    in_ball = known[:, 1:] <= clipped[:, None]
    real_in_clipped = np.bincount(neighbors[:, 1:][in_ball], minlength=len(real))
    of_real = np.minimum(real_in_clipped / k, 1).mean()

    tree = NearestNeighbors(algorithm="ball_tree", n_jobs=jobs).fit(synthetic)
    near, samples = tree.radius_neighbors(real, radius=clipped.max())
    held = np.concatenate([inside[distance <= radius] for distance, inside, radius in zip(near, samples, clipped)])
    in_clipped = np.bincount(held.astype(np.int64), minlength=len(synthetic))
    unnormalized = np.minimum(in_clipped / k, 1).mean()

    to_synthetic = NearestNeighbors(n_neighbors=k, n_jobs=jobs).fit(synthetic).kneighbors(real)[0]
    return {
        "clipped_density": min(unnormalized / of_real, 1.0),
        "clipped_density_unclipped": unnormalized / of_real,
        "clipped_density_unnormalized": unnormalized,
        "clipped_density_real": of_real,
        "density_clipped_radii": in_clipped.mean() / k,
        "over_occurring_fraction_clipped_radii": (in_clipped > k).mean(),
        "clipped_coverage_unnormalized": (to_synthetic <= radii[:, None]).mean(),
    }


def precision_recall_density_coverage(real, synthetic, k):
    """Naeem et al., ICML 2020, with the symmetric variants of Khayatkhoei and AbdAlmageed, ICML 2023."""
    real_radii = kth_distances(distances(real, real), k)
    synthetic_radii = kth_distances(distances(synthetic, synthetic), k)
    between = distances(real, synthetic)
    balls = (between <= real_radii[:, None]).sum(axis=0)
    precision = (balls > 0).mean()
    recall = (between <= synthetic_radii[None, :]).any(axis=1).mean()
    coverage = (between.min(axis=1) <= real_radii).mean()
    reached = (between.min(axis=0) <= synthetic_radii).mean()
    return {
        "precision": precision,
        "recall": recall,
        "density": balls.mean() / k,
        "over_occurring_fraction": (balls > k).mean(),
        "coverage": coverage,
        "sym_precision": min(precision, reached),
        "sym_recall": min(recall, coverage),
    }


def nearest(base, queries, count):
    search = NearestNeighbors(n_neighbors=count, algorithm="brute", n_jobs=ARGUMENTS.threads).fit(base)
    return search.kneighbors(queries)


def entropies(real, synthetic, k):
    """PCE, RCE and RE: Fox, Swarup, Adiga, AAAI 2025, as differences to the entropy of the real set."""
    dim = real.shape[1]
    log_ball = dim / 2 * np.log(np.pi) - gammaln(dim / 2 + 1)

    def entropy(base, queries, known, own):
        kth = nearest(base, queries, k + own)[0][:, -1].astype(np.float64)
        return np.mean(np.log(known) - psi(k) + log_ball + dim * np.log(kth))

    rows, samples = len(real), len(synthetic)
    real_entropy = entropy(real, real, rows - 1, 1)
    return {
        "real_entropy": real_entropy,
        "pce": entropy(real, synthetic, rows, 0) - real_entropy,
        "rce": entropy(synthetic, real, samples, 0) - real_entropy,
        "re": entropy(synthetic, synthetic, samples - 1, 1) - real_entropy,
    }


def authenticity(real, synthetic, _k):
    """Alaa et al., ICML 2022."""
    to_other_real = nearest(real, real, 2)[0][:, 1]
    distance, index = nearest(real, synthetic, 1)
    return {"authenticity": (distance[:, 0] > to_other_real[index[:, 0]]).mean()}


def run_assay(folder, real, synthetic):
    """Whole process from files to JSON. Returns its figures and the median of the seconds."""
    files = {"real": real, "synthetic": synthetic}
    for name, values in files.items():
        np.save(os.path.join(folder, name + ".npy"), values)
    command = [ARGUMENTS.score, "--quick", "--real", os.path.join(folder, "real.npy"), "--synthetic",
               os.path.join(folder, "synthetic.npy"), "-k", str(ARGUMENTS.k), "--threads", str(ARGUMENTS.threads),
               "--quiet", "--json", "-"]
    seconds = []
    for _ in range(ARGUMENTS.repeats):
        begun = time.perf_counter()
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        seconds.append(time.perf_counter() - begun)
    model = json.loads(output)["models"][0]
    return model["metrics"], sorted(seconds)[len(seconds) // 2]


def disagreements(ours, published):
    wrong = []
    for name, value in published.items():
        if name not in ours:
            wrong.append(f"{name}: not among assay-score's figures")
        elif not np.isclose(ours[name], value, rtol=1e-5, atol=1e-7):
            wrong.append(f"{name}: assay-score says {ours[name]}, the published steps {value}")
    return wrong


def main():
    random = np.random.default_rng(1)
    shape = (ARGUMENTS.rows, ARGUMENTS.dim)
    real = random.standard_normal(shape, dtype=np.float32)
    synthetic = random.standard_normal(shape, dtype=np.float32) * np.float32(0.98)

    with tempfile.TemporaryDirectory() as folder:
        ours, our_seconds = run_assay(folder, real, synthetic)
    begun = time.perf_counter()
    expected = expected_coverage(ARGUMENTS.rows, ARGUMENTS.rows, ARGUMENTS.k)
    rows = [("calibration of clipped coverage", time.perf_counter() - begun)]
    figures = {}
    for title, part in (("clipped density and clipped coverage", clipped_density_and_coverage),
                        ("precision, recall, density, coverage, symmetric variants", precision_recall_density_coverage),
                        ("PCE, RCE, RE", entropies), ("authenticity", authenticity)):
        begun = time.perf_counter()
        figures.update(part(real, synthetic, ARGUMENTS.k))
        rows.append((title, time.perf_counter() - begun))
    # Few operations on what is there already, so not timed.
    figures["clipped_coverage"] = (expected < figures["clipped_coverage_unnormalized"]).sum() / len(expected)
    total = sum(seconds for _, seconds in rows)

    print(f"{shape[0]} + {shape[0]} rows, {shape[1]} dimensions, {ARGUMENTS.threads} threads; "
          f"NumPy {np.__version__}, SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}\n")
    print("| what | s | beside assay-score |\n|---|---|---|")
    for title, seconds in rows + [("all of these", total)]:
        print(f"| {title} | {seconds:.2f} | {seconds / our_seconds:.1f} |")
    print(f"| assay-score --quick, the same and more, from files to JSON | {our_seconds:.2f} | 1 |\n")
    wrong = disagreements(ours, figures)
    print("\n".join(wrong) if wrong else f"All {len(figures)} figures agree to 1e-5.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
