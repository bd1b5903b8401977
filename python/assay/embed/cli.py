"""The command line."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any

from . import __version__
from .environment import check, choose_device, require, versions
from .errors import Cancelled, EmbedError, refuse, stop_on_signals
from .job import Batches, Facts, default_threads, embed_source, made_of, prepare_picture, write_archive
from .models import DEFAULT_MODEL, LSTM, MODELS, Weights, load, origin_of_weights
from .parts import PartFolder, write_whole
from .progress import Progress
from .series import Autoencoder, Fit, SeriesSource, autoencoder_for, prepare_series
from .sources import Source, open_source, split_key

_BATCH = {"cuda": 64, "mps": 32, "cpu": 8}
_SERIES_BATCH = 256


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    progress = Progress(options.progress)
    stop_on_signals()
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    # Libraries' words to programmers would stand between the lines of --progress json.
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    try:
        if options.check:
            return _check(options.model)
        _require_sensible(options)
        if options.reuse and os.path.exists(options.out) and _reused(options, progress):
            return 0
        if options.model == LSTM:
            _embed_series(options, progress)
        else:
            _embed_pictures(options, progress)
        return 0
    except EmbedError as error:
        progress.fail(str(error))
        return 1
    except Cancelled as stopped:
        kept = os.path.isdir(f"{options.out}.parts")
        progress.fail(f"stopped by {stopped}" + (f"; what is done is kept in {options.out}.parts: the same command goes on"
                                                 if kept else ""))
        return stopped.exit_code
    except MemoryError:
        progress.fail("not enough memory")
        return 1
    except Exception as error:
        traceback.print_exc()  # of a defect: for whoever mends it
        progress.fail(f"unexpected {type(error).__name__}: {(str(error).splitlines() or [''])[0]}")
        return 1


class _Parser(argparse.ArgumentParser):
    """Fails where its help cannot be printed, which argparse passes over."""

    def _print_message(self, message, file=None):
        if file is not sys.stdout:
            return super()._print_message(message, file)
        try:
            file.write(message)
            file.flush()
        except OSError as error:
            print(f"{self.prog}: standard output: expected room to write, found: {error.strerror}", file=sys.stderr, flush=True)
            os._exit(1)  # without another attempt to write what is left


def _parser() -> argparse.ArgumentParser:
    models = "\n".join(f"  {spec.name:15} {spec.dimensions:5}  {spec.title}" for spec in MODELS.values())
    parser = _Parser(
        prog="assay-embed", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Embeds pictures or series for Assay, in this Python environment.",
        epilog=f"""models:
{models}
  {LSTM:15}        LSTM autoencoder of series [N, steps, features], fitted on the first set

An interrupted run goes on where it was when the same command is given again. docs/assay-embed.md has more.""")
    add = parser.add_argument
    add("source", nargs="?", help="folder or zip of pictures; .npy, .npz, IDX or CIFAR file of pictures; of series: .npy, .npz")
    add("--out", metavar="FILE.npz", help="what to write: embeddings with thumbnails, labels and ids")
    add("--model", choices=[*MODELS, LSTM], default=DEFAULT_MODEL, metavar="NAME", help=f"see below; {DEFAULT_MODEL} by default")
    add("--weights", metavar="FILE", help="the network's weights as a file, instead of downloading them; of lstm: a fitted one")
    add("--random-weights", action="store_true", help="for tests: the embeddings mean nothing")
    add("--device", choices=["auto", "cpu", "cuda", "mps"], default="auto")
    add("--batch", type=_positive, metavar="N", help="samples at once, at first; halved when memory runs out")
    add("--threads", type=_positive, metavar="N", default=default_threads(), help="to decode pictures")
    add("--thumbnails", type=_side, metavar="SIDE", default=64,
        help="largest side of the pictures in the file, of series of their curves; 0 for none")
    add("--save-weights", metavar="FILE", help="of lstm: where the fitted network goes (OUT without .npz, then .lstm.npz)")
    add("--dims", type=_positive, metavar="N", default=Fit.dimensions, help="of lstm: dimensions of the embedding")
    add("--epochs", type=_positive, metavar="N", default=Fit.epochs, help="of lstm: how long to fit")
    add("--seed", type=int, metavar="N", default=Fit.seed, help="of lstm")
    add("--overwrite", action="store_true", help="replace FILE.npz")
    add("--reuse", action="store_true", help="take a FILE.npz that was made of this source by this model before; replace "
                                             "one, or what an interrupted run left, of another")
    add("--restart", action="store_true", help="forget what an interrupted run left")
    add("--progress", choices=["text", "json", "none"], default="text", help="on stderr; json: an object a line")
    add("--check", action="store_true", help="print as JSON what this environment has, and end; 0 if the --model can run")
    add("--version", action="version", version=f"assay-embed {__version__}")
    return parser


def _require_sensible(options: argparse.Namespace) -> None:
    for name, value in (("a source", options.source), ("--out FILE.npz", options.out)):
        if not value:
            raise EmbedError(f"expected {name}; see --help")
    folder = os.path.dirname(os.path.abspath(options.out))
    if not os.path.isdir(folder):
        raise refuse(options.out, "a file in a folder that is there", f"no folder '{folder}'")
    if os.path.isdir(options.out):
        raise refuse(options.out, "a file", "a folder")
    if options.reuse and options.overwrite:
        raise EmbedError("--reuse and --overwrite exclude each other")
    if os.path.exists(options.out) and not options.overwrite and not options.reuse:
        raise refuse(options.out, "a file that is not there yet", "one that is; --overwrite replaces it")
    if options.random_weights and options.weights:
        raise EmbedError("--random-weights and --weights exclude each other")
    # What is written beside the source would be part of the source the next time; and --overwrite must not cost it.
    source, _ = split_key(options.source)
    if os.path.exists(source) and os.path.realpath(options.out) == os.path.realpath(source):
        raise refuse(options.out, "another file than the source", "the source")


def _reused(options: argparse.Namespace, progress: Progress) -> bool:
    """Whether the file is what this command would write; told as done then.
    @raise EmbedError when it is none of assay-embed's, which is not replaced unless asked for"""
    require("numpy")
    made = made_of(options.out)
    source = SeriesSource(options.source) if options.model == LSTM else open_source(options.source)
    if made is None:
        raise refuse(options.out, "a file that assay-embed has made", "another one; --overwrite replaces it")
    if options.model == LSTM:
        same = _made_by_network(options, made.facts)
    else:
        spec = MODELS[options.model]
        weights = origin_of_weights(spec, Weights(options.weights, options.random_weights))
        same = (made.facts.model == spec.name and made.facts.preprocessing == spec.preprocessing.text()
                and made.facts.weights.startswith(weights))
    if not same or made.facts.source != source.fingerprint:
        return False
    progress.say(f"{options.out}: made before of this source by this model")
    progress.done(file=options.out, rows=made.rows, dimensions=made.dimensions, left_out=0, reused=True)
    return True


def _made_by_network(options: argparse.Namespace, facts: Facts) -> bool:
    """Whether embeddings of series are those of the network that is given, or else of the one that was fitted then."""
    network = options.weights or _fitted_network(options)
    if not options.weights and not os.path.exists(network):
        return False
    require("torch")
    fitted = Autoencoder.read(network, "cpu")
    so = bool(options.weights) or (fitted.dimensions == options.dims and _fit(options).made(fitted.fit))
    return so and facts.model == f"{LSTM}-{fitted.dimensions}" and facts.weights == fitted.facts()


def _fitted_network(options: argparse.Namespace) -> str:
    return options.save_weights or os.path.splitext(options.out)[0] + ".lstm.npz"


def _fit(options: argparse.Namespace) -> Fit:
    return Fit(options.dims, options.epochs, options.seed)


def _embed_pictures(options: argparse.Namespace, progress: Progress) -> None:
    require("torch", "numpy", "PIL", *MODELS[options.model].modules)
    device = choose_device(options.device)
    source = open_source(options.source)
    progress.say(f"{options.source}: {source.total} pictures; {options.model} on {device}")
    progress.step("Loading the network", 0, 1)
    encoder = load(options.model, Weights(options.weights, options.random_weights), device)
    progress.step("Loading the network", 1, 1)
    spec = encoder.spec
    facts = Facts(spec.name, encoder.weights, spec.preprocessing.text(), f"{encoder.versions()}, on {device}",
                  source.fingerprint)
    prepare = prepare_picture(spec.preprocessing.apply, options.thumbnails)
    folder = PartFolder(options.out, {**_settings(source, facts), "thumbnails": options.thumbnails})
    start = folder.begin(anew=options.restart, replace=options.reuse)
    batches = Batches(encoder.embed, options.batch or _BATCH[device], progress)
    _run(source, prepare, batches, folder, start, facts, options, progress)
    folder.discard()


def _embed_series(options: argparse.Namespace, progress: Progress) -> None:
    require("torch", "numpy")
    if options.random_weights:
        raise EmbedError("--random-weights is for networks of pictures; lstm is fitted in seconds with --epochs 1")
    device = choose_device(options.device)
    source = SeriesSource(options.source)
    saved = _fitted_network(options)
    resumes = os.path.isdir(f"{options.out}.parts")
    if not options.weights and os.path.exists(saved) and not (options.overwrite or options.reuse or resumes):
        raise refuse(saved, "a file that is not there yet", "one that is; --weights applies it, --overwrite replaces it")
    fit = _fit(options)
    given = Autoencoder.read(options.weights, device) if options.weights else None
    settings = {"source fingerprint": source.fingerprint, "model": LSTM,
                "weights": given.digest if given else f"fitted here: {fit}", "thumbnails": options.thumbnails}
    folder = PartFolder(options.out, settings)
    start = folder.begin(anew=options.restart, replace=options.reuse)
    kept = folder.file("lstm.npz")
    network = autoencoder_for(source, options.weights, kept, fit, device, progress)
    facts = Facts(f"{LSTM}-{network.dimensions}", network.facts(),
                  "standardised by the features' means and deviations in the set it was fitted on",
                  f"{versions('torch', 'numpy')}, on {device}", source.fingerprint)
    batches = Batches(network.embed, options.batch or _SERIES_BATCH, progress)
    if not options.weights:
        network.write(saved)
        progress.say(f"{saved}: the fitted autoencoder; give it by --weights for all sets that are compared")
    _run(source, prepare_series(network, options.thumbnails), batches, folder, start, facts, options, progress)
    folder.discard()


def _run(source: Source, prepare: Any, batches: Batches, folder: PartFolder, start: int, facts: Facts,
         options: argparse.Namespace, progress: Progress) -> None:
    if 0 < start:
        progress.say(f"Going on: {start} of {source.total} are there already")
    embed_source(source, prepare, batches, folder, start, options.threads, progress)
    write_archive(options.out, folder, source, facts, progress)


def _settings(source: Source, facts: Facts) -> dict[str, Any]:
    return {"source fingerprint": source.fingerprint, "model": facts.model, "weights": facts.weights,
            "preprocessing": facts.preprocessing, "versions": facts.versions}


def _check(model: str) -> int:
    told = check({**{spec.name: ("torch", "numpy", "PIL", *spec.modules) for spec in MODELS.values()},
                  LSTM: ("torch", "numpy")}, model)
    print(json.dumps(told, indent=1))
    return 0 if told["models"][model]["ready"] else 1


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0, found {text}")
    return value


def _side(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 1024:
        raise argparse.ArgumentTypeError(f"expected 0 to 1024, found {text}")
    return value


if __name__ == "__main__":
    sys.exit(main())
