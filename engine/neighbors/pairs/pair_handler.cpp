#include "engine/neighbors/pairs/pair_handler.h"

#include "engine/math/products/kernels.h"

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

} // namespace assay
