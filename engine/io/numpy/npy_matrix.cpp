#include "engine/base/available_memory.h"
#include "engine/base/number_text.h"
#include "engine/data/equal_rows.h"
#include "engine/data/finite.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/numpy/npy_elements.h"

#include <cmath>
#include <utility>

namespace assay {
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
