"""The page to explore from Python, in a file and in a cell of a notebook."""

import html
import json
import sys
import time

import assay
import pytest
from assay._explore import Explorer, explorer
from conftest import ROOT


@pytest.fixture(scope="module")
def audit(real, gan):
    return assay.audit(real.values, {"gan": gan.values}, progress=False, quick=True)


def test_page_is_one_file(audit, tmp_path):
    file = tmp_path / "page.html"
    audit.page(file, samples=200)
    text = file.read_text()
    assert text.startswith("<!DOCTYPE html>") and "default-src 'none'" in text and '"rows":[600,500]' in text


def test_refuses_no_samples(audit, tmp_path):
    with pytest.raises(assay.Error, match="samples: expected a number from 1 on, found 0"):
        audit.page(tmp_path / "page.html", samples=0)


def test_cell_holds_the_page_in_a_sandbox():
    page = '<p title="a">&amp; it\'s</p>'
    cell = Explorer(page, 500)._repr_html_()
    assert 'sandbox="allow-scripts allow-downloads"' in cell
    assert html.unescape(cell.split("srcdoc='")[1].split("'>")[0]) == page


def test_widget_hands_back_rows_that_keep_takes(audit):
    pytest.importorskip("anywidget")
    widget = audit.explore(samples=100)
    assert explorer("", 10).selection == []
    rows = list(range(200))
    # As the front end sends it.
    widget.set_state({"model": "gan", "ids": [str(row) for row in rows], "selection": rows})
    assert (widget.model, widget.ids[:2], widget.selection) == ("gan", ["0", "1"], rows)
    kept = audit.keep(widget.model, widget.selection, progress=False)
    assert kept.metrics["clipped_density"] == audit.keep("gan", rows, progress=False).metrics["clipped_density"]


def test_model_shows_its_examples(audit, real, gan):
    pictured = assay.audit(
        assay.Set(real.values, images=real.images),
        {"gan": assay.Set(gan.values * 3, images=gan.images)},
        progress=False,
    )
    shown = pictured["gan"]._repr_html_()
    assert "data:image/png;base64," in shown and pictured["gan"].summary[:20] in html.unescape(shown)
    assert "<details><summary>Explore 200 of the samples here" in shown
    assert len(shown) < 600_000
    assert "audit.explore()" in pictured._repr_html_()


def test_model_is_shown_without_its_page_where_that_cannot_be_written(real, gan):
    values = real.values.copy()
    model = assay.audit(values, {"gan": gan.values}, progress=False, quick=True)["gan"]
    values[0] += 1
    shown = model._repr_html_()
    assert "<b>gan</b>" in shown and "found that it was changed" in shown and "iframe" not in shown


@pytest.fixture(scope="module")
def chromium():
    sys.path.insert(0, str(ROOT / "tests" / "page"))
    import browser

    if not browser.PROGRAM:
        pytest.skip("Chromium is not installed")
    with browser.Browser() as page:
        yield page


HEAR = "<script>addEventListener('message', (e) => { window.heard = e.data; });</script>"


def lasso_in_frame(page, inner):
    """Draws a lasso around the plane of a page that lies in the frame of the page at hand."""
    address = page.run("location.href")
    left, top, width, height = map(int, page.place("iframe"))
    page.resize(width, height)
    page.open(inner)
    x, y, wide, high = page.run(
        "(() => { const r = byId('plane').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()"
    )
    page.resize(1440, 1000)
    page.open(address, ready="window.heard?.assay === 'selection'")
    left, top, _, _ = page.place("iframe")
    around = [(0.05, 0.05), (0.5, 0.05), (0.95, 0.05), (0.95, 0.5), (0.95, 0.95), (0.5, 0.95), (0.05, 0.95)]
    for _ in range(50):  # a frame of another process takes the mouse once it has been drawn
        page.drag_at([(left + x + u * wide, top + y + min(v * high, height - y - 5)) for u, v in around])
        time.sleep(0.1)
        if page.run("heard.ids.length"):
            return
    raise AssertionError("nothing is selected")


def test_selection_in_the_browser_reaches_the_widget(audit, tmp_path, chromium):
    """The widget's own front end with a model that keeps what it is told; the page in its frame is real."""
    pytest.importorskip("anywidget")
    widget = audit.explore(samples=300, height=900)
    inner, around = tmp_path / "inner.html", tmp_path / "widget.html"
    inner.write_text(widget.page)
    state = json.dumps({"page": widget.page, "height": 900}).replace("<", "\\u003c")
    around.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><link rel=icon href='data:,'>{HEAR}<body><div id=cell></div><script type=module>"
        + str(widget._esm).replace("export default", "const front =")
        + f"""
        const state = {state};
        window.saved = null;
        front.render({{ el: document.getElementById("cell"), model: {{
          get: (name) => state[name], set: (name, value) => {{ state[name] = value; }}, on: () => {{}},
          save_changes: () => {{ const {{ page, ...rest }} = state; window.saved = rest; }} }} }});</script>"""
    )
    chromium.open(around, ready="window.saved?.selection")
    assert chromium.run("saved.selection") == []
    lasso_in_frame(chromium, inner)
    chromium.wait("window.saved.selection.length > 0")
    saved = chromium.run("saved")
    widget.set_state({name: saved[name] for name in ("model", "ids", "selection")})
    assert widget.model == "gan" and widget.ids == [str(row) for row in widget.selection]
    assert audit.keep(widget.model, widget.selection, progress=False).metrics
    assert chromium.complaints() == []


def executed(lines):
    """Runs the lines in a notebook of one cell. @return the notebook as HTML, without what it loads from elsewhere"""
    nbformat = pytest.importorskip("nbformat")
    nbconvert = pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    preprocessors = pytest.importorskip("nbconvert.preprocessors")
    start = [f"import sys; sys.path[:0] = {sys.path!r}", "import assay, numpy"]
    start += [
        "draw = numpy.random.default_rng(0)",
        "sets = [draw.normal(size=(300, 8)).astype('float32') for _ in range(2)]",
    ]
    start += ["audit = assay.audit(sets[0], {'gan': sets[1]}, progress=False)"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("\n".join(start + lines))])
    preprocessors.ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(notebook, {})
    exporter = nbconvert.HTMLExporter(template_name="basic")
    return HEAR + exporter.from_notebook_node(notebook)[0]


def test_executed_notebook_shows_the_page(tmp_path, chromium):
    """What nbconvert makes of a cell that ends with audit.explore(), where there is no anywidget."""
    pytest.importorskip("nbconvert")
    file, inner = tmp_path / "notebook.html", tmp_path / "inner.html"
    lines = ["sys.modules['anywidget'] = None", "explorer = audit.explore(samples=200, height=700, progress=False)"]
    lines += [f"open({str(inner)!r}, 'w').write(explorer.page)", "explorer"]
    file.write_text("<!DOCTYPE html><meta charset=utf-8><link rel=icon href='data:,'>" + executed(lines))
    chromium.open(file, ready="window.heard?.assay === 'selection'")
    assert chromium.run("heard.model") == "gan"
    lasso_in_frame(chromium, inner)
    assert chromium.run("heard.ids.length") > 50
    assert chromium.complaints() == []


def test_cell_of_a_model_opens_its_page(tmp_path, chromium):
    pytest.importorskip("nbconvert")
    file = tmp_path / "model.html"
    file.write_text("<!DOCTYPE html><meta charset=utf-8><link rel=icon href='data:,'>" + executed(["audit['gan']"]))
    assert file.stat().st_size < 500_000
    chromium.open(file, ready="document.querySelector('summary')")
    assert chromium.run("window.heard ?? null") is None  # nothing is loaded before it is opened
    chromium.click("summary")
    chromium.wait("window.heard?.model === 'gan'")
    assert chromium.complaints() == []
