#include "engine/metrics/one_class/one_class_training.h"

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/metrics/one_class/one_class_accelerator.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace assay {
namespace {

// Random stream of the validation draw; smaller numbers are the streams of the layers' weights.
constexpr std::uint64_t kHeldBackDraw = OneClassNetwork::kLayers;

struct Step {
    OneClassLosses losses;
    std::span<const float> gradient;
};

/// Runs all epochs of a training.
/// @param compute returns the losses and the gradient for the current network
template <typename Compute>
void descend(OneClassModel& model, const JobContext& job, const Compute& compute) {
    const std::size_t epochs = model.options.epochs;
    AdamW adam(model.network.weights().size(), model.options.adam);
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const auto at = [&](std::size_t e) { return static_cast<double>(e) / static_cast<double>(epochs); };
        const Step step = compute(job.part({}, at(epoch), at(epoch + 1)));
        const OneClassLosses& losses = step.losses;
        if (!std::isfinite(losses.training))
            throw Error(ErrorKind::BadInput, "the one-class network, epoch " + std::to_string(epoch + 1) +
                                                 ": expected a finite loss, found " + std::to_string(losses.training) +
                                                 "; the values of the real set are too large for it");
        model.history.training.push_back(losses.training);
        if (model.heldBackRows > 0)
            model.history.validation.push_back(losses.validation);
        adam.step<float>(step.gradient, model.network.weights());
    }
}

} // namespace

std::vector<std::uint8_t> heldBackRows(std::size_t rows, double share, std::uint64_t seed) {
    std::vector<std::uint8_t> flags(rows, 0);
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(rows));
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random = Random::forItem(seed, kHeldBackDraw);
    random.shuffle(order);
    for (std::size_t i = 0; i < std::min(wanted, rows - 1); ++i)
        flags[order[i]] = 1;
    return flags;
}

OneClassModel trainOneClass(MatrixView set, const OneClassOptions& options, const ComputeContext& context) {
    std::vector<std::uint8_t> held = heldBackRows(set.rows, options.heldBackShare, context.seed);
    OneClassModel model{OneClassNetwork(set.dim, context.seed),
                        options,
                        context.seed,
                        static_cast<std::size_t>(std::count(held.begin(), held.end(), 1)),
                        {}};
    const auto* card = abilityOf<OneClassAccelerator>(context.accelerator);
    const auto onCard = card != nullptr ? card->oneClass({set, held, options.nu}) : nullptr;
    if (onCard) {
        descend(model, context.job.part(std::string(kOnTheCard), 0.0, 1.0), [&](const JobContext& epoch) {
            const OneClassLosses losses = onCard->compute(model.network.weights(), epoch);
            return Step{losses, onCard->gradient()};
        });
        return model;
    }
    OneClassGradient gradient(set, std::move(held), options.nu);
    descend(model, onTheCpu(context.job, card), [&](const JobContext& epoch) {
        const OneClassLosses losses = gradient.compute(model.network, context.threads, epoch);
        return Step{losses, gradient.gradient()};
    });
    return model;
}

} // namespace assay
