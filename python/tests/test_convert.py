"""Files of Python's formats become files that Assay reads."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from conftest import BIN, without_times

import assay
from assay.__main__ import main


def loaded(file) -> dict:
    with numpy.load(file, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


@pytest.fixture
def expected(gan):
    return {
        "embeddings": gan.values,
        "labels": numpy.array([f"class {label}" for label in gan.labels]),
        "ids": numpy.array([f"pictures/{row}.png" for row in range(len(gan.labels))]),
    }


def require_equal(found, expected) -> None:
    assert set(found) == set(expected)
    for name, values in expected.items():
        numpy.testing.assert_array_equal(found[name], values)


def arrow_table(expected):
    arrow = pytest.importorskip("pyarrow")
    vectors = arrow.array(list(expected["embeddings"]), arrow.list_(arrow.float32()))
    return arrow.table({"embedding": vectors, "label": expected["labels"].tolist(), "path": expected["ids"].tolist()})


def write_parquet(file, expected):
    pytest.importorskip("pyarrow.parquet").write_table(arrow_table(expected), file)


def write_feather(file, expected):
    pytest.importorskip("pyarrow.feather").write_feather(arrow_table(expected), file)


def write_arrow_stream(file, expected):
    table = arrow_table(expected)
    with pytest.importorskip("pyarrow").ipc.new_stream(str(file), table.schema) as stream:
        stream.write_table(table)


def write_json_lines(file, expected):
    rows = zip(expected["embeddings"].tolist(), expected["labels"].tolist(), expected["ids"].tolist())
    file.write_text("".join(json.dumps({"embedding": e, "label": c, "path": i}) + "\n" for e, c, i in rows))


def write_matlab(file, expected):
    cells = {name: numpy.array(expected[name], dtype=object) for name in ("labels", "ids")}
    pytest.importorskip("scipy.io").savemat(file, {"embeddings": expected["embeddings"], **cells})


def write_data_set(file, expected):
    datasets = pytest.importorskip("datasets")
    names = sorted(set(expected["labels"].tolist()))
    features = datasets.Features(
        embedding=datasets.Sequence(datasets.Value("float32")),
        label=datasets.ClassLabel(names=names),
        path=datasets.Value("string"),
    )
    columns = {
        "embedding": expected["embeddings"].tolist(),
        "label": [names.index(label) for label in expected["labels"]],
        "path": expected["ids"].tolist(),
    }
    datasets.Dataset.from_dict(columns, features=features).save_to_disk(str(file))


def write_anndata(file, expected):
    anndata = pytest.importorskip("anndata")
    pandas = pytest.importorskip("pandas")
    obs = pandas.DataFrame({"label": pandas.Categorical(expected["labels"])}, index=expected["ids"])
    anndata.AnnData(X=expected["embeddings"], obs=obs).write_h5ad(file)


WRITERS = {
    "a.parquet": write_parquet,
    "a.feather": write_feather,
    "a.arrow": write_arrow_stream,
    "a.jsonl": write_json_lines,
    "a.mat": write_matlab,
    "folder": write_data_set,
    "a.h5ad": write_anndata,
}


@pytest.mark.parametrize("name", WRITERS)
def test_vectors_classes_and_ids_survive(tmp_path, expected, name, real):
    WRITERS[name](tmp_path / name, expected)
    out = tmp_path / "out.npz"
    command = [sys.executable, "-m", "assay", "convert", str(tmp_path / name), str(out)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(Path(assay.__file__).parents[1])})
    found = loaded(out)
    found["embeddings"] = found["embeddings"].astype(numpy.float32)
    require_equal(found, expected)

    # An audit of the file itself converts it in passing.
    direct = assay.audit(real.values, {"gan": tmp_path / name}, quick=True, progress=False)
    converted = assay.audit(real.values, {"gan": out}, quick=True, progress=False)
    assert direct["gan"].metrics == converted["gan"].metrics


def test_sparse_anndata(tmp_path, gan):
    anndata = pytest.importorskip("anndata")
    sparse = pytest.importorskip("scipy.sparse")
    values = numpy.where(gan.values > 2, gan.values, 0)
    for form in (sparse.csr_matrix, sparse.csc_matrix):
        data = anndata.AnnData(X=form(values))
        data.obsm["X_pca"] = gan.values[:, :3]
        data.write_h5ad(tmp_path / "cells.h5ad")
        assay.convert(tmp_path / "cells.h5ad", tmp_path / "out.npz")
        numpy.testing.assert_array_equal(loaded(tmp_path / "out.npz")["embeddings"], values)
        assay.convert(tmp_path / "cells.h5ad", tmp_path / "out.npz", key="X_pca")
        numpy.testing.assert_array_equal(loaded(tmp_path / "out.npz")["embeddings"], gan.values[:, :3])


def test_tables(tmp_path, score):
    lines = [{"age": 20 + row % 40, "town": "Ulm" if row % 3 else "Lyon", "income": row * 1.5} for row in range(200)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["convert", str(tmp_path / "a.jsonl"), str(tmp_path / "a.csv")]) == 0
    written = (tmp_path / "a.csv").read_text().splitlines()
    assert written[0] == "age,town,income" and written[2] == "21,Ulm,1.5" and len(written) == 201
    audit = assay.audit(tmp_path / "a.csv", {"same": tmp_path / "a.csv"}, one_hot=True, quick=True, progress=False)
    text = score("--real", tmp_path / "a.csv", "--synthetic", f"same={tmp_path / 'a.csv'}", "--one-hot", "--quick")
    assert without_times(audit.to_json()) == text


def test_pickles_are_never_read(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    (tmp_path / "a.pkl").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(assay.Error, match="anything but a pickle"):
        assay.convert(tmp_path / "a.pkl", tmp_path / "out.npz")
    assert not (tmp_path / "sprung").exists()


def test_refusals_say_what_is_missing(tmp_path, capsys, monkeypatch):
    (tmp_path / "a.jsonl").write_text('{"x": 1}\nnot JSON\n')
    assert main(["convert", str(tmp_path / "a.jsonl"), str(tmp_path / "out.npz")]) == 3
    assert "line 2: expected a JSON object" in capsys.readouterr().err
    (tmp_path / "two.jsonl").write_text('{"a": [1, 2], "b": [3, 4]}\n')
    with pytest.raises(assay.Error, match="--key with one of a, b"):
        assay.convert(tmp_path / "two.jsonl", tmp_path / "out.npz")
    (tmp_path / "text.jsonl").write_text('{"a": "b"}\n')
    with pytest.raises(assay.Error, match="found neither"):
        assay.convert(tmp_path / "text.jsonl", tmp_path / "out.npz")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(assay.Error, match=f"needs pyarrow, which {sys.executable} does not have"):
        assay.convert(tmp_path / "a.parquet", tmp_path / "out.npz")


class TestAssayScore:
    """assay-score has a Python convert what it does not read, and says what runs."""

    @pytest.fixture
    def run(self, tmp_path, real):
        numpy.save(tmp_path / "real.npy", real.values)

        def start(*arguments, **environment):
            command = [BIN / "assay-score", "--real", tmp_path / "real.npy", "--quick", "--json", tmp_path / "out.json"]
            given = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), **environment}
            return subprocess.run([*command, *arguments], env=given, stderr=subprocess.PIPE, text=True, check=False)

        return start

    def test_converts_once(self, run, tmp_path, expected, gan):
        write_json_lines(tmp_path / "a.jsonl", expected)
        done = run("--synthetic", tmp_path / "a.jsonl", "--python", sys.executable)
        assert done.returncode == 0, done.stderr
        assert f"note: running {sys.executable}" in done.stderr and "converted by" in done.stderr
        model = json.loads((tmp_path / "out.json").read_text())["models"][0]
        direct = assay.audit(tmp_path / "real.npy", {"a": gan.values}, quick=True, progress=False)
        assert model["name"] == "a"
        assert model["metrics"] == direct["a"].json["metrics"]
        kept = list((tmp_path / "cache" / "assay" / "converted").iterdir())
        assert len(kept) == 1
        before = kept[0].stat().st_mtime_ns
        assert run("--synthetic", tmp_path / "a.jsonl", "--python", sys.executable).returncode == 0
        assert kept[0].stat().st_mtime_ns == before

    def test_offers_it(self, run, tmp_path, expected):
        write_json_lines(tmp_path / "a.jsonl", expected)
        done = run("--synthetic", tmp_path / "a.jsonl")
        assert done.returncode == 3
        assert "with --python python3 this is run first" in done.stderr
        assert f"{tmp_path / 'a.jsonl'} OUT.npz" in done.stderr

    def test_says_what_python_lacks(self, run, tmp_path):
        (tmp_path / "a.parquet").write_bytes(b"PAR1" + bytes(100))
        (tmp_path / "pyarrow.py").write_text("raise ImportError('not here')")
        done = run("--synthetic", tmp_path / "a.parquet", "--python", sys.executable, PYTHONPATH=str(tmp_path))
        assert done.returncode == 3
        assert f"reading it needs pyarrow, which {sys.executable} does not have" in done.stderr
        assert not list((tmp_path / "cache" / "assay" / "converted").iterdir())
        done = run("--synthetic", tmp_path / "a.parquet", "--python", "no-such-python")
        assert done.returncode == 3 and "no-such-python: expected a Python that can be started" in done.stderr
