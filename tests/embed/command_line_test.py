"""What needs nothing but Python: arguments, what an environment lacks, the lines of --progress json."""

import io
import json
import os
import sys
import unittest
from contextlib import redirect_stderr
from unittest import mock

from support import Folder, events

from assay_embed import environment
from assay_embed.models import MODELS
from assay_embed.progress import Progress


class CommandLineTest(Folder):
    def test_help_names_every_model_with_its_dimensions(self):
        text = self.embed("--help").stdout
        for spec in MODELS.values():
            self.assertRegex(text, rf"{spec.name} +{spec.dimensions} ")
        self.assertIn("lstm", text)

    def test_refuses_what_makes_no_sense(self):
        (self.folder / "there.npz").write_bytes(b"x")
        there, new = self.path("there.npz"), self.path("new.npz")
        for arguments, words in (
            ([], "expected a source"),
            ([there], "expected --out"),
            ([there, "--out", there], "found one that is; --overwrite"),
            ([there, "--out", there, "--overwrite"], "another file than the source"),
            ([there, "--out", str(self.folder)], "expected a file, found a folder"),
            ([there, "--out", self.path("no/new.npz")], "no folder"),
            ([there, "--out", new, "--reuse", "--overwrite"], "exclude each other"),
            ([there, "--out", new, "--random-weights", "--weights", "w"], "exclude each other"),
        ):
            with self.subTest(arguments):
                ended = self.embed(*arguments)
                self.assertEqual(ended.returncode, 1)
                self.assertIn(words, ended.stderr)
                self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
        self.assertEqual(self.embed("--model", "vgg").returncode, 2)
        self.assertEqual(self.embed("--batch", "0").returncode, 2)
        self.assertFalse(os.path.exists(new))

    def test_errors_are_events(self):
        ended = self.embed(self.path("absent"), "--out", self.path("no/x.npz"), "--progress", "json")
        self.assertEqual([event["event"] for event in events(ended.stderr)], ["error"])

    def test_check_tells_what_is_missing_and_how_to_install_it(self):
        # -S -I: a Python without any package.
        import subprocess

        from support import PROGRAM
        ended = subprocess.run([sys.executable, "-I", "-S", str(PROGRAM), "--check", "--model", "clip-vitb32"],
                               capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        told = json.loads(ended.stdout)
        model = told["models"]["clip-vitb32"]
        self.assertFalse(model["ready"])
        self.assertEqual(model["install"], ["torch", "numpy", "pillow", "open_clip_torch"])
        self.assertIn(f"not installed in {sys.executable}", model["problem"])
        self.assertTrue(model["problem"].endswith("-m pip install torch numpy pillow open_clip_torch"))
        self.assertEqual(told["models"]["lstm"]["install"], ["torch", "numpy"])

    def test_check_tells_of_a_package_that_cannot_be_loaded(self):
        (self.folder / "torch.py").write_text("raise OSError('libcudart.so: cannot open shared object file')")
        ended = self.embed("--check", PYTHONPATH=str(self.folder))
        self.assertEqual(ended.returncode, 1)
        problem = json.loads(ended.stdout)["models"]["dinov2-vitl14"]["problem"]
        self.assertIn("cannot be loaded: libcudart.so", problem)

    def test_a_model_with_all_its_packages_is_ready(self):
        with mock.patch.object(environment, "_is_there", lambda name: True), \
                mock.patch.object(environment, "require", lambda *names: []):
            told = environment.check({"a": ("numpy",), "b": ("torch", "timm")}, "b")
        self.assertEqual([told["models"][name]["ready"] for name in "ab"], [True, True])
        self.assertEqual(told["models"]["b"]["problem"], "")


class ProgressTest(unittest.TestCase):
    def test_writes_an_object_a_line(self):
        heard = io.StringIO()
        with redirect_stderr(heard):
            progress = Progress("json")
            progress.step("Embedding", 0, 10)
            progress.step("Embedding", 1, 10)  # too soon after the one before
            progress.step("Embedding", 10, 10)
            progress.say("n\u00f6te")
            progress.warn("left out")
            progress.done(file="x.npz", rows=10, dimensions=3, left_out=0)
        self.assertEqual([json.loads(line) for line in heard.getvalue().splitlines()], [
            {"event": "progress", "stage": "Embedding", "done": 0, "total": 10},
            {"event": "progress", "stage": "Embedding", "done": 10, "total": 10},
            {"event": "note", "message": "n\u00f6te"},
            {"event": "warning", "message": "left out"},
            {"event": "done", "file": "x.npz", "rows": 10, "dimensions": 3, "left_out": 0}])

    def test_none_is_silent_but_for_warnings_and_errors(self):
        heard = io.StringIO()
        with redirect_stderr(heard):
            progress = Progress("none")
            progress.step("Embedding", 0, 10)
            progress.say("note")
            progress.warn("left out")
            progress.fail("failed")
        self.assertEqual(heard.getvalue().splitlines(), ["assay-embed: note: left out", "assay-embed: failed"])
