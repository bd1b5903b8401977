"""Interrupted runs go on and end in the same file; batches fit the memory. The program itself, above a fake network."""

import os
import signal
import subprocess
import sys
import time
import unittest
import zipfile

from support import WITH_FAKE_NETWORK, Folder, events, needs, write_pictures

COUNT = 60


@needs("numpy", "PIL")
class ResumeTest(Folder):
    def setUp(self):
        super().setUp()
        write_pictures(self.folder / "set", COUNT)
        self.out = self.path("out.npz")
        self.parts = self.out + ".parts"

    def run_to_end(self, *arguments, out=None, **environment):
        return self.embed(self.path("set"), "--out", out or self.out, "--progress", "json", "--batch", "8", *arguments,
                          program=WITH_FAKE_NETWORK, **environment)

    def start(self, **environment):
        return subprocess.Popen([sys.executable, str(WITH_FAKE_NETWORK), self.path("set"), "--out", self.out, "--progress",
                                 "json", "--batch", "8"], stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "FAKE_BATCH_MS": "200", **environment})

    def stop_while_embedding(self, number, batches):
        """@return the exit code and the events, of a run that was sent the signal after some batches"""
        process = self.start()
        lines = []
        for line in process.stderr:
            lines.append(line)
            if f'"done": {8 * batches},' in line:
                process.send_signal(number)
                break
        lines += process.stderr.readlines()
        process.stderr.close()
        return process.wait(timeout=60), events("".join(lines))

    def content(self, file):
        with zipfile.ZipFile(file) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def test_writes_what_assay_reads(self):
        import numpy

        ended = self.run_to_end()
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(events(ended.stderr)[-1],
                         {"event": "done", "file": self.out, "rows": COUNT, "dimensions": 12, "left_out": 0})
        with numpy.load(self.out) as arrays:
            self.assertEqual(arrays["embeddings"].shape, (COUNT, 12))
            self.assertEqual(arrays["embeddings"].dtype, numpy.float32)
            self.assertEqual(arrays["images"].shape, (COUNT, 12, 12, 3))  # as they are: no border around what is small
            self.assertEqual(arrays["ids"].tolist()[:2], ["even/0000.png", "even/0002.png"])
            self.assertEqual(arrays["labels"].tolist(), ["even"] * (COUNT // 2) + ["odd"] * (COUNT // 2))
            self.assertEqual(str(arrays["model"]), "dinov2-vitl14")
            self.assertIn("224 x 224, PIL bicubic", str(arrays["preprocessing"]))
            # The network sees means about the picture's own colour.
            red = arrays["embeddings"][1][0] * 0.229 + 0.485
            self.assertAlmostEqual(float(red) * 255, 2 * 37 % 256, delta=0.5)
        self.assertFalse(os.path.exists(self.parts))

    def test_interrupted_runs_go_on_to_the_same_file(self):
        self.assertEqual(self.run_to_end(out=self.path("whole.npz")).returncode, 0)
        code, heard = self.stop_while_embedding(signal.SIGINT, 2)
        self.assertEqual(code, 128 + signal.SIGINT)
        self.assertIn("the same command goes on", heard[-1]["message"])
        code, heard = self.stop_while_embedding(signal.SIGTERM, 4)
        self.assertEqual(code, 128 + signal.SIGTERM)
        first = next(event for event in heard if event.get("stage") == "Embedding")
        self.assertGreaterEqual(first["done"], 16)
        self.assertFalse(os.path.exists(self.out))
        ended = self.run_to_end()
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(self.content(self.out), self.content(self.path("whole.npz")))

    def test_a_killed_run_goes_on_behind_its_last_part(self):
        self.assertEqual(self.run_to_end(out=self.path("whole.npz")).returncode, 0)
        self.stop_while_embedding(signal.SIGINT, 2)
        kept = sorted(os.listdir(self.parts))
        code, _ = self.stop_while_embedding(signal.SIGKILL, 4)
        self.assertEqual(code, -signal.SIGKILL)
        self.assertEqual(sorted(name for name in os.listdir(self.parts) if not name.endswith(".tmp")), kept)
        (self.folder / "out.npz.parts" / "part-x.npz.7.tmp").write_bytes(b"half")
        self.assertEqual(self.run_to_end().returncode, 0)
        self.assertEqual(self.content(self.out), self.content(self.path("whole.npz")))
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.npz", "set", "whole.npz"])

    def test_a_source_that_has_changed_is_not_mixed_in(self):
        self.stop_while_embedding(signal.SIGINT, 2)
        write_pictures(self.folder / "set", COUNT + 1)
        ended = self.run_to_end()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("the source has changed since; --restart", events(ended.stderr)[-1]["message"])
        self.assertEqual(self.run_to_end("--restart").returncode, 0)

    def test_other_settings_are_not_mixed_in(self):
        self.stop_while_embedding(signal.SIGINT, 2)
        ended = self.run_to_end("--model", "clip-vitb32")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("'dinov2-vitl14'", events(ended.stderr)[-1]["message"])

    def test_two_runs_do_not_write_one_file(self):
        first = self.start(FAKE_BATCH_MS="1000")
        while not any('"Embedding"' in line for line in iter(first.stderr.readline, "")):
            time.sleep(0.01)
        second = self.run_to_end()
        first.kill()
        first.communicate()
        self.assertEqual(second.returncode, 1)
        self.assertIn("another assay-embed writes", events(second.stderr)[-1]["message"])
        self.assertEqual(self.run_to_end().returncode, 0)

    def test_batches_are_halved_when_memory_runs_out(self):
        self.assertEqual(self.run_to_end(out=self.path("whole.npz")).returncode, 0)
        ended = self.run_to_end(FAKE_MOST="3")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        said = [event["message"] for event in events(ended.stderr) if event["event"] == "note"]
        self.assertEqual(said[1:], ["Out of memory: batches of 4 from here on", "Out of memory: batches of 2 from here on"])
        self.assertEqual(self.content(self.out), self.content(self.path("whole.npz")))

    def test_not_even_one_sample_fits(self):
        ended = self.run_to_end(FAKE_MOST="0")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("not enough memory for a single sample", events(ended.stderr)[-1]["message"])

    def test_what_cannot_be_decoded_is_left_out_and_named(self):
        import numpy

        (self.folder / "set" / "even" / "0003.png").write_bytes(b"\x89PNG\r\n\x1a\nno")
        ended = self.run_to_end()
        heard = events(ended.stderr)
        self.assertEqual(heard[-1]["left_out"], 1)
        self.assertIn("'even/0003.png (cannot be decoded)'", heard[-2]["message"])
        with numpy.load(self.out) as arrays:
            self.assertEqual(len(arrays["embeddings"]), COUNT)
            self.assertEqual(len(arrays["images"]), COUNT)
            self.assertNotIn("even/0003.png", arrays["ids"].tolist())
            self.assertIn("even/0003.png", str(arrays["notes"]))

    def test_pictures_of_several_sizes_are_framed(self):
        import numpy
        from PIL import Image

        Image.new("RGB", (400, 100), "red").save(self.folder / "set" / "odd" / "wide.png")
        self.assertEqual(self.run_to_end().returncode, 0)
        with numpy.load(self.out) as arrays:
            self.assertEqual(arrays["images"].shape, (COUNT + 1, 16, 64, 4))
            small, wide = arrays["images"][0], arrays["images"][-1]
        self.assertEqual(int((small[..., 3] > 0).sum()), 12 * 12)
        numpy.testing.assert_array_equal(wide, numpy.broadcast_to(numpy.array([255, 0, 0, 255], "uint8"), (16, 64, 4)))

    def test_a_finished_file_is_used_again(self):
        self.run_to_end("--reuse")
        before = os.stat(self.out).st_mtime_ns
        ended = self.run_to_end("--reuse")
        self.assertEqual(events(ended.stderr)[-1],
                         {"event": "done", "file": self.out, "rows": COUNT, "dimensions": 12, "left_out": 0, "reused": True})
        self.assertEqual(os.stat(self.out).st_mtime_ns, before)
        self.assertEqual(self.run_to_end().returncode, 1)  # not unasked
        write_pictures(self.folder / "set", COUNT + 2)
        self.assertEqual(events(self.run_to_end("--reuse").stderr)[-1]["rows"], COUNT + 2)

    def test_parts_of_another_source_are_forgotten_where_files_of_another_are_replaced(self):
        (self.folder / "out.npz.parts").mkdir()
        (self.folder / "out.npz.parts" / "settings.json").write_text('{"source fingerprint": "another"}')
        self.assertIn("the source has changed since", self.run_to_end().stderr)
        ended = self.run_to_end("--reuse")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(events(ended.stderr)[-1]["rows"], COUNT)

    def test_a_file_of_someone_else_is_not_replaced(self):
        import numpy

        numpy.savez(self.out, embeddings=numpy.zeros((3, 2)))
        before = (self.folder / "out.npz").read_bytes()
        ended = self.run_to_end("--reuse")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("expected a file that assay-embed has made", ended.stderr)
        self.assertEqual((self.folder / "out.npz").read_bytes(), before)

    def test_a_defect_is_an_event_too(self):
        (self.folder / "out.npz.parts").mkdir()
        (self.folder / "out.npz.parts" / "settings.json").write_text("[1")
        ended = self.run_to_end()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("a damaged file; --restart begins anew", events(ended.stderr)[-1]["message"])


if __name__ == "__main__":
    unittest.main()
