#include "engine/neighbors/products/gemm_search.h"

#include "engine/neighbors/products/product_trial.h"
#include "engine/neighbors/products/tile_pass.h"
#include "engine/neighbors/products/tile_product.h"
#include "engine/neighbors/search/query_check.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace assay {
namespace {

/// For tests: dimensions of a contraction whether it pays or not.
std::size_t someDims(std::size_t dim) {
    return std::clamp<std::size_t>(dim / 4, 1, 63);
}

} // namespace

NeighborTable GemmSearch::selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const {
    checkSelfQuery(set, k);
    prepareProducts(set.dim);
    const JobContext preparing = job.part({}, 0.0, 0.05);
    const Frame frame = Frame::of(set, {set}, threads_, preparing.part({}, 0.0, 0.3));
    const auto operandOf = [&](Precision precision) {
        return ProductOperand::of(set, frame, precision, threads_, preparing.part({}, 0.3, 0.7));
    };
    ProductOperand operand = operandOf(integersPossible(set.dim) ? Precision::Integer : Precision::Single);
    const SearchSide search{set, set, &operand, &operand, static_cast<double>(frame.scale)};
    std::size_t capacity = lean_ ? 0 : 4 * k;
    std::optional<Contraction> map;
    if (shortcuts_ == Shortcuts::All && operand.precision() == Precision::Integer) {
        map = Contraction::of(set, frame, someDims(set.dim), preparing.part({}, 0.7, 0.7));
    } else if (!lean_ && set.rows >= kTrialRows && operand.precision() == Precision::Integer) {
        const ProductTrial trial = tryProduct(search, k + 1, preparing.part({}, 0.7, 0.8));
        // Each product serves two queries.
        const double pairs = static_cast<double>(set.rows) / 2.0;
        if (integersPay(trial, k + 1, pairs, set, operand, someInSinglePrecision(set, frame, preparing))) {
            capacity = listCapacity(trial, k, set.rows);
            map = contractionThatPays(search, trial, search, trial, frame, preparing);
        } else {
            operand = operandOf(Precision::Single);
        }
    }
    PassSide side(search, k, capacity, BallSide{});
    std::optional<Contracted> contracted;
    if (map) {
        contracted = map->contracted(set, frame, threads_, preparing.part({}, 0.9, 1.0));
        side.use({&contracted->operand, &contracted->operand, map->stretch(), 2.0 * contracted->slack});
    }
    side.prime(true, threads_, job.part({}, 0.05, 0.07));
    runTiles(side, side, threads_, job.part({}, 0.07, 0.85));
    side.settle(threads_, job.part({}, 0.85, 1.0));
    return side.lists.takeTable();
}

CrossResult GemmSearch::cross(const CrossQuery& query, const JobContext& job) const {
    checkCrossQuery(query);
    prepareProducts(query.a.dim);
    const JobContext preparing = job.part({}, 0.0, 0.06);
    const Frame frame = Frame::of(query.a, {query.a, query.b}, threads_, preparing.part({}, 0.0, 0.2));
    const auto operandOf = [&](MatrixView set, Precision precision) {
        return ProductOperand::of(set, frame, precision, threads_, preparing.part({}, 0.2, 0.6));
    };
    const Precision first = integersPossible(query.a.dim) ? Precision::Integer : Precision::Single;
    ProductOperand a = operandOf(query.a, first);
    ProductOperand b = operandOf(query.b, first);
    const auto scale = static_cast<double>(frame.scale);
    const SearchSide searchA{query.a, query.b, &a, &b, scale};
    const SearchSide searchB{query.b, query.a, &b, &a, scale};
    std::size_t capacityA = lean_ ? 0 : 4 * query.kAToB;
    std::size_t capacityB = lean_ ? 0 : 4 * query.kBToA;
    std::optional<Contraction> map;
    if (shortcuts_ == Shortcuts::All && first == Precision::Integer) {
        map = Contraction::of(query.a, frame, someDims(query.a.dim), preparing.part({}, 0.6, 0.6));
    } else if (!lean_ && std::min(query.a.rows, query.b.rows) >= kTrialRows && first == Precision::Integer) {
        const ProductTrial trialA = tryProduct(searchA, query.kAToB, preparing.part({}, 0.6, 0.7));
        const ProductTrial trialB = tryProduct(searchB, query.kBToA, preparing.part({}, 0.7, 0.8));
        const ProductOperand single = someInSinglePrecision(query.a, frame, preparing);
        const std::size_t queries = query.a.rows + query.b.rows;
        // Each product serves a query of either side.
        if (integersPay(trialA, query.kAToB, static_cast<double>(query.b.rows) / 2.0, query.a, a, single) &&
            integersPay(trialB, query.kBToA, static_cast<double>(query.a.rows) / 2.0, query.a, b, single)) {
            capacityA = listCapacity(trialA, query.kAToB, queries);
            capacityB = listCapacity(trialB, query.kBToA, queries);
            map = contractionThatPays(searchA, trialA, searchB, trialB, frame, preparing);
        } else {
            a = operandOf(query.a, Precision::Single);
            b = operandOf(query.b, Precision::Single);
        }
    }
    PassSide sideA(searchA, query.kAToB, capacityA,
                   {query.a, query.b, &a, &b, scale, query.radiusA, query.innerRadiusA});
    PassSide sideB(searchB, query.kBToA, capacityB, {query.b, query.a, &b, &a, scale, query.radiusB, {}});
    std::optional<Contracted> nearA;
    std::optional<Contracted> nearB;
    if (map) {
        nearA = map->contracted(query.a, frame, threads_, preparing.part({}, 0.9, 0.95));
        nearB = map->contracted(query.b, frame, threads_, preparing.part({}, 0.95, 1.0));
        const double slack = nearA->slack + nearB->slack;
        sideA.use({&nearA->operand, &nearB->operand, map->stretch(), slack});
        sideB.use({&nearB->operand, &nearA->operand, map->stretch(), slack});
    }
    sideA.prime(false, threads_, job.part({}, 0.06, 0.07));
    sideB.prime(false, threads_, job.part({}, 0.07, 0.08));
    runTiles(sideA, sideB, threads_, job.part({}, 0.08, 0.85));
    sideA.settle(threads_, job.part({}, 0.85, 0.92));
    sideB.settle(threads_, job.part({}, 0.92, 1.0));

    CrossResult result;
    if (query.kAToB > 0)
        result.aToB = sideA.lists.takeTable();
    if (query.kBToA > 0)
        result.bToA = sideB.lists.takeTable();
    result.insideBallA = std::move(sideA.balls.inside);
    result.insideInnerBallA = std::move(sideA.balls.insideInner);
    result.ballsAHolding = std::move(sideA.balls.holding);
    result.innerBallsAHolding = std::move(sideA.balls.innerHolding);
    result.insideBallB = std::move(sideB.balls.inside);
    result.ballsBHolding = std::move(sideB.balls.holding);
    return result;
}

} // namespace assay
