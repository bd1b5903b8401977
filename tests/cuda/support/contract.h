#pragma once

#include "tests/support/direct_search.h"
#include "tests/support/search_cases.h"

#include <functional>
#include <memory>

namespace assay::cuda::test {

using assay::test::directBetween;
using assay::test::directNeighbors;
using assay::test::gaussian;
using assay::test::grid;
using assay::test::Matrix;
using assay::test::repeated;
using assay::test::scaled;
using assay::test::shifted;

using MakeContractSearch = std::function<std::unique_ptr<NeighborSearch>()>;

/// Compares a backend with the direct search in every case, both kinds of search; failures are counted (check.h).
/// @param mostRows of each set, where the backend is slow
void checkContract(const MakeContractSearch& make, std::size_t mostRows = ~std::size_t{0});
/// Shapes, ties and scales drawn at random.
void checkRandomised(const MakeContractSearch& make, unsigned seed, int rounds);
/// Balls from none to all points, refusals, empty sets, counts without neighbours.
void checkBallsAndRefusals(const MakeContractSearch& make);

} // namespace assay::cuda::test
