#pragma once

#include "tests/support/matrices.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace assay::test {

/// Two sets of one kind that the exactness contract speaks of.
struct SearchCase {
    std::string name;
    std::function<Matrix()> a, b;
    std::size_t k; ///< below the rows of a
};
const std::vector<SearchCase>& searchCases();

/// Radii no larger than the given ones, about half of them equal: the clipped balls of an audit.
std::vector<double> clippedAtMedian(std::vector<double> radii);

} // namespace assay::test
