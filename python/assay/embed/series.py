"""Series: an LSTM autoencoder, fitted on the real set, saved, and applied to the others.

As the embedding of Alaa et al. 2022 ("How Faithful is your Synthetic Data?"): an encoder reads the series, a decoder that
starts from its last state gives it back in reverse order (Srivastava et al. 2015); the encoder's last output is the
embedding. Series are standardised by the mean and deviation of each feature of the set that it was fitted on.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from .array_sources import listed, read_header
from .environment import require
from .errors import EmbedError, refuse
from .job import Prepared
from .parts import write_whole
from .progress import Progress
from .sources import Label, Sample, Source, file_fingerprint, split_key


_HALF_LINE = 0.6
_MEAN = (0xDD, 0xE1, 0xE6)
_COLORS = ((0x1F, 0x5F, 0xA8), (0xD9, 0x73, 0x0D), (0x1B, 0x8A, 0x5A), (0x8E, 0x44, 0xAD), (0xB0, 0x2A, 0x37), (0x5B, 0x65, 0x70))


@dataclass(frozen=True)
class Fit:
    dimensions: int = 64
    epochs: int = 100
    seed: int = 0
    batch: int = 64
    learning_rate: float = 1e-3

    def made(self, network: str) -> bool:
        """Whether a network was fitted so. @param network its `fit`, as JSON"""
        try:
            return asdict(self).items() <= json.loads(network).items()
        except (ValueError, AttributeError):
            return False


class SeriesSource(Source):
    """[N, steps, features] of numbers: .npy, or the array of an .npz that is named, else `series`, else its only 3-D one."""

    def __init__(self, source: str) -> None:
        import numpy

        path, self._key = split_key(source)
        self.name = path
        self.labels: list[Label] | None = None
        self.ids: list[str] | None = None
        try:
            with open(path, "rb") as file:
                is_zip = file.read(2) == b"PK"
            if is_zip:
                with numpy.load(path, allow_pickle=False) as arrays:
                    self.values = arrays[_series_key(path, self._key)]
                    self._take_companions(arrays)
            else:
                self.values = numpy.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            raise refuse(path, "series as .npy or .npz [N, steps, features]",
                         (str(error).splitlines() or ["something else"])[0]) from error
        if self.values.ndim != 3 or self.values.dtype.kind not in "fiub" or 0 in self.values.shape:
            raise refuse(path, "series of one length as numbers [N, steps, features]",
                         f"{self.values.dtype} {list(self.values.shape)}")
        self.total = len(self.values)
        self.has_ids = self.ids is not None

    def _take_companions(self, arrays: Any) -> None:
        for name in ("labels", "ids"):
            if name not in arrays.files:
                continue
            try:
                values = arrays[name]
            except ValueError:  # a pickle, which is never loaded
                continue
            entries = listed(values, len(self.values), f"{self.name}: '{name}'")
            if name == "labels":
                self.labels = entries
            else:
                self.ids = [str(each) for each in entries]

    @property
    def fingerprint(self) -> str:
        return file_fingerprint(self.name, key=self._key)

    def samples(self, start: int) -> Iterator[Sample]:
        for index in range(start, self.total):
            yield Sample(index, self.ids[index] if self.ids else str(index),
                         self.labels[index] if self.labels else None, partial(self.series, index))

    def series(self, index: int) -> Any:
        import numpy

        values = numpy.asarray(self.values[index], dtype=numpy.float32)
        if not numpy.isfinite(values).all():
            raise refuse(self.name, "finite values", f"another one in series {index}")
        return values


def prepare_series(network: Autoencoder, side: int) -> Callable[[Sample], Prepared]:
    """Not like a damaged picture: a series with a hole in it ends the run. @param side of its curves' picture; 0 for none"""
    mean, std = (each.cpu().numpy() for each in (network.encoder.mean, network.encoder.std))

    def prepare(sample: Sample) -> Prepared:
        values = sample.load()
        return Prepared(sample, values, curves((values - mean) / std, side) if side else None)

    return prepare


def curves(values: Any, side: int) -> Any:
    """A curve for each feature over the steps, from three standard deviations below the mean to three above; as Assay
    draws series (engine/data/image_store.cpp). @param values [steps, features], standardised
    @return uint8 [side, side, 3]"""
    import numpy

    steps, features = values.shape
    last = side - 1
    heights = last * (0.5 - numpy.clip(values, -3, 3) / 6) + 0.5
    # Between the borders of each column of pixels; often enough that no step is passed over.
    within = numpy.linspace(-0.5, 0.5, 5 + 2 * -(-steps // side))
    at = numpy.clip((numpy.arange(side)[:, None] + within) * ((steps - 1) / max(1, last)), 0, steps - 1)
    rows = numpy.arange(side)[:, None]
    picture = numpy.full((side, side, 3), 255.0)

    def paint(top: Any, bottom: Any, color: Any) -> None:
        covered = numpy.clip(numpy.minimum(bottom, rows + 1) - numpy.maximum(top, rows), 0, 1)
        picture[:] += covered[:, :, None] * (numpy.asarray(color) - picture)

    level = numpy.full(side, last / 2)
    paint(level, level + 1, _MEAN)
    for feature in reversed(range(features)):  # the first above all others
        curve = numpy.interp(at, numpy.arange(steps), heights[:, feature])
        paint(curve.min(axis=1) - _HALF_LINE, curve.max(axis=1) + _HALF_LINE, _COLORS[feature % len(_COLORS)])
    return numpy.rint(picture).astype(numpy.uint8)


@dataclass(frozen=True)
class Autoencoder:
    """A fitted network. Its file is a .npz of plain arrays."""

    encoder: Any  # torch module: standardises and encodes
    features: int
    dimensions: int
    fit: str  # how it was fitted, as JSON
    digest: str

    @staticmethod
    def fitted(source: SeriesSource, fit: Fit, device: str, progress: Progress) -> Autoencoder:
        import numpy
        import torch

        values = numpy.array(source.values, dtype=numpy.float32)
        if not numpy.isfinite(values).all():
            raise refuse(source.name, "finite values", "NaN or infinite ones")
        torch.manual_seed(fit.seed)
        mean = values.mean(axis=(0, 1), dtype=numpy.float64).astype(numpy.float32)
        std = values.std(axis=(0, 1), dtype=numpy.float64).astype(numpy.float32)
        std[std == 0] = 1
        features = values.shape[2]
        encoder = _encoder(features, fit.dimensions, mean, std).to(device)
        decoder = _decoder(features, fit.dimensions).to(device)
        parameters = list(encoder.parameters()) + list(decoder.parameters())
        optimizer = torch.optim.Adam(parameters, lr=fit.learning_rate)
        shuffled = torch.Generator().manual_seed(fit.seed)
        data = torch.from_numpy(values)
        loss = None
        for epoch in range(fit.epochs):
            order = torch.randperm(len(data), generator=shuffled)
            for at in range(0, len(order), fit.batch):
                batch = data[order[at:at + fit.batch]].to(device)
                optimizer.zero_grad()
                standard, state = encoder.states(batch)
                loss = torch.nn.functional.mse_loss(decoder(state, standard.shape[1]), standard.flip(1))
                loss.backward()
                optimizer.step()
            progress.step("Fitting", epoch + 1, fit.epochs)
        final = float(loss) if loss is not None else float("nan")
        if final != final:
            raise EmbedError(f"{source.name}: the autoencoder did not converge; are there extreme values?")
        told = json.dumps({**asdict(fit), "series": len(values), "steps": values.shape[1], "last_loss": round(final, 6)})
        return _autoencoder(encoder.eval(), features, fit.dimensions, told)

    @staticmethod
    def read(file: str, device: str) -> Autoencoder:
        import numpy
        import torch

        try:
            with numpy.load(file, allow_pickle=False) as arrays:
                state = {key[len("encoder."):]: torch.from_numpy(arrays[key]) for key in arrays.files
                         if key.startswith("encoder.")}
                told = str(arrays["fit"])
            features, dimensions = len(state["mean"]), state["lstm.weight_hh_l0"].shape[1]
            encoder = _encoder(features, dimensions, state["mean"].numpy(), state["std"].numpy())
            encoder.load_state_dict(state)
        except (OSError, ValueError, KeyError, IndexError, RuntimeError, AttributeError, TypeError, zipfile.BadZipFile) as error:
            raise refuse(file, "an autoencoder that assay-embed has saved",
                         (str(error).splitlines() or ["something else"])[0][:200]) from error
        return _autoencoder(encoder.eval().to(device), features, dimensions, told)

    def facts(self) -> str:
        """What a file of embeddings says of the network that made them."""
        return f"fitted autoencoder, sha256 of the parameters {self.digest[:16]}: {self.fit}"

    def write(self, file: str) -> None:
        import numpy

        arrays = {"encoder." + key: value.cpu().numpy() for key, value in self.encoder.state_dict().items()}

        def save(temporary: str) -> None:
            with open(temporary, "wb") as stream:
                numpy.savez(stream, fit=numpy.array(self.fit), **arrays)

        write_whole(file, save)

    def embed(self, batch: Any) -> Any:
        """@param batch float32 [B, steps, features] @return float32 [B, dimensions]"""
        import torch

        device = self.encoder.mean.device
        with torch.inference_mode():
            return self.encoder.states(torch.from_numpy(batch).to(device))[1][0][-1].float().cpu().numpy()


def autoencoder_for(source: SeriesSource, weights: str | None, kept: str, fit: Fit, device: str,
                    progress: Progress) -> Autoencoder:
    """The one given, else that of an interrupted run, else one fitted now and kept."""
    require("torch", "numpy")
    fresh = weights is None and not os.path.exists(kept)
    if fresh:
        Autoencoder.fitted(source, fit, device, progress).write(kept)
    network = Autoencoder.read(weights if weights is not None else kept, device)
    if network.features != source.values.shape[2]:
        raise refuse(source.name, f"series of {network.features} features, as the autoencoder was fitted on",
                     f"{source.values.shape[2]}")
    return network


def _autoencoder(encoder: Any, features: int, dimensions: int, told: str) -> Autoencoder:
    digest = hashlib.sha256()
    for key, value in sorted(encoder.state_dict().items()):
        digest.update(key.encode() + value.cpu().numpy().tobytes())
    return Autoencoder(encoder, features, dimensions, told, digest.hexdigest())


def _encoder(features: int, dimensions: int, mean: Any, std: Any) -> Any:
    import torch

    class Encoder(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("mean", torch.from_numpy(mean))
            self.register_buffer("std", torch.from_numpy(std))
            self.lstm = torch.nn.LSTM(features, dimensions, batch_first=True)

        def states(self, series: Any) -> tuple[Any, tuple[Any, Any]]:
            """The standardised series, and the last state."""
            standard = (series - self.mean) / self.std
            return standard, self.lstm(standard)[1]

    return Encoder()


def _decoder(features: int, dimensions: int) -> Any:
    import torch

    class Decoder(torch.nn.Module):  # type: ignore[misc]
        """Sees nothing but the state: all that it gives back has to be in there."""

        def __init__(self) -> None:
            super().__init__()
            self.lstm = torch.nn.LSTM(features, dimensions, batch_first=True)
            self.out = torch.nn.Linear(dimensions, features)

        def forward(self, state: tuple[Any, Any], steps: int) -> Any:
            nothing = torch.zeros(state[0].shape[1], steps, features, device=state[0].device)
            return self.out(self.lstm(nothing, state)[0])

    return Decoder()


def _series_key(path: str, wanted: str) -> str:
    """By the headers alone."""
    with zipfile.ZipFile(path) as archive:
        shapes = {}
        for info in archive.infolist():
            if info.filename.endswith(".npy"):
                with archive.open(info) as stream:
                    shapes[info.filename[:-len(".npy")]] = read_header(stream, path)[0]
    found = [key for key, shape in shapes.items() if len(shape) == 3]
    if wanted:
        if wanted not in found:
            raise refuse(path, f"'{wanted}' as an array [N, steps, features]", f"such arrays: {', '.join(found[:20]) or 'none'}")
        return wanted
    if "series" in found:
        return "series"
    if len(found) != 1:
        raise refuse(path, "'series' or one array [N, steps, features]", f"{len(found)}: {', '.join(found[:20])}")
    return found[0]
