#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// AdamW optimiser (Loshchilov and Hutter 2019): Adam with weight decay that is separate from the gradient. With a
/// decay of 0 it is Adam (Kingma and Ba 2015).
class AdamW {
public:
    struct Options {
        double learningRate = 1e-3;
        double weightDecay = 1e-2;
        double beta1 = 0.9;
        double beta2 = 0.999;
        double epsilon = 1e-8;
    };

    AdamW(std::size_t weights, const Options& options) : options_(options), mean_(weights), square_(weights) {}

    /// Performs one step: w (1 - lr wd) - lr m / (sqrt(v) + eps), with m and v the bias-corrected moving means of g and
    /// g^2, in double precision.
    /// @param gradient one value per weight
    template <typename Value>
    void step(std::span<const Value> gradient, std::span<Value> weights) {
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
            weights[w] = static_cast<Value>(static_cast<double>(weights[w]) * keep - rate * mean_[w] / scale);
        }
    }

private:
    Options options_;
    std::size_t steps_ = 0;
    std::vector<double> mean_, square_;
};

} // namespace assay
