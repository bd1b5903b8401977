#include "engine/io/tables/table_reader.h"

#include "engine/io/files/refusal.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kQuotedBytes = 20; ///< bytes of a text in a message
constexpr std::string_view kMark = "\xef\xbb\xbf";

} // namespace

TableReader::TableReader(ByteSource& source, std::string where, char separator)
    : source_(source), where_(std::move(where)), separator_(separator), buffer_(kPiece) {
    fill();
    if (std::string_view(buffer_.data(), end_).starts_with(kMark))
        begin_ = kMark.size();
    done_ = begin_;
    const std::string_view beginning(buffer_.data(), end_);
    if (beginning.find('\n') == beginning.npos && beginning.find('\r') != beginning.npos)
        lineEnd_ = '\r';
}

/// Makes room in the buffer and reads more bytes.
/// @return whether bytes were read
bool TableReader::fill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) {
        if (end_ >= kMaxRecordBytes)
            refuse(where_ + ", line " + std::to_string(nextLine_),
                   "lines of at most " + std::to_string(kMaxRecordBytes >> 20) + " MiB", "a longer one");
        buffer_.resize(2 * buffer_.size());
    }
    const std::size_t got = source_.readSome(std::as_writable_bytes(std::span(buffer_).subspan(end_)));
    end_ += got;
    return got > 0;
}

/// The byte at an offset from the record's first one; nothing at the end of the source.
std::optional<char> TableReader::byteAt(std::size_t offset) {
    while (offset >= end_ - begin_)
        if (!fill())
            return std::nullopt;
    return buffer_[begin_ + offset];
}

/// File and line of an offset from the record's first byte.
std::string TableReader::place(std::size_t offset) const {
    const auto first = buffer_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto lines = std::count(first, first + static_cast<std::ptrdiff_t>(offset), lineEnd_);
    return where_ + ", line " + std::to_string(nextLine_ + static_cast<std::size_t>(lines));
}

/// @param opened offset of the quote at a field's beginning, from the record's first byte
/// @return offset behind the closing quote
std::size_t TableReader::endOfQuoted(std::size_t opened) {
    const std::string closed = "a closing quote, followed by a separator or the end of the line";
    std::size_t at = opened + 1;
    while (true) {
        const std::string_view known(buffer_.data() + begin_, end_ - begin_);
        const std::size_t quote = std::min(known.find('"', at), known.size());
        if (quote - opened > kMaxQuotedBytes &&
            known.substr(opened, quote - opened).find(lineEnd_) != std::string_view::npos)
            refuse(place(opened), closed, "none within " + std::to_string(kMaxQuotedBytes >> 20) + " MiB");
        at = quote;
        if (quote == known.size()) {
            if (!fill())
                refuse(place(opened), closed, "none up to the end of the file");
            continue;
        }
        const std::optional<char> behind = byteAt(++at);
        if (behind == '"') {
            ++at;
            continue;
        }
        if (behind && *behind != '\n' && *behind != '\r' && !isSeparator(*behind)) {
            byteAt(at + kQuotedBytes); // read, to be shown
            const std::string_view text(buffer_.data() + begin_ + at, std::min(kQuotedBytes, end_ - begin_ - at));
            refuse(place(at), closed, "'" + printable(text.substr(0, text.find_first_of("\r\n"))) + "' behind one");
        }
        return at;
    }
}

/// Offset in the buffer, from the record's first byte, of the position after its line end; the remaining length at the
/// end of the source.
/// @param quotes whether quoted fields may hold line ends
std::size_t TableReader::endOfRecord(bool quotes) {
    std::size_t at = 0;
    do {
        for (std::size_t count = end_ - begin_; at < count; count = end_ - begin_) {
            const char* first = buffer_.data() + begin_;
            const char* stop =
                std::find_if(first + at, first + count, [&](char c) { return c == lineEnd_ || (quotes && c == '"'); });
            at = static_cast<std::size_t>(stop - first);
            if (at == count)
                break;
            if (*stop == lineEnd_)
                return at + 1;
            at = at == 0 || isSeparator(stop[-1]) ? endOfQuoted(at) : at + 1;
        }
    } while (fill());
    return end_ - begin_;
}

bool TableReader::next(bool quotes) {
    while (true) {
        const std::size_t bytes = endOfRecord(quotes);
        if (bytes == 0)
            return false;
        record_ = {buffer_.data() + begin_, bytes};
        begin_ += bytes;
        done_ += bytes;
        line_ = nextLine_;
        nextLine_ += static_cast<std::size_t>(std::ranges::count(record_, lineEnd_));
        while (!record_.empty() && (record_.back() == '\n' || record_.back() == '\r'))
            record_.remove_suffix(1);
        if (!record_.empty())
            return true;
    }
}

void TableReader::skipCommentSign() {
    record_.remove_prefix(std::min(record_.size(), record_.find_first_not_of("# ")));
}

/// The text of the quoted field that begins there.
/// @param at receives the position of the separator behind the field
std::string_view TableReader::unquoted(std::size_t& at) {
    std::string& text = unquoted_.emplace_back();
    for (++at; at < record_.size(); ++at) {
        if (record_[at] == '"' && (at + 1 == record_.size() || record_[++at] != '"'))
            break;
        text += record_[at];
    }
    while (at < record_.size() && !isSeparator(record_[at])) // of a line that was read as it is
        ++at;
    return text;
}

const std::vector<std::string_view>& TableReader::split() {
    fields_.clear();
    fieldCount_ = 0;
    unquoted_.clear();
    // Reserves enough, because fields_ holds views of these strings.
    unquoted_.reserve(static_cast<std::size_t>(std::ranges::count(record_, '"')) / 2 + 1);
    const bool blanks = separator_ == ' ';
    for (std::size_t at = 0; at <= record_.size(); ++at) {
        while (blanks && at < record_.size() && isSeparator(record_[at]))
            ++at;
        if (blanks && at == record_.size() && fieldCount_ > 0)
            break;
        const std::size_t first = at;
        std::string_view field;
        if (at < record_.size() && record_[at] == '"') {
            field = unquoted(at);
        } else {
            while (at < record_.size() && !isSeparator(record_[at]))
                ++at;
            field = record_.substr(first, at - first);
        }
        if (++fieldCount_ <= kMaxColumns + 1)
            fields_.push_back(field);
    }
    return fields_;
}

} // namespace assay
