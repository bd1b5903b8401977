"""The networks: how each is built, what it is shown and which of its outputs is the embedding."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .environment import require, versions
from .errors import EmbedError, refuse
from .pictures import Preprocessing

_IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
_CLIP = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))


@dataclass(frozen=True)
class Weights:
    """Where the network's numbers come from: its library, a file, or chance (for tests)."""

    file: str | None = None
    random: bool = False


@dataclass(frozen=True)
class ModelSpec:
    name: str
    title: str
    dimensions: int
    modules: tuple[str, ...]  # that have to be installed, besides those that every model needs
    library_weights: str  # as its library calls them
    preprocessing: Preprocessing
    build: Callable[[ModelSpec, Weights], Any]  # a torch module: [B, 3, S, S] -> [B, dimensions]


@dataclass(frozen=True)
class Encoder:
    """A network on its device."""

    spec: ModelSpec
    network: Any
    device: str
    weights: str  # identity, for people and for comparing runs

    def embed(self, batch: Any) -> Any:
        """@param batch float32 [B, ...] @return float32 [B, dimensions]"""
        import numpy
        import torch

        with torch.inference_mode():
            values = self.network(torch.from_numpy(batch).to(self.device)).float().cpu().numpy()
        if values.shape != (len(batch), self.spec.dimensions):
            raise EmbedError(f"{self.spec.name}: expected {self.spec.dimensions} dimensions, "
                             f"found {list(values.shape[1:])}: the library's model is another one")
        if not numpy.isfinite(values).all():
            raise EmbedError(f"{self.spec.name} gave values that are not finite on {self.device}")
        return values

    def versions(self) -> str:
        return versions("torch", "numpy", "PIL", *self.spec.modules)


def load(name: str, weights: Weights, device: str) -> Encoder:
    """@raise EmbedError for what is not installed, cannot be downloaded or does not fit"""
    spec = MODELS[name]
    torch, *_ = require("torch", "numpy", "PIL", *spec.modules)
    torch.manual_seed(0)  # of random weights
    try:
        network = spec.build(spec, weights)
    except EmbedError:
        raise
    except Exception as error:
        # Libraries raise of all kinds when a download fails: the last line is what a person can use.
        reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        raise EmbedError(f"{name}: its weights ({spec.library_weights}) cannot be loaded: {reason}; without a network "
                         "give them as a file by --weights") from error
    try:
        network = network.eval().to(device)
    except RuntimeError as error:
        raise EmbedError(f"{name} does not fit on {device}: {str(error).splitlines()[0]}") from error
    return Encoder(spec, network, device, _identity(spec, weights, network))


def _identity(spec: ModelSpec, weights: Weights, network: Any) -> str:
    origin = origin_of_weights(spec, weights)
    return origin if weights.random else f"{origin}, sha256 of the parameters {parameter_hash(network)[:16]}"


def origin_of_weights(spec: ModelSpec, weights: Weights) -> str:
    """What their identity begins with: known before they are loaded."""
    if weights.random:
        return "random, for tests: no meaning"
    return f"file {os.path.basename(weights.file)}" if weights.file else spec.library_weights


def parameter_hash(network: Any) -> str:
    """Of names and values, whatever file they came in."""
    digest = hashlib.sha256()
    for name, value in sorted(network.state_dict().items()):
        digest.update(name.encode() + b"\0")
        digest.update(value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def _take_weights(network: Any, spec: ModelSpec, file: str) -> Any:
    """From .safetensors, or a .pt or .pth of nothing but tensors: a pickle that does more is not loaded."""
    import torch

    if not os.path.isfile(file):
        raise refuse(file, "a file of weights", "nothing of that name")
    try:
        if file.endswith(".safetensors"):
            require("safetensors")
            from safetensors.torch import load_file

            state = load_file(file)
        else:
            state = torch.load(file, map_location="cpu", weights_only=True)
    except EmbedError:
        raise
    except Exception as error:
        raise refuse(file, "weights as .safetensors, or as .pt of nothing but tensors",
                     (str(error).splitlines() or ["something else"])[0][:200]) from error
    if isinstance(state, dict) and isinstance(state.get("state_dict"), dict):
        state = state["state_dict"]
    try:
        missing, _unused = network.load_state_dict(state, strict=False)
    except (RuntimeError, AttributeError, TypeError) as error:
        raise refuse(file, f"weights of {spec.name}", "tensors of other shapes") from error
    if missing:
        raise refuse(file, f"weights of {spec.name}", f"none for '{missing[0]}' and {len(missing) - 1} more")
    return network


def _build_timm(timm_name: str) -> Callable[[ModelSpec, Weights], Any]:
    def build(spec: ModelSpec, weights: Weights) -> Any:
        import timm

        network = timm.create_model(timm_name, pretrained=not (weights.random or weights.file), num_classes=0,
                                    img_size=spec.preprocessing.side, global_pool="token")
        return _take_weights(network, spec, weights.file) if weights.file else network

    return build


def _build_inception(spec: ModelSpec, weights: Weights) -> Any:
    import torch
    from torchvision.models import Inception_V3_Weights, inception_v3

    pretrained = None if weights.random or weights.file else Inception_V3_Weights.IMAGENET1K_V1
    # transform_input is what torchvision turns on with these weights: they expect TensorFlow's scaling.
    network = inception_v3(weights=pretrained, init_weights=False, aux_logits=True, transform_input=True)
    network.fc = torch.nn.Identity()
    network.AuxLogits = None  # of training alone
    network.aux_logits = False
    return _take_weights(network, spec, weights.file) if weights.file else network


def _build_clip(clip_name: str) -> Callable[[ModelSpec, Weights], Any]:
    def build(spec: ModelSpec, weights: Weights) -> Any:
        import open_clip
        import torch

        origin = None if weights.random else weights.file or "openai"
        if weights.file and not os.path.isfile(weights.file):
            raise refuse(weights.file, "a file of weights", "nothing of that name")
        whole = open_clip.create_model(clip_name, pretrained=origin, force_quick_gelu=True)

        class Pictures(torch.nn.Module):  # type: ignore[misc]
            """The half that looks at pictures."""

            def __init__(self) -> None:
                super().__init__()
                self.visual = whole.visual

            def forward(self, batch: Any) -> Any:
                return self.visual(batch)

        return Pictures()

    return build


def _squash(side: int, resample: str = "bicubic") -> Preprocessing:
    return Preprocessing(side, *_IMAGENET, resample, crop=False)


_ALL = (
    ModelSpec("dinov2-vitl14", "DINOv2 ViT-L/14: the usual choice of recent papers", 1024, ("timm",),
              "timm vit_large_patch14_dinov2.lvd142m", _squash(224), _build_timm("vit_large_patch14_dinov2.lvd142m")),
    ModelSpec("dinov2-vitb14", "DINOv2 ViT-B/14: a third of the time", 768, ("timm",),
              "timm vit_base_patch14_dinov2.lvd142m", _squash(224), _build_timm("vit_base_patch14_dinov2.lvd142m")),
    ModelSpec("dinov2-vits14", "DINOv2 ViT-S/14: for a processor alone", 384, ("timm",),
              "timm vit_small_patch14_dinov2.lvd142m", _squash(224), _build_timm("vit_small_patch14_dinov2.lvd142m")),
    ModelSpec("inception-v3", "Inception v3 of torchvision (not the TensorFlow weights of published FIDs)", 2048,
              ("torchvision",), "torchvision Inception_V3_Weights.IMAGENET1K_V1", _squash(299, "bilinear"),
              _build_inception),
    ModelSpec("clip-vitl14", "CLIP ViT-L/14 of OpenAI", 768, ("open_clip",), "open_clip ViT-L-14 openai",
              Preprocessing(224, *_CLIP, "bicubic", crop=True), _build_clip("ViT-L-14")),
    ModelSpec("clip-vitb32", "CLIP ViT-B/32 of OpenAI", 512, ("open_clip",), "open_clip ViT-B-32 openai",
              Preprocessing(224, *_CLIP, "bicubic", crop=True), _build_clip("ViT-B-32")),
)
MODELS = {spec.name: spec for spec in _ALL}
DEFAULT_MODEL = "dinov2-vitl14"
LSTM = "lstm"  # of series: see series.py
