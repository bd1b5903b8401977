"""What the Python environment has, and clear words for what it lacks."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import platform
import sys
from types import ModuleType
from typing import Any

from . import __version__
from .errors import EmbedError

# What pip calls a module, where that differs.
_PACKAGES = {"PIL": "pillow", "open_clip": "open_clip_torch"}
_ALWAYS = ("numpy", "PIL", "torch")


def require(*modules: str) -> list[ModuleType]:
    """Imports modules. @raise EmbedError naming all that are missing and how to install them"""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise EmbedError(f"{' and '.join(missing)} {verb} not installed in {sys.executable}: {_pip(missing)}")
    loaded = []
    for name in modules:
        try:
            loaded.append(importlib.import_module(name))
        except Exception as error:  # a broken installation raises whatever it likes
            raise EmbedError(f"{name} in {sys.executable} cannot be loaded: {_first_line(error)}") from error
    return loaded


def choose_device(wanted: str) -> str:
    """auto: cuda, else mps, else cpu. @raise EmbedError where the wanted one is not there"""
    (torch,) = require("torch")
    devices = _devices(torch)
    if wanted == "auto":
        return devices[0]
    if wanted not in devices:
        raise EmbedError(f"--device {wanted}: expected one that torch {torch.__version__} has here "
                         f"({', '.join(devices)}), found none of that kind")
    return wanted


def versions(*modules: str) -> str:
    """For the file: `assay-embed 0.1.0, Python 3.11.2, torch 1.13.1`."""
    parts = [f"assay-embed {__version__}", f"Python {platform.python_version()}"]
    for name in modules:
        parts.append(f"{name} {_version(name) or 'unknown'}")
    return ", ".join(parts)


def check(models: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """What `--check` prints. @param models the modules that each model needs"""
    modules = sorted({name for needs in models.values() for name in needs} | set(_ALWAYS))
    # Loading tells of broken installations, which looking for them does not.
    problems: dict[str, str] = {}
    for name in modules:
        try:
            require(name)
        except EmbedError as error:
            problems[name] = str(error)
    torch = sys.modules.get("torch") if "torch" not in problems else None
    told = {}
    for model, needs in models.items():
        missing = [name for name in needs if name in problems]
        told[model] = {"ready": not missing, "problem": "; ".join(problems[name] for name in missing)}
    return {"assay_embed": __version__, "python": sys.executable, "version": platform.python_version(),
            "packages": {name: _version(name) if name not in problems else None for name in modules},
            "devices": _devices(torch) if torch else [], "models": told,
            "ready": any(model["ready"] for model in told.values())}


def _devices(torch: Any) -> list[str]:
    devices = ["cuda"] if torch.cuda.is_available() else []
    mps = getattr(torch.backends, "mps", None)
    if mps is not None and mps.is_available():
        devices.append("mps")
    return devices + ["cpu"]


def _version(module: str) -> str | None:
    loaded = sys.modules.get(module)
    if loaded is not None and hasattr(loaded, "__version__"):
        return str(loaded.__version__)
    try:
        return importlib.metadata.version(_PACKAGES.get(module, module))
    except importlib.metadata.PackageNotFoundError:
        return None


def _pip(missing: list[str]) -> str:
    return "pip install " + " ".join(_PACKAGES.get(name, name) for name in missing)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
