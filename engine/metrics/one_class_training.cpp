#include "engine/metrics/one_class_training.h"

#include "engine/demo/random.h"
#include "engine/job/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace assay {
namespace {

// Beside those of the layers' weights.
constexpr std::uint64_t kHeldBackDraw = OneClassNetwork::kLayers;

} // namespace

AdamW::AdamW(std::size_t weights, Options options) : options_(options), mean_(weights), square_(weights) {}

void AdamW::step(std::span<const float> gradient, std::span<float> weights) {
    ++steps_;
    const auto steps = static_cast<double>(steps_);
    const double keep = 1.0 - options_.learningRate * options_.weightDecay;
    const double rate = options_.learningRate / (1.0 - std::pow(options_.beta1, steps));
    const double correction = 1.0 / std::sqrt(1.0 - std::pow(options_.beta2, steps));
    for (std::size_t w = 0; w < weights.size(); ++w) {
        const auto g = static_cast<double>(gradient[w]);
        mean_[w] = options_.beta1 * mean_[w] + (1.0 - options_.beta1) * g;
        square_[w] = options_.beta2 * square_[w] + (1.0 - options_.beta2) * g * g;
        const double scale = std::sqrt(square_[w]) * correction + options_.epsilon;
        weights[w] = static_cast<float>(static_cast<double>(weights[w]) * keep - rate * mean_[w] / scale);
    }
}

std::vector<std::uint8_t> heldBackRows(std::size_t rows, double share, std::uint64_t seed) {
    std::vector<std::uint8_t> flags(rows, 0);
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(rows));
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    demo::Random random = demo::Random::forItem(seed, kHeldBackDraw);
    random.shuffle(order);
    for (std::size_t i = 0; i < std::min(wanted, rows - 1); ++i)
        flags[order[i]] = 1;
    return flags;
}

OneClassModel trainOneClass(MatrixView set, const OneClassOptions& options, std::uint64_t seed, unsigned threads,
                            const JobContext& job) {
    std::vector<std::uint8_t> held = heldBackRows(set.rows, options.heldBackShare, seed);
    OneClassModel model{OneClassNetwork(set.dim, seed),
                        options,
                        seed,
                        static_cast<std::size_t>(std::count(held.begin(), held.end(), 1)),
                        {}};
    OneClassGradient gradient(set, std::move(held), options.nu);
    AdamW adam(model.network.weights().size(), options.adam);
    for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
        const auto at = [&](std::size_t e) { return static_cast<double>(e) / static_cast<double>(options.epochs); };
        const auto losses = gradient.compute(model.network, threads, job.part({}, at(epoch), at(epoch + 1)));
        if (!std::isfinite(losses.training))
            throw Error(ErrorKind::BadInput, "the one-class network, epoch " + std::to_string(epoch + 1) +
                                                 ": expected a finite loss, found " + std::to_string(losses.training) +
                                                 "; the values of the real set are too large for it");
        model.history.training.push_back(losses.training);
        if (model.heldBackRows > 0)
            model.history.validation.push_back(losses.validation);
        adam.step(gradient.gradient(), model.network.weights());
    }
    return model;
}

} // namespace assay
