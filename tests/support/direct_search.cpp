#include "tests/support/direct_search.h"

#include "tests/support/plain_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::test {
namespace {

double directDistance(MatrixView a, std::size_t i, MatrixView b, std::size_t j) {
    return std::sqrt(plainSquaredDistance(a.rowData(i), b.rowData(j), a.dim));
}

} // namespace

NeighborTable directNeighbors(MatrixView base, MatrixView queries, std::size_t k, bool sameSet) {
    NeighborTable table;
    table.k = k;
    std::vector<std::pair<double, std::uint32_t>> all; // by distance, then by row
    for (std::size_t q = 0; k > 0 && q < queries.rows; ++q) {
        all.clear();
        for (std::size_t b = 0; b < base.rows; ++b)
            if (!sameSet || b != q)
                all.emplace_back(directDistance(queries, q, base, b), static_cast<std::uint32_t>(b));
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), all.end());
        for (std::size_t rank = 0; rank < k; ++rank) {
            table.index.push_back(all[rank].second);
            table.distance.push_back(all[rank].first);
        }
    }
    return table;
}

PassResult directBetween(const SideQuery& a, const SideQuery& b) {
    PassResult result;
    result.a.nearest = directNeighbors(b.rows, a.rows, a.k, false);
    result.b.nearest = directNeighbors(a.rows, b.rows, b.k, false);
    const auto count = [](std::span<const double> radius, MatrixView centres, MatrixView points,
                          std::vector<std::uint32_t>& inside, std::vector<std::uint32_t>& holding) {
        if (radius.empty())
            return;
        inside.assign(centres.rows, 0);
        holding.assign(points.rows, 0);
        for (std::size_t c = 0; c < centres.rows; ++c)
            for (std::size_t p = 0; p < points.rows; ++p)
                if (directDistance(centres, c, points, p) <= radius[c]) {
                    ++inside[c];
                    ++holding[p];
                }
    };
    count(a.radius, a.rows, b.rows, result.a.inside, result.b.holding);
    count(a.innerRadius, a.rows, b.rows, result.a.insideInner, result.b.innerHolding);
    count(b.radius, b.rows, a.rows, result.b.inside, result.a.holding);
    count(b.innerRadius, b.rows, a.rows, result.b.insideInner, result.a.innerHolding);
    return result;
}

} // namespace assay::test
