#pragma once

#include "engine/metrics/one_class/one_class_network.h"

#include <span>
#include <vector>

namespace assay::cuda::test {

/// Losses and gradient of a one-class network by the chain rule, in double precision, one row and one weight at a time.
struct PlainDescent {
    OneClassLosses losses;
    std::vector<double> gradient;
};
PlainDescent plainDescent(const OneClassRows& rows, std::span<const float> weights);

} // namespace assay::cuda::test
