#include "engine/io/numpy/npy_header.h"

#include "engine/base/find_by.h"
#include "engine/io/files/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <set>
#include <string_view>

namespace assay {
namespace {

// NumPy's own limit is 32 dimensions (64 since version 2).
constexpr std::size_t mostDimensions = 64;
constexpr std::array<std::string_view, 3> kKeys{"descr", "fortran_order", "shape"};

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`. Nothing is evaluated. Accepts only strings
/// without escapes, True, False, tuples of integers (also with Python 2's L suffix) and, for record types, a list in
/// brackets, which is skipped: the type is then NpyType::Kind::Other, with the text of its list of fields.
class LiteralParser {
public:
    LiteralParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

    NpyHeader parse() {
        NpyHeader header;
        bool isRecord = false;
        std::set<std::string> seen;
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            const auto known = std::ranges::find(kKeys, key);
            expect(':');
            if (known == kKeys.end() || !seen.insert(key).second)
                fail("each of 'descr', 'fortran_order' and 'shape' once");
            if (key == "shape") {
                header.shape = tuple();
            } else if (key == "fortran_order") {
                header.order = boolean() ? NpyHeader::Order::Fortran : NpyHeader::Order::C;
            } else {
                isRecord = peek() == '[';
                header.type.descr = isRecord ? bracketed() : quoted();
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skipSpace();
        if (at_ != text_.size())
            fail("nothing after the closing brace");
        if (seen.size() < kKeys.size())
            refuse(where_, "a header with 'descr', 'fortran_order' and 'shape'", "'" + printable(text_, 160) + "'");
        if (!isRecord)
            header.type = npyTypeOf(header.type.descr, where_);
        return header;
    }

private:
    std::string quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"')
            fail("a quoted text");
        const std::size_t begin = ++at_;
        while (at_ < text_.size() && text_[at_] != quote) {
            if (text_[at_] == '\\' || text_[at_] == '\n')
                fail("a text without escapes");
            ++at_;
        }
        if (at_ == text_.size())
            fail("a closing quote");
        return std::string(text_.substr(begin, at_++ - begin));
    }

    // Fields of a record type are only skipped, with balanced quotes and brackets.
    std::string bracketed() {
        const std::size_t begin = at_;
        std::size_t depth = 0;
        do {
            const char next = peek();
            if (next == '\'' || next == '"') {
                quoted();
                continue;
            }
            if (next == '\0')
                fail("a closing bracket");
            if (next == '[' || next == '(')
                ++depth;
            else if (next == ']' || next == ')')
                --depth;
            ++at_;
        } while (depth > 0);
        return std::string(text_.substr(begin, at_ - begin));
    }

    bool boolean() {
        skipSpace();
        for (const std::string_view word : {"True", "False"}) {
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return word == "True";
            }
        }
        fail("True or False");
    }

    std::vector<std::uint64_t> tuple() {
        std::vector<std::uint64_t> values;
        expect('(');
        while (!accept(')')) {
            if (values.size() == mostDimensions)
                fail("at most " + std::to_string(mostDimensions) + " dimensions");
            values.push_back(number());
            if (accept(','))
                continue;
            // `(3)` is a number in brackets, not a tuple.
            if (values.size() == 1)
                fail("a comma");
            expect(')');
            break;
        }
        return values;
    }

    std::uint64_t number() {
        const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
        if (!isDigit(peek()))
            fail("a whole number");
        std::uint64_t value = 0;
        for (; at_ < text_.size() && isDigit(text_[at_]); ++at_) {
            const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
            if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10)
                fail("a number of at most 64 bits");
            value = value * 10 + digit;
        }
        if (at_ < text_.size() && text_[at_] == 'L')
            ++at_;
        return value;
    }

    void skipSpace() { at_ = std::min(text_.find_first_not_of(" \n\t\r", at_), text_.size()); }
    char peek() {
        skipSpace();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char c) {
        if (peek() != c || at_ == text_.size())
            return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c))
            fail(std::string("'") + c + "'");
    }
    [[noreturn]] void fail(const std::string& expected) const {
        const std::string found =
            at_ < text_.size() ? "'" + printable(text_.substr(at_), 40) + "'" : std::string("its end");
        refuse(where_, expected + " at character " + std::to_string(at_) + " of the NumPy header", found);
    }

    std::string_view text_;
    const std::string& where_;
    std::size_t at_ = 0;
};

// NumPy's own headers have a few hundred bytes; only enormous record types come near this limit.
constexpr std::uint32_t largestHeader = 1u << 20;

/// A type by its letter in NumPy's names.
struct KnownType {
    char letter;
    NpyType::Kind kind;
    std::array<std::size_t, 4> sizes = {}; ///< possible sizes in bytes; zeros: any
};

constexpr std::array kKnownTypes{
    KnownType{'b', NpyType::Kind::Bool, {1}},
    KnownType{'i', NpyType::Kind::Integer, {1, 2, 4, 8}},
    KnownType{'u', NpyType::Kind::Unsigned, {1, 2, 4, 8}},
    KnownType{'f', NpyType::Kind::Float, {2, 4, 8}},
    KnownType{'U', NpyType::Kind::Text},
    KnownType{'S', NpyType::Kind::Bytes},
    KnownType{'O', NpyType::Kind::Object},
};

// Sizes that do not fit stay 0, which requirePayload() refuses.
std::size_t itemBytesOf(std::string_view digits, std::size_t unit) {
    std::size_t size = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (failure != std::errc() || end != digits.data() + digits.size() ||
        size > std::numeric_limits<std::size_t>::max() / unit)
        return 0;
    return size * unit;
}

} // namespace

std::string NpyType::text() const {
    constexpr std::array kNumbers{"bool", "int", "uint", "bfloat", "float"}; // in the order of Kind
    if (isNumeric())
        return kNumbers[static_cast<std::size_t>(kind)] +
               (kind == Kind::Bool ? std::string() : std::to_string(itemBytes * 8));
    if (kind == Kind::Object)
        return "object";
    return isText() ? "text (" + printable(descr, 30) + ")" : "type " + printable(descr, 30);
}

NpyType npyTypeOf(const std::string& descr, const std::string& where) {
    NpyType type;
    type.descr = descr;
    const std::string_view orders = "<>|=";
    if (descr.size() < 2 || orders.find(descr[0]) == std::string_view::npos)
        refuse(where, "an element type such as '<f4'", "'" + printable(descr) + "'");
    const KnownType* known = findBy(kKnownTypes, &KnownType::letter, descr[1]);
    if (known == nullptr)
        return type;
    const bool isText = known->kind == NpyType::Kind::Text;
    const std::size_t bytes = itemBytesOf(std::string_view(descr).substr(2), isText ? 4 : 1);
    const bool ordered = isText || (known->sizes[0] > 0 && bytes > 1);
    const bool possible =
        known->sizes[0] == 0 || (bytes > 0 && std::ranges::find(known->sizes, bytes) != known->sizes.end());
    if (!possible || (ordered && descr[0] == '|'))
        return type;
    type.kind = known->kind;
    type.itemBytes = known->kind == NpyType::Kind::Object ? 0 : bytes;
    if (ordered && descr[0] != '=')
        type.order = descr[0] == '<' ? NpyType::kLittleEndian : NpyType::kBigEndian;
    return type;
}

std::optional<std::uint64_t> NpyHeader::count() const noexcept {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : shape) {
        if (extent != 0 && product > std::numeric_limits<std::uint64_t>::max() / extent)
            return std::nullopt;
        product *= extent;
    }
    return product;
}

std::string NpyHeader::text() const {
    constexpr std::size_t shown = 8;
    const auto first = std::span(shape).first(std::min(shape.size(), shown));
    return fmt::format("{} [{}{}]", type.text(), fmt::join(first, ", "), shape.size() > shown ? ", ..." : "");
}

NpyHeader withoutUnitAxes(NpyHeader header) {
    std::vector<std::uint64_t>& shape = header.shape;
    const bool isOneFeature = header.type.isFloat() && shape.size() == 3 && shape[0] != 1 && shape[1] != 1;
    while (shape.size() > 2 && !isOneFeature) {
        const auto unit = std::ranges::find(shape, 1U);
        if (unit == shape.end())
            break;
        shape.erase(unit);
    }
    return header;
}

NpyHeader asList(NpyHeader header) {
    const std::vector<std::uint64_t>& shape = header.shape;
    const auto units = static_cast<std::size_t>(std::ranges::count(shape, 1U));
    if (shape.size() > 1 && units + 1 >= shape.size())
        header.shape = {*std::ranges::max_element(shape)};
    return header;
}

NpyHeader readNpyHeader(ByteSource& source, const std::string& where) {
    std::byte preamble[8];
    readExactly(source, preamble, where);
    const std::string_view magic(reinterpret_cast<const char*>(preamble), npyMagic.size());
    if (magic != npyMagic)
        refuse(where, "a NumPy array", "other data");
    const int major = std::to_integer<int>(preamble[6]);
    const int minor = std::to_integer<int>(preamble[7]);
    if (major < 1 || major > 3 || minor != 0)
        refuse(where, "version 1.0, 2.0 or 3.0 of the .npy format",
               "version " + std::to_string(major) + "." + std::to_string(minor));

    std::byte lengthBytes[4];
    const std::span<std::byte> length(lengthBytes, major == 1 ? 2u : 4u);
    readExactly(source, length, where);
    const std::uint64_t textBytes = littleEndian(length);
    const std::uint64_t headerBytes = sizeof preamble + length.size() + textBytes;
    if (textBytes > largestHeader || headerBytes > source.size())
        refuse(where,
               "a header of at most " + std::to_string(std::min<std::uint64_t>(largestHeader, source.size())) +
                   " bytes",
               "one of " + std::to_string(textBytes) + " bytes: the file is truncated or damaged");
    std::string text(textBytes, '\0');
    readExactly(source, std::as_writable_bytes(std::span(text)), where);

    NpyHeader header = LiteralParser(text, where).parse();
    header.headerBytes = headerBytes;
    return header;
}

void requirePayload(const NpyHeader& header, const ByteSource& source, const std::string& where) {
    const std::uint64_t present = source.size() - header.headerBytes;
    const std::optional<std::uint64_t> count = header.count();
    const std::uint64_t itemBytes = header.type.itemBytes;
    if (itemBytes == 0)
        refuse(where, "elements that Assay can read", header.text());
    const std::string found = std::to_string(present) + " bytes";
    if (!count || (*count != 0 && itemBytes > std::numeric_limits<std::uint64_t>::max() / *count))
        refuse(where, "a shape that fits the file", header.text() + " in " + found);
    if (*count * itemBytes != present)
        refuse(where, std::to_string(*count * itemBytes) + " bytes for " + header.text(),
               found + (present < *count * itemBytes ? ": it is truncated" : ""));
}

} // namespace assay
