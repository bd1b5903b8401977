#!/usr/bin/env python3
"""Writes small valid files, a folder for each fuzz target, to begin fuzzing with.

usage: make_seeds.py FOLDER    (needs Python's standard library alone)
"""
import base64
import gzip
import io
import json
import pathlib
import pickle
import struct
import sys
import zipfile
import zlib

JPEG = """/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqm
x5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAGAAgDASIA
AhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEI
I0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWm
p6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QA
tREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RV
VldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP0
9fb3+Pn6/9oADAMBAAIRAxEAPwBsdjEQPLhjU+rEn/Ciiis2kjp9lBdD/9k="""
# In CMYK, by Pillow.
CMYK_JPEG = """/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwPFxgWFBgSFBUU/8
AAFAgACAAIBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNR
YQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlp
eYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD7Ar4Urxqvsuv/2Q=="""
WEBP = ("UklGRkgAAABXRUJQVlA4IDwAAADwAQCdASoIAAYABUB8JbACdAEWYGlaOjAA/kE7HcEf3fvhqdrHR6gjg163gtO6BHqtpF4ORfWu7xkkAAA"
        "A=")


def npy(descr, shape, data, fortran=False, version=1):
    header = repr({"descr": descr, "fortran_order": fortran, "shape": shape}).encode()
    length = 8 + (2 if version == 1 else 4)
    header += b" " * (-(length + len(header) + 1) % 16) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


def floats(*values, order="<"):
    return struct.pack(f"{order}{len(values)}f", *values)


def matrix(rows=4, columns=3):
    return npy("<f4", (rows, columns), floats(*[i * i % 11 + i / 7 for i in range(rows * columns)]))


def archive(entries, method=zipfile.ZIP_STORED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as out:
        for name, data in entries.items():
            out.writestr(name, data)
    return packed.getvalue()


def png(width, height, channels=1):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes((x * y * 7 + c) % 256 for x in range(width) for c in range(channels))
                    for y in range(height))
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def bmp(width, height):
    stride = (width * 3 + 3) // 4 * 4
    pixels = bytes(i % 256 for i in range(stride * height))
    return (b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, 54)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(pixels), 0, 0, 0, 0) + pixels)


def tiff(pages=1, bits=8, channels=1, photometric=1, order="<"):
    """Pages of 3 x 2 pixels, not compressed."""
    data = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8)
    for page in range(pages):
        pixels = bytes(i * 37 % 256 for i in range(6 * channels * bits // 8))
        fields = [(256, 3), (257, 2), (258, bits), (259, 1), (262, photometric), (273, 0), (277, channels), (278, 2),
                  (279, len(pixels))]
        directory = len(data)
        behind = directory + 2 + 12 * len(fields) + 4  # the bits of each channel, the pixels
        data += struct.pack(order + "H", len(fields))
        for tag, value in fields:
            many = tag == 258 and channels > 2
            value = behind if many else behind + 2 * channels if tag == 273 else value
            kind = "I" if many or tag in (273, 279) else "H"
            data += struct.pack(order + "HHI" + kind, tag, 4 if tag in (273, 279) else 3, channels if tag == 258 else 1,
                                value).ljust(12, b"\0")
        end = behind + 2 * channels + len(pixels)
        data += struct.pack(order + "I", end if page + 1 < pages else 0)
        data += struct.pack(order + "H", bits) * channels + pixels
    return data


def gif(*frames):
    """4 x 4 pixels. @param frames left, top, width, height, flags (0x40: interlaced)"""
    data = b"GIF89a" + struct.pack("<HHBBB", 4, 4, 0xf6, 0, 0) + bytes(i * 7 % 256 for i in range(3 * 128))
    for left, top, width, height, flags in frames:
        codes = b"\x80" + bytes(i % 128 for i in range(width * height)) + b"\x81"
        data += b"\x21\xf9\x04\x01\0\0\x03\0," + struct.pack("<HHHHB", left, top, width, height, flags)
        data += b"\x07" + bytes([len(codes)]) + codes + b"\0"
    return data + b";"


def tensors(arrays):
    header, data = {}, b""
    for name, (dtype, shape, values) in arrays.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def torch_tensor(key, rows, columns):
    """The pickle of a float tensor, as torch.save writes it."""
    def text(value):
        return b"X" + struct.pack("<I", len(value)) + value
    storage = b"(" + text(b"storage") + b"ctorch\nFloatStorage\n" + text(key) + text(b"cpu") + b"K" + bytes(
        [rows * columns]) + b"tQ"
    return (b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\0K" + bytes([rows]) + b"K" + bytes([columns]) + b"\x86K"
            + bytes([columns]) + b"K\x01\x86\x89ccollections\nOrderedDict\n)RtR")


def torch_file(body, rows=2, columns=2):
    data = floats(*range(rows * columns))
    return archive({"gan/data.pkl": b"\x80\x02" + body + b".", "gan/byteorder": b"little", "gan/data/0": data,
                    "gan/version": b"3\n"})


def torch_dictionary():
    def text(value):
        return b"X" + struct.pack("<I", len(value)) + value
    return torch_file(b"}(" + text(b"embeddings") + torch_tensor(b"0", 2, 2) + text(b"labels") + b"](K\x01K\x02e" + b"u")


def idx(*shape):
    count = 1
    for side in shape:
        count *= side
    return bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + bytes(i % 251 for i in range(count))


def cifar(records, labels=1):
    return b"".join(bytes([(i + j) % 10 for j in range(labels)]) + bytes((i + p) % 256 for p in range(3072))
                    for i in range(records))


def cifar_pickle(protocol):
    return pickle.dumps({b"labels": [1, 2], b"filenames": [b"a.png", b"b.png"], b"batch_label": b"one"}, protocol)


def seeds():
    f8 = npy("<f8", (2, 2), struct.pack("<4d", 1e6, 1e6 + 0.01, 2, 3))
    pictures = npy("|u1", (2, 4, 4), bytes(range(32)))
    text = npy("<U2", (4,), "".join(c + "\0" for c in "abca").encode("utf-32-le"))
    whole = npy("<i8", (4,), struct.pack("<4q", 1, 2, 1, 0))
    zipped = {"a/x.png": png(4, 4), "a/y.png": png(4, 4, 3), "b/z.jpg": base64.b64decode(JPEG),
              "b/y.gif": gif((0, 0, 4, 4, 0)), "b/x.tif": tiff()}
    listed = {**zipped, "dataset.json": json.dumps({"labels": [["a/x.png", 1], ["a/y.png", 0]]})}
    table = b"id,label,x,y\na,cat,1,2\nb,dog,3.5,-4e-2\n"
    return {
        "npy": [matrix(), f8, npy(">f4", (2, 2), floats(1, 2, 3, 4, order=">"), True), npy("<f2", (2, 3), bytes(12)),
                npy("<f4", (2, 3, 2), floats(*range(12))), pictures, npy("<i8", (2, 2), struct.pack("<4q", 1, 2, 3, 4), False, 2)],
        "npz": [archive({"embeddings.npy": matrix(), "labels.npy": whole, "ids.npy": text}),
                archive({"reps.npy": f8, "model.npy": npy("<U3", (), "gan".encode("utf-32-le"))}, zipfile.ZIP_DEFLATED),
                archive({"arr_0.npy": npy("|u1", (2, 4, 4, 3), bytes(96)), "arr_1.npy": npy("<i8", (2,), bytes(16))}),
                archive({"series.npy": npy("<f4", (2, 3, 2), floats(*range(12)))}),
                archive({"embeddings.npy": matrix(2, 2), "images.npy": pictures}, zipfile.ZIP_DEFLATED)],
        "safetensors": [tensors({"x": ("F32", [2, 2], floats(1, 2, 3, 4))}),
                        tensors({"embeddings": ("F16", [2, 2], bytes(8)), "labels": ("I64", [2], bytes(16)),
                                 "ids": ("U8", [2], b"\1\2")})],
        "torch": [torch_file(torch_tensor(b"0", 2, 2)), torch_dictionary()],
        "pickle": [pickle.dumps({"a": [1, 2.5, "text", (b"bytes", None, True)], "b": {}}, protocol) for protocol in (2, 3, 4, 5)]
                  + [b"\x80\x02" + torch_tensor(b"0", 2, 2) + b"."],
        "cifar": [cifar(2), cifar(1, 2)],
        "cifar_pickle": [cifar_pickle(2), cifar_pickle(4)],
        "idx": [idx(2, 4, 4), gzip.compress(idx(2, 4, 4)), idx(4)],
        "picture": [png(5, 3), png(4, 4, 3), png(3, 3, 4), png(2, 2, 2), bmp(5, 3), base64.b64decode(JPEG),
                    base64.b64decode(WEBP), base64.b64decode(CMYK_JPEG), tiff(), tiff(2, 16, 3, 2), tiff(1, 8, 4, 5),
                    tiff(1, 16, 1, 1, ">"), gif((0, 0, 4, 4, 0)), gif((1, 1, 2, 2, 0x40), (0, 0, 1, 1, 0))],
        "picture_zip": [archive(zipped), archive(listed, zipfile.ZIP_DEFLATED)],
        "table": [table, table.replace(b",", b"\t"), b'"id";"x"\n"a ""b""";1\nc;2\n', b"1,2\n3,4\n", b",x\nrow,1\n",
                  b"x,colour\r\n1,red\r\n2,blue\r\n,nan\r\n"],
        "labels": [table, b"label\ncat\ndog\n", whole, text, archive({"labels.npy": whole, "ids.npy": text})],
        "manifest": [json.dumps({"real": {"embeddings": "r.npz:reps", "pictures": "png", "labels": "r.csv"},
                                 "models": {"gan": "g.npy", "vae": {"embeddings": "v.npy", "join": "row", "order": "parts"}},
                                 "held_out": "h.npy"}).encode(),
                     b'{"real": "r.npy", "models": [{"name": "gan", "embeddings": "g.npy"}]}'],
    }


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    all_seeds = seeds()
    # Without pictures and series, whose built-in embedding would take most of the time.
    all_seeds["mapped"] = [*all_seeds["npy"][:4], *all_seeds["npz"][:2],
                           *(seed for name in ("safetensors", "torch", "table") for seed in all_seeds[name])]
    for name, files in all_seeds.items():
        folder = pathlib.Path(sys.argv[1], name)
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(files):
            (folder / f"{number}").write_bytes(data)


main()
