"""The same jobs by Assay and by other programs, each in a process of its own: seconds, memory and figures.

    python3 tests/bench/versus.py            # with assay, numpy and what of prdc, torch-fidelity, sdmetrics is installed
    python3 tests/bench/versus.py JOB        # one of the jobs below, as a child does it

The table of docs/versus.md is its output. Reading and imports count for none of them, but for the memory.
"""

import json
import resource
import subprocess
import sys
import time

import numpy

ROWS, DIM = 10_000, 128


def embeddings():
    draw = numpy.random.default_rng(0)
    centres = draw.normal(size=(10, DIM)).astype(numpy.float32)

    def samples(count, spread):
        return (centres[draw.integers(0, 10, count)] + spread * draw.normal(size=(count, DIM))).astype(numpy.float32)

    return samples(ROWS, 1.0), samples(ROWS, 1.1)


def tables():
    import pandas

    draw = numpy.random.default_rng(0)

    def table(rows, link):
        age = draw.uniform(18, 80, rows)
        income = 500 * (age if link else draw.permutation(age)) + draw.normal(0, 3000, rows)
        more = {f"x{at}": draw.normal(size=rows) for at in range(6)}
        return pandas.DataFrame({"age": age, "income": income, "town": draw.choice(["Graz", "Lyon", "Ulm"], rows), **more})

    return table(ROWS, True), table(ROWS, False)


def prdc_by_prdc():
    import prdc

    real, fake = embeddings()
    return lambda: {name: float(value) for name, value in prdc.compute_prdc(real, fake, nearest_k=5).items()}


def prdc_by_assay():
    import assay

    real, fake = embeddings()
    return lambda: assay.compute_prdc(real, fake, nearest_k=5)


def distances_by_torch_fidelity():
    import torch
    from torch_fidelity.metric_fid import fid_features_to_statistics, fid_statistics_to_metric
    from torch_fidelity.metric_kid import kid_features_to_metric
    from torch_fidelity.metric_prc import prc_features_to_metric

    real, fake = map(torch.from_numpy, embeddings())

    def run():
        found = fid_statistics_to_metric(fid_features_to_statistics(real), fid_features_to_statistics(fake), False)
        found.update(kid_features_to_metric(real, fake, kid_subset_size=1000, kid_subsets=100, verbose=False))
        found.update(prc_features_to_metric(fake, real, prc_neighborhood=5, prc_batch_size=10000, verbose=False))
        return {name: float(value) for name, value in found.items()}

    return run


def audit_by_assay():
    import assay

    real, fake = embeddings()

    def run():
        metrics = assay.audit(real, {"fake": fake}, progress=False)["fake"].metrics
        names = "frechet_distance", "kernel_distance", "precision", "recall", "clipped_density", "clipped_coverage"
        return {name: metrics[name] for name in names}

    return run


def table_by_sdmetrics():
    from sdmetrics.reports.single_table import QualityReport

    real, fake = tables()
    kinds = {name: {"sdtype": "categorical" if name == "town" else "numerical"} for name in real.columns}

    def run():
        report = QualityReport()
        report.generate(real, fake, {"columns": kinds}, verbose=False)
        return {"quality": report.get_score(), **dict(report.get_properties().to_numpy().tolist())}

    return run


def table_by_assay():
    import assay

    real, fake = tables()

    def run():
        found = assay.audit(real, {"fake": fake}, one_hot=True, progress=False)["fake"]
        pair = found.json["diagnostics"]["correlation_differences"]["pairs"][0]
        metrics = {name: found.metrics[name] for name in ("clipped_density", "clipped_coverage")}
        return {**metrics, f"correlation of {pair['first']['name']}, {pair['second']['name']}": pair["difference"]}

    return run


JOBS = [
    prdc_by_prdc,
    prdc_by_assay,
    distances_by_torch_fidelity,
    audit_by_assay,
    table_by_sdmetrics,
    table_by_assay,
]


def child(name: str) -> None:
    try:
        run = next(job for job in JOBS if job.__name__ == name)()
    except ImportError as error:
        print(json.dumps({"missing": str(error)}))
        return
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begun = time.perf_counter()
    found = run()
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "added": peak - before, "peak": peak, "found": found}))


def main() -> None:
    print("| job | seconds | peak MiB | of these beyond program and data | figures |\n|---|---|---|---|---|")
    for job in JOBS:
        ended = subprocess.run([sys.executable, __file__, job.__name__], stdout=subprocess.PIPE, text=True)
        lines = ended.stdout.strip().splitlines()
        result = json.loads(lines[-1]) if ended.returncode == 0 and lines else {"missing": f"exit code {ended.returncode}"}
        name = job.__name__.replace("_", " ")
        if "missing" in result:
            print(f"| {name} | - | - | - | {result['missing']} |")
            continue
        figures = ", ".join(f"{key} {value:.4g}" for key, value in result["found"].items())
        print(f"| {name} | {result['seconds']:.2f} | {result['peak']:.0f} | {result['added']:.0f} | {figures} |", flush=True)


if __name__ == "__main__":
    child(sys.argv[1]) if len(sys.argv) > 1 else main()
