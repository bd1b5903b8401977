#include "tests/engine/support/picture_bytes.h"

#include <algorithm>
#include <array>

namespace assay::test {
namespace {

class TiffWriter {
public:
    explicit TiffWriter(TiffOrder order) : order_(order) {
        bytes_ = order == TiffOrder::Little ? "II" : "MM";
        number(42, 2);
    }

    void page(const TiffPage& page) {
        number(at() + 4, 4); // of this page's directory, behind this number
        const auto count = static_cast<std::uint32_t>(page.bits.size());
        std::vector<Field> fields{
            {256, {page.width}}, {257, {page.height}},      {258, page.bits},
            {259, {1}},          {262, {page.photometric}}, {273, {0}}, // where the pixels are: below
            {277, {count}},      {278, {page.height}},      {279, {static_cast<std::uint32_t>(page.pixels.size())}, 4}};
        fields[5].bytes = 4;
        if (!page.palette.empty())
            fields.push_back({320, page.palette});
        if (page.alpha != 0)
            fields.push_back({338, {page.alpha}});
        if (page.sampleFormat != 1)
            fields.push_back({339, std::vector<std::uint32_t>(count, page.sampleFormat)});
        // Behind the directory: values that do not fit into it, then the pixels.
        std::uint32_t behind = at() + 2 + static_cast<std::uint32_t>(fields.size()) * 12 + 4 + 4;
        std::uint32_t pixels = behind;
        for (const Field& field : fields)
            pixels += field.size() > 4 ? field.size() : 0;
        fields[5].values = {pixels};
        number(static_cast<std::uint32_t>(fields.size()), 2);
        for (const Field& field : fields) {
            number(field.tag, 2);
            number(field.bytes == 2 ? 3 : 4, 2);
            number(static_cast<std::uint32_t>(field.values.size()), 4);
            if (field.size() > 4) {
                number(behind, 4);
                behind += field.size();
                continue;
            }
            for (const std::uint32_t value : field.values)
                number(value, field.bytes);
            bytes_.append(4 - field.size(), '\0');
        }
        next_ = bytes_.size();
        number(0, 4);
        number(0, 4); // unused
        for (const Field& field : fields)
            for (std::size_t i = 0; field.size() > 4 && i < field.values.size(); ++i)
                number(field.values[i], field.bytes);
        bytes_ += page.pixels;
        bytes_.append(bytes_.size() % 2, '\0');
    }

    /// Goes on to another page: writes where its directory is.
    void link() {
        const std::string all = bytes_;
        bytes_.clear();
        number(static_cast<std::uint32_t>(all.size()) + 4, 4);
        const std::string link = bytes_;
        bytes_ = all;
        bytes_.replace(next_, 4, link);
    }

    const std::string& bytes() const { return bytes_; }

private:
    struct Field {
        std::uint32_t tag;
        std::vector<std::uint32_t> values;
        std::uint32_t bytes = 2;

        std::uint32_t size() const { return static_cast<std::uint32_t>(values.size()) * bytes; }
    };

    std::uint32_t at() const { return static_cast<std::uint32_t>(bytes_.size()); }
    void number(std::uint32_t value, std::uint32_t bytes) {
        for (std::uint32_t i = 0; i < bytes; ++i)
            bytes_ += static_cast<char>(value >> 8 * (order_ == TiffOrder::Little ? i : bytes - 1 - i) & 255U);
    }

    TiffOrder order_;
    std::string bytes_;
    std::size_t next_ = 0;
};

void add16(std::string& bytes, unsigned value) {
    bytes += static_cast<char>(value & 255U);
    bytes += static_cast<char>(value >> 8);
}

/// Codes of 8 bits, one per pixel: beginning anew before codes become longer keeps them at that.
std::string lzwOf(const std::vector<std::uint8_t>& pixels) {
    constexpr char kClear = '\x80', kEnd = '\x81';
    constexpr std::size_t kBeforeLonger = 100, kBlock = 255;
    std::string codes;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (i % kBeforeLonger == 0)
            codes += kClear;
        codes += static_cast<char>(pixels[i]);
    }
    codes += kEnd;
    std::string blocks("\7"); // 8 bits less one
    for (std::size_t i = 0; i < codes.size(); i += kBlock) {
        const std::string block = codes.substr(i, kBlock);
        blocks += static_cast<char>(block.size());
        blocks += block;
    }
    return blocks + '\0';
}

} // namespace

std::string tiffFile(const std::vector<TiffPage>& pages, TiffOrder order) {
    TiffWriter writer(order);
    for (std::size_t i = 0; i < pages.size(); ++i) {
        if (i > 0)
            writer.link();
        writer.page(pages[i]);
    }
    return writer.bytes();
}

std::string gifFile(std::uint16_t width, std::uint16_t height, const std::vector<std::uint8_t>& colors,
                    const std::vector<GifFrame>& frames) {
    std::string bytes("GIF89a");
    add16(bytes, width);
    add16(bytes, height);
    bytes += std::string("\xf6\0\0", 3); // a table of 128 colours
    std::string table(std::size_t{3} * 128, '\0');
    std::ranges::transform(colors, table.begin(), [](std::uint8_t value) { return static_cast<char>(value); });
    bytes += table;
    for (const GifFrame& frame : frames) {
        if (frame.transparent >= 0)
            bytes += std::string("\x21\xf9\x04\x01\0\0", 6) + static_cast<char>(frame.transparent) + '\0';
        bytes += ',';
        for (const std::uint16_t value : {frame.left, frame.top, frame.width, frame.height})
            add16(bytes, value);
        bytes += frame.isInterlaced ? '\x40' : '\0';
        bytes += lzwOf(frame.pixels);
    }
    return bytes + ';';
}

} // namespace assay::test
