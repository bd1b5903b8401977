"""Scores of whole embeddings from their definitions, in double precision, for small sets: embedding_scores.json.

    python3 tests/engine/golden/embedding_scores.py      # needs NumPy; writes the file beside this one

The sets are whole numbers divided by 64, which float32 holds exactly. `metrics` have one value. What depends on random
draws is under `near`: mean and standard deviation over draws of its own, which are not the engine's.
"""

import json
import pathlib

import numpy

SCALE = 64
SIZES = 15
ORDERS = 400
DIRECTIONS = 20_000
ENGINE_DIRECTIONS = 250


def factor(rows):
    """F with F^T F = the covariance of the rows."""
    return numpy.linalg.qr(rows - rows.mean(axis=0), mode="r") / numpy.sqrt(len(rows) - 1)


def frechet_distance(real, synthetic):
    # The trace of (S_r S_s)^(1/2) is the sum of the singular values of F_r F_s^T: no root of a singular matrix.
    a, b = factor(real), factor(synthetic)
    shift = real.mean(axis=0) - synthetic.mean(axis=0)
    roots = numpy.linalg.svd(a @ b.T, compute_uv=False).sum()
    return shift @ shift + (a**2).sum() + (b**2).sum() - 2 * roots


def frechet_influence(real, synthetic):
    whole = frechet_distance(real, synthetic)
    count = len(synthetic)
    return [(count - 1) * (whole - frechet_distance(real, numpy.delete(synthetic, j, axis=0))) for j in range(count)]


def frechet_infinity(real, synthetic, order):
    """Intercept of the line through the distances of the first n rows over 1 / n."""
    count, dim = synthetic.shape
    least = max(-(-count // 10), 4 * dim, 10)
    sizes = [least + (count - least) * i // (SIZES - 1) for i in range(SIZES)]
    rows = synthetic[order]
    distances = [frechet_distance(real, rows[:n]) for n in sizes]
    parts = [rows[s * least : (s + 1) * least] for s in range(min(6, count // least))]
    distances[0] = numpy.mean([frechet_distance(real, part) for part in parts])
    slope, intercept = numpy.polyfit(1 / numpy.array(sizes), distances, 1)
    return intercept


def squares(x, y):
    return ((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2)


def others(matrix):
    """Mean without the pairs of a row and itself."""
    count = len(matrix)
    return (matrix.sum() - numpy.trace(matrix)) / (count * (count - 1))


def unbiased(real, synthetic, width):
    kernel = lambda x, y: numpy.exp(-squares(x, y) / (2 * width**2))
    across = kernel(real, synthetic).mean()
    return others(kernel(real, real)) + others(kernel(synthetic, synthetic)) - 2 * across


def biased(real, synthetic, width):
    kernel = lambda x, y: numpy.exp(-squares(x, y) / (2 * width**2)).mean()
    return kernel(real, real) + kernel(synthetic, synthetic) - 2 * kernel(real, synthetic)


def median_distance(rows):
    distances = numpy.sort(numpy.sqrt(squares(rows, rows)[numpy.triu_indices(len(rows), 1)]))
    return distances[(len(distances) - 1) // 2]


def slices(real, synthetic, directions):
    """3 d times the squared Wasserstein distance of order 2 along each direction, of sets of one size."""
    along = lambda rows: numpy.sort(rows @ directions.T, axis=0)
    return 3 * real.shape[1] * ((along(real) - along(synthetic)) ** 2).mean(axis=0)


def case(name, real, synthetic, draw):
    columns = real.shape[1]
    unit = [rows / numpy.linalg.norm(rows, axis=1, keepdims=True) for rows in (real, synthetic)]
    metrics = {
        "frechet_distance": frechet_distance(real, synthetic),
        "kernel_distance_rbf": unbiased(real, synthetic, 10.0),
        "cmmd": 1000 * biased(*unit, 10.0),
        "cmmd_unbiased": 1000 * unbiased(*unit, 10.0),
        "kad": 100 * unbiased(real, synthetic, median_distance(real)),
    }
    fits = [frechet_infinity(real, synthetic, draw.permutation(len(synthetic))) for _ in range(ORDERS)]
    near = {"frechet_infinity": [numpy.mean(fits), numpy.std(fits)]}
    if columns == 1:
        metrics["mind"] = slices(real, synthetic, numpy.ones((1, 1)))[0]
    else:
        directions = draw.normal(size=(DIRECTIONS, columns))
        found = slices(real, synthetic, directions / numpy.linalg.norm(directions, axis=1, keepdims=True))
        near["mind"] = [found.mean(), found.std() / numpy.sqrt(ENGINE_DIRECTIONS)]
    whole = lambda rows: numpy.rint(rows * SCALE).astype(int).ravel().tolist()
    return {
        "name": name,
        "columns": columns,
        "real": whole(real),
        "synthetic": whole(synthetic),
        "metrics": metrics,
        "near": near,
        "frechet_influence": frechet_influence(real, synthetic),
    }


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def main():
    draw = numpy.random.default_rng(62)
    on_grid = lambda rows: numpy.rint(rows * SCALE) / SCALE
    drawn = lambda rows, columns, mean, spread: on_grid(draw.normal(mean, spread, (rows, columns)))
    flat = lambda rows: numpy.hstack([rows, numpy.full((len(rows), 1), 0.5), rows[:, :1]])
    cases = [
        case("shifted", drawn(80, 4, 1.0, 1.0), drawn(80, 4, 1.5, 1.25), draw),
        case("one column", drawn(60, 1, 2.0, 1.0), drawn(60, 1, 2.5, 1.0), draw),
        case("a constant and a repeated column", flat(drawn(60, 2, 0.0, 2.0)), flat(drawn(60, 2, 0.5, 1.0)), draw),
    ]
    lines = ",\n".join(json.dumps(rounded(one)) for one in cases)
    text = f'{{"scale": {SCALE}, "cases": [\n{lines}\n]}}\n'
    pathlib.Path(__file__).with_suffix(".json").write_text(text)


if __name__ == "__main__":
    main()
