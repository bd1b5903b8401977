#include "engine/io/numpy/npy_literal.h"

#include "engine/io/files/refusal.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>

namespace assay {
namespace {

// NumPy's own limit is 32 dimensions (64 since version 2).
constexpr std::size_t mostDimensions = 64;
constexpr std::array<std::string_view, 3> kKeys{"descr", "fortran_order", "shape"};

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

} // namespace

NpyHeader parseNpyLiteral(const std::string& text, const std::string& where) {
    return LiteralParser(text, where).parse();
}

} // namespace assay
