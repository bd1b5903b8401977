#include "engine/metrics/one_class/one_class_training.h"

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/tables/compared_rows.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace assay {
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
