#include "engine/gpu/search/device_one_class.h"

#include "engine/gpu/device/carver.h"
#include "engine/gpu/device/device_piece.h"
#include "engine/gpu/search/row_chunks.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace assay::cuda {
namespace {

using After = ProductJob::After;
using Rows = DenseVectors::Rows;

constexpr std::size_t kHidden = OneClassNetwork::kHidden;
// A chunk keeps the slowest cards busy for some hundredths of a second: no longer, for the sake of stopping.
constexpr std::size_t kChunkValues = std::size_t{1} << 24;
constexpr std::size_t kMostChunkRows = std::size_t{1} << 15;

struct DescentMemory {
    float* rows;
    float* weights;
    float* gradient;
    float* parts; ///< gradients of the slices of a chunk
    float* first; ///< the hidden layers' outputs, of a chunk
    float* second;
    float* images; ///< of a chunk, then the loss's derivatives by them
    float* firstDelta;
    float* secondDelta;
    std::uint8_t* heldBack; ///< of all rows
    double* squared;        ///< likewise
    std::size_t bytes;

    static DescentMemory carve(MatrixView set, const ChunkPlan& plan, std::byte* base) {
        Carver carver(base);
        const std::size_t weights = OneClassNetwork::weightCount(set.dim);
        DescentMemory memory{};
        memory.rows = carver.take<float>(plan.places * plan.rows * set.dim);
        memory.weights = carver.take<float>(weights);
        memory.gradient = carver.take<float>(weights);
        memory.parts = carver.take<float>(plan.rows / kSliceRows * weights);
        for (float** hidden : {&memory.first, &memory.second, &memory.firstDelta, &memory.secondDelta})
            *hidden = carver.take<float>(plan.rows * kHidden);
        memory.images = carver.take<float>(plan.rows * set.dim);
        memory.heldBack = carver.take<std::uint8_t>(set.rows);
        memory.squared = carver.take<double>(set.rows);
        memory.bytes = carver.used();
        return memory;
    }
};

class DeviceDescent : public OneClassDescent {
public:
    DeviceDescent(Device& device, std::mutex& inUse, const OneClassRows& rows, const ChunkPlan& plan)
        : device_(device), inUse_(inUse), dim_(rows.set.dim), nu_(rows.nu),
          heldBack_(rows.heldBack.begin(), rows.heldBack.end()),
          trained_(static_cast<std::size_t>(std::count(heldBack_.begin(), heldBack_.end(), 0))),
          piece_(std::in_place, device, DescentMemory::carve(rows.set, plan, nullptr).bytes),
          memory_(DescentMemory::carve(rows.set, plan, piece_->base())), chunks_(device, rows.set, plan, memory_.rows),
          gradient_(OneClassNetwork::weightCount(dim_)), squared_(rows.set.rows) {
        device_.upload(memory_.heldBack, heldBack_.data(), heldBack_.size());
        chunks_.loadFirst(); // takes what host memory the copies need: later there is no turning back
    }
    DeviceDescent(const DeviceDescent&) = delete;
    DeviceDescent& operator=(const DeviceDescent&) = delete;
    ~DeviceDescent() override {
        const std::scoped_lock lock(inUse_);
        piece_.reset();
    }

    OneClassLosses compute(std::span<const float> weights, const JobContext& job) override {
        const std::scoped_lock lock(inUse_);
        device_.upload(memory_.weights, weights.data(), weights.size_bytes());
        device_.fill(memory_.gradient, 0, weights.size_bytes());
        chunks_.forEach(job, [&](const RowChunks::Chunk& chunk) {
            forward(chunk);
            back(chunk);
        });
        device_.download(gradient_.data(), memory_.gradient, gradient_.size() * sizeof(float));
        device_.download(squared_.data(), memory_.squared, squared_.size() * sizeof(double));
        OneClassLosses::Sum trained{0.0, trained_};
        OneClassLosses::Sum heldBack{0.0, squared_.size() - trained_};
        for (std::size_t r = 0; r < squared_.size(); ++r)
            (heldBack_[r] != 0 ? heldBack : trained).squared += squared_[r];
        return OneClassLosses::of(trained, heldBack, nu_);
    }

    std::span<const float> gradient() const noexcept override { return gradient_; }

private:
    /// A layer's place among the weights: layer l is outputs x inputs.
    std::size_t offset(unsigned layer) const {
        return layer == 0 ? 0 : kHidden * dim_ + (layer == 1 ? 0 : kHidden * kHidden);
    }
    std::size_t inputs(unsigned layer) const { return layer == 0 ? dim_ : kHidden; }
    std::size_t outputs(unsigned layer) const { return layer == 2 ? dim_ : kHidden; }

    static DenseVectors matrix(const float* data, std::size_t count, std::size_t stride, Rows rows) {
        return {data, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(stride), rows};
    }

    /// Outputs of a layer from its inputs, row by row.
    void apply(unsigned layer, const float* in, std::size_t rows, After after, float* out) {
        ProductJob job;
        job.x = matrix(in, rows, inputs(layer), Rows::Vectors);
        job.y = matrix(memory_.weights + offset(layer), outputs(layer), inputs(layer), Rows::Vectors);
        job.depth = static_cast<std::uint32_t>(inputs(layer));
        job.product = out;
        job.after = after;
        device_.multiply(job);
    }

    /// The loss's derivatives by a layer's inputs, which are `live`, from those by its outputs.
    void applyBack(unsigned layer, const float* delta, std::size_t rows, const float* live, float* inputDelta) {
        ProductJob job;
        job.x = matrix(delta, rows, outputs(layer), Rows::Vectors);
        job.y = matrix(memory_.weights + offset(layer), inputs(layer), inputs(layer), Rows::Elements);
        job.depth = static_cast<std::uint32_t>(outputs(layer));
        job.product = inputDelta;
        job.after = After::PassWhereLive;
        job.live = live;
        device_.multiply(job);
    }

    /// The loss's derivatives by a layer's weights, slice by slice.
    void differentiate(unsigned layer, const float* delta, const float* in, std::size_t rows) {
        ProductJob job;
        job.x = matrix(delta, outputs(layer), outputs(layer), Rows::Elements);
        job.y = matrix(in, inputs(layer), inputs(layer), Rows::Elements);
        job.depth = static_cast<std::uint32_t>(rows);
        job.slice = kSliceRows;
        job.product = memory_.parts + offset(layer);
        job.partStride = gradient_.size();
        device_.multiply(job);
    }

    void forward(const RowChunks::Chunk& chunk) {
        apply(0, chunk.data, chunk.rows, After::Rectify, memory_.first);
        apply(1, memory_.first, chunk.rows, After::Rectify, memory_.second);
        apply(2, memory_.second, chunk.rows, After::Nothing, memory_.images);
        LossJob loss;
        loss.images = memory_.images;
        loss.rows = static_cast<std::uint32_t>(chunk.rows);
        loss.dim = static_cast<std::uint32_t>(dim_);
        loss.heldBack = memory_.heldBack + chunk.first;
        loss.scale = static_cast<float>(2.0 / (static_cast<double>(trained_) * nu_));
        loss.squared = memory_.squared + chunk.first;
        device_.takeLosses(loss);
    }

    void back(const RowChunks::Chunk& chunk) {
        differentiate(2, memory_.images, memory_.second, chunk.rows);
        applyBack(2, memory_.images, chunk.rows, memory_.second, memory_.secondDelta);
        differentiate(1, memory_.secondDelta, memory_.first, chunk.rows);
        applyBack(1, memory_.secondDelta, chunk.rows, memory_.first, memory_.firstDelta);
        differentiate(0, memory_.firstDelta, chunk.data, chunk.rows);
        device_.addParts(
            {memory_.parts, slicesOf(static_cast<std::uint32_t>(chunk.rows)), gradient_.size(), memory_.gradient});
    }

    Device& device_;
    std::mutex& inUse_;
    std::size_t dim_;
    double nu_;
    std::vector<std::uint8_t> heldBack_;
    std::size_t trained_;
    std::optional<DevicePiece> piece_;
    DescentMemory memory_;
    RowChunks chunks_;
    std::vector<float> gradient_;
    std::vector<double> squared_;
};

} // namespace

std::unique_ptr<OneClassDescent> descentOnDevice(Device& device, std::mutex& inUse, const OneClassRows& rows) {
    const MatrixView set = rows.set;
    const std::size_t preferred = wholeSlices(std::min(kChunkValues / set.dim, kMostChunkRows));
    auto found = withinMemory(
        device, chunkPlans(set.rows, preferred, Passes::Many),
        [&](const ChunkPlan& plan) { return DescentMemory::carve(set, plan, nullptr).bytes; },
        [&](const ChunkPlan& plan) { return std::make_unique<DeviceDescent>(device, inUse, rows, plan); });
    return found ? std::move(*found) : nullptr;
}

} // namespace assay::cuda
