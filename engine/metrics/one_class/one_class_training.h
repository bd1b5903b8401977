#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/adam_w.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/one_class/one_class_network.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Training options of the one-class network; for the defaults see docs/metrics.md.
struct OneClassOptions {
    std::size_t epochs = 100; ///< number of epochs; each is one step over the full batch
    AdamW::Options adam = {};
    double nu = 0.01;           ///< > 0; the loss is divided by it
    double heldBackShare = 0.1; ///< share of the real rows used for validation only, rounded down
};

/// Losses per epoch, each computed before the epoch's step.
struct OneClassHistory {
    std::vector<double> training;
    std::vector<double> validation; ///< empty if there are no validation rows
};

/// A trained one-class network, its options and its training history.
struct OneClassModel {
    OneClassNetwork network;
    OneClassOptions options;
    std::uint64_t seed = 0;
    std::size_t heldBackRows = 0;
    OneClassHistory history;
};

/// The one-class embedding of the real set. Trained once, shared by every model.
struct RealOneClass {
    OneClassModel model;
    RealCentre centre;               ///< about c = (1, .., 1)
    std::vector<double> nearestReal; ///< NNDr_1 among the embedded real samples, N
};

/// Selects the validation rows: a seeded draw of `share` of the rows, rounded down, never all rows.
/// @return one flag per row, 1 for validation rows
std::vector<std::uint8_t> heldBackRows(std::size_t rows, double share, std::uint64_t seed);

/// Trains phi on a set to minimise mean(max(0, |phi(x) - c|^2)) / nu, c = (1, .., 1). On one kind of processor the
/// result is equal on every run, for any number of threads and any order of the rows. The validation rows are drawn
/// from the rows in the order of their contents (contentOrder()).
/// @param set N x d, N >= 1
/// @throws Error{BadInput} when the loss overflows because the values are too large for single precision;
///         Cancelled
OneClassModel trainOneClass(MatrixView set, const OneClassOptions& options, const ComputeContext& context);

} // namespace assay
