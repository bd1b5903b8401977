"""Scores of whole embeddings by the published functions: published_scores.json, and a table of what they give.

    python3 tests/engine/golden/published_scores.py DIGITS [--fd-infinity FILE] [--arrays FOLDER]

needs torch-fidelity, pytorch-fid, clip-mmd, fadtk, seqme, scikit-learn, and kadtk (`pip install --no-deps kadtk`).
DIGITS is a folder of real.npz, gan.npz, ... with `embeddings`; FILE is dgm_eval/metrics/fd.py of layer6ai-labs/dgm-eval.
Two of scikit-learn's photographs, cut into patches, are compared beside them; --arrays writes all arrays as .npy.

The file has what the functions give in double precision; the table also what they give as they come, in single.
"""

import argparse
import importlib.util
import json
import logging
import pathlib
import tempfile
import types

import numpy
import torch
from clip_mmd.calculation import mmd, mmd_efficient
from fadtk.fad import FrechetAudioDistance, calc_embd_statistics
from fadtk.fad import calc_frechet_distance as fadtk_distance
from kadtk.kad import calc_kernel_audio_distance, median_pairwise_distance
from pytorch_fid.fid_score import calculate_frechet_distance
from seqme.metrics.mmd import compute_gaussian_mmd
from torch_fidelity.metric_fid import fid_features_to_statistics, fid_statistics_to_metric
from torch_fidelity.metric_kid import kid_features_to_metric

ROWS = 4000  # up to as many the engine takes all rows into its kernels
RBF_ROWS = 1000  # one subset
RUNS = 20
MODELS = "gan", "vae", "copycat", "heldout"


def photographs():
    """Patches of 8 x 8 x 3 of two photographs, and others that are blurred."""
    from sklearn.datasets import load_sample_images

    draw = numpy.random.default_rng(0)

    def patches(images):
        found = []
        for _ in range(ROWS):
            image = images[draw.integers(len(images))]
            row, column = (draw.integers(size - 8) for size in image.shape[:2])
            found.append(image[row : row + 8, column : column + 8].ravel())
        return numpy.array(found, dtype=numpy.float32)

    images = [image / 255 for image in load_sample_images().images]
    blurred = [sum(numpy.roll(image, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) / 9 for image in images]
    return patches(images), patches(blurred)


def statistics(rows):
    return calc_embd_statistics(rows.astype(numpy.float64))


def infinities(real, synthetic, fd_infinity):
    """Of dgm-eval: subsets without replacement; of fadtk: with replacement."""
    found = {}
    if fd_infinity:
        runs = [float(fd_infinity(real.astype(numpy.float64), synthetic.astype(numpy.float64))) for _ in range(RUNS)]
        found["dgm-eval"] = [float(numpy.mean(runs)), float(numpy.std(runs))]
    mean, covariance = statistics(real)
    program = FrechetAudioDistance(types.SimpleNamespace(name="given"), load_model=False)
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, name) for name in ("real.npz", "synthetic.npy")]
        numpy.savez(files[0], **{"given.mu": mean, "given.cov": covariance})
        numpy.save(files[1], synthetic)
        fit = program.score_inf(files[0], files[1:])
    found["fadtk"] = float(fit.score)
    return found


def scores(real, synthetic, fd_infinity):
    fits = *statistics(real), *statistics(synthetic)
    features = [torch.from_numpy(rows) for rows in (real, synthetic)]
    double = [rows.double() for rows in features]
    unit = [rows / rows.norm(dim=1, keepdim=True) for rows in double]
    first = [rows[:RBF_ROWS] for rows in double]
    rbf = {"kid_kernel": "rbf", "kid_subsets": 1, "kid_subset_size": RBF_ROWS, "verbose": False}
    kad = {"cache_dirs": (None, None), "device": "cpu"}
    fid = [fid_features_to_statistics(rows) for rows in features]
    whole = "kernel_inception_distance_mean"
    return {
        "frechet_distance": {
            "pytorch-fid": float(calculate_frechet_distance(*fits)),
            "torch-fidelity": float(fid_statistics_to_metric(*fid, False)["frechet_inception_distance"]),
            "fadtk": float(fadtk_distance(*fits)),
        },
        "frechet_infinity": infinities(real, synthetic, fd_infinity),
        "kernel_distance_rbf": {
            "torch-fidelity": kid_features_to_metric(*first, **rbf)[whole],
            "in single": kid_features_to_metric(*[rows.float() for rows in first], **rbf)[whole],
        },
        "cmmd": {
            "clip-mmd": float(mmd(*unit)),
            "in single": float(mmd_efficient(unit[0].float(), unit[1].float())),
            "rows as they are": float(mmd(*double)),
        },
        "cmmd_unbiased": {
            "seqme": float(compute_gaussian_mmd(*unit, estimate="unbiased")),
            "in single": float(compute_gaussian_mmd(unit[0].float(), unit[1].float(), estimate="unbiased")),
        },
        "kad": {
            "kadtk": float(
                calc_kernel_audio_distance(
                    *features, **kad, bandwidth=median_pairwise_distance(features[0]), precision=torch.float64
                )
            ),
            "in single": float(
                calc_kernel_audio_distance(*features, **kad, bandwidth=median_pairwise_distance(features[0]))
            ),
            "bandwidth of the evaluated set": float(calc_kernel_audio_distance(*features, **kad)),
        },
    }


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("digits", type=pathlib.Path)
    options.add_argument("--fd-infinity", type=pathlib.Path)
    options.add_argument("--arrays", type=pathlib.Path)
    given = options.parse_args()
    logging.disable(logging.INFO)
    numpy.random.seed(0)
    fd_infinity = None
    if given.fd_infinity:
        spec = importlib.util.spec_from_file_location("fd", given.fd_infinity)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        fd_infinity = module.compute_FD_infinity
    load = lambda name: numpy.load(given.digits / f"{name}.npz")["embeddings"][:ROWS]
    real = load("real")
    pairs = {name: (real, load(name)) for name in MODELS}
    pairs["photographs"] = photographs()
    stored = {}
    for name, pair in pairs.items():
        if given.arrays:
            for side, rows in zip(("real", "synthetic"), pair):
                numpy.save(given.arrays / f"{name}-{side}.npy", rows)
        found = scores(*pair, fd_infinity)
        for score, values in found.items():
            print(name, score, values, flush=True)
        if name in MODELS:
            one = {score: next(iter(values.values())) for score, values in found.items()}
            near = one.pop("frechet_infinity")
            of_few = {"kernel_distance_rbf": one.pop("kernel_distance_rbf")}
            stored[name] = {"metrics": one, "metrics_of_few": of_few, "near": {"frechet_infinity": near}}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(one)}" for name, one in stored.items())
    text = f'{{"rows": {ROWS}, "few_rows": {RBF_ROWS}, "sets": {{\n{lines}\n}}}}\n'
    pathlib.Path(__file__).with_suffix(".json").write_text(text)


if __name__ == "__main__":
    main()
