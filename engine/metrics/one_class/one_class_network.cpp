#include "engine/metrics/one_class/one_class_network.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/math/products/dense_product.h"
#include "engine/metrics/tables/compared_rows.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
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
constexpr std::size_t kMaxRows = 768;
// Full chunks contain whole blocks of every kernel of the library, so that all their rows are summed in the same order.
constexpr std::size_t kRowBlock = 48;
constexpr std::size_t kWeightsPerTask = std::size_t{1} << 16;

std::size_t chunkRows(std::size_t dim) {
    return std::clamp(kValuesPerChunk / dim / kRowBlock * kRowBlock, kRowBlock, kMaxRows);
}

Array arrayOf(std::vector<float>& values, std::size_t count) {
    return {values.data(), static_cast<Index>(count)};
}

std::size_t offsetOf(std::size_t layer, std::size_t dim) {
    return layer == 0 ? 0 : kHidden * (dim + (layer - 1) * kHidden);
}

/// The weights of a network.
struct Weights {
    std::span<const float> all;
    std::size_t dim;

    FloatFactor layer(std::size_t layer, Use use) const {
        return {all.data() + offsetOf(layer, dim), layer + 1 == OneClassNetwork::kLayers ? dim : kHidden,
                layer == 0 ? dim : kHidden, use};
    }
};

/// Computes phi of one chunk, and stores the activations that its gradient needs.
class Forward {
public:
    explicit Forward(std::size_t chunk) : first_(chunk * kHidden), second_(chunk * kHidden) {}

    /// @param images output, rows x d values
    void run(const Weights& weights, MatrixView rows, float* images, const JobContext& job) {
        rows_ = rows.rows;
        multiply({rows.data, rows_, rows.dim}, weights.layer(0, Use::Transposed), Into::Replace, first_.data());
        rectify(first_);
        job.throwIfStopped();
        multiply(first(), weights.layer(1, Use::Transposed), Into::Replace, second_.data());
        rectify(second_);
        multiply(second(), weights.layer(2, Use::Transposed), Into::Replace, images);
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
    return offsetOf(layer, dim_);
}

std::vector<float> OneClassNetwork::embed(MatrixView set, unsigned threads, const JobContext& job) const {
    if (set.dim != dim_)
        throw Error(ErrorKind::InvalidArgument, "one-class network: expected " + std::to_string(dim_) +
                                                    " dimensions, found " + std::to_string(set.dim));
    requireSinglePrecision();
    const Weights weights{weights_, dim_};
    std::vector<float> images(set.rows * dim_);
    const std::size_t chunk = chunkRows(dim_);
    std::vector<std::unique_ptr<Forward>> passes(resolveThreads(threads));
    parallelRanges(set.rows, chunk, threads, job, [&](std::size_t first, std::size_t last, unsigned worker) {
        if (!passes[worker])
            passes[worker] = std::make_unique<Forward>(chunk);
        const std::size_t rows = last - first;
        if (rows == chunk) {
            passes[worker]->run(weights, {set.rowData(first), chunk, dim_}, images.data() + first * dim_, job);
            return;
        }
        // The last rows are filled up to a whole chunk: a product of another shape could round differently.
        std::vector<float> padded(chunk * dim_);
        std::copy_n(set.rowData(first), rows * dim_, padded.data());
        std::vector<float> out(chunk * dim_);
        passes[worker]->run(weights, {padded.data(), chunk, dim_}, out.data(), job);
        std::copy_n(out.data(), rows * dim_, images.data() + first * dim_);
    });
    return images;
}

/// Forward and backward pass of one worker over chunks.
class OneClassGradient::Pass {
public:
    Pass(std::size_t dim, std::size_t chunk)
        : dim_(dim), forward_(chunk), delta_(chunk * dim), second_(chunk * kHidden), first_(chunk * kHidden) {}

    /// Adds the losses and the gradient of a chunk to those of its stripe.
    /// @param scale factor of the derivative of |phi - c|^2
    void run(const Weights& weights, const OneClassRows& chunk, float scale, Stripe& stripe, const JobContext& job) {
        forward_.run(weights, chunk.set, delta_.data(), job);
        for (std::size_t r = 0; r < chunk.set.rows; ++r) {
            const bool isHeldBack = chunk.heldBack[r] != 0;
            (isHeldBack ? stripe.validation : stripe.training) += turnIntoDelta(r, isHeldBack ? 0.0F : scale);
        }
        back(weights, chunk.set, stripe.gradient, job);
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

    void back(const Weights& weights, MatrixView rows, std::vector<float>& gradient, const JobContext& job) {
        const Into into = gradient.empty() ? Into::Replace : Into::Add;
        gradient.resize(weights.all.size());
        const auto at = [&](std::size_t layer) { return gradient.data() + offsetOf(layer, dim_); };
        const FloatFactor delta{delta_.data(), rows.rows, dim_};
        multiply({delta.data, delta.rows, dim_, Use::Transposed}, forward_.second(), into, at(2));
        job.throwIfStopped();
        multiply(delta, weights.layer(2, Use::AsItIs), Into::Replace, second_.data());
        passWhereActive(forward_.second(), second_);
        multiply({second_.data(), rows.rows, kHidden, Use::Transposed}, forward_.first(), into, at(1));
        multiply({second_.data(), rows.rows, kHidden}, weights.layer(1, Use::AsItIs), Into::Replace, first_.data());
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

OneClassGradient::OneClassGradient(const OneClassRows& rows, unsigned threads)
    : rows_(rows), threads_(threads),
      trained_(static_cast<std::size_t>(std::ranges::count(rows.heldBack, std::uint8_t{0}))),
      chunk_(chunkRows(rows.set.dim)), stripes_(std::min(kStripes, (rows.set.rows + chunk_ - 1) / chunk_)) {}

OneClassLosses OneClassGradient::compute(std::span<const float> weights, const JobContext& job) {
    requireSinglePrecision();
    const MatrixView set = rows_.set;
    const std::size_t chunks = (set.rows + chunk_ - 1) / chunk_;
    const auto scale = static_cast<float>(2.0 / (static_cast<double>(trained_) * rows_.nu));
    std::vector<std::unique_ptr<Pass>> passes(resolveThreads(threads_));
    parallelFor(stripes_.size(), threads_, job.part({}, 0.0, 0.98), [&](std::size_t s, unsigned worker) {
        if (!passes[worker])
            passes[worker] = std::make_unique<Pass>(set.dim, chunk_);
        Stripe& stripe = stripes_[s];
        stripe.gradient.clear();
        stripe.training = stripe.validation = 0.0;
        for (std::size_t c = chunks * s / stripes_.size(); c < chunks * (s + 1) / stripes_.size(); ++c) {
            const std::size_t first = c * chunk_;
            const MatrixView rows{set.rowData(first), std::min(chunk_, set.rows - first), set.dim};
            passes[worker]->run({weights, set.dim}, {rows, rows_.heldBack.subspan(first, rows.rows), rows_.nu}, scale,
                                stripe, job);
        }
    });
    parallelRanges(weights.size(), kWeightsPerTask, threads_, job.part({}, 0.98, 1.0),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       const auto part = [&](Stripe& stripe) {
                           return Array(stripe.gradient.data() + first, static_cast<Index>(last - first));
                       };
                       for (std::size_t s = 1; s < stripes_.size(); ++s)
                           part(stripes_[0]) += part(stripes_[s]);
                   });
    OneClassLosses::Sum training{0.0, trained_};
    OneClassLosses::Sum validation{0.0, set.rows - trained_};
    for (const Stripe& stripe : stripes_) {
        training.squared += stripe.training;
        validation.squared += stripe.validation;
    }
    return OneClassLosses::of(training, validation, rows_.nu);
}

namespace {

// Random stream of the validation draw; smaller numbers are the streams of the layers' weights.
constexpr std::uint64_t kHeldBackDraw = OneClassNetwork::kLayers;

} // namespace

std::vector<std::uint8_t> heldBackRows(std::size_t rows, double share, std::uint64_t seed) {
    std::vector<std::uint8_t> flags(rows, 0);
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(rows));
    const std::vector<std::uint32_t> order = Random::forItem(seed, kHeldBackDraw).order(rows);
    for (std::size_t i = 0; i < std::min(wanted, rows - 1); ++i)
        flags[order[i]] = 1;
    return flags;
}

OneClassModel trainOneClass(MatrixView set, const OneClassOptions& options, const ComputeContext& context) {
    const std::vector<std::uint8_t> held = heldBackRows(set.rows, options.heldBackShare, context.seed);
    OneClassModel model{OneClassNetwork(set.dim, context.seed),
                        options,
                        context.seed,
                        static_cast<std::size_t>(std::ranges::count(held, std::uint8_t{1})),
                        {}};
    // Losses in single precision depend on the order of their terms, and a hundred steps amplify that.
    const std::vector<float> ordered = gatherRows(set, contentOrder(set, {}, context.seed, context.threads));
    OneClassGradient gradient({{ordered.data(), set.rows, set.dim}, held, options.nu}, context.threads);
    AdamW adam(model.network.weights().size(), options.adam);
    for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
        const OneClassLosses losses =
            gradient.compute(model.network.weights(), context.job.step(epoch, options.epochs));
        if (!std::isfinite(losses.training))
            throw Error(ErrorKind::BadInput, "the one-class network, epoch " + std::to_string(epoch + 1) +
                                                 ": expected a finite loss, found " + std::to_string(losses.training) +
                                                 "; the values of the real set are too large for it");
        model.history.training.push_back(losses.training);
        if (model.heldBackRows > 0)
            model.history.validation.push_back(losses.validation);
        adam.step<float>(gradient.gradient(), model.network.weights());
    }
    return model;
}

} // namespace assay
