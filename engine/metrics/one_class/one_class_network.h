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

/// phi of the one-class embedding: d -> 200 -> 200 -> d, without biases, ReLU after the two hidden layers.
/// Source: Alaa et al., ICML 2022, after Ruff et al., Deep One-Class Classification, ICML 2018.
class OneClassNetwork {
public:
    static constexpr std::size_t kHidden = 200;
    static constexpr std::size_t kLayers = 3;

    /// Weights even in +-1/sqrt(fan-in).
    /// @param dim at least 1
    OneClassNetwork(std::size_t dim, std::uint64_t seed);
    /// @param weights of layer 0, 1, 2, each row-major outputs x inputs
    /// @throws Error{InvalidArgument} when their number does not fit
    OneClassNetwork(std::size_t dim, std::vector<float> weights);

    std::size_t dim() const noexcept { return dim_; }
    std::size_t inputs(std::size_t layer) const noexcept { return layer == 0 ? dim_ : kHidden; }
    std::size_t outputs(std::size_t layer) const noexcept { return layer + 1 == kLayers ? dim_ : kHidden; }
    /// Where the weights of a layer begin among all.
    std::size_t offset(std::size_t layer) const noexcept;
    static std::size_t weightCount(std::size_t dim) noexcept { return kHidden * (2 * dim + kHidden); }

    std::span<const float> weights() const noexcept { return weights_; }
    std::span<float> weights() noexcept { return weights_; }
    const float* layer(std::size_t layer) const noexcept { return weights_.data() + offset(layer); }

    /// phi of every row: rows x d. Equal rows have equal images, to the last bit, whatever rows are embedded with them
    /// and by however many threads.
    /// @param set rows x d
    /// @param threads 0 for every core
    /// @throws Error{InvalidArgument} when the dimension differs, Cancelled
    std::vector<float> embed(MatrixView set, unsigned threads, const JobContext& job) const;

private:
    std::size_t dim_;
    std::vector<float> weights_;
};

/// What a one-class network is trained on.
struct OneClassRows {
    MatrixView set;                         ///< N x d, N >= 1
    std::span<const std::uint8_t> heldBack; ///< one flag per row: rows that only the validation loss is of; at least
                                            ///< one is not
    double nu;                              ///< the loss is divided by it, > 0
};

/// Of one network over all rows.
struct OneClassLosses {
    double training;   ///< mean over the rows trained on of max(0, |phi(x) - c|^2), divided by nu
    double validation; ///< the same over the rows held back; not a number where there are none

    /// |phi(x) - c|^2 summed over some rows.
    struct Sum {
        double squared = 0.0;
        std::size_t rows = 0;
    };
    static OneClassLosses of(const Sum& trained, const Sum& heldBack, double nu) {
        const auto mean = [&](const Sum& sum) { return sum.squared / static_cast<double>(sum.rows) / nu; };
        return {mean(trained), heldBack.rows == 0 ? std::numeric_limits<double>::quiet_NaN() : mean(heldBack)};
    }
};

/// Losses and gradients by something else than the CPU (OneClassAccelerator::oneClass).
class OneClassDescent {
public:
    virtual ~OneClassDescent() = default;

    /// Both losses, and the gradient of the first by every weight.
    /// @param weights as OneClassNetwork::weights()
    /// @throws Error{DeviceFailed}, Cancelled
    virtual OneClassLosses compute(std::span<const float> weights, const JobContext& job) = 0;

    /// Of the last computation, in the order of the weights.
    virtual std::span<const float> gradient() const noexcept = 0;
};

/// Loss and gradient over a whole set, a chunk of rows at a time: memory stays bounded, and the sums are the same
/// whatever the number of threads.
class OneClassGradient {
public:
    /// @param set N x d, N >= 1; kept by reference
    /// @param heldBack one flag per row: rows that only the validation loss is of; at least one is not
    /// @param nu the loss is divided by it, > 0
    OneClassGradient(MatrixView set, std::vector<std::uint8_t> heldBack, double nu);

    using Losses = OneClassLosses;

    /// Both losses, and the gradient of the first by every weight.
    /// @throws Cancelled
    Losses compute(const OneClassNetwork& network, unsigned threads, const JobContext& job);

    /// Of the last computation, in the order of OneClassNetwork::weights().
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
    std::vector<std::vector<float>> stripes_; ///< gradients of consecutive chunks
};

} // namespace assay
