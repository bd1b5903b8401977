#include "engine/io/numpy/npy_writer.h"

#include "engine/base/atomic_file.h"
#include "engine/base/error.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npy_header.h"

#include <algorithm>
#include <charconv>
#include <list>

namespace assay {
namespace {

std::string headerOf(const NpyView& array) {
    std::string shape;
    for (const std::size_t extent : array.shape)
        shape += std::to_string(extent) + ", ";
    if (array.shape.size() > 1)
        shape.resize(shape.size() - 2);
    else if (!shape.empty())
        shape.pop_back(); // (3,)
    std::string text = "{'descr': '" + array.descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    // Padding aligns the elements to 64 bytes, as NumPy does for memory mapping.
    constexpr std::size_t alignment = 64;
    const std::size_t before = npyMagic.size() + 4;
    text.append(alignment - 1 - (before + text.size()) % alignment, ' ');
    text += '\n';
    std::string header(npyMagic);
    header += {'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
    return header + text;
}

void requireShape(const std::string& file, const NpyView& array) {
    std::size_t bytes = array.itemBytes;
    for (const std::size_t extent : array.shape)
        bytes *= extent;
    if (bytes != array.data.size())
        throw Error(ErrorKind::InvalidArgument, file + ": the shape needs " + std::to_string(bytes) +
                                                    " bytes of data, there are " + std::to_string(array.data.size()));
}

} // namespace

void writeNpy(const std::string& file, const NpyView& array, const JobContext& job) {
    requireShape(file, array);
    constexpr std::size_t kPiece = std::size_t{4} << 20;
    AtomicFile output(file);
    output.write(headerOf(array));
    for (std::size_t first = 0; first < array.data.size(); first += kPiece) {
        job.checkpoint(static_cast<double>(first) / static_cast<double>(array.data.size()));
        output.write(array.data.subspan(first, std::min(kPiece, array.data.size() - first)));
    }
    output.commit();
    job.checkpoint(1.0);
}

void writeNpz(const std::string& file, std::span<const NpzItem> items, NpzPacking packing, const JobContext& job) {
    for (const NpzItem& item : items)
        requireShape(file + ": '" + item.key + "'", item.array);
    std::list<std::string> headers; // must stay valid until the archive is written
    ZipWriter archive(file);
    for (const NpzItem& item : items)
        archive.add(item.key + ".npy", std::as_bytes(std::span(headers.emplace_back(headerOf(item.array)))),
                    item.array.data, packing);
    archive.commit(job);
}

std::optional<std::int64_t> wholeNumberOf(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size() || std::to_string(number) != text)
        return std::nullopt;
    return number;
}

NpyTextArray::NpyTextArray(const std::vector<std::string>& texts, WholeNumbers whole) : count_(texts.size()) {
    for (const std::string& text : texts) {
        const auto number = whole == WholeNumbers::AsNumbers ? wholeNumberOf(text) : std::nullopt;
        if (!number)
            break;
        numbers_.push_back(*number);
    }
    if (numbers_.size() == count_)
        return;
    numbers_.clear();
    width_ = 1; // NumPy has no text type of width 0
    for (const std::string& text : texts)
        width_ = std::max(width_, text.size()); // a text has at most as many characters as bytes
    constexpr std::size_t mostCharacters = std::size_t{1} << 30;
    if (count_ > mostCharacters / width_)
        throw Error(ErrorKind::InvalidArgument,
                    "an array of texts: expected texts that fit 4 GiB at one width, found " + std::to_string(count_) +
                        " of up to " + std::to_string(width_) + " bytes");
    std::vector<std::vector<char32_t>> decoded(count_);
    width_ = 1;
    for (std::size_t i = 0; i < count_; ++i) {
        forEachCodePoint(utf8OrEscaped(texts[i]), [&](char32_t code, std::string_view) { decoded[i].push_back(code); });
        width_ = std::max(width_, decoded[i].size());
    }
    characters_.assign(count_ * width_, U'\0');
    for (std::size_t i = 0; i < count_; ++i)
        std::copy(decoded[i].begin(), decoded[i].end(), characters_.begin() + static_cast<std::ptrdiff_t>(i * width_));
}

NpyView NpyTextArray::view() const {
    if (width_ == 0)
        return npyView<std::int64_t>(numbers_, {count_});
    const char order = std::endian::native == std::endian::little ? '<' : '>';
    return {std::string{order, 'U'} + std::to_string(width_),
            width_ * sizeof(char32_t),
            {count_},
            std::as_bytes(std::span(characters_))};
}

} // namespace assay
