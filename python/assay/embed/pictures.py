"""One picture: decoded as Assay decodes it, scaled for a network and for being looked at."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from .errors import EmbedError

ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff")
MOST_PIXELS = 1 << 26  # Assay's own limit
_BITS = 258  # the TIFF tag BitsPerSample
_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF")


def is_named_picture(name: str) -> bool:
    lower = name.lower()
    return any(lower.endswith(ending) and len(lower) > len(ending) for ending in ENDINGS)


def decode(data: bytes) -> Any:
    """A PIL image in RGB: what is transparent lies on white, 16 bits become 8, of several frames or pages the first is
    taken. @raise EmbedError in a few words"""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise EmbedError(f"{image.width} x {image.height} pixels are too many")
            if image.format == "TIFF" and max(image.tag_v2.get(_BITS, (1,))) > 16:
                raise EmbedError("a TIFF of more than 16 bits per channel")
            if getattr(image, "is_animated", False) and image.format == "WEBP":
                raise EmbedError("an animation")
            image.load()
            return _rgb(image)
    except EmbedError:
        raise
    except Exception as error:  # decoders raise SyntaxError, struct.error, ... for damaged files
        raise EmbedError("cannot be decoded") from error


def _rgb(image: Any) -> Any:
    from PIL import Image

    if image.mode.startswith("I"):  # 16 bits of grey; convert() would clip them
        import numpy

        deep = numpy.asarray(image, dtype=numpy.float64)
        image = Image.fromarray(numpy.rint(deep.clip(0, 65535) / 257).astype(numpy.uint8))
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


def thumbnail(image: Any, side: int) -> Any:
    """uint8 [H, W, 3] with H and W of at most `side`; smaller pictures stay as they are."""
    import numpy

    from PIL import Image

    scale = min(1.0, side / max(image.size))
    size = tuple(max(1, round(length * scale)) for length in image.size)
    return numpy.array(image if scale == 1.0 else image.resize(size, Image.BOX))


def framed(pictures: list[Any], height: int, width: int) -> Any:
    """uint8 [N, height, width, 4]: each in the middle, with a transparent border.
    @param pictures uint8 [H, W, 3] with H <= height and W <= width"""
    import numpy

    shown = numpy.zeros((len(pictures), height, width, 4), dtype=numpy.uint8)
    for into, picture in zip(shown, pictures):
        top, left = (height - picture.shape[0]) // 2, (width - picture.shape[1]) // 2
        space = into[top:top + picture.shape[0], left:left + picture.shape[1]]
        space[:, :, :3] = picture
        space[:, :, 3] = 255
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
