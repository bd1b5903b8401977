#include "engine/io/numpy/npy_array.h"

#include "engine/base/available_memory.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npy_elements.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace assay {
namespace {

// Fits the second-level cache; a stop request takes effect within one millisecond.
constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;

/// Calls `take(bytes, first, count)` for the payload in pieces of whole elements, then checks that the source has
/// ended.
template <typename Take>
void forEachPiece(ByteSource& source, const NpyHeader& header, const std::string& where, const JobContext& job,
                  Take take) {
    requirePayload(header, source, where);
    const std::size_t total = *header.count();
    const std::size_t itemBytes = header.type.itemBytes;
    const std::size_t perPiece = std::max<std::size_t>(1, kPieceBytes / itemBytes);
    requireMemory(itemBytes, where); // a text may have any length
    std::vector<std::byte> piece(std::min(perPiece, total) * itemBytes);
    for (std::size_t first = 0; first < total; first += perPiece) {
        job.checkpoint(static_cast<double>(first) / static_cast<double>(total));
        const std::size_t count = std::min(perPiece, total - first);
        readExactly(source, std::span(piece).first(count * itemBytes), where);
        take(piece.data(), first, count);
    }
    expectEnd(source, where);
    job.checkpoint(1.0);
}

template <typename T, typename Value>
std::vector<T> readVector(ByteSource& source, const NpyHeader& header, const std::string& where, const JobContext& job,
                          Value valueOf) {
    requirePayload(header, source, where);
    std::vector<T> values;
    reserveFor(values, *header.count(), where);
    forEachPiece(source, header, where, job, [&](const std::byte* bytes, std::size_t first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(valueOf(bytes + i * header.type.itemBytes, first + i));
    });
    return values;
}

std::string textOf(const std::byte* bytes, const NpyType& type, std::size_t row, const std::string& where) {
    std::string text;
    if (type.kind == NpyType::Kind::Bytes) {
        const std::string_view padded(reinterpret_cast<const char*>(bytes), type.itemBytes);
        const std::size_t last = padded.find_last_not_of('\0');
        return last == std::string_view::npos ? text : utf8OrEscaped(padded.substr(0, last + 1));
    }
    std::size_t zeros = 0; // zeros at the end are padding; zeros before other characters belong to the text
    for (std::size_t at = 0; at < type.itemBytes; at += sizeof(char32_t)) {
        const auto codePoint = loadElement<char32_t>(bytes + at, type.order);
        if (codePoint == 0) {
            ++zeros;
            continue;
        }
        text.append(std::exchange(zeros, 0), '\0');
        if (!appendUtf8(text, codePoint))
            refuse(where, "Unicode text",
                   "the invalid code point " + std::to_string(codePoint) + " in row " + std::to_string(row) +
                       " (counted from 0)");
    }
    return text;
}

} // namespace

std::vector<std::uint8_t> readNpyBytes(ByteSource& source, const NpyHeader& header, const std::string& where,
                                       const JobContext& job) {
    if (!header.type.isByte())
        refuse(where, "uint8 values", header.text());
    requirePayload(header, source, where);
    std::vector<std::uint8_t> values;
    reserveFor(values, *header.count(), where);
    const auto append = [&](const std::byte* bytes, std::size_t, std::size_t count) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(bytes);
        values.insert(values.end(), first, first + count);
    };
    forEachPiece(source, header, where, job, append);
    if (header.order == NpyHeader::Order::C || header.shape.size() < 2)
        return values;

    std::vector<std::uint8_t> ordered;
    reserveFor(ordered, values.size(), where);
    std::vector<std::uint64_t> strides(header.shape.size(), 1);
    for (std::size_t axis = 1; axis < strides.size(); ++axis)
        strides[axis] = strides[axis - 1] * header.shape[axis - 1];
    forEachInOrder(header.shape, strides, [&](std::uint64_t from) {
        if (ordered.size() % kPieceBytes == 0)
            job.throwIfStopped();
        ordered.push_back(values[from]);
    });
    return ordered;
}

std::vector<double> readNpyDoubles(ByteSource& source, const NpyHeader& header, const std::string& where,
                                   const JobContext& job) {
    if (!header.type.isNumeric())
        refuse(where, "numbers", header.text());
    return visitNumeric(header.type, [&]<typename T>(std::type_identity<T>) {
        return readVector<double>(source, header, where, job, [&](const std::byte* bytes, std::size_t at) {
            const auto value = static_cast<double>(loadElement<T>(bytes, header.type.order));
            if (!std::isfinite(value))
                refuse(where, "finite numbers", std::to_string(value) + " at " + std::to_string(at));
            return value;
        });
    });
}

std::vector<std::int64_t> readNpyIntegers(ByteSource& source, const NpyHeader& header, const std::string& where,
                                          const JobContext& job) {
    if (!header.type.isWhole())
        refuse(where, "whole numbers", header.text());
    return visitNumeric(header.type, [&]<typename T>(std::type_identity<T>) {
        const auto valueOf = [&](const std::byte* bytes, std::size_t row) {
            const T value = loadElement<T>(bytes, header.type.order);
            if constexpr (std::is_same_v<T, std::uint64_t>) {
                if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                    refuse(where, "whole numbers below 2^63",
                           std::to_string(value) + " in row " + std::to_string(row) + " (counted from 0)");
            }
            if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
                return std::int64_t{0}; // floats were refused above
            else
                return static_cast<std::int64_t>(value);
        };
        return readVector<std::int64_t>(source, header, where, job, valueOf);
    });
}

std::vector<std::string> readNpyTexts(ByteSource& source, const NpyHeader& header, const std::string& where,
                                      const JobContext& job) {
    if (!header.type.isText()) {
        const std::vector<std::int64_t> numbers = readNpyIntegers(source, header, where, job);
        std::vector<std::string> texts;
        reserveFor(texts, numbers.size(), where);
        for (const std::int64_t number : numbers)
            texts.push_back(std::to_string(number));
        return texts;
    }
    GrowingMemory memory(where);
    const auto valueOf = [&](const std::byte* bytes, std::size_t row) {
        std::string text = textOf(bytes, header.type, row, where);
        memory.add(text.size());
        return text;
    };
    return readVector<std::string>(source, header, where, job, valueOf);
}

namespace {

/// Likely meaning of an array of another shape or type, and the way out; empty when unknown.
std::string guessOf(const NpyHeader& header) {
    const auto& shape = header.shape;
    const auto isChannels = [&](std::size_t axis) { return shape[axis] == 1 || shape[axis] == 3 || shape[axis] == 4; };
    const bool isVideo = shape.size() == 5 && (header.type.isByte() || header.type.isFloat());
    if (header.type.kind == NpyType::Kind::Object)
        return ", Python objects (pickled), which are never loaded";
    if (header.type.descr == "|V2")
        return ", which looks like bfloat16: save it as float32 (astype('float32'))";
    if (isVideo && (isChannels(4) || isChannels(2) || isChannels(1)))
        return ", which looks like videos: embed each of them, or give one frame of each as a picture";
    if (header.type.isByte() && shape.size() >= 3)
        return ", which looks like pictures: extract their embeddings first";
    if (header.type.isFloat() && shape.size() == 4 && (isChannels(3) || isChannels(1)))
        return ", which looks like pictures: save their pixels as uint8, from 0 to 255, or extract their embeddings";
    return {};
}

} // namespace

void requireMatrix(const NpyHeader& header, const std::string& where) {
    const std::string expected = "a 2-D array of numbers [samples, dimensions]";
    if (!header.type.isNumeric() || header.shape.size() != 2)
        refuse(where, expected, header.text() + guessOf(header));
    if (header.shape[0] == 0 || header.shape[1] == 0)
        refuse(where, "at least one row and one column", header.text() + ": it is empty");
}

} // namespace assay
