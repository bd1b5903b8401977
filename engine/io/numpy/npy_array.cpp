#include "engine/io/numpy/npy_array.h"

#include "engine/base/available_memory.h"
#include "engine/base/number_text.h"
#include "engine/data/equal_rows.h"
#include "engine/data/finite.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"

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

namespace {

constexpr std::size_t pieceValues = std::size_t{32} * 1024;

/// Consecutive elements of one row (C order) or one column (Fortran order).
struct Run {
    std::size_t first; ///< index in the piece
    std::size_t count;
    std::size_t row, column; ///< position of the first element in the matrix
};

/// Bits of a value for hashing; both zeros have equal bits.
template <typename T>
std::uint64_t bitsOf(T value) noexcept {
    if constexpr (std::is_integral_v<T>)
        return static_cast<std::uint64_t>(value);
    else
        return std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0);
}

template <typename T>
float lessOffset(T value, double offset) noexcept {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) // 64-bit integers have more digits than double
        return static_cast<float>(static_cast<long double>(value) - static_cast<long double>(offset));
    else
        return static_cast<float>(static_cast<double>(value) - offset);
}

/// Whether numbers of this type may lose digits as float32.
bool isWide(const NpyType& type) {
    return type.isFloat() ? type.itemBytes > 4 : type.itemBytes >= 4;
}

/// Columns of a Fortran-order matrix that are read before they are written to the rows. Sixteen fill a cache line of
/// the result; fewer when the columns are very long.
std::size_t panelWidth(std::size_t rows, std::size_t columns) {
    return std::clamp<std::size_t>((16u << 20) / (rows * sizeof(float)), 1, std::min<std::size_t>(columns, 16));
}

/// Checks the memory of the values and of what is kept beside them.
void requireRoom(const NpyHeader& header, const std::string& where) {
    const std::size_t rows = header.shape[0];
    const std::size_t columns = header.shape[1];
    const std::size_t panel =
        header.order == NpyHeader::Order::C ? 0 : rows * panelWidth(rows, columns) * sizeof(float);
    const std::size_t hashes = isWide(header.type) ? rows * sizeof(std::uint64_t) : 0;
    requireMemory(rows * columns * sizeof(float) + panel + hashes, where);
}

/// Maps elements in the order of the file to rows and columns.
struct Layout {
    std::size_t rows, columns;
    NpyHeader::Order order;

    bool byRow() const { return order == NpyHeader::Order::C; }
    /// Calls `visit(run)` for the elements [first, first + count).
    template <typename Visit>
    void forEachRun(std::size_t first, std::size_t count, Visit visit) const {
        const std::size_t length = byRow() ? columns : rows;
        for (std::size_t done = 0; done < count;) {
            const std::size_t outer = (first + done) / length;
            const std::size_t inner = (first + done) % length;
            const std::size_t some = std::min(length - inner, count - done);
            visit(Run{done, some, byRow() ? outer : inner, byRow() ? inner : outer});
            done += some;
        }
    }
};

/// The first value, in row-major order, that is not finite as float32.
struct Offender {
    std::size_t row = 0;
    std::size_t column = 0;
    double value = 0.0;
};

/// Reads the payload front to back as float32.
class FloatStream {
public:
    FloatStream(ByteSource& source, const NpyHeader& header, const std::string& where, const ValueReading& reading)
        : source_(source), header_(header), where_(where),
          reading_(reading), layout_{header.shape[0], header.shape[1], header.order},
          raw_(pieceValues * header.type.itemBytes) {}

    /// Reads the next `to.size()` values, at most `pieceValues`.
    /// @return index of the first value that is not finite as float32 and has to be, or `to.size()`
    std::size_t next(std::span<float> to) {
        readExactly(source_, std::span(raw_).first(to.size() * header_.type.itemBytes), where_);
        visitNumeric(header_.type, [&]<typename T>(std::type_identity<T>) {
            if (reading_.offset.empty())
                convert<T>(to);
            else
                subtractOffset<T>(to);
            if (isWide(header_.type))
                hashRows<T>(to.size());
        });
        done_ += to.size();
        return reading_.notFinite == ValueReading::NotFinite::Kept ? to.size() : firstNotFinite(to);
    }

    /// Hash of every row read so far; empty when float32 represents all values of the element type.
    std::vector<std::uint64_t> takeRowHash() { return std::move(rowHash_); }

    /// Value of the element at `index` of the piece read last, as stored.
    double stored(std::size_t index) const {
        return visitNumeric(header_.type, [&]<typename T>(std::type_identity<T>) {
            return static_cast<double>(loadElement<T>(raw_.data() + index * sizeof(T), header_.type.order));
        });
    }

    std::size_t rows() const { return layout_.rows; }
    std::size_t columns() const { return layout_.columns; }

    [[noreturn]] void refuse(const Offender& offender) const {
        const std::string place = " in row " + std::to_string(offender.row) + ", column " +
                                  std::to_string(offender.column) + " (counted from 0); " +
                                  std::string(kNotFiniteAdvice);
        if (std::isnan(offender.value))
            assay::refuse(where_, "finite values", "NaN" + place);
        if (std::isinf(offender.value))
            assay::refuse(where_, "finite values", "an infinite value" + place);
        assay::refuse(where_, "values within the range of float32 (3.4e38)", numberText(offender.value) + place);
    }

private:
    template <typename T>
    void convert(std::span<float> to) const {
        const auto convertFrom = [&](NpyType::ByteOrder order) {
            const std::byte* from = raw_.data();
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = static_cast<float>(loadElement<T>(from + i * sizeof(T), order));
        };
        // Two calls with constants: the frequent loop then has no branch and vectorises.
        if (header_.type.order == NpyType::ByteOrder::Native)
            convertFrom(NpyType::ByteOrder::Native);
        else
            convertFrom(NpyType::ByteOrder::Swapped);
    }

    template <typename T>
    void subtractOffset(std::span<float> to) const {
        const NpyType::ByteOrder order = header_.type.order;
        const std::size_t step = layout_.byRow() ? 1 : 0;
        layout_.forEachRun(done_, to.size(), [&](const Run& run) {
            const std::byte* from = raw_.data() + run.first * sizeof(T);
            const double* offset = reading_.offset.data() + run.column;
            for (std::size_t i = 0; i < run.count; ++i)
                to[run.first + i] = lessOffset(loadElement<T>(from + i * sizeof(T), order), offset[i * step]);
        });
    }

    template <typename T>
    void hashRows(std::size_t count) {
        const NpyType::ByteOrder order = header_.type.order;
        const std::size_t step = layout_.byRow() ? 0 : 1;
        layout_.forEachRun(done_, count, [&](const Run& run) {
            // Grows with the data that arrives, regardless of the size that an archive claims.
            rowHash_.resize(std::max(rowHash_.size(), run.row + (layout_.byRow() ? 1 : run.count)), 0);
            const std::byte* from = raw_.data() + run.first * sizeof(T);
            std::uint64_t* hash = rowHash_.data() + run.row;
            for (std::size_t i = 0; i < run.count; ++i)
                hash[i * step] = rowHashWith(hash[i * step], bitsOf(loadElement<T>(from + i * sizeof(T), order)));
        });
    }

    ByteSource& source_;
    const NpyHeader& header_;
    const std::string& where_;
    const ValueReading& reading_;
    Layout layout_;
    std::vector<std::byte> raw_;
    std::vector<std::uint64_t> rowHash_;
    std::size_t done_ = 0; ///< number of elements read
};

void readRows(FloatStream& stream, std::vector<float>& values, const JobContext& job) {
    const std::size_t total = stream.rows() * stream.columns();
    for (std::size_t first = 0; first < total; first += pieceValues) {
        job.checkpoint(static_cast<double>(first) / static_cast<double>(total));
        const std::size_t count = std::min(pieceValues, total - first);
        values.resize(first + count);
        const std::size_t bad = stream.next(std::span(values).subspan(first, count));
        if (bad < count)
            stream.refuse({(first + bad) / stream.columns(), (first + bad) % stream.columns(), stream.stored(bad)});
    }
}

/// Reads a Fortran-order matrix in panels of some whole columns, each of which is then written to the rows.
void readColumns(FloatStream& stream, std::vector<float>& values, const JobContext& job) {
    const std::size_t rows = stream.rows();
    const std::size_t columns = stream.columns();
    const std::size_t width = panelWidth(rows, columns);
    std::vector<float> panel; // the columns one after the other
    std::optional<Offender> offender;
    for (std::size_t firstColumn = 0; firstColumn < columns; firstColumn += width) {
        job.checkpoint(static_cast<double>(firstColumn) / static_cast<double>(columns));
        const std::size_t count = std::min(width, columns - firstColumn);
        panel.clear();
        while (panel.size() < count * rows) {
            job.throwIfStopped();
            const std::size_t first = panel.size();
            panel.resize(first + std::min(pieceValues, count * rows - first));
            const std::span<float> piece = std::span(panel).subspan(first);
            for (std::size_t i = stream.next(piece); i < piece.size(); ++i) {
                const Offender found{(first + i) % rows, firstColumn + (first + i) / rows, stream.stored(i)};
                if (!std::isfinite(piece[i]) && (!offender || found.row < offender->row))
                    offender = found; // columns are visited in ascending order, so only an earlier row can come first
            }
        }
        // In steps, because clearing gigabytes at once would delay a stop request.
        while (values.size() < rows * columns) {
            job.throwIfStopped();
            values.resize(std::min(rows * columns, values.size() + (std::size_t{1} << 22)));
        }
        for (std::size_t row = 0; row < rows; ++row) {
            if (row % pieceValues == 0)
                job.throwIfStopped();
            for (std::size_t c = 0; c < count; ++c)
                values[row * columns + firstColumn + c] = panel[c * rows + row];
        }
    }
    if (offender)
        stream.refuse(*offender);
}

} // namespace

MatrixWithHashes takeNpyMatrix(ByteSource& source, const NpyHeader& header, const std::string& where,
                               const ValueReading& reading, const JobContext& job) {
    requireMatrix(header, where);
    requirePayload(header, source, where);
    const std::size_t rows = header.shape[0];
    const std::size_t columns = header.shape[1];
    if (!reading.offset.empty() && reading.offset.size() != columns)
        refuse(where, std::to_string(reading.offset.size()) + " columns, as the real set has", std::to_string(columns));
    requireRoom(header, where);
    MatrixWithHashes taken;
    reserveFor(taken.values, rows * columns, where);
    FloatStream stream(source, header, where, reading);
    if (header.order == NpyHeader::Order::C)
        readRows(stream, taken.values, job);
    else
        readColumns(stream, taken.values, job);
    expectEnd(source, where);
    job.checkpoint(1.0);
    taken.rowHash = stream.takeRowHash();
    return taken;
}

std::optional<FloatStorage> viewNpyMatrix(std::span<const std::byte> payload,
                                          const std::shared_ptr<const ExternalMemory>& memory,
                                          const NpyHeader& header) {
    const NpyType& type = header.type;
    const bool isFloat32 = type.kind == NpyType::Kind::Float && type.itemBytes == sizeof(float);
    const bool isAligned = reinterpret_cast<std::uintptr_t>(payload.data()) % alignof(float) == 0;
    if (!isFloat32 || header.shape.size() != 2 || type.order != NpyType::ByteOrder::Native ||
        header.order != NpyHeader::Order::C || !isAligned || payload.empty() ||
        header.count() != payload.size() / sizeof(float) || payload.size() % sizeof(float) != 0)
        return std::nullopt;
    return FloatStorage({reinterpret_cast<const float*>(payload.data()), payload.size() / sizeof(float)}, memory);
}

} // namespace assay
