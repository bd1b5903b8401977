#include "engine/io/files/text_encoding.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

namespace assay {
namespace {

// Number of continuation bytes after a leading byte; -1 for a byte that cannot lead.
int continuationBytes(unsigned char lead) {
    if (lead < 0x80)
        return 0;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 1;
    if ((lead & 0xF0) == 0xE0)
        return 2;
    return lead >= 0xF0 && lead <= 0xF4 ? 3 : -1;
}

constexpr bool isScalar(char32_t c) {
    return c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF);
}

/// Length in bytes of the character at `i`; 0 where none begins there.
std::size_t characterAt(std::string_view bytes, std::size_t i) noexcept {
    constexpr char32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const int more = continuationBytes(lead);
    if (more < 0 || bytes.size() - i <= static_cast<std::size_t>(more))
        return 0;
    char32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
    for (int n = 1; n <= more; ++n) {
        const auto next = static_cast<unsigned char>(bytes[i + static_cast<std::size_t>(n)]);
        if ((next & 0xC0) != 0x80)
            return 0;
        code = (code << 6) | (next & 0x3Fu);
    }
    return code < smallest[more] || !isScalar(code) ? 0 : static_cast<std::size_t>(more) + 1;
}

} // namespace

bool isUtf8(std::string_view bytes) noexcept {
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = characterAt(bytes, i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

bool appendUtf8(std::string& text, char32_t codePoint) {
    if (!isScalar(codePoint))
        return false;
    const int more = codePoint < 0x80 ? 0 : codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3; // continuation bytes
    const unsigned mark = more == 0 ? 0 : 0xFFU << (7 - more);
    text.push_back(static_cast<char>(mark | codePoint >> 6 * more));
    for (int shift = 6 * (more - 1); shift >= 0; shift -= 6)
        text.push_back(static_cast<char>(0x80U | (codePoint >> shift & 0x3FU)));
    return true;
}

std::string utf8OrEscaped(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = characterAt(bytes, i);
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (length > 0)
            text += bytes.substr(i, length);
        else
            (text += "\\x") += {kDigits[byte >> 4U], kDigits[byte & 15U]};
        i += std::max<std::size_t>(length, 1);
    }
    return text;
}

std::string withoutControls(std::string_view bytes, LineEnds lineEnds) {
    std::string text;
    text.reserve(bytes.size());
    forEachCodePoint(utf8OrEscaped(bytes), [&](char32_t code, std::string_view character) {
        const bool isKept = lineEnds == LineEnds::Kept && (code == '\n' || code == '\t');
        text += isControl(code) && !isKept ? "?" : character;
    });
    return text;
}

namespace {

/// How the text of a file is encoded.
enum class TextEncoding {
    Bytes, ///< UTF-8 or a legacy encoding, one unit per byte
    Utf16Le,
    Utf16Be
};

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

/// Tells UTF-16 by its byte order mark, or by every other one of the first bytes being 0.
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

} // namespace

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

namespace {

/// Whether a spreadsheet would run the text as a formula. Signed numbers begin with these characters, too, but are no
/// formulas.
bool isFormula(std::string_view text) {
    if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos)
        return false;
    double number = 0.0;
    const char* end = text.data() + text.size();
    const char* first = text.data() + (text.front() == '+' ? 1 : 0);
    return std::from_chars(first, end, number).ptr != end || first == end;
}

} // namespace

void appendCsvField(std::string& line, std::string_view text) {
    const bool formula = isFormula(text);
    if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) {
        line += text;
        return;
    }
    line += '"';
    if (formula)
        line += '\'';
    for (const char c : text) {
        if (c == '"')
            line += '"';
        line += c;
    }
    line += '"';
}

void printText(std::string_view text) {
    if (std::fputs(withoutControls(text, LineEnds::Kept).c_str(), stdout) < 0 || std::fflush(stdout) != 0 ||
        std::ferror(stdout) != 0)
        throw Error(ErrorKind::WriteFailed, errno == EPIPE
                                                ? "standard output: expected someone who reads it, found it closed"
                                                : "standard output: expected room to write, found none");
}

void printMessage(std::string_view program, std::string_view message) {
    std::string line(program);
    line.append(": ").append(withoutControls(message, LineEnds::Replaced)).append("\n");
    std::fputs(line.c_str(), stderr);
}

} // namespace assay
