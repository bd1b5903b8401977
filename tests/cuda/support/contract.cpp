#include "tests/cuda/support/contract.h"

#include "engine/base/error.h"
#include "tests/cuda/support/check.h"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace assay::cuda::test {
namespace {

Matrix firstRows(Matrix matrix, std::size_t rows) {
    matrix.rows = std::min(matrix.rows, rows);
    matrix.values.resize(matrix.rows * matrix.dim);
    return matrix;
}

bool refuses(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.kind() == ErrorKind::InvalidArgument;
    }
    return false;
}

void compare(const PassResult& found, const PassResult& expected, const std::string& about) {
    CHECK_ABOUT(found.a.nearest == expected.a.nearest, about);
    CHECK_ABOUT(found.b.nearest == expected.b.nearest, about);
    CHECK_ABOUT(found.a.inside == expected.a.inside, about);
    CHECK_ABOUT(found.a.insideInner == expected.a.insideInner, about);
    CHECK_ABOUT(found.b.holding == expected.b.holding, about);
    CHECK_ABOUT(found.b.innerHolding == expected.b.innerHolding, about);
    CHECK_ABOUT(found.b.inside == expected.b.inside, about);
    CHECK_ABOUT(found.a.holding == expected.a.holding, about);
}

} // namespace

void checkContract(const MakeContractSearch& make, std::size_t mostRows) {
    for (const assay::test::SearchCase& one : assay::test::searchCases()) {
        const Matrix a = firstRows(one.a(), mostRows);
        const Matrix b = firstRows(one.b(), mostRows);
        const std::size_t k = std::min(one.k, a.rows - 1);
        const NeighborTable found = make()->within(a.view(), k, {});
        CHECK_ABOUT(found == directNeighbors(a.view(), a.view(), k, true), one.name + ", within one set");
        const std::size_t ballK = std::min<std::size_t>(k, 5);
        const std::vector<double> radiusA = directNeighbors(a.view(), a.view(), ballK, true).distancesAt(ballK);
        const std::vector<double> radiusB = directNeighbors(b.view(), b.view(), ballK, true).distancesAt(ballK);
        const std::vector<double> inner = assay::test::clippedAtMedian(radiusA);
        const assay::test::Sides query{{a.view(), std::min(one.k, b.rows), radiusA, inner},
                                       {b.view(), std::min(one.k, a.rows), radiusB}};
        compare(make()->between(query.a, query.b, {}), directBetween(query.a, query.b), one.name);
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
        const assay::test::Sides query{{a.view(), k, radius, radius}, {b.view(), below(3) == 0 ? 0 : k}};
        compare(make()->between(query.a, query.b, {}), directBetween(query.a, query.b),
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
        const assay::test::Sides query{{a.view(), k, radius, inner}, {b.view(), k, radiusB}};
        compare(make()->between(query.a, query.b, {}), directBetween(query.a, query.b),
                "balls of every size, k " + std::to_string(k));
    }
    const std::vector<double> one(b.rows, 1.0);
    const assay::test::Sides ties{{b.view(), 0, one, one}, {b.view(), 0, one}};
    compare(make()->between(ties.a, ties.b, {}), directBetween(ties.a, ties.b), "distances exactly on the radius");

    const PassResult empty = make()->between({a.view(), 0, radius, radius}, {{nullptr, 0, 4}}, {});
    CHECK(empty.a.inside == std::vector<std::uint32_t>(a.rows, 0));
    CHECK(empty.b.holding.empty());
    const Matrix five = gaussian(5, 3, 1);
    const Matrix other = gaussian(5, 4, 1);
    const std::vector<double> four(4, 1.0);
    const auto search = make();
    CHECK(refuses([&] { search->within(five.view(), 5, {}); }));
    CHECK(refuses([&] { search->within(five.view(), 0, {}); }));
    CHECK(refuses([&] { search->within({}, 1, {}); }));
    CHECK(refuses([&] { search->between({five.view(), 6}, {five.view()}, {}); }));
    CHECK(refuses([&] { search->between({five.view(), 1}, {other.view(), 1}, {}); }));
    CHECK(refuses([&] { search->between({five.view(), 1, four}, {five.view(), 1}, {}); }));
}

} // namespace assay::cuda::test
