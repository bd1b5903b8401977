#include "engine/neighbors/pairs/pair_proposer.h"

#include "engine/math/products/kernels.h"
#include "engine/neighbors/pairs/pair_scans.h"
#include "engine/neighbors/products/product_trial.h"
#include "engine/neighbors/products/tile_product.h"
#include "engine/neighbors/tree/point_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace assay {

void MeasuredPairs::take(const ProposedPairs& pairs, const JobContext& job) {
    constexpr double kRounding = 1.0 + 1e-9; // of the measured distance, many times over
    const PairRows searched = rows();
    for (std::size_t pair = 0; pair < pairs.place.size(); ++pair) {
        const std::size_t base = pairs.place[pair];
        const double reach = farthest(pairs.query, {base, base + 1});
        if (reach < 0.0 || pairs.bounds(pair).low > reach * reach * kRounding || isKnown(pairs.query, base))
            continue;
        job.throwIfStopped();
        visit(pairs.query, base,
              directDistance(searched.queries, searched.query[pairs.query], searched.base, searched.baseRow[base]));
    }
}

namespace {

constexpr std::size_t kSome = 64; ///< rows that are looked at to choose a precision

/// Mean of the distances up to which pairs matter to some queries, where they are finite; infinity where they never
/// are.
double typicalDistance(const PairRows& rows, const PairHandler& handler) {
    double sum = 0.0;
    std::size_t finite = 0;
    const std::size_t some = std::min(kSome, rows.query.size());
    for (std::size_t s = 0; s < some; ++s) {
        const double distance = handler.farthest(s * rows.query.size() / some, {0, rows.baseRow.size()});
        sum += std::isfinite(distance) && distance > 0.0 ? distance : 0.0;
        finite += std::isfinite(distance) ? 1 : 0;
    }
    return finite > 0 ? sum / static_cast<double>(finite) : std::numeric_limits<double>::infinity();
}

/// Integers where what they may be off by is a small share of the distances that matter, tried on some rows of either
/// set; else single precision.
Precision precisionFor(const PairRows& rows, const PairHandler& handler, const Frame& frame) {
    constexpr double kShare = 0.05;
    const auto residual = [&](MatrixView set, std::span<const std::uint32_t> all) {
        std::vector<std::uint32_t> some(std::min(kSome, all.size()));
        for (std::size_t r = 0; r < some.size(); ++r)
            some[r] = all[r * all.size() / some.size()];
        return static_cast<double>(ProductOperand::of({set, some}, frame, Precision::Integer, 1, {}).largestResidual());
    };
    const double residuals = residual(rows.queries, rows.query) + residual(rows.base, rows.baseRow);
    return residuals <= kShare * static_cast<double>(frame.scale) * typicalDistance(rows, handler) ? Precision::Integer
                                                                                                   : Precision::Single;
}

} // namespace

PairProposer::PairProposer(PairSearch search, MatrixView a, MatrixView b, unsigned threads, const JobContext& job,
                           const Accelerator* accelerator)
    : search_(search), threads_(threads), accelerator_(accelerator) {
    if (search == PairSearch::ByTree) {
        scale_ = unitScale({a, b}, job);
        return;
    }
    prepareProducts(a.dim);
    frame_ = Frame::of(b, {b, a}, threads, job);
}

void PairProposer::propose(const PairRows& rows, PairHandler& handler, const JobContext& job,
                           std::optional<Precision> precision) const {
    if (rows.query.empty() || rows.baseRow.empty())
        return;
    if (search_ == PairSearch::ByTree) {
        scanByTree({rows, scale_}, handler, threads_, job);
        return;
    }
    // A card multiplies integers exactly where a processor may not.
    const auto* card = ProductOperand::integersFit(rows.base.dim) ? abilityOf<PairAccelerator>(accelerator_) : nullptr;
    const bool possible = card != nullptr || integersPossible(rows.base.dim);
    Precision chosen = precision ? *precision : possible ? precisionFor(rows, handler, frame_) : Precision::Single;
    if (chosen != Precision::Integer)
        card = nullptr;
    if (card != nullptr && scanByAccelerator({rows, frame_, chosen}, *card, handler, threads_,
                                             job.part(std::string(kOnTheCard), 0.0, 1.0)))
        return;
    if (!integersPossible(rows.base.dim))
        chosen = Precision::Single;
    scanByProducts({rows, frame_, chosen}, handler, threads_, onTheCpu(job, card));
}

} // namespace assay
