"""What belongs to which set, and nothing lost or mixed up on the way."""

import numpy
import pytest

import assay

pandas = pytest.importorskip("pandas")


def points(seed: int, shift: float = 0.0) -> numpy.ndarray:
    return (numpy.random.default_rng(seed).normal(size=(60, 3)) + shift).astype("float32")


def frame(seed: int, shift: float = 0.0):
    return pandas.DataFrame(points(seed, shift), columns=["a", "b", "c"])


def quick(*given, **options):
    return assay.audit(*given, quick=True, progress=False, **options)


def sums(audit):
    return [part["sha256"] for part in audit.json["models"]]


def test_frames_of_one_name_stay_apart():
    alone = quick(frame(1), {"model": frame(2, 9.0)})
    named = quick(frame(1), {"real": frame(2, 9.0)})
    assert sums(named) == sums(alone) and named.json["real"]["sha256"] == alone.json["real"]["sha256"]
    two = quick(frame(1), {"a/b": frame(2), "a_b": frame(3)})
    assert sums(two) == sums(quick(frame(1), {"x": frame(2), "y": frame(3)}))


def test_labels_beside_files_of_one_name(tmp_path):
    for folder, seed in (("ra", 1), ("ga", 2)):
        (tmp_path / folder).mkdir()
        numpy.save(tmp_path / folder / "emb.npy", points(seed))
    labels = {"real": ["x"] * 60, "gan": ["y"] * 60}
    audit = quick(tmp_path / "ra/emb.npy", {"gan": tmp_path / "ga/emb.npy"}, labels=labels)
    assert set(audit["gan"].samples["label"]) == {"y"} and set(audit["gan"].real["label"]) == {"x"}


def test_files_are_named_by_what_tells_them_apart(tmp_path):
    for folder, seed in (("ra", 2), ("ga", 3)):
        (tmp_path / folder).mkdir()
        numpy.save(tmp_path / folder / "emb.npy", points(seed))
    files = [str(tmp_path / "ra/emb.npy"), str(tmp_path / "ga/emb.npy")]
    assert list(quick(points(1), files)) == ["ra/emb", "ga/emb"]
    with pytest.raises(assay.Error, match="every file once"):
        quick(points(1), [files[0], files[0]])


def test_what_is_masked_is_missing():
    masked = numpy.ma.masked_array(points(1), mask=False)
    assert quick(masked, {"m": points(2)}).json["real"]["rows"] == 60
    masked[3, 1] = numpy.ma.masked
    with pytest.raises(assay.Error, match="row 3"):
        quick(masked, {"m": points(2)})
    assert quick(masked, {"m": points(2)}, missing="drop").json["real"]["rows"] == 59
    labels = numpy.ma.masked_array(["x"] * 60, mask=[True] + [False] * 59)
    assert quick(points(1), {"m": points(2)}, labels=labels)["m"].real["label"][:2].tolist() == ["", "x"]


def test_names_that_are_no_set_are_refused():
    with pytest.raises(assay.Error, match="labels: expected names among m, real; found gan"):
        quick(points(1), {"m": points(2)}, labels={"gan": ["x"] * 60})
    with pytest.raises(assay.Error, match="a model's too"):
        quick(points(1), {"real": points(2)}, labels={"real": ["x"] * 60})
    with pytest.raises(assay.Error, match="names of text"):
        quick(points(1), {"a\0b": points(2)})


def test_the_index_of_a_frame_and_ids_given():
    named = frame(2).set_axis([f"row {i}" for i in range(60)], axis=0)
    assert quick(frame(1), {"m": named})["m"].samples["id"][5] == "row 5"
    ids = [f"p{i}" for i in range(60)]
    assert quick(frame(1), {"m": assay.Set(frame(2), ids=ids)})["m"].samples["id"].tolist() == ids
    with pytest.raises(assay.Error, match="expected 60, found 2"):
        quick(frame(1), {"m": assay.Set(frame(2), ids=["a", "b"])})


def test_labels_are_a_column():
    real, model = frame(1), frame(2)
    real["kind"], model["kind"] = ["x", "y"] * 30, ["y"] * 60
    audit = quick(real, {"m": model}, labels="kind")
    assert set(audit["m"].samples["label"]) == {"y"} and audit.json["real"]["dimensions"] == 3


def test_one_model_without_a_name():
    audit = quick(points(1), points(2))
    assert list(audit) == ["model"]
    assert audit.to_pandas().loc["model", "precision"] == audit["model"].metrics["precision"]


def test_keep_refuses_what_it_does_not_know():
    audit = assay.audit(points(1), points(2), progress=False)
    with pytest.raises(TypeError, match="tread"):
        audit.keep("model", {"good_lost": 0.05}, tread=2)


def test_point_clouds_are_no_series():
    clouds = numpy.random.default_rng(1).normal(size=(40, 64, 3)).astype("float32")
    with pytest.raises(assay.Error, match="point clouds"):
        quick(clouds, {"m": clouds})
    assert quick(assay.Set(clouds, series=True), {"m": clouds}).json["real"]["dimensions"] == 192


def test_arrays_that_changed_since_are_not_written(tmp_path):
    lent = points(2)
    audit = assay.audit(points(1), lent, progress=False)
    audit.save(tmp_path / "before.assay")
    lent[0] += 1
    with pytest.raises(assay.Error, match="changed"):
        audit.save(tmp_path / "after.assay")
    with pytest.raises(assay.Error, match="changed"):
        audit.report(tmp_path / "after.html")
    assert not (tmp_path / "after.assay").exists() and not (tmp_path / "after.html").exists()


def table(seed: int, rows: int):
    draw = numpy.random.default_rng(seed)
    return pandas.DataFrame(
        {
            "person": [f"p{seed}-{i}" for i in range(rows)],
            "age": numpy.where(draw.random(rows) < 0.1, numpy.nan, draw.integers(18, 90, rows)),
            "education": draw.choice(["school", "bachelor", "master"], rows),
            "since": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(draw.integers(0, 900, rows), "D"),
            "member": draw.random(rows) < 0.5,
            "constant": 7,
            "class": draw.choice(["a", "b"], rows),
        }
    )


@pytest.mark.parametrize("kind", ["csv", "parquet", "feather", "polars"])
def test_a_table_is_the_same_in_every_form(tmp_path, kind):
    frames = {"real": table(1, 200), "model": table(2, 150)}
    expected = quick(frames["real"], {"m": frames["model"]})
    assert expected.json["real"]["dimensions"] == 9  # age, since, member, constant, education as four, a gap of age
    given = {}
    for name, one in frames.items():
        file = tmp_path / f"{name}.{kind}"
        if kind == "csv":
            one.to_csv(file, index=False)
        elif kind == "polars":
            file = pytest.importorskip("polars").from_pandas(one)
        else:
            pytest.importorskip("pyarrow")
            (one.to_parquet if kind == "parquet" else one.to_feather)(file)
        given[name] = file
    audit = quick(given["real"], {"m": given["model"]})
    assert audit["m"].metrics == pytest.approx(expected["m"].metrics, rel=0, abs=0, nan_ok=True)
    assert audit.json["preparation"] == expected.json["preparation"]


def test_columns_are_taken_as_said():
    frame = pandas.DataFrame({"zip": ["10115", "20095"] * 30, "code": range(7, 187, 3), "label": numpy.arange(60) % 7})
    said = {"zip": "category", "code": "id", "label": "number"}
    audit = assay.audit(frame, {"m": frame}, columns=said, quick=True, progress=False)
    assert audit.json["preparation"]["column_kinds"] == {"code": "id", "label": "number"} | {"zip": "category"}
    assert list(audit["m"].samples["id"][:2]) == ["7", "10"]
    assert not any(audit["m"].samples["label"])
