#include "tests/cuda/support/contract.h"

#include "engine/job/error.h"
#include "engine/knn/kernels.h"
#include "tests/cuda/support/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace assay::cuda::test {
namespace {

double directDistance(MatrixView a, std::size_t i, MatrixView b, std::size_t j) {
    return std::sqrt(kGenericKernels.squaredDistance(a.rowData(i), b.rowData(j), a.dim));
}

Matrix withConstantColumn(Matrix matrix, std::size_t column, float value) {
    for (std::size_t r = 0; r < matrix.rows; ++r)
        matrix.values[r * matrix.dim + column] = value;
    return matrix;
}

/// On a sphere about the first row, but for the last bit.
Matrix nearlyEqualDistances(std::size_t rows, unsigned seed) {
    Matrix matrix = gaussian(rows, 3, seed);
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = matrix.values.data() + r * 3;
        const float length = r == 0 ? 0.0F : 1.0F / std::hypot(row[0], row[1], row[2]);
        for (std::size_t c = 0; c < 3; ++c)
            row[c] *= length;
    }
    return matrix;
}

Matrix mixedMagnitudes(std::size_t rows, unsigned seed) {
    Matrix matrix = gaussian(rows, 6, seed);
    for (std::size_t i = 0; i < matrix.values.size(); ++i)
        matrix.values[i] *= std::pow(10.0F, static_cast<float>(i % 6) * 2.0F - 6.0F);
    return matrix;
}

Matrix withOutlier(Matrix matrix) {
    matrix.values[5] = 1e6F;
    return matrix;
}

Matrix firstRows(Matrix matrix, std::size_t rows) {
    matrix.rows = std::min(matrix.rows, rows);
    matrix.values.resize(matrix.rows * matrix.dim);
    return matrix;
}

/// Radii no larger than the given ones, about half of them equal: the clipped balls of an audit.
std::vector<double> clippedAtMedian(std::vector<double> radii) {
    std::vector<double> sorted = radii;
    std::sort(sorted.begin(), sorted.end());
    for (double& radius : radii)
        radius = std::min(radius, sorted[sorted.size() / 2]);
    return radii;
}

bool refuses(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::InvalidArgument;
    }
    return false;
}

void compare(const CrossResult& found, const CrossResult& expected, const std::string& about) {
    CHECK_ABOUT(found.aToB == expected.aToB, about);
    CHECK_ABOUT(found.bToA == expected.bToA, about);
    CHECK_ABOUT(found.insideBallA == expected.insideBallA, about);
    CHECK_ABOUT(found.insideInnerBallA == expected.insideInnerBallA, about);
    CHECK_ABOUT(found.ballsAHolding == expected.ballsAHolding, about);
    CHECK_ABOUT(found.innerBallsAHolding == expected.innerBallsAHolding, about);
    CHECK_ABOUT(found.insideBallB == expected.insideBallB, about);
    CHECK_ABOUT(found.ballsBHolding == expected.ballsBHolding, about);
}

} // namespace

Matrix gaussian(std::size_t rows, std::size_t dim, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Matrix matrix{std::vector<float>(rows * dim), rows, dim};
    std::generate(matrix.values.begin(), matrix.values.end(), [&] { return normal(random); });
    return matrix;
}

Matrix grid(std::size_t rows, std::size_t dim, unsigned seed, unsigned levels) {
    std::mt19937 random(seed);
    Matrix matrix{std::vector<float>(rows * dim), rows, dim};
    std::generate(matrix.values.begin(), matrix.values.end(), [&] { return static_cast<float>(random() % levels); });
    return matrix;
}

Matrix repeated(const Matrix& base, std::size_t rows) {
    Matrix matrix{{}, rows, base.dim};
    for (std::size_t r = 0; r < rows; ++r) {
        const auto row = base.view().row(r % base.rows);
        matrix.values.insert(matrix.values.end(), row.begin(), row.end());
    }
    return matrix;
}

Matrix scaled(Matrix matrix, float factor) {
    for (float& v : matrix.values)
        v *= factor;
    return matrix;
}

Matrix shifted(Matrix matrix, float offset) {
    for (float& v : matrix.values)
        v += offset;
    return matrix;
}

const std::vector<ContractCase>& contractCases() {
    static const std::vector<ContractCase> all{
        {"independent, 16 dimensions", [] { return gaussian(700, 16, 1); }, [] { return gaussian(900, 16, 2); }, 7},
        {"several tiles, 40 dimensions", [] { return gaussian(1300, 40, 3); }, [] { return gaussian(1100, 40, 4); },
         33},
        {"odd dimension 133", [] { return gaussian(300, 133, 5); }, [] { return gaussian(310, 133, 6); }, 5},
        {"one dimension", [] { return gaussian(600, 1, 7); }, [] { return gaussian(500, 1, 8); }, 9},
        {"one dimension, ties", [] { return grid(600, 1, 9, 50); }, [] { return grid(700, 1, 10, 50); }, 12},
        {"grid full of ties", [] { return grid(900, 3, 11, 4); }, [] { return grid(800, 3, 12, 4); }, 20},
        {"binary, 12 dimensions", [] { return grid(800, 12, 13, 2); }, [] { return grid(700, 12, 14, 2); }, 33},
        {"every row many times", [] { return repeated(gaussian(20, 8, 15), 800); },
         [] { return repeated(gaussian(25, 8, 15), 700); }, 32},
        {"all rows equal", [] { return repeated(gaussian(1, 5, 16), 700); },
         [] { return repeated(gaussian(1, 5, 16), 600); }, 10},
        {"copies of the real set", [] { return gaussian(600, 24, 17); }, [] { return gaussian(600, 24, 17); }, 6},
        {"k = N - 1", [] { return gaussian(70, 10, 18); }, [] { return gaussian(70, 10, 19); }, 69},
        {"k = N - 1 with ties", [] { return grid(150, 2, 20, 3); }, [] { return grid(150, 2, 21, 3); }, 149},
        {"two rows", [] { return gaussian(2, 4, 22); }, [] { return gaussian(2, 4, 23); }, 1},
        {"far from the origin", [] { return shifted(gaussian(600, 20, 24), 10000.0F); },
         [] { return shifted(gaussian(600, 20, 25), 10000.0F); }, 8},
        {"huge values", [] { return scaled(gaussian(600, 7, 26), 1e30F); },
         [] { return scaled(gaussian(500, 7, 27), 1e30F); }, 6},
        {"values whose sums overflow float", [] { return shifted(scaled(grid(900, 1, 40, 700), 1e35F), 2e38F); },
         [] { return shifted(scaled(grid(800, 1, 41, 700), 1e35F), 2e38F); }, 6},
        {"tiny values", [] { return scaled(gaussian(600, 7, 28), 1e-30F); },
         [] { return scaled(gaussian(500, 7, 29), 1e-30F); }, 6},
        {"values below the normal range", [] { return scaled(gaussian(400, 7, 28), 1e-40F); },
         [] { return scaled(gaussian(300, 7, 29), 1e-40F); }, 6},
        {"mixed magnitudes", [] { return mixedMagnitudes(600, 30); }, [] { return mixedMagnitudes(500, 31); }, 6},
        {"31 dimensions", [] { return gaussian(260, 31, 50); }, [] { return gaussian(250, 31, 51); }, 9},
        {"32 dimensions", [] { return gaussian(260, 32, 52); }, [] { return gaussian(250, 32, 53); }, 9},
        {"33 dimensions", [] { return gaussian(260, 33, 54); }, [] { return gaussian(250, 33, 55); }, 9},
        {"33 dimensions, ties", [] { return grid(260, 33, 58, 2); }, [] { return grid(250, 33, 59, 2); }, 40},
        {"a tile and one row", [] { return gaussian(257, 4, 62); }, [] { return gaussian(513, 4, 63); }, 64},
        {"k = N - 1 over several tiles", [] { return gaussian(600, 5, 64); }, [] { return gaussian(600, 5, 65); }, 599},
        {"clusters of equal rows", [] { return repeated(gaussian(5, 3, 67), 1000); },
         [] { return repeated(gaussian(7, 3, 67), 900); }, 40},
        {"one axis constant", [] { return withConstantColumn(gaussian(500, 3, 68), 1, 1e20F); },
         [] { return withConstantColumn(gaussian(400, 3, 69), 1, 1e20F); }, 12},
        {"one axis constant, others tiny beside it",
         [] { return withConstantColumn(scaled(gaussian(500, 3, 70), 1e-25F), 1, 1e20F); },
         [] { return withConstantColumn(scaled(gaussian(400, 3, 71), 1e-25F), 1, 1e20F); }, 12},
        {"distances equal but for the last bits", [] { return nearlyEqualDistances(700, 72); },
         [] { return nearlyEqualDistances(600, 73); }, 33},
        {"sets far apart", [] { return gaussian(300, 6, 74); }, [] { return shifted(gaussian(300, 6, 75), 3e4F); }, 20},
        {"one set tiny, the other huge", [] { return scaled(gaussian(300, 6, 76), 1e-35F); },
         [] { return scaled(gaussian(300, 6, 77), 1e35F); }, 20},
        {"nothing but zeros", [] { return scaled(gaussian(100, 2, 78), 0.0F); },
         [] { return scaled(gaussian(90, 2, 79), 0.0F); }, 70},
        {"one far outlier", [] { return withOutlier(gaussian(600, 10, 32)); }, [] { return gaussian(500, 10, 33); }, 6},
    };
    return all;
}

NeighborTable directNeighbors(MatrixView base, MatrixView queries, std::size_t k, bool sameSet) {
    NeighborTable table;
    table.k = k;
    std::vector<std::pair<double, std::uint32_t>> all; // by distance, then by row
    for (std::size_t q = 0; k > 0 && q < queries.rows; ++q) {
        all.clear();
        for (std::size_t b = 0; b < base.rows; ++b)
            if (!sameSet || b != q)
                all.emplace_back(directDistance(queries, q, base, b), static_cast<std::uint32_t>(b));
        std::sort(all.begin(), all.end());
        for (std::size_t rank = 0; rank < k; ++rank) {
            table.index.push_back(all[rank].second);
            table.distance.push_back(all[rank].first);
        }
    }
    return table;
}

CrossResult directCross(const CrossQuery& query) {
    CrossResult result;
    result.aToB = directNeighbors(query.b, query.a, query.kAToB, false);
    result.bToA = directNeighbors(query.a, query.b, query.kBToA, false);
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
    count(query.radiusA, query.a, query.b, result.insideBallA, result.ballsAHolding);
    count(query.innerRadiusA, query.a, query.b, result.insideInnerBallA, result.innerBallsAHolding);
    count(query.radiusB, query.b, query.a, result.insideBallB, result.ballsBHolding);
    return result;
}

void checkContract(const MakeContractSearch& make, std::size_t mostRows) {
    for (const ContractCase& one : contractCases()) {
        const Matrix a = firstRows(one.a(), mostRows);
        const Matrix b = firstRows(one.b(), mostRows);
        const std::size_t k = std::min(one.k, a.rows - 1);
        const NeighborTable found = make()->selfNeighbors(a.view(), k, {});
        CHECK_ABOUT(found == directNeighbors(a.view(), a.view(), k, true), one.name + ", within one set");
        const std::size_t ballK = std::min<std::size_t>(k, 5);
        const std::vector<double> radiusA = directNeighbors(a.view(), a.view(), ballK, true).distancesAt(ballK);
        const std::vector<double> radiusB = directNeighbors(b.view(), b.view(), ballK, true).distancesAt(ballK);
        const std::vector<double> inner = clippedAtMedian(radiusA);
        const CrossQuery query{a.view(), b.view(), std::min(one.k, b.rows), std::min(one.k, a.rows), radiusA,
                               inner,    radiusB};
        compare(make()->cross(query, {}), directCross(query), one.name);
    }
}

void checkRandomised(const MakeContractSearch& make, unsigned seed, int rounds) {
    std::mt19937 random(seed);
    for (int round = 0; round < rounds; ++round) {
        const auto below = [&](unsigned bound) { return static_cast<unsigned>(random()) % bound; };
        const std::size_t rowsA = 2 + below(700);
        const std::size_t rowsB = 2 + below(700);
        const std::size_t dim = 1 + below(70);
        const bool ties = below(2) == 0;
        const unsigned levels = 2 + below(5);
        const auto own = static_cast<unsigned>(random());
        const Matrix a = ties ? grid(rowsA, dim, own, levels) : gaussian(rowsA, dim, own);
        const Matrix b = ties ? grid(rowsB, dim, own + 1, levels) : gaussian(rowsB, dim, own + 1);
        const std::size_t k = 1 + below(static_cast<unsigned>(std::min(rowsA, rowsB)) - 1);
        const std::size_t ballK = std::min(k, rowsA - 1);
        const std::vector<double> radius = directNeighbors(a.view(), a.view(), ballK, true).distancesAt(ballK);
        const CrossQuery query{a.view(), b.view(), k, below(3) == 0 ? 0 : k, radius, radius, {}};
        compare(make()->cross(query, {}), directCross(query),
                "seed " + std::to_string(seed) + ", round " + std::to_string(round));
    }
}

void checkBallsAndRefusals(const MakeContractSearch& make) {
    // From none to all points in a ball, with neighbours that reach beyond some of the balls and not beyond others.
    const Matrix a = gaussian(300, 4, 80);
    const Matrix b = grid(330, 4, 81, 3);
    std::vector<double> radius(a.rows);
    std::vector<double> inner(a.rows);
    for (std::size_t i = 0; i < a.rows; ++i) {
        radius[i] = i % 7 == 0 ? 0.0 : 0.03 * static_cast<double>(i);
        inner[i] = i % 3 == 0 ? radius[i] : radius[i] / 2.0;
    }
    std::vector<double> radiusB(b.rows, std::numeric_limits<double>::infinity());
    radiusB[3] = 0.0;
    radiusB[4] = 1.0; // grid points lie on its surface
    radiusB[5] = -1.0;
    for (const std::size_t k : {std::size_t{0}, std::size_t{20}, a.rows}) {
        const CrossQuery query{a.view(), b.view(), k, k, radius, inner, radiusB};
        compare(make()->cross(query, {}), directCross(query), "balls of every size, k " + std::to_string(k));
    }
    const std::vector<double> one(b.rows, 1.0);
    const CrossQuery ties{b.view(), b.view(), 0, 0, one, one, one};
    compare(make()->cross(ties, {}), directCross(ties), "distances exactly on the radius");

    const CrossResult empty = make()->cross({a.view(), {nullptr, 0, 4}, 0, 0, radius, radius, {}}, {});
    CHECK(empty.insideBallA == std::vector<std::uint32_t>(a.rows, 0));
    CHECK(empty.ballsAHolding.empty());
    const Matrix five = gaussian(5, 3, 1);
    const Matrix other = gaussian(5, 4, 1);
    const std::vector<double> four(4, 1.0);
    const auto search = make();
    CHECK(refuses([&] { search->selfNeighbors(five.view(), 5, {}); }));
    CHECK(refuses([&] { search->selfNeighbors(five.view(), 0, {}); }));
    CHECK(refuses([&] { search->selfNeighbors({}, 1, {}); }));
    CHECK(refuses([&] { search->cross({five.view(), five.view(), 6, 0, {}, {}, {}}, {}); }));
    CHECK(refuses([&] { search->cross({five.view(), other.view(), 1, 1, {}, {}, {}}, {}); }));
    CHECK(refuses([&] { search->cross({five.view(), five.view(), 1, 1, four, {}, {}}, {}); }));
}

} // namespace assay::cuda::test
