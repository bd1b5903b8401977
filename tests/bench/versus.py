"""The same jobs by Assay and by other programs, each in a process of its own: seconds, memory and figures.

    python3 tests/bench/versus.py                    # with what is installed for this Python
    python3 tests/bench/versus.py --python A/bin/python B/bin/python
                                                     # each job by the first of these that has its program
    python3 tests/bench/versus.py --only syntheval   # jobs with this in their names
    python3 tests/bench/versus.py --job NAME         # one of the jobs below, as a child does it

Programs that cannot be installed beside each other (anonymeter and fadtk want NumPy 1, SynthEval NumPy 2) need a Python
each. The tables of docs/versus.md are its output. Reading and imports count for none of them, but for the memory.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy

ROWS, DIM = 10_000, 128
COPIES = 300


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

    return table(ROWS, True), table(ROWS, False), table(ROWS, True)


def tables_with_copies():
    """Training, synthetic and held-out table; 3 % of the synthetic rows are training rows."""
    real, fake, held_out = tables()
    fake.iloc[:COPIES] = real.iloc[:COPIES]
    return real, fake, held_out


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


def distances_by_seqme():
    from seqme import metrics

    rows = {}
    names = []
    for prefix, table in zip("rf", embeddings()):
        names.append([f"{prefix}{at}" for at in range(len(table))])
        rows.update(zip(names[-1], table))
    real, fake = names

    def embedder(sequences):
        return numpy.stack([rows[name] for name in sequences])

    def run():
        given = {"reference": real, "embedder": embedder}
        scores = [
            metrics.FBD(**given),
            metrics.KID(**given, estimate="unbiased"),
            metrics.MMD(**given),
            metrics.Precision(5, **given),
            metrics.Recall(5, **given),
            metrics.ClippedDensity(5, **given),
            metrics.ClippedCoverage(5, **given),
            metrics.AuthPct(real, embedder),
        ]
        return {score.name: score(fake).value for score in scores}

    return run


def distances_by_fadtk():
    from types import SimpleNamespace

    from fadtk.fad import FrechetAudioDistance, calc_embd_statistics, calc_frechet_distance

    real, fake = embeddings()
    file = pathlib.Path("fake.npy")
    numpy.save(file, fake)
    numpy.random.seed(0)
    program = FrechetAudioDistance(SimpleNamespace(name="given"), load_model=False)

    def run():
        mean, covariance = calc_embd_statistics(real)
        numpy.savez("real.npz", **{"given.mu": mean, "given.cov": covariance})
        distance = calc_frechet_distance(mean, covariance, *calc_embd_statistics(fake))
        infinity = program.score_inf(pathlib.Path("real.npz"), [file])
        return {"fad": float(distance), "fad_inf": float(infinity.score), "r2": float(infinity.r2)}

    return run


def alpha_precision_by_synthcity():
    import pandas
    from synthcity.metrics import Metrics

    real, fake = (pandas.DataFrame(rows, columns=[f"x{at}" for at in range(DIM)]) for rows in embeddings())

    def run():
        wanted = {"stats": ["prdc", "alpha_precision"]}
        scores = Metrics.evaluate(real, fake, metrics=wanted, workspace=pathlib.Path("workspace"), use_cache=False)
        return {name.removeprefix("stats."): float(value) for name, value in scores["mean"].items()}

    return run


def alpha_precision_by_assay():
    import assay

    real, fake = embeddings()

    def run():
        metrics = assay.audit(real, {"fake": fake}, one_class=True, progress=False)["fake"].metrics
        names = "integrated_alpha_precision", "integrated_beta_recall"
        found = {name: metrics[name] for base in names for name in (f"{base}_one_class", base)}
        return {**found, "authenticity": metrics["authenticity"]}

    return run


def audit_by_assay():
    import assay

    real, fake = embeddings()

    def run():
        metrics = assay.audit(real, {"fake": fake}, progress=False)["fake"].metrics
        names = "frechet_distance", "frechet_infinity", "frechet_infinity_r2", "kernel_distance", "cmmd", "precision"
        more = "recall", "clipped_density", "clipped_coverage", "authenticity"
        return {name: metrics[name] for name in names + more}

    return run


def table_by_sdmetrics():
    from sdmetrics.reports.single_table import QualityReport

    real, fake, _ = tables()
    kinds = {name: {"sdtype": "categorical" if name == "town" else "numerical"} for name in real.columns}

    def run():
        report = QualityReport()
        report.generate(real, fake, {"columns": kinds}, verbose=False)
        return {"quality": report.get_score(), **dict(report.get_properties().to_numpy().tolist())}

    return run


def table_by_assay():
    import assay

    real, fake, _ = tables()

    def run():
        found = assay.audit(real, {"fake": fake}, one_hot=True, progress=False)["fake"]
        pair = found.json["diagnostics"]["correlation_differences"]["pairs"][0]
        metrics = {name: found.metrics[name] for name in ("clipped_density", "clipped_coverage")}
        return {**metrics, f"correlation of {pair['first']['name']}, {pair['second']['name']}": pair["difference"]}

    return run


def novelty_by_mostlyai_qa():
    from mostlyai import qa

    real, fake, held_out = tables_with_copies()

    def run():
        _, metrics = qa.report(syn_tgt_data=fake, trn_tgt_data=real, hol_tgt_data=held_out, report_path="report.html")
        found = metrics.model_dump()
        accuracy, similarity, distances = found["accuracy"], found["similarity"], found["distances"]
        names = "ims_training", "ims_holdout", "dcr_training", "dcr_holdout", "dcr_share", "nndr_training", "nndr_holdout"
        return {
            "accuracy": accuracy["overall"],
            "expected of a holdout": accuracy["overall_max"],
            "discriminator AUC": similarity["discriminator_auc_training_synthetic"],
            **{name: distances[name] for name in names},
        }

    return run


def novelty_by_syntheval():
    from syntheval import SynthEval

    real, fake, held_out = tables_with_copies()
    wanted = "nndr", "dcr", "hit_rate", "nnaa", "eps_risk", "ks_test", "corr_diff", "h_dist", "p_mse"

    def run():
        quiet = {"verbose": False, "enable_plots": False, "console": "off", "show_warnings": False}
        program = SynthEval(real, holdout_dataframe=held_out, cat_cols=["town"], **quiet)
        scores = program.evaluate(fake, **{name: {} for name in wanted})
        return {row["metric"]: float(row["val"]) for _, row in scores.iterrows()}

    return run


def attacks_by_anonymeter():
    from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

    real, fake, held_out = tables_with_copies()
    numpy.random.seed(0)
    others = [name for name in real.columns if name != "income"]
    halves = (["age", "town", "x0", "x1"], ["income", "x2", "x3", "x4", "x5"])

    def run():
        attacks = {
            "singling out": SinglingOutEvaluator(real, fake, n_attacks=500, n_cols=4, control=held_out, seed=0),
            "linkability": LinkabilityEvaluator(real, fake, aux_cols=halves, n_attacks=500, control=held_out),
            "inference": InferenceEvaluator(
                real, fake, aux_cols=others, secret="income", regression=True, n_attacks=500, control=held_out
            ),
        }
        found = {}
        for name, attack in attacks.items():
            risk = attack.evaluate().risk()
            found.update({name: risk.value, f"{name}, low": risk.ci[0], f"{name}, high": risk.ci[1]})
        return found

    return run


def novelty_by_assay():
    import assay

    real, fake, held_out = tables_with_copies()

    def run():
        found = assay.audit(real, {"fake": fake}, held_out=held_out, one_hot=True, progress=False)["fake"]
        equal = next(finding["value"] for finding in found.json["findings"] if finding["id"] == "equal_to_real")
        names = "verdict_copy", "membership_auc", "membership_tpr_1", "authenticity", "nn_accuracy", "ct_score"
        more = "dcr_5", "dcr_5_held_out", "nndr_5", "nndr_5_held_out", "clipped_density", "clipped_coverage"
        low, high = found.interval("membership_auc")
        figures = {name: found.metrics[name] for name in names + more}
        return {"equal to training rows": equal, **figures, "membership_auc, low": low, "membership_auc, high": high}

    return run


JOBS = [
    prdc_by_prdc,
    prdc_by_assay,
    distances_by_torch_fidelity,
    distances_by_seqme,
    distances_by_fadtk,
    audit_by_assay,
    alpha_precision_by_synthcity,
    alpha_precision_by_assay,
    table_by_sdmetrics,
    table_by_assay,
    novelty_by_mostlyai_qa,
    novelty_by_syntheval,
    attacks_by_anonymeter,
    novelty_by_assay,
]


def processor_seconds() -> float:
    """Of all threads and ended children: moves less than the clock where other work shares the cores."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def child(name: str) -> None:
    try:
        run = next(job for job in JOBS if job.__name__ == name)()
    except ImportError as error:
        print(json.dumps({"missing": str(error)}))
        return
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begun = time.perf_counter()
    busy = processor_seconds()
    found = run()
    seconds = time.perf_counter() - begun
    busy = processor_seconds() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "busy": busy, "added": peak - before, "peak": peak, "found": found}))


def outcome(job, pythons) -> dict:
    """By the first Python that has the job's program, in an empty folder."""
    result = {}
    for python in pythons:
        command = [python, os.path.abspath(__file__), "--job", job.__name__]
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=folder)
        lines = ended.stdout.strip().splitlines()
        result = json.loads(lines[-1]) if ended.returncode == 0 and lines else {"missing": f"exit code {ended.returncode}"}
        if "missing" not in result:
            break
    return result


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--python", nargs="+", default=[sys.executable])
    options.add_argument("--only", default="")
    options.add_argument("--job")
    given = options.parse_args()
    if given.job:
        child(given.job)
        return
    print(
        "| job | seconds | of processors | peak MiB | of these beyond program and data | figures |\n|---|---|---|---|---|---|"
    )
    for job in JOBS:
        if given.only not in job.__name__:
            continue
        result = outcome(job, given.python)
        name = job.__name__.replace("_", " ")
        if "missing" in result:
            print(f"| {name} | - | - | - | - | {result['missing']} |")
            continue
        figures = ", ".join(f"{key} {value:.4g}" for key, value in result["found"].items())
        measured = f"{result['seconds']:.2f} | {result['busy']:.2f} | {result['peak']:.0f} | {result['added']:.0f}"
        print(f"| {name} | {measured} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
