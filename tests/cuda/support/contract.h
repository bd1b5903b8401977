#pragma once

#include "engine/knn/neighbor_search.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace assay::cuda::test {

/// A matrix that owns its values.
struct Matrix {
    std::vector<float> values;
    std::size_t rows = 0;
    std::size_t dim = 0;

    MatrixView view() const { return {values.data(), rows, dim}; }
};

Matrix gaussian(std::size_t rows, std::size_t dim, unsigned seed);
/// Whole numbers in [0, levels): full of exact ties and duplicates.
Matrix grid(std::size_t rows, std::size_t dim, unsigned seed, unsigned levels);
/// Every row of `base` repeated, row r of the result being row r mod base.rows.
Matrix repeated(const Matrix& base, std::size_t rows);
Matrix scaled(Matrix matrix, float factor);
Matrix shifted(Matrix matrix, float offset);

/// Sets of every kind that the exactness contract speaks of (as in tests/engine/knn_contract_test.cpp).
struct ContractCase {
    std::string name;
    std::function<Matrix()> a, b;
    std::size_t k;
};
const std::vector<ContractCase>& contractCases();

/// What a direct double-precision search returns.
NeighborTable directNeighbors(MatrixView base, MatrixView queries, std::size_t k, bool sameSet);
CrossResult directCross(const CrossQuery& query);

using MakeContractSearch = std::function<std::unique_ptr<NeighborSearch>()>;

/// Compares a backend with the direct search in every case, both kinds of search; failures are counted (check.h).
/// @param mostRows of each set, where the backend is slow
void checkContract(const MakeContractSearch& make, std::size_t mostRows = ~std::size_t{0});
/// Shapes, ties and scales drawn at random.
void checkRandomised(const MakeContractSearch& make, unsigned seed, int rounds);
/// Balls from none to all points, refusals, empty sets, counts without neighbours.
void checkBallsAndRefusals(const MakeContractSearch& make);

} // namespace assay::cuda::test
