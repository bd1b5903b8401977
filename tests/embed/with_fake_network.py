"""assay-embed with a network that needs no torch: a picture's embedding is the means of its four quarters.

FAKE_BATCH_MS: how long a batch takes. FAKE_MOST: samples in a batch from which on memory runs out.
"""

import os
import sys
import time

import support  # noqa: F401  finds the program
from assay_embed import cli
from assay_embed.models import MODELS, Encoder, ModelSpec

DIMENSIONS = 12


class FakeEncoder(Encoder):
    def embed(self, batch):
        time.sleep(int(os.environ.get("FAKE_BATCH_MS", "0")) / 1000)
        if len(batch) > int(os.environ.get("FAKE_MOST", "1000")):
            raise RuntimeError("CUDA out of memory. Tried to allocate 20.00 GiB")
        count, channels, side, _ = batch.shape
        quarters = batch.reshape(count, channels, 2, side // 2, 2, side // 2).mean(axis=(3, 5), dtype="float64")
        return quarters.reshape(count, DIMENSIONS).astype("float32")


def load(name, weights, device):
    spec = MODELS[name]
    fake = ModelSpec(spec.name, spec.title, DIMENSIONS, (), spec.library_weights, spec.preprocessing, spec.build)
    return FakeEncoder(fake, None, device, f"{spec.library_weights}, fake")


cli.require = lambda *modules: []
cli.choose_device = lambda wanted: "cpu"
cli.load = load
Encoder.versions = lambda self: "fake"

if __name__ == "__main__":
    sys.exit(cli.main(sys.argv[1:]))
