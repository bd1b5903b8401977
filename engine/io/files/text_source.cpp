#include "engine/io/files/text_source.h"

#include "engine/io/files/text_encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Converts UTF-16 to UTF-8, unit by unit.
class Utf16Decoder {
public:
    explicit Utf16Decoder(TextEncoding encoding) : bigEndian_(encoding == TextEncoding::Utf16Be) {}

    void add(std::span<const std::byte> bytes, std::string& text) {
        for (const std::byte byte : bytes) {
            if (!half_) {
                half_ = std::to_integer<std::uint16_t>(byte);
                continue;
            }
            const auto second = std::to_integer<std::uint16_t>(byte);
            addUnit(static_cast<char16_t>(bigEndian_ ? *half_ << 8U | second : second << 8U | *half_), text);
            half_.reset();
        }
    }
    void finish(std::string& text) {
        if (half_ || high_)
            appendUtf8(text, kReplacement);
        half_.reset();
        high_.reset();
    }

private:
    void addUnit(char16_t unit, std::string& text) {
        const bool isMark = std::exchange(isFirst_, false) && unit == 0xFEFF;
        if (isMark)
            return;
        const bool isLow = unit >= 0xDC00 && unit <= 0xDFFF;
        if (high_ && isLow) {
            appendUtf8(text, 0x10000 + ((*high_ - 0xD800U) << 10U) + (unit - 0xDC00U));
            high_.reset();
            return;
        }
        if (high_)
            appendUtf8(text, kReplacement);
        high_.reset();
        if (unit >= 0xD800 && unit <= 0xDBFF)
            high_ = unit;
        else
            appendUtf8(text, isLow ? kReplacement : unit);
    }

    bool bigEndian_;
    bool isFirst_ = true;
    std::optional<std::uint16_t> half_; ///< first byte of a unit
    std::optional<char32_t> high_;      ///< first half of a pair of surrogates
};

class Utf16Source : public ByteSource {
public:
    Utf16Source(std::unique_ptr<ByteSource> source, TextEncoding encoding)
        : source_(std::move(source)), decoder_(encoding) {}

    std::uint64_t size() const noexcept override { return source_->size(); }
    std::size_t readSome(std::span<std::byte> into) override {
        while (given_ == text_.size() && !ended_)
            refill();
        const std::size_t count = std::min(into.size(), text_.size() - given_);
        std::ranges::copy(std::as_bytes(std::span(text_).subspan(given_, count)), into.begin());
        given_ += count;
        return count;
    }

private:
    void refill() {
        text_.clear();
        given_ = 0;
        const std::size_t got = source_->readSome(bytes_);
        if (got > 0) {
            decoder_.add(std::span(bytes_).first(got), text_);
            return;
        }
        decoder_.finish(text_);
        ended_ = true;
    }

    std::unique_ptr<ByteSource> source_;
    Utf16Decoder decoder_;
    std::array<std::byte, std::size_t{1} << 14> bytes_{};
    std::string text_;
    std::size_t given_ = 0; ///< bytes of text_ that were read
    bool ended_ = false;
};

} // namespace

TextEncoding textEncodingOf(std::span<const std::byte> head) {
    if (head.size() < 2)
        return TextEncoding::Bytes;
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (text.starts_with("\xff\xfe"))
        return TextEncoding::Utf16Le;
    if (text.starts_with("\xfe\xff"))
        return TextEncoding::Utf16Be;
    // Without a mark: the names and numbers at a table's beginning have no letters beyond Latin-1.
    constexpr std::size_t kLooked = 16;
    std::array<std::size_t, 2> zeros{};
    const std::size_t looked = std::min(kLooked, head.size() / 2 * 2);
    for (std::size_t i = 0; i < looked; ++i)
        zeros[i % 2] += head[i] == std::byte{0} ? 1 : 0;
    if (zeros[0] == 0 && zeros[1] == looked / 2)
        return TextEncoding::Utf16Le;
    return zeros[1] == 0 && zeros[0] == looked / 2 ? TextEncoding::Utf16Be : TextEncoding::Bytes;
}

std::unique_ptr<ByteSource> openText(const InputFile& input) {
    const TextEncoding encoding = textEncodingOf(input.head());
    if (encoding == TextEncoding::Bytes)
        return input.open();
    return std::make_unique<Utf16Source>(input.open(), encoding);
}

std::string textHead(const InputFile& input) {
    const TextEncoding encoding = textEncodingOf(input.head());
    std::string text;
    if (encoding == TextEncoding::Bytes)
        text.assign(reinterpret_cast<const char*>(input.head().data()), input.head().size());
    else
        Utf16Decoder(encoding).add(input.head(), text);
    return text;
}

} // namespace assay
