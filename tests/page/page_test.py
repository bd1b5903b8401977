"""The page to explore in headless Chromium: what is clicked, dragged and typed there, and that nothing leaves it."""

import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("ASSAY_BIN_DIR", ROOT / "build" / "release" / "bin"))
HOSTILE = "<script>hacked=1</script><img src=x onerror=hacked=1>"
CONTROL, SHIFT = 2, 8


def score(*arguments):
    subprocess.run([BIN / "assay-score", *map(str, arguments), "--quiet"], check=True)


def table(file, seed, rows, shift=0.0):
    draw = random.Random(seed)
    lines = ["id,age,height,weight,label"]
    for row in range(rows):
        label = draw.choice(["a</script><b>", "long class name " * 6])
        lines.append(
            f"{HOSTILE}{row},{draw.gauss(40 + shift, 9):.3f},{draw.gauss(170, 8):.3f},{draw.gauss(70, 9):.3f},{label}"
        )
    file.write_text("\n".join(lines) + "\n")


def array(file, seed, shape, scale=1.0):
    """A .npy file of single precision."""
    draw = random.Random(seed)
    size = 1
    for count in shape:
        size *= count
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
    values = struct.pack(f"<{size}f", *(draw.gauss(0, scale) for _ in range(size)))
    file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + values)


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.demo = cls.folder / "demo.html"
        cls.demo_json = cls.folder / "demo.json"
        cls.audit = cls.folder / "demo.assay"
        score("--demo", "--page", cls.demo, "--json", cls.demo_json, "--out", cls.audit)
        cls.chromium = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.chromium.__exit__()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def opened(self, file):
        self.chromium.resize(1440, 1000)
        self.chromium.open(file)
        return self.chromium

    def selected(self, side="synthetic"):
        return self.chromium.run(f"selectedAt('{side}').length")

    def tearDown(self):
        self.assertEqual(self.chromium.complaints(), [])

    def test_shows_every_figure_of_the_json(self):
        page = self.opened(self.demo)
        for one in json.loads(self.demo_json.read_text())["models"]:
            found = page.run(
                f"Object.fromEntries(audit.models.find((m) => m.name === {json.dumps(one['name'])})"
                ".metrics.map((m) => [m.id, m.value]))"
            )
            self.assertGreater(len(found), 10)
            for name, value in found.items():
                self.assertEqual(value, one["metrics"][name], name)

    def test_selects_by_lasso_click_and_escape(self):
        page = self.opened(self.demo)
        page.drag(
            "#plane",
            [(0.3, 0.05), (0.5, 0.02), (0.7, 0.05), (0.7, 0.5), (0.68, 0.95), (0.5, 0.97), (0.3, 0.95), (0.28, 0.5)],
        )
        all_selected = self.selected()
        self.assertGreater(all_selected, 0)
        self.assertGreater(float(page.run("document.documentElement.dataset.lassoMs")), 0)
        self.assertIn("selected", page.run("byId('selectedCount').textContent"))
        page.click("#ranking .tile:nth-child(3)")
        self.assertEqual(self.selected(), 1)
        page.click("#ranking .tile:nth-child(4)", SHIFT)
        self.assertEqual(self.selected(), 2)
        page.click("#ranking .tile:nth-child(3)", CONTROL)
        self.assertEqual(self.selected(), 1)
        page.key("Escape")
        self.assertEqual(self.selected(), 0)

    def test_links_brush_finding_filter_and_keys(self):
        page = self.opened(self.demo)
        page.drag("#distribution", [(0.5, 0.5), (0.7, 0.5), (0.99, 0.5)])
        brushed = self.selected()
        self.assertGreater(brushed, 0)
        low = page.run("state.brush.low")
        self.assertTrue(
            page.run(f"selectedAt('synthetic').every((at) => columnValues('synthetic', 'fidelity')[at] >= {low})")
        )
        page.click(".selectFinding")
        self.assertEqual(self.selected(), page.run("model().findings.find((f) => f.positions.length).positions.length"))
        self.assertEqual(page.run("setOf('synthetic').selected.length"), page.run("setOf('synthetic').count"))
        page.run("byId('verdictFilter').value = 'good'; byId('verdictFilter').dispatchEvent(new Event('change'))")
        good = page.run("state.shown.synthetic.reduce((a, b) => a + b, 0)")
        self.assertLess(good, page.run("setOf('synthetic').count"))
        self.assertEqual(page.run("ranking.rows.length"), good)
        page.key("Escape")
        self.assertEqual(page.run("ranking.rows.length"), page.run("setOf('synthetic').count"))
        page.key("ArrowRight")
        before = page.run("state.current.at")
        page.key("ArrowRight")
        self.assertNotEqual(page.run("state.current.at"), before)
        page.key("Enter")
        self.assertEqual(self.selected(), 1)
        page.key("m")
        self.assertEqual(page.run("state.model"), (page.run("audit.start") + 1) % page.run("audit.models.length"))

    def test_zooms_and_shows_every_tab_and_layout(self):
        page = self.opened(self.demo)
        page.key("+")
        self.assertGreater(page.run("plane.zoom"), 1)
        page.key("0")
        self.assertEqual(page.run("plane.zoom"), 1)
        for name in ("scores", "holes", "classes", "useful", "private", "words"):
            page.click(f"[data-tab={name}]")
            self.assertGreater(page.run("byId('more').textContent.length"), 10, name)
        for choice in ("layout/components", "colorBy/difference", "colorBy/set", "as/rows"):
            control, value = choice.split("/")
            page.run(f"byId('{control}').value = '{value}'; byId('{control}').dispatchEvent(new Event('change'))")
        self.assertGreater(page.run("document.querySelectorAll('#ranking tr[data-at]').length"), 10)

    def test_saves_ids_and_rules_that_the_program_takes(self):
        page = self.opened(self.demo)
        page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder))
        page.click(".selectFinding")
        page.click("#saveIds")
        page.click("#saveRules")
        deadline = time.time() + 20
        while time.time() < deadline and not all((self.folder / n).exists() for n in ("selected.txt", "rules.json")):
            time.sleep(0.1)
        self.assertEqual((self.folder / "selected.txt").read_text().split("\n")[:-1], page.run("chosenIds()"))
        self.assertIn("rules", json.loads((self.folder / "rules.json").read_text()))
        for brush in ('{column: "pce", words: [], low: -1, high: 1}', "null"):
            rules = self.folder / "made.json"
            rules.write_text(page.run(f"(state.rules = null, state.brush = {brush}, rulesText())"))
            score("--open", self.audit, "--rules", rules, "--json", self.folder / "kept.json")

    def test_runs_nothing_that_data_says(self):
        table(self.folder / "real.csv", 1, 300)
        table(self.folder / "model.csv", 2, 200, 12)
        file = self.folder / "table.html"
        score(
            "--real",
            self.folder / "real.csv",
            "--synthetic",
            f"<b onclick>={self.folder / 'model.csv'}",
            "--page",
            file,
        )
        page = self.opened(file)
        for name in ("classes", "scores", "holes"):
            page.click(f"[data-tab={name}]")
        page.run("showSample('synthetic', 0)")
        self.assertIn("<script>", page.run("document.body.innerText"))
        self.assertIn("age", page.run("byId('sample').textContent"))
        self.assertIsNone(page.run("window.hacked ?? null"))
        self.assertEqual(page.run("document.querySelectorAll('img, body b').length"), 0)
        self.assertEqual(page.run("document.querySelectorAll('script:not([type])').length"), 1)
        self.assertNotIn("unsafe", page.run("document.querySelector('meta[http-equiv]').content"))

    def test_draws_series(self):
        array(self.folder / "real.npy", 1, (200, 24, 2))
        array(self.folder / "model.npy", 2, (150, 24, 2), 1.5)
        file = self.folder / "series.html"
        score(
            "--real",
            f"{self.folder / 'real.npy'}:series",
            "--synthetic",
            f"{self.folder / 'model.npy'}:series",
            "--page",
            file,
        )
        page = self.opened(file)
        self.assertGreater(page.run("document.querySelectorAll('#ranking .tile').length"), 10)
        self.assertGreater(page.run("document.querySelectorAll('#ranking .tile canvas').length"), 10)

    def test_says_what_it_leaves_out(self):
        file = self.folder / "some.html"
        score("--open", self.audit, "--page", file, "--page-samples", 700)
        page = self.opened(file)
        self.assertEqual(page.run("sets.reduce((sum, set) => sum + set.count, 0)"), 700)
        self.assertIn("700 of 12,500", page.run("byId('holds').textContent"))
        self.assertTrue(
            page.run(
                "audit.models.every((m) => m.findings.every((f) => f.side === 'real' || f.examples.every((e) => e.position.length)))"
            )
        )

    def test_fits_a_narrow_screen_in_both_themes(self):
        for dark in (False, True):
            self.chromium.dark(dark)
            page = self.opened(self.demo)
            page.resize(400, 900, phone=True)
            page.open(self.demo)
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 400)
            self.assertEqual(page.run("document.documentElement.classList.contains('dark')"), dark)
        self.chromium.dark(False)

    def test_tells_a_frame_around_it(self):
        around = self.folder / "around.html"
        around.write_text(
            "<!DOCTYPE html><iframe id=f sandbox='allow-scripts' width=1200 height=900></iframe><script>"
            "addEventListener('message', (e) => { window.heard = e.data; });"
            f"document.getElementById('f').srcdoc = {json.dumps(self.demo.read_text()).replace('</', '<' + chr(92) + '/')};</script>"
        )
        self.chromium.open(around, ready="window.heard?.assay")
        heard = self.chromium.run("heard")
        self.assertEqual((heard["assay"], heard["rows"]), ("selection", []))


class ScriptTest(unittest.TestCase):
    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_scripts_are_well_formed(self):
        for script in sorted((ROOT / "engine" / "report" / "page").glob("*.js")):
            subprocess.run(["node", "--check", script], check=True)


if __name__ == "__main__":
    if not browser.PROGRAM:
        print("skipped: Chromium is not installed")
        sys.exit(77)
    unittest.main(verbosity=2)
