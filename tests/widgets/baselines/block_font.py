"""Writes block.ttf and block-bold.ttf, the font of the chart baselines: every character is the same block.

With it a chart has the same layout and the same picture whatever fonts a machine has. At 12 pixels all edges and
advances are whole pixels. Needs fontTools: python3 block_font.py FOLDER
"""
import sys

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

EM = 1200  # 100 units are a pixel at 12 pixels


def block(left, bottom, right, top):
    pen = TTGlyphPen(None)
    pen.moveTo((left, bottom))
    pen.lineTo((left, top))
    pen.lineTo((right, top))
    pen.lineTo((right, bottom))
    pen.closePath()
    return pen.glyph()


def write(folder, file, style, weight):
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", "block", "space"])
    builder.setupCharacterMap({0x20: "space", 0x41: "block"})
    filled = block(100, 0, 500, 600)
    builder.setupGlyf({".notdef": filled, "block": filled, "space": TTGlyphPen(None).glyph()})
    builder.setupHorizontalMetrics({".notdef": (600, 100), "block": (600, 100), "space": (300, 0)})
    builder.setupHorizontalHeader(ascent=1000, descent=-300)
    builder.setupNameTable({"familyName": "Assay Block", "styleName": style})
    builder.setupOS2(sTypoAscender=1000, sTypoDescender=-300, usWinAscent=1000, usWinDescent=300, sxHeight=600,
                     sCapHeight=600, usWeightClass=weight, fsSelection=0x20 if weight == 700 else 0x40)
    builder.setupPost()
    if weight == 700:
        builder.font["head"].macStyle = 1
    # Format 13: ranges of characters that share one glyph.
    every = CmapSubtable.newSubtable(13)
    every.platformID, every.platEncID, every.language, every.format = 3, 10, 0, 13
    every.cmap = {code: "block" for code in range(0x21, 0x2FFF)}
    every.cmap[0x20] = every.cmap[0xA0] = every.cmap[0x202F] = "space"
    builder.font["cmap"].tables.append(every)
    builder.font["head"].created = builder.font["head"].modified = 0  # the same file every time
    builder.font.recalcTimestamp = False
    builder.save(folder + "/" + file)


write(sys.argv[1], "block.ttf", "Regular", 400)
write(sys.argv[1], "block-bold.ttf", "Bold", 700)
