#include "engine/io/numpy/npy_text.h"

#include "engine/base/error.h"
#include "engine/io/files/text_encoding.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace assay {

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
