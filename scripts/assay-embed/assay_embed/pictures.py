"""One picture: decoded as Assay decodes it, scaled for a network and for being looked at."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from .errors import EmbedError

ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
MOST_PIXELS = 1 << 26  # Assay's own limit
_FORMATS = ("PNG", "JPEG", "WEBP", "BMP")


def is_named_picture(name: str) -> bool:
    lower = name.lower()
    return any(lower.endswith(ending) and len(lower) > len(ending) for ending in ENDINGS)


def decode(data: bytes) -> Any:
    """A PIL image in RGB: what is transparent lies on white, 16 bits become 8. @raise EmbedError in a few words"""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise EmbedError(f"{image.width} x {image.height} pixels are too many")
            image.load()
            return _rgb(image)
    except EmbedError:
        raise
    except Exception as error:  # decoders raise SyntaxError, struct.error, ... for damaged files
        raise EmbedError("cannot be decoded") from error


def _rgb(image: Any) -> Any:
    from PIL import Image

    if image.mode.startswith("I"):  # 16 bits of grey; convert() would clip them
        image = image.convert("I").point(lambda value: value * (1.0 / 256)).convert("L")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, image).convert("RGB")
    return image.convert("RGB")


def from_array(pixels: Any) -> Any:
    """@param pixels uint8 [H, W] or [H, W, 1, 3 or 4]"""
    from PIL import Image

    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
    return _rgb(Image.fromarray(pixels))


def thumbnail(image: Any, side: int, *, bordered: bool) -> Any:
    """uint8 [side, side, 4], fitted in with a transparent border; not bordered: [H, W, 3] as the picture is."""
    import numpy

    if not bordered:
        return numpy.asarray(image)
    from PIL import Image

    scale = min(1.0, side / max(image.size))
    width, height = (max(1, round(length * scale)) for length in image.size)
    small = image if scale == 1.0 else image.resize((width, height), Image.BOX)
    shown = numpy.zeros((side, side, 4), dtype=numpy.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    shown[top:top + height, left:left + width, :3] = numpy.asarray(small)
    shown[top:top + height, left:left + width, 3] = 255
    return shown


@dataclass(frozen=True)
class Preprocessing:
    """What a network is shown of a picture."""

    side: int
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    resample: str  # bicubic or bilinear
    crop: bool  # shorter side to `side`, then the middle; else both sides to `side`

    def text(self) -> str:
        how = f"shorter side to {self.side}, middle {self.side} x {self.side}" if self.crop else (
            f"stretched to {self.side} x {self.side}")
        return (f"RGB on white, {how}, PIL {self.resample}, mean {_numbers(self.mean)}, "
                f"standard deviation {_numbers(self.std)}")

    def apply(self, image: Any) -> Any:
        """float32 [3, side, side]"""
        import numpy
        from PIL import Image

        resample = Image.BICUBIC if self.resample == "bicubic" else Image.BILINEAR
        if self.crop:
            scale = self.side / min(image.size)
            width, height = (max(self.side, round(length * scale)) for length in image.size)
            left, top = (width - self.side) // 2, (height - self.side) // 2
            image = image.resize((width, height), resample).crop((left, top, left + self.side, top + self.side))
        else:
            image = image.resize((self.side, self.side), resample)
        values = numpy.asarray(image, dtype=numpy.float32) / numpy.float32(255)
        values = (values - numpy.asarray(self.mean, numpy.float32)) / numpy.asarray(self.std, numpy.float32)
        return numpy.ascontiguousarray(values.transpose(2, 0, 1))


def _numbers(values: tuple[float, ...]) -> str:
    return "/".join(f"{value:g}" for value in values)
