#!/usr/bin/env python3
"""Writes tables that scikit-learn ships as .npz files for bench_useful --table.

usage: sklearn_tables.py FOLDER
"""
import pathlib
import sys

import numpy as np
from sklearn import datasets


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for load in (datasets.load_breast_cancer, datasets.load_wine, datasets.load_digits):
        table = load()
        name = load.__name__.removeprefix("load_")
        np.savez(folder / f"{name}.npz", embeddings=table.data.astype(np.float32), labels=table.target.astype(np.int32))


if __name__ == "__main__":
    main()
