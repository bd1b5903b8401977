"""The four neighbour searches of an audit by SciPy's cKDTree, on the rows that bench_tree wrote.

    bench_tree -n 100000 -d 8 --write /tmp/rows
    python3 tests/bench/ckdtree.py /tmp/rows -d 8 -k 33 --workers 2

Only for comparison: Assay needs no Python. Needs numpy and scipy.
"""
import argparse
import time

import numpy as np
import scipy
from scipy.spatial import cKDTree


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefix", help="of PREFIX.real.f32 and PREFIX.synthetic.f32")
    parser.add_argument("-d", type=int, default=8, help="dimensions")
    parser.add_argument("-k", type=int, default=33, help="neighbours")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    real, synthetic = (
        np.fromfile(f"{options.prefix}.{name}.f32", np.float32).reshape(-1, options.d) for name in ("real", "synthetic")
    )

    def timed(work):
        start = time.perf_counter()
        result = work()
        return result, time.perf_counter() - start

    (tree_real, tree_synthetic), built = timed(lambda: (cKDTree(real), cKDTree(synthetic)))
    # A set's own rows come out as their own nearest, hence one more.
    searches = [
        (tree_real, real, options.k + 1),
        (tree_synthetic, synthetic, options.k + 1),
        (tree_synthetic, real, options.k),
        (tree_real, synthetic, options.k),
    ]
    seconds = [timed(lambda: tree.query(rows, k=k, workers=options.workers))[1] for tree, rows, k in searches]
    print("| rows | dimensions | k | scipy | both self searches s | both cross searches s | all four s | building s |")
    print("|---|---|---|---|---|---|---|---|")
    print(
        f"| {len(real)} | {options.d} | {options.k} | {scipy.__version__} | {seconds[0] + seconds[1]:.3f} |"
        f" {seconds[2] + seconds[3]:.3f} | {sum(seconds):.3f} | {built:.3f} |"
    )


if __name__ == "__main__":
    main()
