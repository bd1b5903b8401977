#include "engine/gpu/check/checks.h"

#include "engine/base/error.h"
#include "engine/gpu/check/check_set.h"
#include "engine/gpu/check/difference.h"
#include "engine/layout/neighbor_layout.h"
#include "engine/neighbors/backends/kdtree_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace assay::cuda {
namespace {

constexpr double kGramTolerance = 1e-12;

[[noreturn]] void declined() {
    throw Error(ErrorKind::NotEnoughMemory, "too little memory is free for it");
}

// More rows than one slice and more columns than one tile, neither a multiple of it.
std::string gramDifference(const DeviceAccelerator& accelerator) {
    CheckSet set = CheckSet::bellShaped(600, 70, 5);
    for (float& value : set.values)
        value += 1000.0F; // single precision would lose most digits
    const std::vector<double> mean(set.dim, 500.0);
    const std::vector<double> scale(set.rows, 0.5);
    const auto product = accelerator.gram(set.view(), mean, scale, {});
    if (!product)
        declined();
    DoubleMatrix expected(set.dim, set.dim);
    for (std::size_t r = 0; r < set.rows; ++r)
        for (std::size_t i = 0; i < set.dim; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const float* row = set.view().rowData(r);
                expected.at(i, j) += (static_cast<double>(row[i]) * scale[r] - mean[i]) *
                                     (static_cast<double>(row[j]) * scale[r] - mean[j]);
            }
    for (std::size_t i = 0; i < set.dim; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (!(std::abs(product->at(i, j) - expected.at(i, j)) <=
                  kGramTolerance * std::sqrt(expected.at(i, i) * expected.at(j, j))))
                return fmt::format("product of columns {} and {}", i, j) +
                       expectedText(expected.at(i, j), product->at(i, j));
    return {};
}

std::string layoutDifference(const DeviceAccelerator& accelerator) {
    const CheckSet set = CheckSet::bellShaped(300, 4, 8);
    const NeighborGraph graph = neighborGraph(KdTreeSearch(1).selfNeighbors(set.view(), 15, {}), 1);
    std::vector<LayoutPosition> start;
    for (std::size_t r = 0; r < set.rows; ++r) {
        const float* row = set.view().rowData(r);
        start.push_back({{10.0F * row[0], 10.0F * row[1], 10.0F * row[2], 0.0F}});
    }
    const LayoutPlan plan{20, 9};
    const auto found = accelerator.layout(graph, start, plan, {});
    if (!found)
        declined();
    const std::vector<LayoutPosition> expected = layoutOnCpu(graph, start, plan, 1, {});
    for (std::size_t row = 0; row < set.rows; ++row)
        for (std::size_t c = 0; c < 3; ++c)
            if ((*found)[row].at[c] != expected[row].at[c])
                return fmt::format("layout, coordinate {} of row {}", c + 1, row) +
                       expectedText(static_cast<double>(expected[row].at[c]), static_cast<double>((*found)[row].at[c]));
    return {};
}

} // namespace

std::string denseDifference(const DeviceAccelerator& accelerator) {
    for (auto* check : {gramDifference, layoutDifference})
        if (std::string fault = check(accelerator); !fault.empty())
            return fault;
    return {};
}

} // namespace assay::cuda
