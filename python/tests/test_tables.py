"""Tables are read as Python's csv reads them, or refused."""

import csv
import io
import random

import pytest

import assay

SEPARATORS = [",", ";", "\t", "|"]
PIECES = ['"', '""', "'", ",", ";", "\t", "|", "\n", " ", "pipe", "12", "x", "é", "#"]


def text_of(draw: random.Random) -> str:
    return "w" + "".join(draw.choice(PIECES) for _ in range(draw.randint(0, 6)))


def numbers_of(draw: random.Random) -> list[str]:
    return [f"{draw.gauss(0, 1):.4f}" for _ in range(3)]


def audited(folder, text: str):
    """Ids and labels of the samples of a table."""
    (folder / "real.csv").write_text(text, encoding="utf-8", newline="")
    audit = assay.audit(folder / "real.csv", {"model": folder / "real.csv"}, quick=True, progress=False)
    samples = audit["model"].samples
    return samples["id"].tolist(), samples["label"].tolist() if "label" in samples else None


def test_what_csv_writes(tmp_path):
    draw = random.Random(1)
    for table in range(300):
        rows = [[text_of(draw) + str(row), *numbers_of(draw), text_of(draw)] for row in range(draw.randint(12, 30))]
        out = io.StringIO()
        writer = csv.writer(
            out,
            delimiter=draw.choice(SEPARATORS),
            quoting=draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
            lineterminator=draw.choice(["\n", "\r\n"]),
        )
        writer.writerows([["id", "a", "b", "c", "label"], *rows])
        ids, labels = audited(tmp_path, out.getvalue())
        assert ids == [row[0] for row in rows], table
        assert labels == [row[-1].strip(" ") for row in rows], table


def test_quotes_that_no_program_writes(tmp_path):
    draw = random.Random(2)
    refused = 0
    for table in range(300):
        separator = draw.choice(SEPARATORS)
        lines = [separator.join(["id", "a", "b", "c"])]
        for row in range(20):
            text = "".join(draw.choice(['"', '"', "pipe", "12", " ", "x"]) for _ in range(draw.randint(1, 3)))
            lines.append(separator.join([f"w{row}{text}" if draw.random() < 0.95 else text, *numbers_of(draw)]))
        text = "\n".join(lines) + "\n"
        try:
            ids, _ = audited(tmp_path, text)
        except assay.Error as error:
            assert "closing quote" in str(error) or "fields, as in the first line" in str(error), error
            refused += 1
        else:
            assert ids == [row[0] for row in csv.reader(io.StringIO(text), delimiter=separator)][1:], text
    assert 0 < refused < 250


@pytest.mark.parametrize("separator", [" ", "\t", ","])
def test_what_write_table_of_r_writes(tmp_path, separator):
    draw = random.Random(3)
    names = [f'"row {row}"' if separator != "," else f'"row, {row}"' for row in range(40)]
    lines = [separator.join(['"x"', '"y"', '"z"'])]
    lines += [separator.join([name, *numbers_of(draw)]) for name in names]
    ids, _ = audited(tmp_path, "\n".join(lines) + "\n")
    assert ids == [name.strip('"') for name in names]
