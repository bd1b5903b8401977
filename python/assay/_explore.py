"""The page to explore, in a notebook."""

import base64
import html
import struct
import zlib
from typing import Any, Dict, List, Mapping

_SCRIPT = """
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    frame.setAttribute("allow", "clipboard-write *");
    frame.style.cssText = "width: 100%; border: 0";
    frame.style.height = `${model.get("height")}px`;
    frame.srcdoc = model.get("page");
    const hear = (event) => {
      if (event.source !== frame.contentWindow || event.data?.assay !== "selection") return;
      model.set("model", event.data.model);
      model.set("ids", event.data.ids);
      model.set("selection", event.data.rows);
      model.save_changes();
    };
    window.addEventListener("message", hear);
    el.append(frame);
    return () => window.removeEventListener("message", hear);
  },
};
"""


class Explorer:
    """A page in a cell. Without ``anywidget`` nothing comes back from it."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height
        self.model: str = ""  #: whose samples are selected
        self.ids: List[str] = []
        self.selection: List[int] = []  #: selected rows of the model's set, as ``keep`` takes them

    def _repr_html_(self) -> str:
        # Within single quotes only these two need to be escaped: a page is full of double quotes.
        page = self.page.replace("&", "&amp;").replace("'", "&#39;")
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" allow="clipboard-write *" loading="lazy" '
            f"style=\"width: 100%; height: {self.height}px; border: 0\" srcdoc='{page}'></iframe>"
        )


def explorer(page: str, height: int) -> Any:
    """A widget where ``anywidget`` is installed, else an ``Explorer``."""
    try:
        import anywidget  # type: ignore[import-not-found,unused-ignore]
        import traitlets
    except ImportError:
        return Explorer(page, height)
    traits: Dict[str, Any] = {
        "_esm": _SCRIPT,
        "page": traitlets.Unicode(page).tag(sync=True),
        "height": traitlets.Int(height).tag(sync=True),
        "model": traitlets.Unicode("").tag(sync=True),
        "ids": traitlets.List([]).tag(sync=True),
        "selection": traitlets.List([]).tag(sync=True),
    }
    return type("ExplorerWidget", (anywidget.AnyWidget,), traits)()


def _png(pixels: Any) -> bytes:
    """A picture of H x W x C bytes as PNG: grey, RGB or RGBA."""
    height, width, channels = pixels.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + pixels[row].tobytes() for row in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def examples_html(pictures: Mapping[str, Any]) -> str:
    """Pictures of what a model's findings are about."""
    return "".join(
        f'<figure style="display: inline-block; margin: 0 1em 0 0"><img alt="{html.escape(name)}" '
        f'src="data:image/png;base64,{base64.b64encode(_png(strip)).decode()}"><figcaption>{html.escape(name)}</figcaption></figure>'
        for name, strip in pictures.items()
    )
