"""Options of the package: their types, and errors in the words of Python."""

import re

import numpy
import pytest

import assay

pandas = pytest.importorskip("pandas")


def points(seed: int, rows: int = 60) -> numpy.ndarray:
    return numpy.random.default_rng(seed).normal(size=(rows, 3)).astype("float32")


def frame(seed: int, rows: int = 60):
    return pandas.DataFrame(points(seed, rows), columns=["a", "b", "c"])


def with_value(values, value, row=7, column=1):
    if hasattr(values, "iloc"):
        values = values.astype(object)
        values.iloc[row, column] = value
    else:
        values[row, column] = value
    return values


@pytest.mark.parametrize(
    "option, value, expected",
    [
        ("k", "five", "an integer"),
        ("k", 2.5, "an integer"),
        ("k", True, "an integer"),
        ("seed", "0", "an integer"),
        ("threads", 1.0, "an integer"),
        ("fdr", "0.1", "a number"),
        ("quick", "yes", "True or False"),
        ("one_hot", 1, "True or False"),
        ("scale", 3, "a text"),
        ("compat", ["prdc"], "a text"),
        ("ignore_columns", 5, "names of columns"),
        ("columns", ["zip"], "kinds by the names of columns"),
        ("discard", b"pce", "names of columns"),
        ("memory_limit", 1.5, "bytes"),
        ("progress", "yes", "True, False or a function"),
    ],
)
def test_types_are_checked_by_name(option, value, expected):
    with pytest.raises(TypeError, match=f"^{option}: expected {expected}.*found {re.escape(repr(value))[:10]}"):
        assay.audit(points(1), {"m": points(2)}, **{option: value})


def test_numbers_of_numpy_are_numbers():
    given = {"k": numpy.int64(3), "fdr": numpy.float32(0.1), "quick": numpy.bool_(True), "memory_limit": 2**30}
    assert assay.audit(points(1), {"m": points(2)}, progress=False, **given).json["k"] == 3


@pytest.mark.parametrize(
    "option, value, said",
    [
        ("k", 0, "k: expected an integer from 1"),
        ("threads", -1, "threads: expected an integer from 0"),
        ("threads", 2**40, "threads: expected"),
        ("fdr", 2.0, "fdr: expected a number between 0 and 1, found 2"),
        ("memory_limit", "much", "memory_limit: expected a number of bytes"),
        ("scale", "log", "scale: expected none, zscore, pca-whiten or l2, found log"),
        ("missing", "fill", "missing: expected refuse, drop or indicate, found fill"),
        ("compat", "fid", "compat: expected one of salvy, prdc, .*found fid"),
        ("ignore_columns", ["z"], "ignore_columns: expected the name of a column"),
        ("columns", {"z": "id"}, "columns: expected the name of a column"),
        ("columns", {"a": "word"}, "columns: expected number, category, date, id, label, group or left-out for 'a'"),
        ("discard", "colour", "discard: expected a score of synthetic samples, found 'colour'"),
    ],
)
def test_values_are_refused_by_name(option, value, said):
    with pytest.raises(assay.Error, match=f"^{said}"):
        assay.audit(points(1), {"m": points(2)}, progress=False, **{option: value})


WRONG = {
    "NaN in an array": lambda: (with_value(points(1), numpy.nan), points(2)),
    "infinity in an array": lambda: (points(1), with_value(points(2), numpy.inf)),
    "text in a frame": lambda: (frame(1), with_value(frame(2), "oops")),
    "infinity in a frame": lambda: (with_value(frame(1), numpy.inf), frame(2)),
    "a missing value in a frame": lambda: (frame(1), with_value(frame(2), numpy.nan), {"missing": "refuse"}),
    "a column of nothing": lambda: (frame(1).assign(b=numpy.nan), frame(2), {"missing": "indicate"}),
    "too many texts": lambda: (frame(1, 120).assign(b=[f"t{i}" for i in range(120)]), frame(2), {"one_hot": True}),
    "too few rows to whiten": lambda: (points(1, 20), points(2, 20), {"scale": "pca-whiten"}),
    "rows of zeros": lambda: (points(1) * 0, points(2), {"scale": "l2"}),
    "lists of two lengths": lambda: ([[1.0, 2.0], [1.0]], points(2)),
    "objects": lambda: (numpy.array([[{}, {}]] * 30, dtype=object), points(2)),
    "labels of a frame": lambda: (assay.Set(frame(1), labels=["x"] * 59), frame(2)),
    "labels as fractions": lambda: (assay.Set(frame(1), labels=numpy.full(60, 0.5)), frame(2)),
    "vectors in a frame": lambda: (frame(1).assign(v=list(points(3))), frame(2)),
    "labels that are no column": lambda: (assay.Set(frame(1), labels="kind"), frame(2)),
    "two columns fewer": lambda: (frame(1), frame(2)[["a"]]),
}


@pytest.mark.parametrize("kind", WRONG)
def test_errors_speak_of_python(kind):
    real, model, *options = WRONG[kind]()
    with pytest.raises(assay.Error) as refused:
        assay.audit(real, {"gan": model}, progress=False, **(options[0] if options else {}))
    said = str(refused.value)
    assert ": expected " in said and "found " in said
    assert re.search(r"\b(real|gan)\b", said), said
    for never in ("--", "bad_cast", "assay-", "/tmp", ".csv", ".npy"):
        assert never not in said.replace("sklearn", ""), said


def test_advice_is_an_argument():
    with pytest.raises(assay.Error, match='missing="drop" leaves such rows out, missing="indicate" fills'):
        assay.audit(with_value(points(1), numpy.nan), points(2), progress=False)
    with pytest.raises(assay.Error, match=r"real \(data frame\), row 7, column 2 \('b'\)"):
        assay.audit(with_value(frame(1), numpy.inf), frame(2), progress=False)


@pytest.mark.parametrize(
    "given, said",
    [
        ((5, {"m": points(2)}), "real: expected an array"),
        ((points(1), 5), "models: expected a dictionary"),
        ((points(1), {"m": None}), "^m .*: expected"),
        ((None, {"m": points(2)}), "^real .*: expected"),
    ],
)
def test_what_is_no_set(given, said):
    with pytest.raises((TypeError, assay.Error), match=said):
        assay.audit(*given, progress=False)


def test_options_of_demo_and_keep():
    with pytest.raises(TypeError, match="missing"):
        assay.demo(missing="drop")
    with pytest.raises(TypeError, match="k: expected an integer"):
        assay.demo(k="five")
    audit = assay.audit(points(1), {"m": points(2)}, progress=False)
    with pytest.raises(TypeError, match="threads: expected an integer"):
        audit.keep("m", "copy", threads="two")
    with pytest.raises(TypeError, match="name: expected a text, found 5"):
        audit.add(5, points(3))
    with pytest.raises(TypeError, match="k: expected an integer"):
        assay.Metric(points(1), k="five")
    for call in (assay.open, audit.save, audit.report):
        with pytest.raises(TypeError, match="file: expected a path, found 5"):
            call(5)
    with pytest.raises(TypeError, match="row: expected an integer"):
        audit["m"].explain(1.5)


@pytest.mark.parametrize("rules", ["cpoy", 5, None])
def test_ready_rules_are_listed(rules):
    audit = assay.audit(points(1), {"m": points(2)}, progress=False)
    with pytest.raises((TypeError, assay.Error), match=r"rules: expected .* a ready rule \(.*copy.*\), found"):
        audit.keep("m", rules)


def test_lent_or_copied():
    for copy, expected in ((False, True), (True, False)):
        values = points(2)
        audit = assay.audit(points(1), {"m": values}, copy=copy, progress=False)
        values += 1
        try:
            audit.__reduce__()
        except assay.Error:
            assert expected
        else:
            assert not expected
