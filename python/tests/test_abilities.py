"""Results that travel, gates, audits that grow, and other forms of input."""

import copy
import gc
import json
import multiprocessing
import os
import pickle

import numpy
import pytest
from conftest import without_times

import assay


def points(seed: int, rows: int = 80, shift: float = 0.0) -> numpy.ndarray:
    return (numpy.random.default_rng(seed).normal(size=(rows, 4)) + shift).astype("float32")


@pytest.fixture(scope="module")
def audit():
    return assay.audit(
        points(1),
        {"gan": points(2, 60), "vae": points(3, 70, 1.0)},
        labels=numpy.arange(80) % 3,
        held_out=points(4, 50),
        compat="prdc",
        discard=["pce"],
        progress=False,
    )


def assert_equal(one, two):
    assert list(one) == list(two)
    for name in one:
        numpy.testing.assert_array_equal(one[name], two[name])


@pytest.mark.parametrize("again", [lambda it: pickle.loads(pickle.dumps(it)), copy.deepcopy, copy.copy])
def test_results_are_pickled_and_copied(audit, again):
    kept = audit.keep("gan", "suspicious", progress=False)
    other = again(audit)
    assert without_times(other.to_json()) == without_times(audit.to_json())
    for name, model in audit.items():
        assert_equal(model.samples, other[name].samples)
        assert_equal(model.real, other[name].real)
        numpy.testing.assert_array_equal(
            model.neighbors.real_to_synthetic.index, other[name].neighbors.real_to_synthetic.index
        )
    assert other.keep("gan", "suspicious", progress=False).metrics == kept.metrics
    assert again(audit["vae"]).metrics == audit["vae"].metrics
    assert_equal(again(audit["gan"].samples), audit["gan"].samples)
    assert again(kept).metrics == kept.metrics and (again(kept).flags == kept.flags).all()
    assert again(kept.random).intervals == kept.random.intervals
    with pytest.raises(KeyError, match="expected one of"):
        again(kept).metrics["none"]


def summary_of(audit: assay.Audit) -> str:
    return audit["gan"].summary


def test_audits_go_to_other_processes(audit):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(summary_of, (audit,)) == audit["gan"].summary


def test_errors_are_pickled():
    for error in (assay.RequirementError(["a", "b"]), assay.Error("text", "bad_input"), assay.UnknownNameError("x")):
        other = pickle.loads(pickle.dumps(error))
        assert type(other) is type(error) and str(other) == str(error) and other.__dict__ == error.__dict__


def test_what_is_printed_speaks_of_the_content(audit):
    assert repr(audit) == "<assay.Audit of 80 real samples and gan (60), vae (70)>"
    assert "60 samples" in repr(audit["gan"]) and audit["gan"].summary in repr(audit["gan"])
    kept = audit.keep("gan", "suspicious", progress=False)
    assert f"{kept.kept} kept" in repr(kept) and "clipped_density" in repr(kept) and "clipped_density" in repr(kept.random)
    assert "60 samples" in repr(audit["gan"].samples)
    assert "80 samples with" in repr(audit["gan"].neighbors.real_to_real)
    assert repr(assay.Set(points(1), labels=["x"] * 80)) == "<assay.Set: ndarray [80, 4], labels>"


def test_intervals(audit):
    low, high = audit["gan"].interval("clipped_density")
    assert low <= audit["gan"].metrics["clipped_density"] <= high
    for name in ("frechet_distance", "no_such_metric"):
        with pytest.raises(assay.UnknownNameError, match=f"^interval: expected one of .*clipped_density.*; found {name}"):
            audit["gan"].interval(name)
        with pytest.raises(KeyError):
            audit["gan"].interval(name)
    with pytest.raises(KeyError, match="quick=False"):
        assay.audit(points(1), points(2), quick=True)["model"].interval("clipped_density")


@pytest.mark.parametrize(
    "form",
    [lambda flags: flags, list, lambda flags: flags.tolist(), numpy.flatnonzero, lambda f: list(numpy.flatnonzero(f))],
)
def test_samples_are_kept_by_flags_and_rows(audit, form):
    expected = audit.keep("gan", "suspicious", progress=False)
    kept = audit.keep("gan", form(expected.flags), progress=False)
    assert kept.metrics == expected.metrics and kept.intervals == expected.intervals
    assert (kept.flags == expected.flags).all() and kept.kept + kept.rejected == 60


@pytest.mark.parametrize(
    "flags, found",
    [
        (numpy.ones(59, dtype=bool), r"bool \[59\]"),
        (numpy.ones(60), r"float64 \[60\]"),
        (numpy.ones(60, dtype=int), r"int64 \[60\]"),
        (numpy.array([60]), r"int64 \[1\]"),
        ([True] * 3, r"bool \[3\]"),
    ],
)
def test_flags_that_do_not_fit(audit, flags, found):
    with pytest.raises(assay.Error, match=r"^rules: expected 60 flags \(bool\), or rows from 0 to 59, .*found " + found):
        audit.keep("gan", flags)


def test_requirements(audit):
    audit.require("clipped_density>=0", "gan:clipped_density.high<=2")
    with pytest.raises(assay.RequirementError) as failed:
        audit.require("clipped_density>=5", "vae:clipped_coverage.low>=6", "clipped_density>=0")
    assert [one.partition(":")[0] for one in failed.value.failures] == ["gan", "vae", "vae"]
    assert "vae: clipped_coverage.low: expected >= 6, found 0." in str(failed.value)
    with pytest.raises(AssertionError, match="gan: kept.clipped_density: expected >= 7"):
        audit.require("gan:kept.clipped_density>=7", rules="suspicious")
    for wrong, said in (
        ("copies<=0.01", "require: expected the id of a metric"),
        ("clipped_density", "require: expected METRIC>=NUMBER"),
        ("wgan:clipped_density>=0", "require: expected the name of a model"),
        ("kept.clipped_density>=0", "require: expected rules beside"),
    ):
        with pytest.raises(assay.Error, match=said) as refused:
            audit.require(wrong)
        assert not isinstance(refused.value, AssertionError)
    for wrong in ((), (5,)):
        with pytest.raises(TypeError, match="require: expected conditions"):
            audit.require(*wrong)


@pytest.mark.parametrize("quick", [True, False])
def test_a_model_is_added(quick):
    given = {"labels": {"real": numpy.arange(80) % 3, "vae": numpy.arange(70) % 3}, "held_out": points(4, 50)}
    options = {"quick": quick, "compat": "prdc", "progress": False}
    if not quick:
        options.update(discard=["pce"], bad_fraction=True, sample_size=True, frontier=True, one_class=True)
    models = {"gan": points(2, 60), "vae": points(3, 70, 1.0)}
    once = assay.audit(points(1), models, **given, **options)
    base = assay.audit(points(1), {"gan": models["gan"]}, **{**given, "labels": given["labels"]["real"]}, **options)
    before = base.to_json()
    added = base.add("vae", models["vae"], labels=given["labels"]["vae"], progress=False)
    assert without_times(added.to_json()) == without_times(once.to_json())
    assert list(base) == ["gan"] and base.to_json() == before
    assert_equal(added["vae"].samples, once["vae"].samples)
    with pytest.raises(assay.Error, match="models: expected each once, found 'gan' twice"):
        base.add("gan", models["vae"], progress=False)
    with pytest.raises(assay.Error, match="expected 4 columns"):
        base.add("other", points(1)[:, :2], progress=False)


def test_a_frame_is_added_to_an_opened_audit(tmp_path):
    pandas = pytest.importorskip("pandas")
    frames = [pandas.DataFrame(points(seed), columns=list("abcd")).assign(town=["x", "y"] * 40) for seed in range(3)]
    once = assay.audit(frames[0], {"a": frames[1], "b": frames[2]}, progress=False)
    assay.audit(frames[0], {"a": frames[1]}, progress=False).save(tmp_path / "a.assay")
    added = assay.open(tmp_path / "a.assay").add("b", frames[2], progress=False)
    assert added["b"].metrics == once["b"].metrics and added["b"].intervals == once["b"].intervals


def forms():
    def polars(values):
        frames = pytest.importorskip("polars")
        return frames.DataFrame(values, schema=list("abcd")).lazy()

    def arrow(values):
        tables = pytest.importorskip("pyarrow")
        return tables.table({name: values[:, at] for at, name in enumerate("abcd")})

    def frame(values):
        return pytest.importorskip("pandas").DataFrame(values, columns=list("abcd"))

    return {"lazy frame": (polars, frame), "arrow": (arrow, frame)}


@pytest.mark.parametrize("kind", forms())
def test_frames_of_other_libraries(kind):
    form, frame = forms()[kind]
    given = [assay.audit(one(points(1)), {"m": one(points(2))}, ids=None, progress=False) for one in (form, frame)]
    assert given[0]["m"].metrics == given[1]["m"].metrics
    assert assay.audit(form(points(1)), form(points(2)), quick=True)["model"].metrics["precision"] > 0


def test_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    for kind in (sparse.csr_matrix, sparse.coo_array):
        dense = assay.audit(points(1), {"m": points(2)}, quick=True)
        assert assay.audit(kind(points(1)), {"m": kind(points(2))}, quick=True)["m"].metrics == dense["m"].metrics
    with pytest.raises(assay.Error, match="^gan: expected at most 4 GiB .*sparse matrix of .* GiB; .*TruncatedSVD"):
        assay.audit(points(1), {"gan": sparse.csr_matrix((10**6, 10**5), dtype="float32")})


def test_ids_and_labels_as_frames():
    pandas = pytest.importorskip("pandas")
    ids = pandas.DataFrame({"name": [f"p{row}" for row in range(80)]})
    audit = assay.audit(points(1), {"m": points(2)}, ids={"m": ids}, labels=ids, quick=True)
    assert audit["m"].samples["id"][3] == audit["m"].real["label"][3] == "p3"
    with pytest.raises(assay.Error, match="ids of m: expected one value for each sample"):
        assay.audit(points(1), {"m": points(2)}, ids={"m": ids.assign(more=1)}, quick=True)


@pytest.mark.parametrize("dtype", ["int64", "bool", "float32", "uint8"])
def test_labels_that_are_one_hot(dtype, tmp_path):
    classes = numpy.arange(80) % 3
    hot = numpy.eye(4)[classes].astype(dtype)
    plain = assay.audit(points(1), {"m": points(2)}, labels=classes, progress=False)
    audit = assay.audit(points(1), {"m": points(2)}, labels=hot, progress=False)
    assert without_times(audit.to_json()) == without_times(plain.to_json())
    numpy.save(tmp_path / "labels.npy", hot)
    numpy.savez(tmp_path / "all.npz", embeddings=points(1), labels=hot)
    for labels, real in ((tmp_path / "labels.npy", points(1)), (None, tmp_path / "all.npz")):
        read = assay.audit(real, {"m": points(2)}, labels=labels, progress=False)
        assert read["m"].json["by_class"] == plain["m"].json["by_class"]
    for ones, found in ((0, "0"), (2, "2")):
        wrong = hot.copy()
        wrong[7] = [1] * ones + [0] * (4 - ones)
        with pytest.raises(assay.Error, match=rf"labels: expected one 1 in every row .*found a row with {found} .*row 7"):
            assay.audit(points(1), {"m": points(2)}, labels=wrong)


def test_labels_that_are_dummies():
    pandas = pytest.importorskip("pandas")
    dummies = pandas.get_dummies(pandas.Series(["a", "b"] * 40))
    frame = pandas.DataFrame(points(1), columns=list("abcd"))
    for real in (points(1), frame):
        audit = assay.audit(real, points(2), labels=dummies, quick=True)
        assert audit["model"].real["label"][:3].tolist() == ["0", "1", "0"]


def test_labels_that_are_no_one_hot():
    with pytest.raises(assay.Error, match=r"labels: expected one 1 in every row .*found other values \(row 0\)"):
        assay.audit(points(1), {"m": points(2)}, labels=numpy.full((80, 4), 2))


@pytest.mark.parametrize("quick", [True, False])
def test_a_metric_of_a_training_loop(quick):
    metric = assay.Metric(points(1), quick=quick)
    with pytest.raises(assay.Error, match="compute: expected samples"):
        metric.compute()
    samples = points(2, 60)
    for batch in (samples[:13], samples[13:14].astype("float64"), samples[14:].tolist()):
        metric.update(batch)
    expected = assay.audit(points(1), {"m": samples}, quick=quick, progress=False)["m"].flat()
    assert metric.compute() == metric.compute() == pytest.approx(expected, rel=0, abs=0, nan_ok=True)
    assert ("clipped_density.low" in expected) == (not quick)
    metric.update(samples)
    assert metric.compute() != expected
    metric.reset()
    metric.update(samples)
    assert metric.compute() == expected
    with pytest.raises(assay.Error, match=r"features: expected numbers \[n, 4\], found float32 \[80, 2\]"):
        metric.update(points(1)[:, :2])


def test_a_metric_of_tensors():
    torch = pytest.importorskip("torch")
    metric = assay.Metric(points(1))
    metric.update(torch.from_numpy(points(2)).requires_grad_().bfloat16())
    assert metric.compute()["precision"] > 0


class Recorder:
    def __init__(self, *methods):
        self.calls = []
        for method in methods:
            setattr(self, method, lambda *given, method=method, **named: self.calls.append((method, given, named)))


def test_figures_are_logged(audit):
    flat = audit.flat()
    wandb = Recorder("log")
    audit.log(wandb, step=3)
    ((_, (logged,), named),) = wandb.calls
    assert named == {"step": 3} and logged == {**flat, **{f"{n}/summary": audit[n].summary for n in audit}}
    mlflow = Recorder("log_metrics", "log_text")
    audit.log(mlflow)
    assert mlflow.calls[0] == ("log_metrics", (flat,), {"step": None})
    assert ("log_text", (audit["gan"].summary, "gan/summary.txt"), {}) in mlflow.calls
    board = Recorder("add_scalar", "add_text")
    audit.log(board, 3)
    assert ("add_scalar", ("gan/clipped_density", flat["gan/clipped_density"], 3), {}) in board.calls
    assert ("add_text", ("vae/summary", audit["vae"].summary, 3), {}) in board.calls
    with pytest.raises(TypeError, match="run: expected .*found int"):
        audit.log(5)


def test_tensorboard_takes_them(audit, tmp_path):
    boards = pytest.importorskip("tensorboardX")
    with boards.SummaryWriter(str(tmp_path)) as writer:
        audit.log(writer, 1)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) > 1000


def test_pictures_of_findings_are_logged():
    demo = assay.demo(progress=False)
    board = Recorder("add_scalar", "add_text", "add_image")
    demo.log(board, 2)
    images = {arguments[0]: arguments[1] for name, arguments, _ in board.calls if name == "add_image"}
    strip = images["copycat/copy"]
    assert strip.dtype == numpy.uint8 and strip.ndim == 3 and strip.shape[1] % strip.shape[0] == 0
    examples = next(found for found in demo["copycat"].findings if found["id"] == "copy")["examples"]
    assert strip.shape[1] == len(examples) * strip.shape[0] and strip.std() > 10
    mlflow = Recorder("log_metrics", "log_text", "log_image")
    demo.log(mlflow)
    assert "copycat/copy.png" in [arguments[1] for name, arguments, _ in mlflow.calls if name == "log_image"]


def test_mlflow_takes_them(audit, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(tmp_path.as_uri())
    mlflow.set_experiment("audits")
    with mlflow.start_run() as run:
        audit.log(mlflow, step=2)
    logged = mlflow.get_run(run.info.run_id).data.metrics
    assert logged["gan/clipped_density"] == audit["gan"].metrics["clipped_density"]


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_memory_stays_flat():
    real, model = points(1, 300), points(2, 300)

    def some(count):
        for _ in range(count):
            audit = assay.audit(real, {"m": model}, quick=True, progress=False)
            audit["m"].samples, audit["m"].neighbors, audit.json
        gc.collect()

    some(60)
    before = resident()
    some(300)
    assert resident() - before < 24 << 20, "expected less than 24 MiB for 300 audits"


def patients(seed, rows=80, each=4, column="patient"):
    pandas = pytest.importorskip("pandas")
    values = points(seed, rows)
    frame = pandas.DataFrame(values, columns=list("abcd"))
    frame[column] = [f"p{row // each}" for row in range(rows)]
    return frame


def real_part(audit):
    return json.loads(audit.to_json())["real"]


def groups_of(audit, name="m"):
    real, model = (part.get("groups") for part in (real_part(audit), audit[name].json))
    return [None if part is None else part["count"] for part in (real, model)]


def test_groups_of_arrays():
    by_four = numpy.arange(80) // 4
    audit = assay.audit(points(1), {"m": points(2)}, groups=by_four, quick=True, progress=False)
    assert groups_of(audit) == [20, None]
    assert audit["m"].real["group"].tolist() == [str(row // 4) for row in range(80)]
    assert "group" not in audit["m"].samples
    both = {"real": [f"p{row % 5}" for row in range(80)], "m": by_four}
    audit = assay.audit(points(1), {"m": points(2)}, groups=both, quick=True, progress=False)
    assert groups_of(audit) == [5, 20]
    assert list(audit["m"].samples)[:4] == ["row", "id", "label", "group"]
    assert audit.add("n", points(3), groups=by_four // 2, progress=False)["n"].json["groups"]["count"] == 10
    given = assay.Set(points(1), groups=by_four)
    assert groups_of(assay.audit(given, {"m": points(2)}, quick=True, progress=False)) == [20, None]
    assert repr(given) == "<assay.Set: ndarray [80, 4], groups>"


def test_groups_of_frames_and_files(tmp_path):
    real, model = patients(1), patients(2, each=2)
    audit = assay.audit(real, {"m": model, "n": points(3)}, groups="patient", quick=True, progress=False)
    assert groups_of(audit) == [20, 40]
    assert real_part(audit)["dimensions"] == 4
    for frame, file in ((real, "real.csv"), (model, "model.csv")):
        frame.to_csv(tmp_path / file, index=False)
    files = (tmp_path / "real.csv", {"m": tmp_path / "model.csv"})
    assert groups_of(assay.audit(*files, groups="patient", quick=True, progress=False)) == [20, 40]
    by_name = {"real": "patient", "m": "who"}
    renamed = model.rename(columns={"patient": "who"})
    assert groups_of(assay.audit(real, {"m": renamed}, groups=by_name, quick=True, progress=False)) == [20, 40]
    said = assay.audit(real, {"m": model}, columns={"patient": "group"}, quick=True, progress=False)
    assert groups_of(said) == [20, 40]
    plain = real.drop(columns="patient")
    beside = assay.audit(plain, {"m": plain}, groups=real["patient"], quick=True, progress=False)
    assert groups_of(beside) == [20, None]
    real[["patient"]].to_csv(tmp_path / "groups.csv", index=False)
    listed = assay.audit(points(1), {"m": points(2)}, groups=tmp_path / "groups.csv", quick=True, progress=False)
    assert groups_of(listed) == [20, None]


def test_groups_that_are_refused():
    with pytest.raises(assay.Error, match="groups of real: expected one value for each sample, or a file, found 'patient'"):
        assay.audit(points(1), {"m": points(2)}, groups="patient")
    with pytest.raises(assay.Error, match="expected a column .* for its groups, found 'ward'; there are 'a', 'b', 'c', 'd'"):
        assay.audit(patients(1), {"m": patients(2)}, groups="ward")
    with pytest.raises(assay.Error, match="groups: expected 80 entries, one for each row, found 9"):
        assay.audit(points(1), {"m": points(2)}, groups=numpy.arange(9))
    with pytest.raises(assay.Error, match="groups as a 1-D array of whole numbers or text"):
        assay.audit(points(1), {"m": points(2)}, groups=numpy.eye(80, dtype=int))


def test_frechet_distance_to_published_statistics(tmp_path):
    real, fake = points(1, 200), points(2, 90, 0.5)
    mean, covariance = real.astype(float).mean(axis=0), numpy.cov(real.astype(float), rowvar=False)
    numpy.savez(tmp_path / "ref.npz", mu_s=mean, sigma_s=covariance)
    ours = assay.audit(real, {"fake": fake}, progress=False)["fake"]
    for reference in ((mean, covariance), f"{tmp_path}/ref.npz:s"):
        told = assay.frechet(reference, fake, progress=False)
        for name in ("frechet_distance", "frechet_infinity", "frechet_infinity_r2"):
            assert told[name] == pytest.approx(ours.metrics[name], rel=1e-9)
        low, high = told["frechet_infinity_interval"]
        assert low < told["frechet_infinity"] < high
        numpy.testing.assert_allclose(told["frechet_influence"], ours.samples["frechet_influence"], atol=1e-6)
    with pytest.raises(assay.Error, match=r"expected arrays \[d\] and \[d, d\]"):
        assay.frechet((mean, covariance[:2]), fake)
    with pytest.raises(assay.Error, match="expected 4 columns as in the reference, found 3"):
        assay.frechet((mean, covariance), fake[:, :3])
    with pytest.raises(assay.Error, match="negative eigenvalues"):
        assay.frechet((mean, -covariance), fake)
    with pytest.raises(assay.Error, match="expected mu and sigma"):
        assay.frechet(f"{tmp_path}/ref.npz", fake)
