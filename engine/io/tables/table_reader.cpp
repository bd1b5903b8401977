#include "engine/io/tables/table_reader.h"

#include "engine/io/files/refusal.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::string_view kMark = "\xef\xbb\xbf";

} // namespace

TableReader::TableReader(ByteSource& source, std::string where)
    : source_(source), where_(std::move(where)), buffer_(kPiece) {
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
        if (end_ >= kMostRecordBytes)
            refuse(where_ + ", line " + std::to_string(nextLine_),
                   "lines of at most " + std::to_string(kMostRecordBytes >> 20) + " MiB", "a longer one");
        buffer_.resize(2 * buffer_.size());
    }
    const std::size_t got = source_.readSome(std::as_writable_bytes(std::span(buffer_).subspan(end_)));
    end_ += got;
    return got > 0;
}

/// Offset in the buffer, from the record's first byte, of the position after its line end; the remaining length at the
/// end of the source.
std::size_t TableReader::endOfRecord() {
    std::size_t looked = 0;
    bool quoted = false;
    do {
        const char* first = buffer_.data() + begin_;
        for (const std::size_t count = end_ - begin_; looked < count;) {
            const char* stop = first + looked;
            const char* last = first + count;
            if (!quoted)
                stop = std::find_if(stop, last, [this](char c) { return c == lineEnd_ || c == '"'; });
            else
                stop = std::find(stop, last, '"');
            looked = static_cast<std::size_t>(stop - first);
            if (stop == last)
                break;
            ++looked;
            if (*stop == lineEnd_)
                return looked;
            quoted = !quoted;
        }
    } while (fill());
    return end_ - begin_;
}

bool TableReader::next() {
    while (true) {
        const std::size_t bytes = endOfRecord();
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

/// The field's text without its quotes.
std::string_view TableReader::unquoted(std::size_t first, std::size_t last) {
    std::string_view field = record_.substr(first, last - first);
    if (!field.starts_with('"'))
        return field;
    std::string text;
    for (std::size_t i = 1; i < field.size(); ++i) {
        if (field[i] == '"' && (i + 1 == field.size() || field[++i] != '"'))
            break;
        text += field[i];
    }
    unquoted_.push_back(std::move(text));
    return unquoted_.back();
}

const std::vector<std::string_view>& TableReader::split(char separator) {
    fields_.clear();
    fieldCount_ = 0;
    unquoted_.clear();
    // Reserves enough, because fields_ holds views of these strings.
    unquoted_.reserve(static_cast<std::size_t>(std::ranges::count(record_, '"')) / 2 + 1);
    bool quoted = false;
    std::size_t first = 0;
    const bool blanks = separator == ' ';
    const auto add = [&](std::size_t begin, std::size_t end) {
        if (++fieldCount_ <= kMostColumns + 1)
            fields_.push_back(unquoted(begin, end));
    };
    for (std::size_t i = 0; i < record_.size(); ++i) {
        quoted = quoted != (record_[i] == '"');
        if (quoted || (record_[i] != separator && !(blanks && record_[i] == '\t')))
            continue;
        if (!blanks || i > first)
            add(first, i);
        first = i + 1;
    }
    if (!blanks || first < record_.size() || fields_.empty())
        add(first, record_.size());
    return fields_;
}

} // namespace assay
