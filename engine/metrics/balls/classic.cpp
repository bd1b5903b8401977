#include "engine/metrics/balls/classic.h"

#include "engine/metrics/tables/pass_tables.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>

namespace assay::metrics {

std::vector<double> ballHoldsReal(const MetricInputs& in) {
    std::vector<double> flags(in.pair.syntheticRadius.size());
    for (std::size_t j = 0; j < flags.size(); ++j)
        flags[j] = in.pair.synthetic.nearest.distanceAt(j, 0) <= in.pair.syntheticRadius[j] ? 1.0 : 0.0;
    return flags;
}

double precision(const MetricInputs& in) {
    return shareAbove(in.pair.synthetic.holding, 0);
}
double recall(const MetricInputs& in) {
    return shareAbove(in.pair.real.holding, 0);
}
double density(const MetricInputs& in) {
    return meanOf(asNumbers(in.pair.synthetic.holding)) / static_cast<double>(in.k);
}
double coverage(const MetricInputs& in) {
    return shareAbove(in.pair.real.inside, 0);
}

double symPrecision(const MetricInputs& in) {
    return std::min(precision(in), meanOf(ballHoldsReal(in)));
}

double symRecall(const MetricInputs& in) {
    return std::min(recall(in), coverage(in));
}

} // namespace assay::metrics
