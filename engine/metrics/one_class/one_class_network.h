#pragma once

#include "engine/base/compute_context.h"
#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/adam_w.h"
#include "engine/metrics/one_class/alpha_beta.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace assay {

/// The network phi of the one-class embedding: d -> 200 -> 200 -> d, without biases, with ReLU after the two hidden
/// layers. Source: Alaa et al., ICML 2022, after Ruff et al., Deep One-Class Classification, ICML 2018.
class OneClassNetwork {
public:
    static constexpr std::size_t kHidden = 200;
    static constexpr std::size_t kLayers = 3;

    /// Draws the weights uniformly from +-1/sqrt(fan-in).
    /// @param dim d, at least 1
    OneClassNetwork(std::size_t dim, std::uint64_t seed);
    /// @param weights weights of layers 0, 1, 2, each row-major outputs x inputs
    /// @throws Error{InvalidArgument} if their number is not weightCount(dim)
    OneClassNetwork(std::size_t dim, std::vector<float> weights);

    std::size_t dim() const noexcept { return dim_; }
    std::size_t inputs(std::size_t layer) const noexcept { return layer == 0 ? dim_ : kHidden; }
    std::size_t outputs(std::size_t layer) const noexcept { return layer + 1 == kLayers ? dim_ : kHidden; }
    /// Index of a layer's first weight among all weights.
    std::size_t offset(std::size_t layer) const noexcept;
    /// Number of weights of all layers.
    static std::size_t weightCount(std::size_t dim) noexcept { return kHidden * (2 * dim + kHidden); }

    std::span<const float> weights() const noexcept { return weights_; }
    std::span<float> weights() noexcept { return weights_; }

    /// Applies phi to every row. Equal rows have equal images, to the last bit, whatever other rows are in the set and
    /// for any number of threads.
    /// @param set rows x d
    /// @param threads 0: all cores
    /// @return rows x d values, row-major
    /// @throws Error{InvalidArgument} when the dimension differs, Cancelled
    std::vector<float> embed(MatrixView set, unsigned threads, const JobContext& job) const;

private:
    std::size_t dim_;
    std::vector<float> weights_;
};

/// Training data of a one-class network.
struct OneClassRows {
    MatrixView set; ///< N x d, N >= 1
    /// One flag per row: 1 for validation rows, which are not trained on; at least one is 0.
    std::span<const std::uint8_t> heldBack;
    double nu; ///< > 0; the loss is divided by it
};

/// Losses of one network over all rows.
struct OneClassLosses {
    double training;   ///< mean over the training rows of max(0, |phi(x) - c|^2), divided by nu
    double validation; ///< the same mean over the validation rows; NaN if there are none

    /// Sum of |phi(x) - c|^2 over some rows.
    struct Sum {
        double squared = 0.0;
        std::size_t rows = 0;
    };
    static OneClassLosses of(const Sum& trained, const Sum& heldBack, double nu) {
        const auto mean = [&](const Sum& sum) { return sum.squared / static_cast<double>(sum.rows) / nu; };
        return {mean(trained), heldBack.rows == 0 ? std::numeric_limits<double>::quiet_NaN() : mean(heldBack)};
    }
};

/// Computes losses and gradients of one-class networks over a set, one chunk of rows at a time, so that memory is
/// bounded. Results do not depend on the number of threads.
class OneClassGradient {
public:
    /// @param rows kept by reference
    /// @param threads 0: all cores
    OneClassGradient(const OneClassRows& rows, unsigned threads);

    /// Computes both losses, and the gradient of the training loss with respect to every weight.
    /// @param weights in the order of OneClassNetwork::weights()
    /// @throws Cancelled
    OneClassLosses compute(std::span<const float> weights, const JobContext& job);
    /// Gradient of the last compute(), in the order of the weights.
    std::span<const float> gradient() const noexcept { return stripes_.front().gradient; }

private:
    /// Consecutive chunks: their gradient, and the undivided losses.
    struct Stripe {
        std::vector<float> gradient;
        double training = 0.0;
        double validation = 0.0;
    };
    class Pass;

    OneClassRows rows_;
    unsigned threads_;
    std::size_t trained_;
    std::size_t chunk_;
    std::vector<Stripe> stripes_;
};

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
