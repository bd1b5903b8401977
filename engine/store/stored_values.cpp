#include "engine/store/stored_values.h"

#include "engine/base/error.h"
#include "engine/base/sha256.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace assay {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are stored as they lie in memory");

// SQLite limits a blob to 1,000,000,000 bytes by default.
constexpr std::size_t kPart = std::size_t{64} << 20;
const char* const kDigestPath = "digest";

std::string textOf(const Statement::Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return "i" + std::to_string(*whole);
    if (const auto* text = std::get_if<std::string>(&value))
        return "t" + *text;
    const auto* real = std::get_if<double>(&value);
    if (real == nullptr || std::isnan(*real))
        return "n";
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), *real).ptr;
    return "r" + std::string(text.data(), end);
}

/// Checksum of all values except the checksum itself, and of all arrays' checksums.
std::string digestOf(const std::map<std::string, Statement::Value>& values,
                     const std::map<std::string, std::string>& arrays) {
    std::string all;
    const auto append = [&all](const std::string& path, const std::string& text) {
        all.append(path).append(1, '\0').append(text).append(1, '\n');
    };
    for (const auto& [path, value] : values)
        if (path != kDigestPath)
            append(path, textOf(value));
    for (const auto& [path, digest] : arrays)
        append(path, digest);
    return sha256OfBytes(std::as_bytes(std::span(all)));
}

} // namespace

ValueWriter::ValueWriter(Database& database)
    : database_(database), value_((database.run("CREATE TABLE value(path TEXT PRIMARY KEY, value) WITHOUT ROWID;"
                                                "CREATE TABLE array(path TEXT, part INTEGER, type TEXT NOT NULL, "
                                                "count INTEGER NOT NULL, sha256 TEXT NOT NULL, data BLOB NOT NULL, "
                                                "PRIMARY KEY(path, part));"),
                                   database.prepare("INSERT INTO value VALUES(?, ?)"))),
      array_(database.prepare("INSERT INTO array VALUES(?, ?, ?, ?, ?, ?)")) {}

void ValueWriter::put(const std::string& path, const Statement::Value& value) {
    value_.bind(path);
    std::visit([this](const auto& one) { value_.bind(one); }, value);
    value_.run();
    written_[path] = value;
}

void ValueWriter::putArray(const std::string& path, Numbers numbers, const JobContext& job) {
    const std::string digest = sha256OfBytes(numbers.bytes, job.part({}, 0.0, 0.5));
    const auto total = static_cast<double>(std::max<std::size_t>(numbers.bytes.size(), 1));
    std::int64_t part = 0;
    do {
        job.checkpoint(1.0 - 0.5 * static_cast<double>(numbers.bytes.size()) / total);
        const std::span<const std::byte> piece = numbers.bytes.first(std::min(numbers.bytes.size(), kPart));
        array_.bind(path).bind(part++).bind(numbers.type).bind(static_cast<std::int64_t>(numbers.count)).bind(digest);
        array_.bindBlob(piece).run();
        numbers.bytes = numbers.bytes.subspan(piece.size());
    } while (!numbers.bytes.empty());
    job.checkpoint(1.0);
    digests_[path] = digest;
}

void ValueWriter::texts(const std::string& path, const std::vector<std::string>& texts) {
    std::vector<std::uint8_t> text;
    std::vector<std::uint64_t> end;
    for (const std::string& one : texts) {
        text.insert(text.end(), one.begin(), one.end());
        end.push_back(text.size());
    }
    array(path + "/text", text);
    array(path + "/end", end);
}

void ValueWriter::finish() {
    put(kDigestPath, digestOf(written_, digests_));
}

ValueReader::ValueReader(Database& database)
    : database_(database), parts_(database.prepare("SELECT data FROM array WHERE path = ? ORDER BY part")) {
    Statement values = database.prepare("SELECT path, value FROM value");
    while (values.step())
        values_[values.text(0)] = values.value(1);
    std::map<std::string, std::string> digests;
    Statement arrays = database.prepare("SELECT path, min(type), min(count), min(sha256), sum(length(data)) FROM array "
                                        "GROUP BY path");
    while (arrays.step()) {
        arrays_[arrays.text(0)] = {arrays.text(1), arrays.text(3), arrays.integer(2), arrays.integer(4)};
        digests[arrays.text(0)] = arrays.text(3);
    }
    std::string digest;
    text(kDigestPath, digest);
    if (digest != digestOf(values_, digests))
        throw Error(ErrorKind::BadInput,
                    database_.name() + ": expected values as they were written, found them changed");
}

void ValueReader::refuse(const std::string& path, const std::string& expectedAndFound) const {
    throw Error(ErrorKind::BadInput, database_.name() + ": " + path + ": " + expectedAndFound);
}

const Statement::Value& ValueReader::valueAt(const std::string& path) const {
    const auto at = values_.find(path);
    if (at == values_.end())
        refuse(path, "expected a value, found none");
    return at->second;
}

std::int64_t ValueReader::integer(const std::string& path) const {
    const auto* value = std::get_if<std::int64_t>(&valueAt(path));
    if (value == nullptr)
        refuse(path, "expected a whole number, found something else");
    return *value;
}

void ValueReader::number(const std::string& path, double& value) const {
    const Statement::Value& stored = valueAt(path);
    if (const auto* real = std::get_if<double>(&stored))
        value = *real;
    else if (const auto* whole = std::get_if<std::int64_t>(&stored))
        value = static_cast<double>(*whole);
    else if (std::holds_alternative<std::monostate>(stored))
        value = std::nan("");
    else
        refuse(path, "expected a number, found text");
}

void ValueReader::text(const std::string& path, std::string& value) const {
    const auto* stored = std::get_if<std::string>(&valueAt(path));
    if (stored == nullptr)
        refuse(path, "expected text, found something else");
    value = *stored;
}

void ValueReader::texts(const std::string& path, std::vector<std::string>& texts) {
    std::vector<std::uint8_t> text;
    std::vector<std::uint64_t> end;
    array(path + "/text", text);
    array(path + "/end", end);
    std::uint64_t begin = 0;
    for (const std::uint64_t one : end) {
        if (one < begin || one > text.size())
            refuse(path, "expected ends of texts in order, found " + std::to_string(one));
        texts.emplace_back(text.begin() + static_cast<std::ptrdiff_t>(begin),
                           text.begin() + static_cast<std::ptrdiff_t>(one));
        begin = one;
    }
}

std::size_t ValueReader::countOf(const std::string& path, const std::string& type, std::size_t size) const {
    const auto at = arrays_.find(path);
    if (at == arrays_.end())
        refuse(path, "expected an array, found none");
    const Stored& stored = at->second;
    if (stored.type != type)
        refuse(path, "expected numbers of type " + type + ", found " + stored.type);
    if (stored.count < 0 || stored.bytes % static_cast<std::int64_t>(size) != 0 ||
        stored.bytes / static_cast<std::int64_t>(size) != stored.count)
        refuse(path, "expected " + std::to_string(stored.count) + " numbers, found " + std::to_string(stored.bytes) +
                         " bytes");
    return static_cast<std::size_t>(stored.count);
}

void ValueReader::fill(const std::string& path, std::span<std::byte> bytes, const JobContext& job) {
    std::size_t at = 0;
    parts_.bind(path);
    while (parts_.step()) {
        const std::span<const std::byte> piece = parts_.blob(0);
        if (piece.size() > bytes.size() - at)
            refuse(path, "expected " + std::to_string(bytes.size()) + " bytes, found more");
        if (!piece.empty())
            std::memcpy(bytes.data() + at, piece.data(), piece.size());
        at += piece.size();
    }
    if (at != bytes.size() || sha256OfBytes(bytes, job) != arrays_.at(path).digest)
        refuse(path, "expected the bytes that were written, found others");
}

} // namespace assay
