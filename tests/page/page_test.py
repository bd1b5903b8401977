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
ALT, CONTROL, SHIFT = 1, 2, 8
# Reference data that lie beside the source tree, as for the engine's tests.
DIGITS = pathlib.Path(os.environ.get("ASSAY_SHARED_DIR", ROOT.parent / "shared")) / "data" / "mnist"
DIGIT_MODELS = ("gan", "gan_early", "vae", "copycat", "mixed30", "fourdigits")
AROUND_ALL = [(0.1, 0.01), (0.5, 0.01), (0.9, 0.01), (0.9, 0.5), (0.9, 0.99), (0.5, 0.99), (0.1, 0.99), (0.1, 0.5)]
LEFT_HALF = [(0.1, 0.01), (0.3, 0.01), (0.5, 0.01), (0.5, 0.5), (0.5, 0.99), (0.3, 0.99), (0.1, 0.99)]


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
        score("--demo", "--page", cls.demo, "--json", cls.demo_json)
        cls.table, cls.audit = cls.folder / "table.html", cls.folder / "table.assay"
        table(cls.folder / "real.csv", 1, 300)
        table(cls.folder / "model.csv", 2, 200, 12)
        sets = ("--real", cls.folder / "real.csv", "--synthetic", f"<b onclick>={cls.folder / 'model.csv'}")
        score(*sets, "--page", cls.table, "--out", cls.audit, "--pack")
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

    def test_selects_by_click_and_escape(self):
        page = self.opened(self.demo)
        page.click("#ranking .tile:nth-child(3)")
        self.assertEqual(self.selected(), 1)
        page.click("#ranking .tile:nth-child(4)", SHIFT)
        self.assertEqual(self.selected(), 2)
        page.click("#ranking .tile:nth-child(3)", CONTROL)
        self.assertEqual(self.selected(), 1)
        page.key("Escape")
        self.assertEqual(self.selected(), 0)

    def test_explores_the_demo(self):
        page = self.opened(self.demo)
        page.click(".selectFinding")
        self.assertEqual(self.selected(), page.run("model().findings.find((f) => f.positions.length).positions.length"))
        page.choose("#verdictFilter", "good")
        good = self.shown()
        self.assertLess(good, page.run("setOf('synthetic').count"))
        self.assertEqual(page.run("ranking.rows.length"), good)
        self.explore()

    @unittest.skipUnless(DIGITS.is_dir(), "the reference digits are not there")
    def test_explores_digits_of_six_models(self):
        file = self.folder / "digits.html"
        models = [part for name in DIGIT_MODELS for part in ("--synthetic", f"{name}={DIGITS / name}.npz")]
        score("--real", DIGITS / "real.npz", *models, "--quick", "--page", file)
        page = self.opened(file)
        self.assertEqual(page.run("document.querySelectorAll('#models .card').length"), 6)
        self.assertEqual(page.run("scatterMarks.length"), 6)
        self.assertIn("20,000 of 49,000", page.run("byId('holds').textContent"))
        self.explore()
        start = page.run("state.model")
        for name in DIGIT_MODELS[start + 1 :] + DIGIT_MODELS[: start + 1]:
            page.key("m")
            self.assertEqual(page.run("model().name"), name)
            self.assertTrue(page.run("ranking.rows.length > 100 && atlases.size > 0"), name)

    def explore(self):
        """What every page can do: mouse, brush, filter, keys, clipboard and files."""
        page = self.chromium
        page.key("Escape")
        count = page.run("setOf('synthetic').count")
        page.drag("#plane", AROUND_ALL)
        self.assertEqual(self.selected("real"), page.run("setOf('real').count"))
        self.assertEqual(self.selected(), count)
        self.assertGreater(float(page.run("document.documentElement.dataset.lassoMs")), 0)
        page.drag("#plane", LEFT_HALF, CONTROL | SHIFT)
        self.assertTrue(0 < self.selected() < count)
        self.assertIn("selected", page.run("byId('selectedCount').textContent"))
        page.click("#showReal")
        page.drag("#plane", AROUND_ALL)
        self.assertEqual((self.selected("real"), self.selected()), (0, count))
        page.click("#showReal")
        self.pan()
        page.drag("#distribution", [(0.5, 0.5), (0.7, 0.5), (0.99, 0.5)])
        low = page.run("state.brush.low")
        self.assertTrue(0 < self.selected() < count)
        self.assertTrue(
            page.run(f"selectedAt('synthetic').every((at) => columnValues('synthetic', 'fidelity')[at] >= {low})")
        )
        page.key("Escape")
        for one in page.run(
            "[...new Set([...setOf('synthetic').code ?? []].map((code) => setOf('synthetic').classes[code]))]"
        )[:2]:
            page.choose("#classFilter", f"={one}")
            self.assertTrue(page.run(f"ranking.rows.every((at) => classOf('synthetic', at) === {json.dumps(one)})"))
            self.assertTrue(0 < self.shown() < count, one)
        first = page.run("setOf('synthetic').ids[7]")
        page.choose("#classFilter", "")
        page.choose("#find", first)
        self.assertTrue(0 < self.shown() < count)
        page.key("Escape")
        self.assertEqual(self.shown(), count)
        self.walk_and_keep()

    def pan(self):
        page = self.chromium
        page.wheel("#plane", -100)
        self.assertGreater(page.run("plane.zoom"), 1)
        before, selected = page.run("[plane.x, plane.y]"), self.selected()
        page.drag("#plane", [(0.5, 0.5), (0.55, 0.5), (0.6, 0.6)], ALT)
        after = page.run("[plane.x, plane.y]")
        self.assertTrue(after[0] < before[0] and after[1] > before[1], (before, after))
        self.assertEqual(self.selected(), selected)  # moving selects nothing
        page.click("#zoomOut")
        self.assertEqual(page.run("[plane.zoom, plane.x, plane.y]"), [1, 0.5, 0.5])

    def walk_and_keep(self):
        """Walks the ranking by keys, takes two samples, and copies and saves their ids."""
        page = self.chromium
        page.key("ArrowRight")
        page.key("Enter")
        page.key("ArrowRight")
        page.key("Enter")
        self.assertEqual(self.selected(), 2)
        self.assertGreater(page.run("ranking.rows.indexOf(state.current.at)"), 0)
        ids = page.run("chosenIds()")
        page.click("#copy")
        page.wait("byId('toast').textContent.startsWith('Copied: 2 ids of synthetic')")
        self.assertEqual(page.run("navigator.clipboard.readText()"), "\n".join(ids))
        self.assertEqual(self.saved("#saveIds", "selected.txt").split("\n"), [*ids, ""])
        self.assertTrue(json.loads(self.saved("#saveRules", "rules.json"))["rules"])
        page.key("Escape")

    def shown(self):
        return self.chromium.run("state.shown.synthetic.reduce((a, b) => a + b, 0)")

    def saved(self, button, name):
        """Text of the file that a button saves."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            self.chromium.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
            self.chromium.click(button)
            file, deadline = pathlib.Path(folder) / name, time.time() + 20
            while time.time() < deadline and not file.exists():
                time.sleep(0.02)
            return file.read_text()

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

    def test_saves_rules_that_the_program_takes(self):
        page = self.opened(self.table)
        page.click(".selectFinding")
        self.assertEqual(self.saved("#saveIds", "selected.txt").split("\n")[:-1], page.run("chosenIds()"))
        self.assertIn("rules", json.loads(self.saved("#saveRules", "rules.json")))
        for brush in ('{column: "pce", words: [], low: -1, high: 1}', "null"):
            rules = self.folder / "made.json"
            rules.write_text(page.run(f"(state.rules = null, state.brush = {brush}, rulesText())"))
            score("--open", self.audit, "--rules", rules, "--json", self.folder / "kept.json")

    def test_explores_a_table_and_runs_nothing_that_it_says(self):
        page = self.opened(self.table)
        for name in ("classes", "scores", "holes"):
            page.click(f"[data-tab={name}]")
        page.run("showSample('synthetic', 0)")
        self.assertIn("<script>", page.run("document.body.innerText"))
        self.assertIn("age", page.run("byId('sample').textContent"))
        self.assertIsNone(page.run("window.hacked ?? null"))
        self.assertEqual(page.run("document.querySelectorAll('img, body b').length"), 0)
        self.assertEqual(page.run("document.querySelectorAll('script:not([type])').length"), 1)
        self.assertNotIn("unsafe", page.run("document.querySelector('meta[http-equiv]').content"))
        # Without pictures the samples are listed, each with its reason.
        self.assertEqual(page.run("document.querySelector('#ranking thead').textContent"), "SampleVerdictEvidenceWhy")
        self.assertGreater(page.run("document.querySelector('#ranking tbody td:last-child').textContent.length"), 20)
        self.explore()

    def test_explores_series(self):
        array(self.folder / "real.npy", 1, (200, 24, 2))
        array(self.folder / "model.npy", 2, (150, 24, 2), 1.02)
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
        self.explore()

    def test_says_what_it_leaves_out(self):
        file = self.folder / "some.html"
        score("--open", self.audit, "--page", file, "--page-samples", 320)
        page = self.opened(file)
        self.assertEqual(page.run("sets.reduce((sum, set) => sum + set.count, 0)"), 320)
        examples, drawn, others = page.run(
            "byId('holds').textContent.match(/320 of 500 samples: (\\d+) examples and flagged ones, and (\\d+) of the "
            "([0-9]+) others .*drawn at random with seed 1/).slice(1)"
        )
        self.assertEqual(int(examples) + int(drawn), 320)
        self.assertEqual(int(examples) + int(others), 500)
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
