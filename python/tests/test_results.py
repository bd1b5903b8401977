"""What an audit hands out, and how it behaves while it runs."""

import csv
import gc
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy
import pytest
from conftest import BIN

import assay


@pytest.fixture(scope="module")
def audit(real, gan, test_set):
    return assay.audit(real.values, {"gan": gan.values}, labels=real.labels, held_out=test_set.values, progress=False)


def test_samples_are_the_columns_of_the_csv(audit):
    for table, synthetic in ((audit["gan"].samples, True), (audit["gan"].real, False)):
        written = list(csv.DictReader(io.StringIO(audit._engine.csv(0, synthetic))))
        assert set(written[0]) == set(table)
        for name, column in table.items():
            texts = [line[name] for line in written]
            if column.dtype.kind in "US":
                assert texts == column.tolist()
            else:
                numpy.testing.assert_array_equal(numpy.array(texts, dtype=float), column.astype(float))
    assert audit["gan"].samples.to_numpy()["fidelity"].shape == (500,)
    assert audit.held_out.rows == 300


def test_samples_as_a_data_frame(audit):
    pytest.importorskip("pandas")
    frame = audit["gan"].samples.to_pandas()
    assert len(frame) == 500
    assert (frame["verdict"] == audit["gan"].samples["verdict"]).all()


def test_neighbors_are_those_of_a_direct_search(audit, real, gan):
    between = numpy.linalg.norm(real.values[:, None].astype(float) - gan.values[None].astype(float), axis=2)
    table = audit["gan"].neighbors.real_to_synthetic
    numpy.testing.assert_array_equal(table.index[:, 0], between.argmin(axis=1))
    numpy.testing.assert_allclose(table.distance[:, 0], between.min(axis=1), rtol=1e-12)
    own = audit["gan"].neighbors.synthetic_to_synthetic
    assert (own.index != numpy.arange(500)[:, None]).all()


def test_arrays_outlive_their_audit(real, gan):
    audit = assay.audit(real.values, {"gan": gan.values}, quick=True, progress=False)
    distance = audit["gan"].neighbors.real_to_real.distance
    expected = distance.copy()
    del audit
    gc.collect()
    numpy.testing.assert_array_equal(distance, expected)


def test_float32_rows_are_lent_and_given_back(gan):
    class Owner(numpy.ndarray):
        pass

    values = Owner((400, 12), dtype=numpy.float32)
    values[:] = numpy.random.default_rng(0).normal(size=(400, 12))
    audit = assay.audit(values, {"gan": gan.values}, quick=True, progress=False)
    watched = weakref.ref(values)
    del values
    gc.collect()
    assert watched() is not None
    del audit
    gc.collect()
    assert watched() is None


def test_rows_changed_meanwhile_are_noticed(real, gan):
    values = real.values.copy()

    def change(fraction, stage):
        values[0, 0] += 1

    with pytest.raises(assay.Error, match="changed"):
        while True:  # where the first run ends before progress is told
            assay.audit(values, {"gan": gan.values}, progress=change)


def test_kept_samples(audit):
    kept = audit.keep("gan", rules={"good_lost": 0.05}, progress=False)
    assert kept.kept == kept.flags.sum() == (audit["gan"].samples["p_any"] >= 0.05).sum()
    assert kept.kept + kept.rejected == 500
    assert kept.interval("clipped_density")[0] <= kept.metrics["clipped_density"]
    assert kept.random.metrics["clipped_density"] < kept.metrics["clipped_density"]
    named = audit.keep("gan", rules="unrealistic", progress=False)
    assert named.rejected == (audit["gan"].samples["verdict"] == "unrealistic").sum()
    with pytest.raises(assay.Error, match="no_such_column"):
        audit.keep("gan", rules=[{"column": "no_such_column", "bound": "at_least", "value": 1}], progress=False)


def test_flat_is_what_the_models_say(audit):
    flat = audit.flat()
    assert flat["gan/clipped_density"] == audit["gan"].metrics["clipped_density"]
    assert (flat["gan/clipped_density.low"], flat["gan/clipped_density.high"]) == audit["gan"].interval("clipped_density")
    assert "gan/frechet_distance" in flat and "gan/frechet_distance.low" not in flat
    with pytest.raises(assay.Error, match="no_such_metric"):
        audit["gan"].interval("no_such_metric")


def test_saved_audits_open_again(audit, tmp_path):
    audit.save(tmp_path / "audit.assay", progress=False)
    again = assay.open(tmp_path / "audit.assay", progress=False)
    assert again["gan"].json["metrics"] == audit["gan"].json["metrics"]
    numpy.testing.assert_array_equal(again["gan"].samples["p_any"], audit["gan"].samples["p_any"])
    command = [BIN / "assay-score", "--open", tmp_path / "audit.assay", "--quiet", "--json", tmp_path / "audit.json"]
    subprocess.run(command, check=True)
    assert json.loads((tmp_path / "audit.json").read_text())["models"] == again.json["models"]
    with pytest.raises(assay.Error):
        assay.open(tmp_path / "audit.json", progress=False)


def test_reports(audit, tmp_path):
    audit.report(tmp_path / "audit.html", rules={"good_lost": 0.01}, progress=False)
    audit.report(tmp_path / "audit.md", progress=False)
    assert audit["gan"].summary in (tmp_path / "audit.md").read_text()
    assert (tmp_path / "audit.html").read_text().startswith("<!DOCTYPE html>")
    with pytest.raises(assay.Error) as refused:
        audit.report(tmp_path / "audit.docx")
    assert refused.value.kind == "invalid_argument"


def test_notebooks_show_sentences_and_scores(audit):
    shown = audit._repr_html_()
    assert audit["gan"].summary.split(".")[0].replace("'", "&#x27;") in shown
    assert "<pre>" in shown


def test_errors_are_those_of_the_engine(tmp_path, real, gan):
    with pytest.raises(assay.Error) as missing:
        assay.audit(tmp_path / "nothing.npy", {"gan": gan.values}, progress=False)
    assert missing.value.kind == "bad_input" and "expected a file, found nothing of that name" in str(missing.value)
    broken = real.values.copy()
    broken[7, 3] = numpy.nan
    with pytest.raises(assay.Error, match="found NaN in row 7, column 3"):
        assay.audit(broken, {"gan": gan.values}, progress=False)
    with pytest.raises(assay.Error, match="labels: expected 600 entries"):
        assay.audit(real.values, {"gan": gan.values}, labels=real.labels[:9], progress=False)
    with pytest.raises(TypeError, match="no_such_option"):
        assay.audit(real.values, {"gan": gan.values}, no_such_option=1)
    with pytest.raises(assay.Error, match="backend: expected one of auto"):
        assay.audit(real.values, {"gan": gan.values}, backend="faiss", progress=False)


def test_wrong_names_are_answered_with_the_right_ones(audit, real):
    for table, name in ((audit, "gan"), (audit["gan"].metrics, "clipped_density"), (audit["gan"].samples, "fidelity")):
        with pytest.raises(KeyError, match=f"expected one of .*{name}.*; found no_such_name"):
            table["no_such_name"]
        assert table.get("no_such_name") is None and "no_such_name" not in table
    for share in (7, -0.1, "1 %"):
        with pytest.raises(assay.Error, match="good_lost: expected a share from 0 to 1"):
            audit.keep("gan", rules={"good_lost": share}, progress=False)
    with pytest.raises(assay.Error, match="models: expected at least one"):
        assay.audit(real.values, {}, progress=False)


def test_labels_of_every_kind_are_classes(real, gan):
    names = numpy.array(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
    forms = [real.labels.tolist(), real.labels.astype(float), names[real.labels], list(names[real.labels])]
    for labels in forms:
        audit = assay.audit(real.values, {"gan": gan.values}, labels=labels, quick=True, progress=False)
        assert len(set(audit["gan"].real["label"])) == 10
    some = [None if row % 3 else str(label) for row, label in enumerate(real.labels)]
    audit = assay.audit(real.values, {"gan": gan.values}, labels=some, quick=True, progress=False)
    assert (audit["gan"].real["label"] == "").sum() == 400


def test_tensors(real, gan):
    torch = pytest.importorskip("torch")
    tensor = torch.from_numpy(real.values).requires_grad_()
    audit = assay.audit(tensor, {"gan": torch.from_numpy(gan.values)}, quick=True, progress=False)
    plain = assay.audit(real.values, {"gan": gan.values}, quick=True, progress=False)
    assert audit["gan"].metrics == plain["gan"].metrics


def large(rows: int) -> numpy.ndarray:
    return numpy.random.default_rng(rows).normal(size=(rows, 64)).astype(numpy.float32)


def test_an_exception_of_progress_stops_the_audit():
    class Enough(Exception):
        pass

    def callback(fraction, stage):
        assert 0 <= fraction <= 1 and isinstance(stage, str)
        raise Enough

    with pytest.raises(Enough):
        assay.audit(large(12000), {"model": large(11000)}, progress=callback)


def test_ctrl_c_stops_an_audit(capsys):
    """At ten moments of an audit. How soon is printed; ASSAY_STOP_LIMIT in seconds makes it a limit."""
    sets = large(6000), {"model": large(5000)}
    delays = []
    for step in range(1, 11):
        pressed = []

        def press():
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.08 * step, press)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            while True:
                assay.audit(*sets, progress=False)
        delays.append(time.monotonic() - pressed[0])
    with capsys.disabled():
        print(f"[returned at most {1000 * max(delays):.0f} ms after Ctrl+C]", end=" ")
    assert max(delays) < float(os.environ.get("ASSAY_STOP_LIMIT", "inf")), delays


def test_other_threads_of_python_run_meanwhile():
    done = threading.Event()
    counted = []

    def count():
        while not done.wait(0.001):
            counted.append(len(stages))

    stages = []
    thread = threading.Thread(target=count)
    thread.start()
    assay.audit(large(6000), {"model": large(5000)}, progress=lambda fraction, stage: stages.append(stage))
    done.set()
    thread.join()
    assert len(set(counted)) > 2, "expected the thread to see the audit in several states"


def test_without_a_window_show_says_so(audit):
    with pytest.raises(assay.Error, match="no-such-window"):
        audit.show("no-such-window")


def test_every_public_name_is_documented():
    for name in assay.__all__:
        assert getattr(assay, name).__doc__, name
    assert sys.modules["assay"].__doc__
