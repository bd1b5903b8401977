#pragma once

#include "engine/base/compute_context.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/one_class/one_class_network.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

class Accelerator;

/// AdamW (Loshchilov and Hutter 2019): Adam with the weights' decay apart from the gradient.
class AdamW {
public:
    struct Options {
        double learningRate = 1e-3;
        double weightDecay = 1e-2;
        double beta1 = 0.9;
        double beta2 = 0.999;
        double epsilon = 1e-8;
    };

    AdamW(std::size_t weights, Options options);

    /// One step: w (1 - lr wd) - lr m / (sqrt(v) + eps), with m and v the corrected moving means of g and g^2.
    /// @param gradient as many as weights
    void step(std::span<const float> gradient, std::span<float> weights);

private:
    Options options_;
    std::size_t steps_ = 0;
    std::vector<double> mean_, square_;
};

/// How the one-class network is trained; the defaults are those of docs/metrics.md.
struct OneClassOptions {
    std::size_t epochs = 100; ///< each one step over the full batch
    AdamW::Options adam = {};
    double nu = 0.01;           ///< the loss is divided by it
    double heldBackShare = 0.1; ///< of the real rows, rounded down: for the validation loss alone
};

/// Losses by epoch, each before the epoch's step.
struct OneClassHistory {
    std::vector<double> training;
    std::vector<double> validation; ///< empty where no row is held back
};

/// A trained one-class network and how it came to be.
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

/// Which rows are held back: a seeded draw of `share` of them, rounded down, never all.
/// @return one flag per row
std::vector<std::uint8_t> heldBackRows(std::size_t rows, double share, std::uint64_t seed);

/// Trains phi on a set so that mean(max(0, |phi(x) - c|^2)) / nu is least, c = (1, .., 1). The same on every run and
/// for any number of threads, on one kind of processor, and likewise on an accelerator.
/// @param set N x d, N >= 1
/// @param context its accelerator computes losses and gradients, where it does not decline
/// @throws Error{BadInput} when the loss overflows: the values are too large for single precision;
///         Error{DeviceFailed}; Cancelled
OneClassModel trainOneClass(MatrixView set, const OneClassOptions& options, const ComputeContext& context);

} // namespace assay
