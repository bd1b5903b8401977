"""What the Python environment has, and clear words for what it lacks."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import platform
import shlex
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
    missing = [name for name in modules if not _is_there(name)]
    if missing:
        raise EmbedError(_not_installed(missing))
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


def check(models: dict[str, tuple[str, ...]], model: str) -> dict[str, Any]:
    """What `--check` prints. @param models the modules that each model needs @param model whose modules are loaded"""
    modules = sorted({name for needs in models.values() for name in needs} | set(_ALWAYS))
    missing = {name for name in modules if not _is_there(name)}
    # Loading tells of broken installations, which looking for them does not.
    broken: dict[str, str] = {}
    for name in modules:
        try:
            if name not in missing and name in (*models[model], *_ALWAYS):
                require(name)
        except EmbedError as error:
            broken[name] = str(error)
    torch = sys.modules.get("torch") if "torch" not in missing and "torch" not in broken else None
    told = {}
    for model, needs in models.items():
        absent = [name for name in needs if name in missing]
        problems = ([_not_installed(absent)] if absent else []) + [broken[name] for name in needs if name in broken]
        told[model] = {"ready": not problems, "problem": "; ".join(problems), "install": [_package(name) for name in absent]}
    return {"assay_embed": __version__, "python": sys.executable, "version": platform.python_version(),
            "packages": {name: None if name in missing or name in broken else _version(name) for name in modules},
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
        return importlib.metadata.version(_package(module))
    except importlib.metadata.PackageNotFoundError:
        return None


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _package(module: str) -> str:
    return _PACKAGES.get(module, module)


def _not_installed(missing: list[str]) -> str:
    names = missing[0] if len(missing) == 1 else f"{', '.join(missing[:-1])} and {missing[-1]}"
    verb = "is" if len(missing) == 1 else "are"
    command = " ".join([shlex.quote(sys.executable), "-m", "pip", "install", *map(_package, missing)])
    return f"{names} {verb} not installed in {sys.executable}: {command}"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
