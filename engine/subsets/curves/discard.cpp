#include "engine/subsets/curves/discard.h"

#include "engine/base/error.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/curves/curve_parts.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "engine/subsets/what_if/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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

namespace {

using curves::kDiscardSteps;

struct Score {
    const char* id;
    std::optional<double> UsefulScores::*value;
};
constexpr std::array kScores{Score{"utility_accuracy", &UsefulScores::accuracy},
                             Score{"utility_auc", &UsefulScores::auc}, Score{"utility_r2", &UsefulScores::r2},
                             Score{"membership_auc", &UsefulScores::membershipAuc},
                             Score{"membership_tpr_1", &UsefulScores::membershipTpr}};

/// Scores after discarding the first rows of an order, up to the first step that leaves no utility.
std::vector<UsefulScores> scoresAlong(std::span<const std::uint32_t> order, const UsefulWhatIf& whatIf,
                                      const JobContext& job) {
    std::vector<UsefulScores> scores;
    for (std::size_t step = 0; step < kDiscardSteps; ++step) {
        const std::size_t discarded = step * order.size() / kDiscardSteps;
        if (discarded == order.size())
            break;
        std::vector<std::uint32_t> kept(order.begin() + static_cast<std::ptrdiff_t>(discarded), order.end());
        std::ranges::sort(kept);
        scores.push_back(whatIf.scoresOf(kept, job.step(step, kDiscardSteps)));
    }
    return scores;
}

} // namespace

CurveValues usefulCurve(const std::shared_ptr<const AuditResult>& audit, std::size_t model, std::string_view column,
                        const AuditOptions& options, const JobContext& job) {
    if (!canDiscardBy(column))
        throw Error(ErrorKind::InvalidArgument,
                    "useful curve: expected a score of synthetic samples, found '" + std::string(column) + "'");
    const UsefulWhatIf whatIf(audit, model, options, job.part({}, 0.0, 0.0));
    const ModelAudit& scored = *audit->models[model];
    const std::vector<std::uint32_t> worst = worstFirst(scored.column(column), findColumn(column)->better, audit->seed);
    const std::vector<std::uint32_t> random =
        curves::shuffledRows(scored.set->rows(), audit->seed, curves::Draw::Removal);
    const std::array byOrder{scoresAlong(worst, whatIf, job.part("training without the worst", 0.0, 0.5)),
                             scoresAlong(random, whatIf, job.part("training without random ones", 0.5, 1.0))};
    CurveValues curve{"useful_by_discard", {}, {}};
    for (std::size_t step = 0; step < byOrder[0].size(); ++step)
        curve.x.push_back(static_cast<double>(step) / kDiscardSteps);
    for (std::size_t order = 0; order < byOrder.size(); ++order)
        for (const Score& score : kScores) {
            if (!(byOrder[order].front().*score.value))
                continue;
            CurveLine line{std::string(score.id) + (order == 0 ? "" : "/random"), {}};
            for (const UsefulScores& at : byOrder[order])
                line.y.push_back((at.*score.value).value_or(kNaN)); // a class may be all that is left
            curve.lines.push_back(std::move(line));
        }
    return curve;
}

} // namespace assay
