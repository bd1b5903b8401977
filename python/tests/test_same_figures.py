"""The package says what assay-score says, byte for byte."""

import json

import numpy
import pytest
from conftest import ROOT, without_times

import assay

DIGITS = ROOT.parent / "shared" / "data" / "mnist"


def text_of(audit: assay.Audit) -> str:
    return without_times(audit.to_json())


def figures_of(text: str) -> dict:
    """All that the JSON says of the samples, without where they are from."""
    found = json.loads(text)
    for one in [found["real"], found.get("held_out", {}), *found["models"]]:
        for key in ("file", "pictures", "labels", "sha256", "notes"):
            one.pop(key, None)
    return found


def saved(folder, name, blobs) -> str:
    file = folder / f"{name}.npz"
    numpy.savez(file, embeddings=blobs.values, labels=blobs.labels, images=blobs.images)
    return str(file)


def test_demo_is_that_of_assay_score(score):
    assert text_of(assay.demo(progress=False)) == score("--demo")


@pytest.mark.skipif(not DIGITS.is_dir(), reason="no digits on this machine")
def test_digits(score):
    files = {name: str(DIGITS / f"{name}.npz") for name in ("real", "gan", "copycat", "heldout")}
    audit = assay.audit(
        files["real"], {"gan": files["gan"], "copycat": files["copycat"]}, held_out=files["heldout"], progress=False
    )
    expected = score(
        "--real", files["real"], "--synthetic", f"gan={files['gan']}", "--synthetic", f"copycat={files['copycat']}",
        "--held-out", files["heldout"],
    )  # fmt: skip
    assert text_of(audit) == expected


def test_files_with_options_and_curves(score, tmp_path, real, gan, test_set):
    files = [saved(tmp_path, name, one) for name, one in (("real", real), ("gan", gan), ("test", test_set))]
    audit = assay.audit(
        files[0], {"gan": files[1]}, held_out=files[2], k=3, cover_k=2, fdr=0.1, scale="zscore", bad_fraction=True,
        frontier=True, discard=["pce"], compat="prdc", progress=False,
    )  # fmt: skip
    expected = score(
        "--real", files[0], "--synthetic", f"gan={files[1]}", "--held-out", files[2], "-k", 3, "--cover-k", 2,
        "--fdr", 0.1, "--scale", "zscore", "--bad-fraction", "--frontier", "--discard", "pce", "--compat", "prdc",
    )  # fmt: skip
    assert text_of(audit) == expected


def test_arrays_score_as_their_files(score, tmp_path, real, gan, test_set):
    arguments = []
    for option, name, one in (("--real", "real", real), ("--synthetic", "gan", gan), ("--held-out", "test", test_set)):
        for part in ("values", "labels", "images"):
            numpy.save(tmp_path / f"{name}.{part}.npy", getattr(one, part))
        prefix = "--" if name == "gan" else option + "-"
        arguments += [option, f"{'gan=' if name == 'gan' else ''}{tmp_path / name}.values.npy"]
        arguments += [f"{prefix}labels", f"{tmp_path / name}.labels.npy"]
        arguments += [f"{prefix}pictures", f"{tmp_path / name}.images.npy"]
    audit = assay.audit(
        real.values,
        {"gan": assay.Set(gan.values, labels=gan.labels, images=gan.images)},
        labels={"real": real.labels, "held_out": test_set.labels},
        images={"real": real.images, "held_out": test_set.images},
        held_out=test_set.values,
        progress=False,
    )
    assert figures_of(text_of(audit)) == figures_of(score(*arguments))


@pytest.mark.parametrize("kind", ["float64", "far from zero", "float16", "Fortran order", "every other row"])
def test_every_array_scores_as_its_npy(score, tmp_path, real, gan, kind):
    def form(values):
        if kind == "Fortran order":
            return numpy.asfortranarray(values)
        if kind == "every other row":
            return numpy.repeat(values, 2, axis=0)[::2]
        if kind == "far from zero":
            return values.astype(numpy.float64) + 1e9
        return values.astype(kind)

    ours = {"real": form(real.values), "gan": form(gan.values)}
    for name, values in ours.items():
        numpy.save(tmp_path / f"{name}.npy", values)
    audit = assay.audit(ours["real"], {"gan": ours["gan"]}, progress=False)
    expected = score("--real", tmp_path / "real.npy", "--synthetic", tmp_path / "gan.npy")
    assert figures_of(text_of(audit)) == figures_of(expected)
    assert audit.json["real"]["sha256"] == json.loads(expected)["real"]["sha256"]


def test_table(score, tmp_path):
    draw = numpy.random.default_rng(4)

    def table(rows, shift):
        lines = ["id,age,income,town,class"]
        for row in range(rows):
            age = "" if row % 50 == 7 else round(draw.normal(40 + shift, 9), 1)
            town = ["Ulm", "Lyon", "Graz"][draw.integers(3)]
            lines.append(f"{row},{age},{round(draw.lognormal(8, 1), 2)},{town},{'ab'[row % 2]}")
        return "\n".join(lines) + "\n"

    (tmp_path / "real.csv").write_text(table(400, 0))
    (tmp_path / "model.csv").write_text(table(300, 3))
    options = {"missing": "indicate", "one_hot": True, "progress": False}
    audit = assay.audit(tmp_path / "real.csv", {"model": tmp_path / "model.csv"}, **options)
    expected = score(
        "--real", tmp_path / "real.csv", "--synthetic", tmp_path / "model.csv", "--missing", "indicate", "--one-hot"
    )
    assert text_of(audit) == expected

    pandas = pytest.importorskip("pandas")
    frames = [pandas.read_csv(tmp_path / name) for name in ("real.csv", "model.csv")]
    assert figures_of(text_of(assay.audit(frames[0], {"model": frames[1]}, **options))) == figures_of(expected)


def test_pictures(score, tmp_path, real, gan):
    pictures = pytest.importorskip("PIL.Image")
    for name, blobs in (("real", real), ("gan", gan)):
        for row, image in enumerate(blobs.images[:120]):
            file = tmp_path / name / str(blobs.labels[row]) / f"{row:03}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            pictures.fromarray(image).save(file)
    audit = assay.audit(tmp_path / "real", {"gan": tmp_path / "gan"}, progress=False)
    assert text_of(audit) == score("--real", tmp_path / "real", "--synthetic", tmp_path / "gan")

    for name, blobs in (("real", real), ("gan", gan)):
        numpy.savez(tmp_path / f"{name}.npz", images=blobs.images)
    expected = score("--real", tmp_path / "real.npz", "--synthetic", tmp_path / "gan.npz")
    arrays = assay.audit(real.images, {"gan": gan.images}, progress=False)
    # Intervals are drawn by the hash of the file, which is that of an archive here.
    assert arrays.json["models"][0]["metrics"] == json.loads(expected)["models"][0]["metrics"]


def test_prdc_are_those_of_the_package(real, gan):
    prdc = pytest.importorskip("prdc")
    for k in (1, 5, 20):
        theirs = prdc.compute_prdc(real_features=real.values, fake_features=gan.values, nearest_k=k)
        ours = assay.compute_prdc(real.values, gan.values, nearest_k=k)
        assert set(ours) == set(theirs)
        for name, value in theirs.items():
            assert ours[name] == pytest.approx(float(value), abs=1e-12), (k, name)


def test_hdf5_packed_by_gzip(score, tmp_path, real, gan):
    h5py = pytest.importorskip("h5py")
    files = []
    for name, blobs in (("real", real), ("gan", gan)):
        files.append(str(tmp_path / f"{name}.h5"))
        with h5py.File(files[-1], "w") as file:
            file.create_dataset("embeddings", data=blobs.values, compression="gzip")
    audit = assay.audit(files[0], {"gan": files[1]}, progress=False)
    assert text_of(audit) == score("--real", files[0], "--synthetic", f"gan={files[1]}")
