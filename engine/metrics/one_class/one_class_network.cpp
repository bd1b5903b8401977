#include "engine/metrics/one_class/one_class_network.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/products/float_product.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace assay {
namespace {

using Eigen::Index;
using Array = Eigen::Map<Eigen::ArrayXf>;
using Use = FloatFactor::Use;

constexpr std::size_t kHidden = OneClassNetwork::kHidden;
constexpr std::size_t kStripes = 16;
// A product of a chunk takes some 10 ms on one core, and its activations stay in the cache.
constexpr std::size_t kValuesPerChunk = std::size_t{1} << 22;
constexpr std::size_t kMostRows = 768;
// Full chunks contain whole blocks of every kernel of the library, so that all their rows are summed in the same order.
constexpr std::size_t kRowBlock = 48;
constexpr std::size_t kWeightsPerTask = std::size_t{1} << 16;

std::size_t chunkRows(std::size_t dim) {
    return std::clamp(kValuesPerChunk / dim / kRowBlock * kRowBlock, kRowBlock, kMostRows);
}

Array arrayOf(std::vector<float>& values, std::size_t count) {
    return {values.data(), static_cast<Index>(count)};
}

FloatFactor layerOf(const OneClassNetwork& network, std::size_t layer, Use use) {
    return {network.layer(layer), network.outputs(layer), network.inputs(layer), use};
}

/// Computes phi of one chunk, and stores the activations that its gradient needs.
class Forward {
public:
    explicit Forward(std::size_t chunk) : first_(chunk * kHidden), second_(chunk * kHidden) {}

    /// @param images output, rows x d values
    void run(const OneClassNetwork& network, MatrixView rows, float* images, const JobContext& job) {
        rows_ = rows.rows;
        multiply({rows.data, rows_, rows.dim}, layerOf(network, 0, Use::Transposed), Into::Replace, first_.data());
        rectify(first_);
        job.throwIfStopped();
        multiply(first(), layerOf(network, 1, Use::Transposed), Into::Replace, second_.data());
        rectify(second_);
        multiply(second(), layerOf(network, 2, Use::Transposed), Into::Replace, images);
        job.throwIfStopped();
    }

    /// Outputs of the two hidden layers.
    FloatFactor first() const { return {first_.data(), rows_, kHidden}; }
    FloatFactor second() const { return {second_.data(), rows_, kHidden}; }

private:
    void rectify(std::vector<float>& values) const {
        Array array = arrayOf(values, rows_ * kHidden);
        array = array.max(0.0F);
    }

    std::size_t rows_ = 0;
    std::vector<float> first_, second_;
};

} // namespace

OneClassNetwork::OneClassNetwork(std::size_t dim, std::uint64_t seed) : dim_(dim), weights_(weightCount(dim)) {
    for (std::size_t l = 0; l < kLayers; ++l) {
        Random random = Random::forItem(seed, l);
        const double bound = 1.0 / std::sqrt(static_cast<double>(inputs(l)));
        for (float& weight : weights().subspan(offset(l), inputs(l) * outputs(l)))
            weight = static_cast<float>((2.0 * random.uniform() - 1.0) * bound);
    }
}

OneClassNetwork::OneClassNetwork(std::size_t dim, std::vector<float> weights)
    : dim_(dim), weights_(std::move(weights)) {
    if (weights_.size() != weightCount(dim))
        throw Error(ErrorKind::InvalidArgument, "one-class network of " + std::to_string(dim) +
                                                    " dimensions: expected " + std::to_string(weightCount(dim)) +
                                                    " weights, found " + std::to_string(weights_.size()));
}

std::size_t OneClassNetwork::offset(std::size_t layer) const noexcept {
    std::size_t begin = 0;
    for (std::size_t l = 0; l < layer; ++l)
        begin += inputs(l) * outputs(l);
    return begin;
}

std::vector<float> OneClassNetwork::embed(MatrixView set, unsigned threads, const JobContext& job) const {
    if (set.dim != dim_)
        throw Error(ErrorKind::InvalidArgument, "one-class network: expected " + std::to_string(dim_) +
                                                    " dimensions, found " + std::to_string(set.dim));
    requireSinglePrecision();
    std::vector<float> images(set.rows * dim_);
    const std::size_t chunk = chunkRows(dim_);
    std::vector<std::unique_ptr<Forward>> passes(resolveThreads(threads));
    parallelFor((set.rows + chunk - 1) / chunk, threads, job, [&](std::size_t task, unsigned worker) {
        if (!passes[worker])
            passes[worker] = std::make_unique<Forward>(chunk);
        const std::size_t first = task * chunk;
        const std::size_t rows = std::min(chunk, set.rows - first);
        if (rows == chunk) {
            passes[worker]->run(*this, {set.rowData(first), chunk, dim_}, images.data() + first * dim_, job);
            return;
        }
        // The last rows are filled up to a whole chunk: a product of another shape could round differently.
        std::vector<float> padded(chunk * dim_);
        std::copy_n(set.rowData(first), rows * dim_, padded.data());
        std::vector<float> out(chunk * dim_);
        passes[worker]->run(*this, {padded.data(), chunk, dim_}, out.data(), job);
        std::copy_n(out.data(), rows * dim_, images.data() + first * dim_);
    });
    return images;
}

/// Forward and backward pass of one worker over chunks.
class OneClassGradient::Pass {
public:
    Pass(std::size_t dim, std::size_t chunk)
        : dim_(dim), forward_(chunk), delta_(chunk * dim), second_(chunk * kHidden), first_(chunk * kHidden) {}

    /// Adds the undivided losses of a chunk to `sums`.
    /// @param into whether the gradient of the stripe is overwritten or added to
    void run(const OneClassNetwork& network, MatrixView rows, const std::uint8_t* heldBack, float scale, Into into,
             std::vector<float>& gradient, Sums& sums, const JobContext& job) {
        forward_.run(network, rows, delta_.data(), job);
        for (std::size_t r = 0; r < rows.rows; ++r)
            (heldBack[r] != 0 ? sums.validation : sums.training) += turnIntoDelta(r, heldBack[r] != 0 ? 0.0F : scale);
        back(network, rows, into, gradient, job);
    }

private:
    /// Replaces phi of a row by the derivative of the loss.
    /// @return |phi - c|^2, which is never negative, so max(0, .) does not change it
    double turnIntoDelta(std::size_t r, float scale) {
        Array image(delta_.data() + r * dim_, static_cast<Index>(dim_));
        image -= 1.0F;
        const double squared = image.cast<double>().square().sum();
        // Not multiplied where nothing is wanted: an infinite image would leave no zeros.
        if (scale == 0.0F)
            image.setZero();
        else
            image *= scale;
        return squared;
    }

    void back(const OneClassNetwork& network, MatrixView rows, Into into, std::vector<float>& gradient,
              const JobContext& job) {
        const auto at = [&](std::size_t layer) { return gradient.data() + network.offset(layer); };
        const FloatFactor delta{delta_.data(), rows.rows, dim_};
        multiply({delta.data, delta.rows, dim_, Use::Transposed}, forward_.second(), into, at(2));
        job.throwIfStopped();
        multiply(delta, layerOf(network, 2, Use::AsItIs), Into::Replace, second_.data());
        passWhereActive(forward_.second(), second_);
        multiply({second_.data(), rows.rows, kHidden, Use::Transposed}, forward_.first(), into, at(1));
        multiply({second_.data(), rows.rows, kHidden}, layerOf(network, 1, Use::AsItIs), Into::Replace, first_.data());
        passWhereActive(forward_.first(), first_);
        job.throwIfStopped();
        multiply({first_.data(), rows.rows, kHidden, Use::Transposed}, {rows.data, rows.rows, rows.dim}, into, at(0));
    }

    static void passWhereActive(const FloatFactor& outputs, std::vector<float>& delta) {
        const auto count = static_cast<Index>(outputs.rows * kHidden);
        const Eigen::Map<const Eigen::ArrayXf> active(outputs.data, count);
        Array values(delta.data(), count);
        values = (active > 0.0F).select(values, 0.0F);
    }

    std::size_t dim_;
    Forward forward_;
    std::vector<float> delta_, second_, first_;
};

OneClassGradient::OneClassGradient(MatrixView set, std::vector<std::uint8_t> heldBack, double nu)
    : set_(set), heldBack_(std::move(heldBack)), nu_(nu),
      trained_(static_cast<std::size_t>(std::count(heldBack_.begin(), heldBack_.end(), 0))),
      chunk_(chunkRows(set.dim)) {
    const std::size_t chunks = (set.rows + chunk_ - 1) / chunk_;
    stripes_.assign(std::min(kStripes, chunks), std::vector<float>(OneClassNetwork::weightCount(set.dim)));
}

OneClassGradient::Losses OneClassGradient::compute(const OneClassNetwork& network, unsigned threads,
                                                   const JobContext& job) {
    requireSinglePrecision();
    const std::size_t chunks = (set_.rows + chunk_ - 1) / chunk_;
    const auto scale = static_cast<float>(2.0 / (static_cast<double>(trained_) * nu_));
    std::vector<std::unique_ptr<Pass>> passes(resolveThreads(threads));
    std::vector<Sums> sums(stripes_.size());
    parallelFor(stripes_.size(), threads, job.part({}, 0.0, 0.98), [&](std::size_t s, unsigned worker) {
        if (!passes[worker])
            passes[worker] = std::make_unique<Pass>(set_.dim, chunk_);
        const std::size_t begin = chunks * s / stripes_.size();
        for (std::size_t c = begin; c < chunks * (s + 1) / stripes_.size(); ++c) {
            const std::size_t first = c * chunk_;
            const MatrixView rows{set_.rowData(first), std::min(chunk_, set_.rows - first), set_.dim};
            passes[worker]->run(network, rows, heldBack_.data() + first, scale, c == begin ? Into::Replace : Into::Add,
                                stripes_[s], sums[s], job);
        }
    });
    const std::size_t weights = stripes_.front().size();
    parallelFor((weights + kWeightsPerTask - 1) / kWeightsPerTask, threads, job.part({}, 0.98, 1.0),
                [&](std::size_t task, unsigned) {
                    const std::size_t first = task * kWeightsPerTask;
                    const std::size_t count = std::min(kWeightsPerTask, weights - first);
                    for (std::size_t s = 1; s < stripes_.size(); ++s)
                        Array(stripes_[0].data() + first, static_cast<Index>(count)) +=
                            Array(stripes_[s].data() + first, static_cast<Index>(count));
                });
    Sums all;
    for (const Sums& part : sums) {
        all.training += part.training;
        all.validation += part.validation;
    }
    return Losses::of({all.training, trained_}, {all.validation, set_.rows - trained_}, nu_);
}

} // namespace assay
