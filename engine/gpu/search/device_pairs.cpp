#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/plan.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace assay::cuda {
namespace {

constexpr std::size_t kMaxHits = std::size_t{4} << 20; ///< at a time; at least those of a tile edge squared

/// Rows, or columns, in device memory.
struct OperandMemory {
    std::byte* operand;
    float* step;
    float* term;

    static OperandMemory carve(std::size_t rows, std::size_t dim, Carver& carver) {
        const std::size_t whole = wholeTiles(rows);
        auto* operand = carver.take<std::byte>(whole * paddedColumns(dim));
        auto* step = carver.take<float>(whole);
        return {operand, step, carver.take<float>(whole)};
    }
};

struct PairMemory {
    OperandMemory x, y;
    PruningLimit* limit;
    RowBounds* bounds;
    float* products;
    std::size_t productValues;
    PairHit* hits;
    unsigned long long* count;
    std::size_t bytes;

    static PairMemory carve(const PairAccelerator::Shape& shape, std::byte* base) {
        Carver carver(base);
        PairMemory memory{};
        memory.x = OperandMemory::carve(shape.rows, shape.dim, carver);
        memory.y = OperandMemory::carve(shape.columns, shape.dim, carver);
        memory.limit = carver.take<PruningLimit>(shape.rows);
        memory.bounds = carver.take<RowBounds>(shape.columns);
        memory.productValues = std::min(kMaxProducts, wholeTiles(shape.rows) * wholeTiles(shape.columns));
        memory.products = carver.take<float>(memory.productValues);
        memory.hits = carver.take<PairHit>(kMaxHits);
        memory.count = carver.take<unsigned long long>(1);
        memory.bytes = carver.used();
        return memory;
    }
};

class DevicePairTiles : public PairTiles {
public:
    DevicePairTiles(Device& device, std::mutex& inUse, const PairAccelerator::Shape& shape)
        : device_(device), inUse_(inUse), buffer_(std::in_place, device, PairMemory::carve(shape, nullptr).bytes),
          memory_(PairMemory::carve(shape, buffer_->base())), paddedDim_(paddedColumns(shape.dim)) {
        // Rows that fill a tile are multiplied, too.
        device_.fill(buffer_->base(), 0, memory_.bytes);
        // The library allocates at its first product: while declining is still possible.
        device_.listPairs(pairJob({0, 1, 0, 1}));
        device_.wait();
    }
    ~DevicePairTiles() override {
        const std::scoped_lock lock(inUse_);
        buffer_.reset();
    }

    void setRows(const ProductOperand& rows) override {
        const std::scoped_lock lock(inUse_);
        upload(memory_.x, rows);
        rows_ = rows.rows();
    }

    void setColumns(const ProductOperand& columns) override {
        const std::scoped_lock lock(inUse_);
        upload(memory_.y, columns);
        device_.upload(memory_.bounds, &columns.bounds(0), columns.rows() * sizeof(RowBounds));
        columns_ = columns.rows();
    }

    void select(std::span<const PruningLimit> limits, const TakeHits& take, const JobContext& job) override {
        {
            const std::scoped_lock lock(inUse_);
            device_.upload(memory_.limit, limits.data(), limits.size_bytes());
        }
        select({0, static_cast<std::uint32_t>(rows_), 0, static_cast<std::uint32_t>(columns_)}, take, job);
    }

private:
    void upload(const OperandMemory& to, const ProductOperand& operand) {
        const std::size_t dim = operand.dim();
        const std::size_t padded = paddedColumns(dim);
        const TileColumns terms = operand.tileColumns(0, operand.rows());
        if (dim == padded)
            device_.upload(to.operand, operand.integerRow(0), operand.rows() * dim);
        else {
            std::vector<std::int8_t> values(operand.rows() * padded, 0);
            for (std::size_t row = 0; row < operand.rows(); ++row)
                std::memcpy(values.data() + row * padded, operand.integerRow(row), dim);
            device_.upload(to.operand, values.data(), values.size());
        }
        device_.upload(to.step, terms.step, operand.rows() * sizeof(float));
        device_.upload(to.term, terms.term, operand.rows() * sizeof(float));
    }

    void select(const Region& region, const TakeHits& take, const JobContext& job) {
        job.throwIfStopped();
        if (const std::optional<std::vector<PairHit>> hits = list(region)) {
            if (!hits->empty())
                take(*hits);
            return;
        }
        for (const Region& part : splitRegion(region, false, true, true))
            select(part, take, job);
    }

    /// Nothing where the hits do not fit.
    std::optional<std::vector<PairHit>> list(const Region& region) {
        const std::scoped_lock lock(inUse_);
        device_.listPairs(pairJob(region));
        unsigned long long count = 0;
        device_.download(&count, memory_.count, sizeof count);
        if (count > kMaxHits)
            return std::nullopt;
        std::vector<PairHit> hits(count);
        if (count > 0)
            device_.download(hits.data(), memory_.hits, count * sizeof(PairHit));
        return hits;
    }

    PairJob pairJob(const Region& region) const {
        PairJob pairs;
        pairs.x = memory_.x.operand;
        pairs.y = memory_.y.operand;
        pairs.region = region;
        pairs.paddedDim = static_cast<std::uint32_t>(paddedDim_);
        pairs.stepX = memory_.x.step;
        pairs.termX = memory_.x.term;
        pairs.limit = memory_.limit;
        pairs.stepY = memory_.y.step;
        pairs.termY = memory_.y.term;
        pairs.bounds = memory_.bounds;
        pairs.products = memory_.products;
        pairs.productValues = memory_.productValues;
        pairs.hits = memory_.hits;
        pairs.capacity = static_cast<std::uint32_t>(kMaxHits);
        pairs.count = memory_.count;
        return pairs;
    }

    Device& device_;
    std::mutex& inUse_;
    std::optional<DeviceBuffer> buffer_;
    PairMemory memory_;
    std::size_t paddedDim_;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
};

} // namespace

std::unique_ptr<PairTiles> pairTilesOnDevice(Device& device, std::mutex& inUse, const PairAccelerator::Shape& shape) {
    if (static_cast<double>(PairMemory::carve(shape, nullptr).bytes) >
        static_cast<double>(device.freeBytes()) * kShareOfFree)
        return nullptr;
    try {
        return std::make_unique<DevicePairTiles>(device, inUse, shape);
    } catch (const OutOfDeviceMemory&) {
        return nullptr;
    }
}

} // namespace assay::cuda
