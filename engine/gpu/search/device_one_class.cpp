#include "engine/gpu/device/carver.h"
#include "engine/gpu/device/device_buffer.h"
#include "engine/gpu/search/device_accelerator.h"
#include "engine/gpu/search/row_chunks.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace assay::cuda {
namespace {

using Epilogue = ProductJob::Epilogue;
using Layout = DenseVectors::Layout;

constexpr std::size_t kHidden = OneClassNetwork::kHidden;
// A chunk takes some hundredths of a second on the slowest cards, so that a stop request is seen soon.
constexpr std::size_t kChunkValues = std::size_t{1} << 24;
constexpr std::size_t kMaxChunkRows = std::size_t{1} << 15;

struct DescentMemory {
    float* rows;
    float* weights;
    float* gradient;
    float* parts; ///< gradients of the slices of a chunk
    float* first; ///< outputs of the hidden layers, of a chunk
    float* second;
    float* images; ///< outputs of the network, of a chunk; then the derivatives of the loss
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
          buffer_(std::in_place, device, DescentMemory::carve(rows.set, plan, nullptr).bytes),
          memory_(DescentMemory::carve(rows.set, plan, buffer_->base())), chunks_(device, rows.set, plan, memory_.rows),
          gradient_(OneClassNetwork::weightCount(dim_)), squared_(rows.set.rows) {
        device_.upload(memory_.heldBack, heldBack_.data(), heldBack_.size());
        chunks_.loadFirst(); // allocates the host memory of the copies while declining is still possible
    }
    DeviceDescent(const DeviceDescent&) = delete;
    DeviceDescent& operator=(const DeviceDescent&) = delete;
    ~DeviceDescent() override {
        const std::scoped_lock lock(inUse_);
        buffer_.reset();
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
    /// Offset of a layer's weights, outputs x inputs.
    std::size_t offset(unsigned layer) const {
        return layer == 0 ? 0 : kHidden * dim_ + (layer == 1 ? 0 : kHidden * kHidden);
    }
    std::size_t inputs(unsigned layer) const { return layer == 0 ? dim_ : kHidden; }
    std::size_t outputs(unsigned layer) const { return layer == 2 ? dim_ : kHidden; }

    static DenseVectors matrix(const float* data, std::size_t count, std::size_t stride, Layout layout) {
        return {data, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(stride), layout};
    }

    /// Outputs of a layer from its inputs, row by row.
    void apply(unsigned layer, const float* in, std::size_t rows, Epilogue after, float* out) {
        ProductJob job;
        job.x = matrix(in, rows, inputs(layer), Layout::VectorsAreRows);
        job.y = matrix(memory_.weights + offset(layer), outputs(layer), inputs(layer), Layout::VectorsAreRows);
        job.depth = static_cast<std::uint32_t>(inputs(layer));
        job.product = out;
        job.after = after;
        device_.multiply(job);
    }

    /// Derivatives of the loss by a layer's inputs, which are `activation`, from those by its outputs.
    void applyBack(unsigned layer, const float* delta, std::size_t rows, const float* activation, float* inputDelta) {
        ProductJob job;
        job.x = matrix(delta, rows, outputs(layer), Layout::VectorsAreRows);
        job.y = matrix(memory_.weights + offset(layer), inputs(layer), inputs(layer), Layout::VectorsAreColumns);
        job.depth = static_cast<std::uint32_t>(outputs(layer));
        job.product = inputDelta;
        job.after = Epilogue::MaskByActivation;
        job.activation = activation;
        device_.multiply(job);
    }

    /// Derivatives of the loss by a layer's weights, slice by slice.
    void differentiate(unsigned layer, const float* delta, const float* in, std::size_t rows) {
        ProductJob job;
        job.x = matrix(delta, outputs(layer), outputs(layer), Layout::VectorsAreColumns);
        job.y = matrix(in, inputs(layer), inputs(layer), Layout::VectorsAreColumns);
        job.depth = static_cast<std::uint32_t>(rows);
        job.slice = kSliceRows;
        job.product = memory_.parts + offset(layer);
        job.partStride = gradient_.size();
        device_.multiply(job);
    }

    void forward(const RowChunks::Chunk& chunk) {
        apply(0, chunk.data, chunk.rows, Epilogue::Relu, memory_.first);
        apply(1, memory_.first, chunk.rows, Epilogue::Relu, memory_.second);
        apply(2, memory_.second, chunk.rows, Epilogue::None, memory_.images);
        LossJob loss;
        loss.images = memory_.images;
        loss.rows = static_cast<std::uint32_t>(chunk.rows);
        loss.dim = static_cast<std::uint32_t>(dim_);
        loss.heldBack = memory_.heldBack + chunk.first;
        loss.scale = static_cast<float>(2.0 / (static_cast<double>(trained_) * nu_));
        loss.squared = memory_.squared + chunk.first;
        device_.computeLosses(loss);
    }

    void back(const RowChunks::Chunk& chunk) {
        differentiate(2, memory_.images, memory_.second, chunk.rows);
        applyBack(2, memory_.images, chunk.rows, memory_.second, memory_.secondDelta);
        differentiate(1, memory_.secondDelta, memory_.first, chunk.rows);
        applyBack(1, memory_.secondDelta, chunk.rows, memory_.first, memory_.firstDelta);
        differentiate(0, memory_.firstDelta, chunk.data, chunk.rows);
        device_.sumParts(
            {memory_.parts, slicesOf(static_cast<std::uint32_t>(chunk.rows)), gradient_.size(), memory_.gradient});
    }

    Device& device_;
    std::mutex& inUse_;
    std::size_t dim_;
    double nu_;
    std::vector<std::uint8_t> heldBack_;
    std::size_t trained_;
    std::optional<DeviceBuffer> buffer_;
    DescentMemory memory_;
    RowChunks chunks_;
    std::vector<float> gradient_;
    std::vector<double> squared_;
};

} // namespace

std::unique_ptr<OneClassDescent> descentOnDevice(Device& device, std::mutex& inUse, const OneClassRows& rows) {
    const MatrixView set = rows.set;
    const std::size_t preferred = wholeSlices(std::min(kChunkValues / set.dim, kMaxChunkRows));
    auto found = withinMemory(
        device, chunkPlans(set.rows, preferred, Passes::Many),
        [&](const ChunkPlan& plan) { return DescentMemory::carve(set, plan, nullptr).bytes; },
        [&](const ChunkPlan& plan) { return std::make_unique<DeviceDescent>(device, inUse, rows, plan); });
    return found ? std::move(*found) : nullptr;
}

} // namespace assay::cuda
