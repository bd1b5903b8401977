#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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
    const float* layer(std::size_t layer) const noexcept { return weights_.data() + offset(layer); }

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

/// Interface that computes losses and gradients outside the CPU (OneClassAccelerator::oneClass()).
class OneClassDescent {
public:
    virtual ~OneClassDescent() = default;

    /// Computes both losses, and the gradient of the training loss with respect to every weight.
    /// @param weights in the order of OneClassNetwork::weights()
    /// @throws Error{DeviceFailed}, Cancelled
    virtual OneClassLosses compute(std::span<const float> weights, const JobContext& job) = 0;

    /// Gradient of the last compute(), in the order of the weights.
    virtual std::span<const float> gradient() const noexcept = 0;
};

/// Computes losses and gradient over a whole set, one chunk of rows at a time, so that memory is bounded. Results do
/// not depend on the number of threads.
class OneClassGradient {
public:
    /// @param set N x d, N >= 1; kept by reference
    /// @param heldBack one flag per row: 1 for validation rows; at least one is 0
    /// @param nu > 0; the loss is divided by it
    OneClassGradient(MatrixView set, std::vector<std::uint8_t> heldBack, double nu);

    using Losses = OneClassLosses;

    /// Computes both losses, and the gradient of the training loss with respect to every weight.
    /// @param threads 0: all cores
    /// @throws Cancelled
    Losses compute(const OneClassNetwork& network, unsigned threads, const JobContext& job);

    /// Gradient of the last compute(), in the order of OneClassNetwork::weights().
    std::span<const float> gradient() const noexcept { return stripes_.front(); }

private:
    struct Sums {
        double training = 0.0;
        double validation = 0.0;
    };
    class Pass;

    MatrixView set_;
    std::vector<std::uint8_t> heldBack_;
    double nu_;
    std::size_t trained_;
    std::size_t chunk_;
    std::vector<std::vector<float>> stripes_; ///< partial gradients, each over consecutive chunks
};

} // namespace assay
