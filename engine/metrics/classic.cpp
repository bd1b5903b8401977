#include "engine/audit/audit_result.h"
#include "engine/metrics/families.h"

#include <algorithm>

namespace assay::metrics {

std::vector<double> ballCount(const MetricInputs& in) {
    return asNumbers(in.pair.ballsHolding);
}

double precision(const MetricInputs& in) {
    return shareAbove(in.pair.ballsHolding, 0);
}
double recall(const MetricInputs& in) {
    return shareAbove(in.pair.syntheticBallsHolding, 0);
}
double density(const MetricInputs& in) {
    return meanOf(ballCount(in)) / static_cast<double>(in.k);
}
double coverage(const MetricInputs& in) {
    return shareAbove(in.pair.insideBall, 0);
}

double symPrecision(const MetricInputs& in) {
    std::size_t holding = 0;
    for (std::size_t j = 0; j < in.pair.syntheticRadius.size(); ++j)
        holding += in.pair.syntheticToReal.distanceAt(j, 0) <= in.pair.syntheticRadius[j] ? 1 : 0;
    return std::min(precision(in), static_cast<double>(holding) / static_cast<double>(in.pair.syntheticRadius.size()));
}

double symRecall(const MetricInputs& in) {
    return std::min(recall(in), coverage(in));
}

} // namespace assay::metrics
