#include "tests/cuda/support/plain_network.h"

#include <algorithm>

namespace assay::cuda::test {
namespace {

constexpr std::size_t kHidden = OneClassNetwork::kHidden;
using Values = std::vector<double>;

struct PlainLayer {
    std::span<const float> weights; ///< outputs x inputs
    double* gradient;
    std::size_t inputs;

    Values apply(const Values& in) const {
        Values out(weights.size() / inputs, 0.0);
        for (std::size_t w = 0; w < weights.size(); ++w)
            out[w / inputs] += static_cast<double>(weights[w]) * in[w % inputs];
        return out;
    }
    /// Adds to the gradient. @return the derivatives by the inputs, which are outputs of a ReLU
    Values back(const Values& delta, const Values& in) const {
        Values inner(inputs, 0.0);
        for (std::size_t w = 0; w < weights.size(); ++w) {
            const std::size_t i = w % inputs;
            gradient[w] += delta[w / inputs] * in[i];
            inner[i] += in[i] > 0.0 ? delta[w / inputs] * static_cast<double>(weights[w]) : 0.0;
        }
        return inner;
    }
};

Values rectified(Values values) {
    for (double& value : values)
        value = std::max(value, 0.0);
    return values;
}

} // namespace

PlainDescent plainDescent(const OneClassRows& rows, std::span<const float> weights) {
    const std::size_t dim = rows.set.dim;
    PlainDescent result{{}, Values(weights.size(), 0.0)};
    double* gradient = result.gradient.data();
    const std::size_t second = kHidden * dim;
    const std::size_t third = second + kHidden * kHidden;
    const PlainLayer layers[] = {{weights.subspan(0, second), gradient, dim},
                                 {weights.subspan(second, third - second), gradient + second, kHidden},
                                 {weights.subspan(third), gradient + third, kHidden}};
    OneClassLosses::Sum trained;
    OneClassLosses::Sum heldBack;
    trained.rows = static_cast<std::size_t>(std::count(rows.heldBack.begin(), rows.heldBack.end(), 0));
    heldBack.rows = rows.set.rows - trained.rows;
    for (std::size_t r = 0; r < rows.set.rows; ++r) {
        const Values input(rows.set.rowData(r), rows.set.rowData(r) + dim);
        const Values first = rectified(layers[0].apply(input));
        const Values hidden = rectified(layers[1].apply(first));
        Values delta = layers[2].apply(hidden);
        for (double& value : delta) {
            value -= 1.0;
            (rows.heldBack[r] != 0 ? heldBack : trained).squared += value * value;
            value *= 2.0 / (static_cast<double>(trained.rows) * rows.nu);
        }
        if (rows.heldBack[r] == 0)
            layers[0].back(layers[1].back(layers[2].back(delta, hidden), first), input);
    }
    result.losses = OneClassLosses::of(trained, heldBack, rows.nu);
    return result;
}

} // namespace assay::cuda::test
