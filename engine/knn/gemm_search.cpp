#include "engine/knn/gemm_search.h"

#include "engine/job/error.h"
#include "engine/knn/query_check.h"
#include "engine/knn/tile_pass.h"

#include <dnnl.h>

#include <cstdlib>
#include <string>
#include <utility>

namespace assay {
namespace {

/// The bounds need d * 2^-24 well below 1.
void checkDimension(std::size_t dim) {
    constexpr std::size_t kMost = std::size_t{1} << 22;
    if (dim > kMost)
        throw Error(ErrorKind::InvalidArgument,
                    "expected at most " + std::to_string(kMost) + " columns, found " + std::to_string(dim));
}

/// A lower precision chosen through the library's environment would break the bounds.
void insistOnSinglePrecision() {
    dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_strict);
}

Precision precisionFor(std::size_t dim) {
    const char* wish = std::getenv("ASSAY_PRECISION");
    return ProductOperand::integersFit(dim) && (wish == nullptr || wish[0] != 's') ? Precision::Integer
                                                                                   : Precision::Single;
}

} // namespace

NeighborTable GemmSearch::selfNeighbors(MatrixView set, std::size_t k, const JobContext& job) const {
    checkSelfQuery(set, k);
    checkDimension(set.dim);
    insistOnSinglePrecision();
    const Frame frame = Frame::of(set, {set}, threads_, job.part("preparing", 0.0, 0.02));
    const ProductOperand operand =
        ProductOperand::of(set, frame, precisionFor(set.dim), threads_, job.part("preparing", 0.02, 0.05));
    const SearchSide search{set, set, &operand, &operand, static_cast<double>(frame.scale)};
    PassSide side(search, k, BallSide{});
    runTiles(side, side, threads_, job.part("proposing neighbours", 0.05, 0.85));
    side.settle(threads_, job.part("measuring neighbours", 0.85, 1.0));
    return side.lists.takeTable();
}

CrossResult GemmSearch::cross(const CrossQuery& query, const JobContext& job) const {
    checkCrossQuery(query);
    checkDimension(query.a.dim);
    insistOnSinglePrecision();
    const Frame frame = Frame::of(query.a, {query.a, query.b}, threads_, job.part("preparing", 0.0, 0.02));
    const Precision precision = precisionFor(query.a.dim);
    const ProductOperand a = ProductOperand::of(query.a, frame, precision, threads_, job.part("preparing", 0.02, 0.04));
    const ProductOperand b = ProductOperand::of(query.b, frame, precision, threads_, job.part("preparing", 0.04, 0.06));
    const auto scale = static_cast<double>(frame.scale);
    PassSide sideA({query.a, query.b, &a, &b, scale}, query.kAToB,
                   {query.a, query.b, &a, &b, scale, query.radiusA, query.innerRadiusA});
    PassSide sideB({query.b, query.a, &b, &a, scale}, query.kBToA,
                   {query.b, query.a, &b, &a, scale, query.radiusB, {}});
    runTiles(sideA, sideB, threads_, job.part("proposing neighbours", 0.06, 0.85));
    sideA.settle(threads_, job.part("measuring neighbours", 0.85, 0.92));
    sideB.settle(threads_, job.part("measuring neighbours", 0.92, 1.0));

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
