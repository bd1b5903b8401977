"""The networks themselves with random weights, and the autoencoder of series. Skipped where torch is not installed."""

import json
import unittest
from pathlib import Path

from support import Folder, events, needs, write_pictures


class NetworksTest(Folder):
    def embed_pictures(self, model, dimensions):
        import numpy

        write_pictures(self.folder / "set", 5)
        out = self.path(f"{model}.npz")
        ended = self.embed(self.path("set"), "--out", out, "--model", model, "--random-weights", "--device", "cpu",
                           "--progress", "json", "--batch", "4")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(events(ended.stderr)[-1]["dimensions"], dimensions)
        with numpy.load(out) as arrays:
            self.assertTrue(numpy.isfinite(arrays["embeddings"]).all())
            self.assertGreater(arrays["embeddings"].std(axis=0).max(), 0)

    @needs("torch", "numpy", "PIL", "timm")
    def test_dinov2(self):
        self.embed_pictures("dinov2-vits14", 384)

    @needs("torch", "numpy", "PIL", "torchvision")
    def test_inception(self):
        self.embed_pictures("inception-v3", 2048)

    @needs("torch", "numpy", "PIL", "open_clip")
    def test_clip(self):
        self.embed_pictures("clip-vitb32", 512)

    @needs("numpy")
    def test_what_memory_ran_out_for_is_given_back(self):
        import gc
        import weakref

        import numpy
        from assay_embed.job import Batches
        from assay_embed.progress import Progress

        held = []

        class Large:
            pass

        def embed(batch):
            if held and len(held) < 3:
                self.assertIsNone(held[-1](), "the failed batch is still held")
            large = Large()
            held.append(weakref.ref(large))
            if len(batch) > 1:
                raise RuntimeError("CUDA out of memory")
            return batch

        gc.disable()
        try:
            Batches(embed, 4, Progress("none")).run([numpy.zeros(2)] * 4)
        finally:
            gc.enable()


@needs("torch", "numpy")
class SeriesTest(Folder):
    def series(self, name, seed):
        import numpy

        phase = numpy.random.default_rng(seed).uniform(0, 6, (80, 1))
        steps = numpy.linspace(0, 6, 20)
        numpy.save(self.path(name), numpy.stack([numpy.sin(steps + phase), numpy.cos(steps + phase)], axis=2) + 50)

    def test_is_fitted_once_and_applied_to_others(self):
        import numpy

        self.series("real.npy", 1)
        self.series("gan.npy", 2)
        fitting = ("--model", "lstm", "--dims", "8", "--epochs", "3", "--device", "cpu", "--progress", "json")
        ended = self.embed(self.path("real.npy"), "--out", self.path("a.npz"), *fitting)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("Fitting", [event.get("stage") for event in events(ended.stderr)])
        weights = self.path("a.lstm.npz")
        applied = ("--model", "lstm", "--weights", weights, "--device", "cpu", "--progress", "json")
        for source, out in (("real.npy", "again.npz"), ("gan.npy", "b.npz")):
            ended = self.embed(self.path(source), "--out", self.path(out), *applied)
            self.assertEqual(ended.returncode, 0, ended.stderr)
        with numpy.load(self.path("a.npz")) as first, numpy.load(self.path("again.npz")) as again, \
                numpy.load(self.path("b.npz")) as other:
            numpy.testing.assert_array_equal(first["embeddings"], again["embeddings"])
            self.assertEqual(other["embeddings"].shape, (80, 8))
            self.assertEqual(other["images"].shape, (80, 64, 64, 3))
            self.assertEqual(json.loads(str(first["weights"]).split(": ", 1)[1])["epochs"], 3)

    def test_a_finished_file_is_used_again_with_the_same_network(self):
        self.series("real.npy", 1)
        self.series("gan.npy", 2)
        common = ("--model", "lstm", "--device", "cpu", "--progress", "json", "--reuse")

        def run(source, out, *more):
            ended = self.embed(self.path(source), "--out", self.path(out), *common, *more)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            return events(ended.stderr)[-1].get("reused", False)

        network = self.path("network.npz")
        fitting = ("--save-weights", network, "--dims", "4", "--epochs", "2")
        self.assertFalse(run("real.npy", "a.npz", *fitting))
        self.assertFalse(run("gan.npy", "b.npz", "--weights", network))
        self.assertTrue(run("real.npy", "a.npz", *fitting))
        self.assertTrue(run("gan.npy", "b.npz", "--weights", network))
        # Fitted anew: embeddings by the one before compare with nothing.
        self.assertFalse(run("real.npy", "a.npz", "--save-weights", network, "--dims", "4", "--epochs", "3"))
        self.assertFalse(run("gan.npy", "b.npz", "--weights", network))
        Path(network).unlink()
        self.assertFalse(run("real.npy", "a.npz", *fitting))
        self.assertTrue(Path(network).exists())

    def test_series_are_drawn_as_curves(self):
        import numpy
        from assay_embed.series import curves

        rising = numpy.linspace(-3, 3, 7)
        for steps in (rising, numpy.repeat(rising, 100)):
            picture = curves(numpy.stack([steps, -steps], axis=1), 61).astype(int)
            blue = picture[..., 2] > picture[..., 0] + 60
            # From the lower left to the upper right, each column once.
            self.assertTrue(blue[-1, 0] and blue[0, -1] and not blue[0, 0] and not blue[-1, -1])
            self.assertTrue(blue.any(axis=0).all())
            orange = picture[..., 0] > picture[..., 2] + 60
            self.assertTrue(orange[0, 0] and orange[-1, -1])
        self.assertTrue((curves(numpy.zeros((1, 1)), 8)[[0, -1]] == 255).all())

    def test_an_array_is_chosen_by_its_name(self):
        import numpy

        self.series("real.npy", 1)
        real = numpy.load(self.path("real.npy"))
        numpy.savez(self.path("two.npz"), train=real, test=real[:30], flat=real[:, :, 0])
        ended = self.embed(self.path("two.npz:test"), "--out", self.path("o.npz"), "--model", "lstm", "--dims", "4",
                           "--epochs", "1")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        with numpy.load(self.path("o.npz")) as arrays:
            self.assertEqual(arrays["embeddings"].shape, (30, 4))
        ended = self.embed(self.path("two.npz:flat"), "--out", self.path("p.npz"), "--model", "lstm")
        self.assertIn("expected 'flat' as an array [N, steps, features], found such arrays: train, test", ended.stderr)

    def test_labels_and_ids_go_along(self):
        import numpy

        self.series("real.npy", 1)
        numpy.savez(self.path("s.npz"), series=numpy.load(self.path("real.npy")), labels=numpy.array([b"up", b"down"] * 40),
                    ids=numpy.arange(80))
        ended = self.embed(self.path("s.npz"), "--out", self.path("o.npz"), "--model", "lstm", "--dims", "4", "--epochs", "1")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        with numpy.load(self.path("o.npz")) as arrays:
            self.assertEqual(arrays["labels"].tolist()[:2], ["up", "down"])
            self.assertEqual(arrays["ids"].tolist()[:2], ["0", "1"])


if __name__ == "__main__":
    unittest.main()
