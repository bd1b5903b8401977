#include "engine/subsets/curves/discard.h"

#include "engine/base/error.h"
#include "engine/subsets/curves/curve_parts.h"
#include "engine/subsets/what_if/what_if.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace assay {
namespace {

using namespace curves;

struct Removal {
    std::string suffix;               ///< suffix of the names of its lines
    std::vector<std::uint32_t> order; ///< rows in the order of their removal
};

void addLines(CurveValues& curve, const Removal& removal, WhatIf& whatIf, std::size_t k, const JobContext& job) {
    const std::vector<const Metric*> metrics = drawnMetrics(SubsetScores::Samples);
    const std::size_t first = curve.lines.size();
    for (const Metric* metric : metrics)
        curve.lines.push_back({std::string(metric->id) + removal.suffix, {}});
    curve.x.clear();
    const std::size_t rows = removal.order.size();
    std::vector<bool> kept(rows, true);
    std::size_t removed = 0;
    for (std::size_t step = 0; step < kDiscardSteps; ++step) {
        const std::size_t wanted = step * rows / kDiscardSteps;
        if (rows - wanted <= k)
            break;
        for (; removed < wanted; ++removed)
            kept[removal.order[removed]] = false;
        const WhatIfResult result = whatIf.evaluate(kept, job.step(step, kDiscardSteps));
        curve.x.push_back(static_cast<double>(step) / kDiscardSteps);
        for (std::size_t m = 0; m < metrics.size(); ++m)
            curve.lines[first + m].y.push_back(result.metric(metrics[m]->id));
    }
}

} // namespace

std::vector<std::uint32_t> worstFirst(std::span<const double> score, Direction better, std::uint64_t seed) {
    std::vector<std::uint32_t> rows = shuffledRows(score.size(), seed, Draw::Ties);
    const bool lowestFirst = better == Direction::Higher;
    std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (std::isnan(score[a]) || std::isnan(score[b]))
            return std::isnan(score[a]) && !std::isnan(score[b]);
        return lowestFirst ? score[a] < score[b] : score[a] > score[b];
    });
    return rows;
}

bool canDiscardBy(std::string_view column) {
    const Column* row = findColumn(column);
    return row != nullptr && row->side == Side::Synthetic && row->unit != Unit::Row;
}

CurveValues discardCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model, std::string_view column,
                         const AuditOptions& options, const JobContext& job) {
    if (!canDiscardBy(column))
        throw Error(ErrorKind::InvalidArgument,
                    "discard: expected a score of synthetic samples, found '" + std::string(column) + "'");
    const AuditOptions same = tablesOnly(options);
    WhatIf whatIf(audit, model, same, WhatIf::kBytesPerSample, SubsetScores::Samples);
    const ModelAudit& scored = *audit->models[model];
    CurveValues curve{"discard", {}, {}};
    addLines(curve, {{}, worstFirst(scored.column(column), findColumn(column)->better, audit->seed)}, whatIf, audit->k,
             job.part("scoring without the worst", 0.0, 0.5));
    addLines(curve, {"/random", shuffledRows(scored.set->rows(), audit->seed, Draw::Removal)}, whatIf, audit->k,
             job.part("scoring without random ones", 0.5, 1.0));
    return curve;
}

CurveValues pceReTradeoff(const CurveValues& discardedByPce) {
    CurveValues tradeoff{"pce_re_tradeoff", discardedByPce.x, {}};
    for (const char* name : {"pce", "re", "pce/random", "re/random"})
        for (const CurveLine& line : discardedByPce.lines)
            if (line.name == name)
                tradeoff.lines.push_back(line);
    return tradeoff;
}

} // namespace assay
