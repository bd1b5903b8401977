"""Files of Python's formats become files that Assay reads."""

import io
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
from assay._convert import pictures as pictures_module
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


def test_files_of_one_name_stay_apart(tmp_path, expected, real):
    for name, shift in (("a", 0.0), ("b", 3.0)):
        (tmp_path / name).mkdir()
        write_json_lines(tmp_path / name / "set.jsonl", {**expected, "embeddings": expected["embeddings"] + shift})
    models = {name: tmp_path / name / "set.jsonl" for name in ("a", "b")}
    audit = assay.audit(real.values, models, quick=True, progress=False)
    alone = assay.audit(real.values, {"a": models["a"]}, quick=True, progress=False)
    assert audit["a"].metrics == alone["a"].metrics and audit["a"].metrics != audit["b"].metrics


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


class TestPicturesAsBytes:
    """Data sets of Hugging Face keep pictures as structures of bytes and path."""

    COUNT = 40

    @pytest.fixture
    def drawn(self):
        image = pytest.importorskip("PIL.Image")
        kinds = ["png", "jpeg", "gif", "bmp", "webp", "tiff"]
        pictures = []
        for row in range(self.COUNT):
            stream = io.BytesIO()
            image.new("RGB", (16, 12), (row * 6, 255 - row * 6, 90)).save(stream, kinds[row % len(kinds)])
            pictures.append(stream.getvalue())
        return pictures

    @staticmethod
    def table(pictures, paths, **columns):
        arrow = pytest.importorskip("pyarrow")
        rows = [{"bytes": picture, "path": path} for picture, path in zip(pictures, paths)]
        kind = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
        return arrow.table({**columns, "image": arrow.array(rows, kind)})

    @staticmethod
    def write(table, file):
        if file.suffix == ".parquet":
            pytest.importorskip("pyarrow.parquet").write_table(table, file, row_group_size=7)
        else:
            pytest.importorskip("pyarrow.feather").write_feather(table, file)

    @pytest.mark.parametrize("name", ["a.parquet", "a.feather"])
    def test_pictures_come_along(self, tmp_path, drawn, real, name):
        arrow = pytest.importorskip("pyarrow")
        endings = [".png", ".jpg", ".gif", ".bmp", ".webp", ".tiff"]
        vectors = arrow.array(list(real.values[: self.COUNT]), arrow.list_(arrow.float32()))
        paths = [f"train/n{row}.JPEG" for row in range(self.COUNT)]
        self.write(self.table(drawn, paths, embedding=vectors, label=[row % 3 for row in range(self.COUNT)]), tmp_path / name)
        assert assay.convert(tmp_path / name, tmp_path / "out.npz") == tmp_path / "out.npz"
        found = loaded(tmp_path / "out.npz")
        names = [f"n{row}{endings[row % 6]}" for row in range(self.COUNT)]  # the content tells the ending
        assert found["ids"].tolist() == names
        assert [(tmp_path / "out_pictures" / one).read_bytes() for one in names] == drawn
        numpy.testing.assert_array_equal(found["embeddings"], real.values[: self.COUNT])
        audit = assay.audit(real.values, {"a": tmp_path / name}, quick=True, progress=False)
        assert f"{name}_pictures\"" in audit.to_json()
        assay.convert(tmp_path / name, tmp_path / "table.csv")
        assert (tmp_path / "table.csv").read_text().splitlines()[1].endswith("n0.png")

    def test_pictures_without_vectors(self, tmp_path, drawn, capsys):
        table = self.table(drawn, [None] * self.COUNT, label=["a", "b"] * (self.COUNT // 2), width=[16] * self.COUNT)
        self.write(table, tmp_path / "a.parquet")
        assert main(["convert", str(tmp_path / "a.parquet"), str(tmp_path / "out.npz")]) == 0
        folder = tmp_path / "out_pictures"
        assert f"assay-embed {folder} --out {tmp_path / 'out.npz'}" in capsys.readouterr().err
        assert not (tmp_path / "out.npz").exists()
        assert sorted(one.name for one in folder.iterdir())[:2] == ["000000.png", "000001.jpg"]
        assert (tmp_path / "out_labels.csv").read_text().splitlines()[:2] == ["id,label", "000000.png,a"]
        audit = assay.audit(tmp_path / "a.parquet", {"same": tmp_path / "a.parquet"}, quick=True, progress=False)
        assert len(audit["same"].samples["row"]) == self.COUNT
        assert "pixels-16x16" in audit.to_json() and "a.parquet_labels.csv" in audit.to_json()

    def test_names_stay_in_their_folder(self, tmp_path, drawn):
        outside = tmp_path / "outside"
        paths = ["../../outside", "/etc/passwd", "..", "a/../../b.png", "c\\..\\d.png", ".hidden", "x" * 300]
        self.write(self.table(drawn[: len(paths)], paths), tmp_path / "a.parquet")
        (tmp_path / "deep").mkdir()
        folder = assay.convert(tmp_path / "a.parquet", tmp_path / "deep" / "out.npz")
        assert len(list(folder.iterdir())) == len(paths)
        assert all(one.parent == folder and len(one.name) < 110 and not one.name.startswith(".") for one in folder.iterdir())
        assert not outside.exists() and sorted(one.name for one in tmp_path.iterdir()) == ["a.parquet", "deep"]
        # Nor through a link that lies where the folder would be.
        outside.mkdir()
        (tmp_path / "link_pictures").symlink_to(outside)
        with pytest.raises(assay.Error, match="expected no such folder"):
            assay.convert(tmp_path / "a.parquet", tmp_path / "link.npz")
        assert not list(outside.iterdir())

    def test_names_that_clash_are_rows(self, tmp_path, drawn):
        self.write(self.table(drawn[:3], ["a/x.png", "b/X.png", "c.png"]), tmp_path / "a.parquet")
        folder = assay.convert(tmp_path / "a.parquet", tmp_path / "out.npz")
        assert sorted(one.name for one in folder.iterdir()) == ["000000.png", "000001.jpg", "000002.gif"]

    def test_what_is_no_picture_is_left_out(self, tmp_path, drawn, capsys):
        pictures = [drawn[0], None, b"#!/bin/sh", drawn[3]]
        self.write(self.table(pictures, ["a", "b", "c", "d"]), tmp_path / "a.parquet")
        folder = assay.convert(tmp_path / "a.parquet", tmp_path / "out.npz")
        assert sorted(one.name for one in folder.iterdir()) == ["a.png", "d.bmp"]
        assert "2 of 4 samples have no picture" in capsys.readouterr().err

    def test_samples_without_a_picture_stay(self, tmp_path, drawn, real):
        arrow = pytest.importorskip("pyarrow")
        vectors = arrow.array(list(real.values[: self.COUNT]), arrow.list_(arrow.float32()))
        pictures = [None if row % 10 == 3 else one for row, one in enumerate(drawn)]
        self.write(self.table(pictures, [None] * self.COUNT, embedding=vectors), tmp_path / "a.parquet")
        audit = assay.audit(real.values, {"a": tmp_path / "a.parquet"}, quick=True, progress=False)
        assert len(audit["a"].samples["row"]) == self.COUNT
        assert "36 pictures for 40 rows" in audit.to_json()

    def test_size_is_bounded(self, tmp_path, drawn, monkeypatch):
        self.write(self.table(drawn, [None] * self.COUNT), tmp_path / "a.parquet")
        monkeypatch.setattr(pictures_module, "MOST_BYTES_OF_PICTURES", sum(map(len, drawn[:5])))
        with pytest.raises(assay.Error, match="row 5: expected pictures of at most"):
            assay.convert(tmp_path / "a.parquet", tmp_path / "out.npz")
        assert sorted(one.name for one in tmp_path.iterdir()) == ["a.parquet"]
        monkeypatch.setattr(pictures_module, "MOST_BYTES_OF_PICTURE", len(drawn[0]))
        with pytest.raises(assay.Error, match=f"row 1: expected pictures of at most {len(drawn[0])} bytes"):
            assay.convert(tmp_path / "a.parquet", tmp_path / "out.npz")


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
    with pytest.raises(assay.Error, match="the key of one of the columns of vectors a, b"):
        assay.convert(tmp_path / "two.jsonl", tmp_path / "out.npz")
    (tmp_path / "text.jsonl").write_text('{"a": [{"b": 1}]}\n')
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
        # the folder's own time says when it was last used, those of its files when they were written
        before = {file.name: file.stat().st_mtime_ns for file in kept[0].iterdir()}
        assert before
        assert run("--synthetic", tmp_path / "a.jsonl", "--python", sys.executable).returncode == 0
        assert {file.name: file.stat().st_mtime_ns for file in kept[0].iterdir()} == before

    def test_pictures_come_along(self, run, tmp_path, real):
        arrow = pytest.importorskip("pyarrow")
        image = pytest.importorskip("PIL.Image")
        pictures = []
        for row in range(40):
            stream = io.BytesIO()
            image.new("RGB", (8, 8), (row, 0, 0)).save(stream, "png")
            pictures.append({"bytes": stream.getvalue(), "path": f"{row}.png"})
        vectors = arrow.array(list(real.values[:40]), arrow.list_(arrow.float32()))
        table = arrow.table({"image": pictures, "embedding": vectors})
        pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "a.parquet")
        for _ in range(2):  # converted, and kept
            done = run("--synthetic", tmp_path / "a.parquet", "--python", sys.executable)
            assert done.returncode == 0, done.stderr
            assert "a_pictures\"" in (tmp_path / "out.json").read_text()
        kept = next((tmp_path / "cache" / "assay" / "converted").iterdir())
        assert sorted(one.name for one in kept.iterdir()) == ["a.npz", "a_pictures"]

    def test_errors_name_the_file_that_was_given(self, run, tmp_path, expected):
        expected["embeddings"] = expected["embeddings"].copy()
        expected["embeddings"][5, 2] = numpy.nan
        write_parquet(tmp_path / "a.parquet", expected)
        done = run("--synthetic", tmp_path / "a.parquet", "--python", sys.executable)
        assert done.returncode == 3
        assert f"{tmp_path / 'a.parquet'}: 'embeddings': expected finite values, found NaN in row 5" in done.stderr
        whole = (tmp_path / "a.parquet").read_bytes()
        (tmp_path / "b.parquet").write_bytes(whole[: len(whole) // 2])
        done = run("--synthetic", tmp_path / "b.parquet", "--python", sys.executable)
        assert done.returncode == 3 and f"{tmp_path / 'b.parquet'}: " in done.stderr.splitlines()[-1]
        assert not (tmp_path / "out.json").exists()

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
        (tmp_path / "numpy.py").write_text("raise ImportError('not here')")
        done = run("--synthetic", tmp_path / "a.parquet", "--python", sys.executable, PYTHONPATH=str(tmp_path))
        assert done.returncode == 3 and "reading it needs numpy, which " in done.stderr and "-m pip install numpy" in done.stderr
        done = run("--synthetic", tmp_path / "a.parquet", "--python", "no-such-python")
        assert done.returncode == 3 and "no-such-python: expected a Python that can be started" in done.stderr
