"""Sources of pictures are read as Assay reads them: the same order, ids and classes; damaged ones are refused in a line."""

import gzip
import json
import pickle
import struct
import unittest
import zipfile

from support import Folder, needs, write_pictures

from assay_embed.errors import EmbedError
from assay_embed.sources import folder_labels, open_source

COUNT = 20


def pixels(count=COUNT, side=6):
    import numpy

    return (numpy.arange(count * side * side) * 7 % 251).astype("uint8").reshape(count, side, side)


@needs("numpy", "PIL")
class SourcesTest(Folder):
    def taken(self, name):
        """Ids, classes and pixels of all samples."""
        import numpy

        source = open_source(self.path(name))
        samples = list(source.samples(0))
        self.assertEqual(len(samples), source.total)
        return ([each.id for each in samples], [each.label for each in samples],
                numpy.stack([numpy.asarray(each.load()) for each in samples]))

    def refusal(self, name):
        """What opening it and reading all of it is refused with: one line."""
        with self.assertRaises(EmbedError) as caught:
            for sample in open_source(self.path(name)).samples(0):
                sample.load()
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)

    def write_idx(self, name, data=None, opener=open):
        data = pixels() if data is None else data
        with opener(self.path(name), "wb") as file:
            file.write(struct.pack(">IIII", 0x803, *data.shape) + data.tobytes())

    def test_folders_are_in_the_order_of_whole_paths(self):
        from PIL import Image

        for name in ("a/x.png", "a-b/x.PNG", "b.jpg", ".hidden.png", ".git/x.png", "notes.txt", "a/.png"):
            (self.folder / "f" / name).parent.mkdir(parents=True, exist_ok=True)
            Image.new("L", (4, 4)).save(self.folder / "f" / name, format="PNG")
        source = open_source(self.path("f"))
        self.assertEqual([each.id for each in source.samples(0)], ["a-b/x.PNG", "a/x.png", "b.jpg"])
        self.assertEqual([each.id for each in source.samples(2)], ["b.jpg"])
        self.assertIn("1 file left out, no pictures by name: 'notes.txt'", source.notes()[0])

    def test_first_folders_are_classes_where_there_are_several(self):
        self.assertEqual(folder_labels(["a/x/1.png", "b/1.png"]), ["a", "b"])
        self.assertIsNone(folder_labels(["a/1.png", "a/2.png"]))
        self.assertIsNone(folder_labels(["a/1.png", "2.png"]))

    def test_shards_are_no_classes(self):
        for ids in (["00000/00000000.png", "00000/00000001.png", "00001/00001000.png"],  # NVIDIA's tools
                    ["000000/x.png", "000100/y.png"],
                    ["00012/000120345.jpg", "00013/000130001.jpg", "00013/000130002.jpg"]):  # img2dataset
            self.assertIsNone(folder_labels(ids))
        for ids in (["0/1.png", "1/1.png"], ["00000/00000_00000.png", "00001/00000_00000.png", "00001/00000_00001.png"],
                    ["001/1.png", "002/1.png"]):
            self.assertEqual(folder_labels(ids), [each.split("/")[0] for each in ids])

    def test_arrays_with_their_classes_and_ids(self):
        import numpy

        data, classes = pixels(), numpy.arange(COUNT) % 3
        names = numpy.array([f"s{i}" for i in range(COUNT)])
        numpy.savez(self.path("ours.npz"), images=data, labels=classes, ids=names)
        numpy.savez_compressed(self.path("samples.npz"), data[..., None].repeat(3, 3), classes)
        numpy.save(self.path("plain.npy"), data)
        numpy.savez(self.path("two.npz"), images=data[::-1], train=data)
        rgb = data[..., None].repeat(3, 3)
        for name, ids, labels in (("ours.npz", names.tolist(), classes.tolist()),
                                  ("samples.npz", [str(i) for i in range(COUNT)], classes.tolist()),
                                  ("two.npz:train", [str(i) for i in range(COUNT)], [None] * COUNT),
                                  ("plain.npy", [str(i) for i in range(COUNT)], [None] * COUNT)):
            with self.subTest(name):
                found = self.taken(name)
                self.assertEqual(found[:2], (ids, labels))
                numpy.testing.assert_array_equal(found[2], rgb)

    def test_idx_with_the_labels_beside_it(self):
        import numpy

        self.write_idx("t-images-idx3-ubyte")
        self.write_idx("z-images-idx3-ubyte.gz", opener=gzip.open)
        (self.folder / "t-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, COUNT) + bytes(range(COUNT)))
        found = self.taken("t-images-idx3-ubyte")
        self.assertEqual(found[1], list(range(COUNT)))
        numpy.testing.assert_array_equal(found[2][..., 0], pixels())
        numpy.testing.assert_array_equal(self.taken("z-images-idx3-ubyte.gz")[2], found[2])

    def test_cifar_binary_and_for_python(self):
        import numpy

        planes = (numpy.arange(COUNT * 3072) * 13 % 253).astype("uint8").reshape(COUNT, 3072)
        classes = [i % 10 for i in range(COUNT)]
        records = numpy.concatenate([numpy.array(classes, "uint8")[:, None], planes], axis=1)
        (self.folder / "data_batch_1.bin").write_bytes(records.tobytes())
        (self.folder / "data_batch_1.dat").write_bytes(records.tobytes())
        for protocol in (2, 4, 5):
            with open(self.path(f"batch{protocol}"), "wb") as file:
                pickle.dump({b"data": planes, b"labels": classes, b"filenames": [b"%d.png" % i for i in range(COUNT)]},
                            file, protocol=protocol)
        expected = planes.reshape(COUNT, 3, 32, 32).transpose(0, 2, 3, 1)
        for name in ("data_batch_1.bin", "batch2", "batch4", "batch5"):
            with self.subTest(name):
                ids, labels, images = self.taken(name)
                self.assertEqual(labels, classes)
                numpy.testing.assert_array_equal(images, expected)
        self.assertEqual(self.taken("batch2")[0][3], "3.png")
        self.assertIn("none of these", self.refusal("data_batch_1.dat"))

    def test_a_pickle_that_calls_something_is_refused(self):
        class Call:
            def __reduce__(self):
                return (print, ("called",))

        with open(self.path("evil"), "wb") as file:
            pickle.dump({"data": Call()}, file)
        self.assertIn("builtins.print, which is not called", self.refusal("evil"))

    def write_zip(self, name, listed=None):
        write_pictures(self.folder / "p", 6)
        with zipfile.ZipFile(self.path(name), "w") as archive:
            for file in sorted((self.folder / "p").rglob("*.png")):
                archive.write(file, file.relative_to(self.folder / "p"))
            if listed is not None:
                archive.writestr("dataset.json", json.dumps({"labels": listed}))

    def test_zips_with_the_classes_of_a_list(self):
        names = [f"even/{i:04d}.png" for i in (0, 2, 4)] + [f"odd/{i:04d}.png" for i in (1, 3, 5)]
        self.write_zip("plain.zip")
        source = open_source(self.path("plain.zip"))
        self.assertEqual(([each.id for each in source.samples(0)], source.labels_are_folders), (names, True))
        self.write_zip("all.zip", [[name, i] for i, name in enumerate(names)])
        self.assertEqual(self.taken("all.zip")[1], [0, 1, 2, 3, 4, 5])
        self.write_zip("some.zip", [[names[1], 7]])
        self.assertEqual(self.taken("some.zip")[1], ["none", "7", "none", "none", "none", "none"])
        self.assertIn("no class for 5 pictures", open_source(self.path("some.zip")).notes()[0])
        self.write_zip("vectors.zip", [[name, [0.5, 1]] for name in names])
        self.assertEqual(self.taken("vectors.zip")[1], [None] * 6)
        self.write_zip("null.zip", None)

    def test_damaged_files_are_refused_in_a_line(self):
        import numpy

        self.write_idx("idx")
        whole = (self.folder / "idx").read_bytes()
        packed = gzip.compress(whole)
        numpy.savez_compressed(self.path("a.npz"), images=pixels())
        archive = (self.folder / "a.npz").read_bytes()
        for name, data in {"short": whole[:9], "cut": whole[:-1], "long": whole + b"x", "cut.gz": packed[:-20],
                           "bad.gz": packed[:30] + b"\xff\xff\xff" + packed[33:], "head.gz": gzip.compress(whole[:5]),
                           "cut.npz": archive[:-30], "bad.npz": archive[:120] + b"\xff" * 8 + archive[128:],
                           "empty": b"", "text": b"hello"}.items():
            with self.subTest(name):
                (self.folder / name).write_bytes(data)
                self.refusal(name)

    def test_labels_of_another_kind_or_number_are_refused(self):
        import numpy

        numpy.savez(self.path("short.npz"), images=pixels(), labels=numpy.arange(3))
        numpy.savez(self.path("floats.npz"), images=pixels(), labels=numpy.ones(COUNT))
        numpy.savez(self.path("objects.npz"), images=pixels(), labels=numpy.array([{}] * COUNT, dtype=object))
        self.assertIn(f"expected {COUNT} entries", self.refusal("short.npz"))
        self.assertIn("expected whole numbers or text", self.refusal("floats.npz"))
        self.assertEqual(self.taken("objects.npz")[1], [None] * COUNT)

    def test_transparent_and_deep_pictures(self):
        import numpy
        from PIL import Image

        folder = self.folder / "f"
        folder.mkdir()
        Image.new("RGBA", (2, 2), (255, 0, 0, 0)).save(folder / "a.png")
        Image.fromarray(numpy.full((2, 2), 0x8000, "uint16")).save(folder / "b.png")
        Image.new("CMYK", (8, 8), (55, 215, 165, 51)).save(folder / "c.jpg", quality=95)
        first = Image.new("RGB", (2, 2), (1, 2, 3))
        more = {"save_all": True, "append_images": [Image.new("RGB", (2, 2), (9, 9, 9))]}
        first.save(folder / "d.gif", **more)
        first.save(folder / "e.tif", **more)
        Image.fromarray(numpy.full((2, 2), 0x8000, "uint16")).save(folder / "f.tiff")
        Image.fromarray(numpy.full((2, 2), 0.5, "float32")).save(folder / "g.tiff")
        samples = list(open_source(str(folder)).samples(0))
        self.assertEqual(samples[0].load().getpixel((0, 0)), (255, 255, 255))
        self.assertEqual(samples[1].load().getpixel((0, 0)), (128, 128, 128))
        ink = samples[2].load().getpixel((3, 3))
        self.assertTrue(all(abs(a - b) <= 2 for a, b in zip(ink, (160, 32, 72))), ink)
        self.assertEqual(samples[3].load().getpixel((0, 0)), (1, 2, 3))
        self.assertEqual(samples[4].load().getpixel((0, 0)), (1, 2, 3))
        self.assertEqual(samples[5].load().getpixel((0, 0)), (128, 128, 128))
        with self.assertRaisesRegex(EmbedError, "more than 16 bits"):
            samples[6].load()


if __name__ == "__main__":
    unittest.main()
