#include "engine/subsets/curves/removal.h"

#include "engine/base/error.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/curves/curve_parts.h"
#include "engine/subsets/what_if/kept_audit.h"
#include "engine/subsets/what_if/kept_frechet.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "engine/subsets/what_if/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

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
    const std::vector<std::uint32_t> random = shuffledRows(scored.set->rows(), audit->seed, Draw::Removal);
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

namespace {

constexpr std::string_view kFidelity = "clipped_density";
constexpr std::string_view kCoverage = "coverage";

/// Tracks which remaining synthetic samples cover which real samples during a removal.
class Covering {
public:
    Covering(const AuditResult& audit, const ModelAudit& model) : covered_(model.set->rows()) {
        const NeighborTable& near = model.tables->real.nearest;
        left_.resize(near.rows());
        coverers_.resize(near.rows());
        for (std::uint32_t real = 0; real < near.rows(); ++real) {
            for (std::size_t rank = 0; rank < near.k && near.distanceAt(real, rank) <= audit.real->radius[real];
                 ++rank) {
                coverers_[real].push_back(near.indexAt(real, rank));
                covered_[near.indexAt(real, rank)].push_back(real);
            }
            // Beyond the list there may be more.
            left_[real] = std::max<std::size_t>(coverers_[real].size(), model.tables->real.inside[real]);
        }
        alone_.assign(model.set->rows(), 0);
        gone_.assign(model.set->rows(), false);
        for (std::uint32_t real = 0; real < near.rows(); ++real)
            if (left_[real] == 1)
                ++alone_[coverers_[real].front()];
    }

    /// Number of real samples that no other remaining sample covers.
    std::uint32_t alone(std::uint32_t row) const { return alone_[row]; }

    void remove(std::uint32_t row) {
        gone_[row] = true;
        for (const std::uint32_t real : covered_[row]) {
            if (--left_[real] != 1)
                continue;
            const auto last = std::ranges::find_if(coverers_[real], [&](std::uint32_t other) { return !gone_[other]; });
            if (last != coverers_[real].end())
                ++alone_[*last];
        }
    }

private:
    std::vector<std::vector<std::uint32_t>> coverers_; ///< per real sample: synthetic samples that cover it
    std::vector<std::vector<std::uint32_t>> covered_;  ///< per synthetic sample: real samples that it covers
    std::vector<std::size_t> left_;                    ///< number of remaining samples that cover each real sample
    std::vector<std::uint32_t> alone_;
    std::vector<bool> gone_;
};

/// Scores of the remaining samples after the first `count` of an order are removed.
RemovalScores scoresWithout(WhatIf& whatIf, const std::vector<std::uint32_t>& order, std::size_t count,
                            const JobContext& job) {
    std::vector<bool> kept(order.size(), true);
    for (std::size_t at = 0; at < count; ++at)
        kept[order[at]] = false;
    const WhatIfResult result = whatIf.evaluate(kept, job);
    return {result.metric(kFidelity), result.metric(kCoverage)};
}

/// Result of a removal in one order.
struct LeastRemoval {
    std::size_t count = 0;
    RemovalScores scores{};
    bool reached = false;
};

/// Finds by bisection the smallest number of samples whose removal reaches the wanted fidelity. Fidelity rises along
/// the order, apart from small deviations.
LeastRemoval leastRemoval(WhatIf& whatIf, const std::vector<std::uint32_t>& order, double wanted, std::size_t k,
                          const JobContext& job) {
    const std::size_t most = order.size() > k + 1 ? order.size() - k - 1 : 0;
    LeastRemoval best{0, scoresWithout(whatIf, order, 0, job), false};
    best.reached = best.scores.aim >= wanted;
    if (best.reached)
        return best;
    std::size_t low = 0; // does not reach
    std::size_t high = most + 1;
    constexpr std::size_t kSteps = 14;
    for (std::size_t step = 0; step < kSteps && high - low > 1; ++step) {
        const std::size_t middle = low + (high - low) / 2;
        const RemovalScores scores = scoresWithout(whatIf, order, middle, job.step(step, kSteps));
        const bool reached = scores.aim >= wanted;
        if (reached || (!best.reached && scores.aim > best.scores.aim))
            best = {middle, scores, reached};
        (reached ? high : low) = middle;
    }
    return best;
}

} // namespace

std::vector<std::uint32_t> removalOrder(const AuditResult& audit, std::size_t model, double weight,
                                        const JobContext& job) {
    const ModelAudit& audited = *audit.models.at(model);
    const std::vector<double>& fidelity = audited.column("fidelity");
    Covering covering(audit, audited);
    using Entry = std::tuple<double, std::uint32_t>; // key, row
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    const auto keyOf = [&](std::uint32_t row) { return fidelity[row] + weight * covering.alone(row); };
    for (std::uint32_t row = 0; row < fidelity.size(); ++row)
        next.emplace(keyOf(row), row);
    std::vector<std::uint32_t> order;
    order.reserve(fidelity.size());
    while (!next.empty()) {
        const auto [key, row] = next.top();
        next.pop();
        if (const double now = keyOf(row); now > key) { // it has come to cover more alone
            next.emplace(now, row);
            continue;
        }
        if (order.size() % 4096 == 0)
            job.throwIfStopped();
        order.push_back(row);
        covering.remove(row);
    }
    return order;
}

RemovalProposal proposeRemoval(const std::shared_ptr<const AuditResult>& audit, std::size_t model, double wanted,
                               const AuditOptions& options, const JobContext& job) {
    if (!std::isfinite(wanted))
        throw Error(ErrorKind::InvalidArgument, "wanted clipped density: expected a number");
    constexpr std::array<double, 4> kWeights{0.0, 0.3, 1.0, 1e6};
    WhatIf whatIf(audit, model, tablesOnly(options));
    RemovalProposal proposal{"clipped_density", {}, false, {}, 0, {}};
    std::vector<std::uint32_t> order;
    std::optional<LeastRemoval> best;
    for (std::size_t way = 0; way < kWeights.size(); ++way) {
        const JobContext part = job.step(way, kWeights.size(), "Looking for what to remove");
        std::vector<std::uint32_t> candidate = removalOrder(*audit, model, kWeights[way], part);
        const LeastRemoval found = leastRemoval(whatIf, candidate, wanted, audit->k, part);
        if (way == 0) {
            proposal.plainCount = found.count;
            proposal.plain = found.scores;
        }
        const auto merit = [](const LeastRemoval& one) {
            return std::tuple(one.reached, one.reached ? one.scores.coverage : one.scores.aim,
                              -static_cast<double>(one.count));
        };
        if (!best || merit(found) > merit(*best)) {
            best = found;
            order = std::move(candidate);
        }
    }
    proposal.rows.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best->count));
    std::sort(proposal.rows.begin(), proposal.rows.end());
    proposal.reached = best->reached;
    proposal.scores = best->scores;
    return proposal;
}

bool canAimAtFrechet(const AuditResult& audit, std::size_t model) {
    const ModelAudit& audited = *audit.models.at(model);
    return audited.hasColumn("frechet_influence");
}

RemovalProposal proposeFrechetRemoval(const std::shared_ptr<const AuditResult>& audit, std::size_t model, double wanted,
                                      const AuditOptions& options, const JobContext& job) {
    if (!std::isfinite(wanted) || !canAimAtFrechet(*audit, model))
        throw Error(ErrorKind::InvalidArgument, "wanted Frechet distance: expected a number, and a model that has one");
    FrechetOfSubset subset(audit, model, options.threads);
    const std::size_t rows = audit->models[model]->set->rows();
    const std::size_t least = std::max(rows / 10, audit->k + 2);
    const JobContext search = job.part("Looking for what to remove", 0.0, 0.9);
    RemovalProposal proposal{"frechet_distance", {}, false, {}, 0, {}};
    std::vector<bool> kept(rows, true);
    double distance = subset.evaluate(kept, search.part({}, 0.0, 0.1));
    proposal.reached = distance <= wanted;
    std::size_t most = std::max<std::size_t>(rows / 20, 1);
    constexpr std::size_t kRounds = 30;
    for (std::size_t round = 0; round < kRounds && most > 0 && !proposal.reached; ++round) {
        const JobContext part = search.part({}, 0.1, 1.0).step(round, kRounds);
        const std::vector<double> share = subset.influence(kept, part.part({}, 0.0, 0.5));
        std::vector<std::uint32_t> next =
            rowsWhere(rows, [&](std::size_t row) { return kept[row] && share[row] > 0.0; });
        std::ranges::stable_sort(next, std::ranges::greater{}, [&](std::uint32_t row) { return share[row]; });
        const auto without = [&](std::size_t count) {
            std::vector<bool> rest = kept;
            for (std::size_t at = 0; at < count; ++at)
                rest[next[at]] = false;
            return rest;
        };
        const auto distanceWithout = [&](std::size_t count) { return subset.evaluate(without(count), part.silent()); };
        const auto left = static_cast<std::size_t>(std::ranges::count(kept, true));
        most = std::min({most, next.size(), left - std::min(left, least)});
        double found = distance;
        while (most > 0 && (found = distanceWithout(most)) >= distance)
            most /= 2; // shares add up for few samples only
        if (most == 0)
            break;
        if (found <= wanted) {
            for (std::size_t low = 0; most - low > 1;) {
                const std::size_t middle = low + (most - low) / 2;
                const double at = distanceWithout(middle);
                if (at <= wanted)
                    found = at;
                (at <= wanted ? most : low) = middle;
            }
            proposal.reached = true;
        }
        kept = without(most);
        distance = found;
    }
    proposal.rows = rowsWhere(rows, [&](std::size_t row) { return !kept[row]; });
    WhatIf whatIf(audit, model, tablesOnly(options));
    const auto coverageOf = [&](const std::vector<bool>& flags) {
        return whatIf.evaluate(flags, job.silent()).metric(kCoverage);
    };
    proposal.scores = {distance, coverageOf(kept)};
    proposal.plainCount = proposal.rows.size();
    const std::vector<bool> random = randomRows(rows, rows - proposal.plainCount);
    proposal.plain = {subset.evaluate(random, job.part({}, 0.9, 1.0)), coverageOf(random)};
    return proposal;
}

CurveValues removalFrontier(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                            const AuditOptions& options, const JobContext& job) {
    const ModelAudit& audited = *audit->models.at(model);
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> ways{
        {"sparing", removalOrder(*audit, model, 1.0, job.part({}, 0.0, 0.0))}};
    for (const char* column : {"fidelity", "pce", "p_any"})
        if (audited.hasColumn(column))
            ways.emplace_back(column, worstFirst(audited.column(column), findColumn(column)->better, audit->seed));
    ways.emplace_back("random", shuffledRows(audited.set->rows(), audit->seed, Draw::Removal));
    WhatIf whatIf(audit, model, tablesOnly(options));
    CurveValues curve{"removal_frontier", {}, {}};
    const std::size_t rows = audited.set->rows();
    for (std::size_t step = 0; step < kDiscardSteps && rows - step * rows / kDiscardSteps > audit->k; ++step)
        curve.x.push_back(static_cast<double>(step) / kDiscardSteps);
    const std::size_t evaluations = ways.size() * curve.x.size();
    std::size_t done = 0;
    for (const auto& [name, order] : ways) {
        CurveLine fidelity{std::string(kFidelity) + "/" + name, {}};
        CurveLine coverage{std::string(kCoverage) + "/" + name, {}};
        for (std::size_t step = 0; step < curve.x.size(); ++step, ++done) {
            const RemovalScores scores =
                scoresWithout(whatIf, order, step * rows / kDiscardSteps, job.step(done, evaluations));
            fidelity.y.push_back(scores.aim);
            coverage.y.push_back(scores.coverage);
        }
        curve.lines.push_back(std::move(fidelity));
        curve.lines.push_back(std::move(coverage));
    }
    return curve;
}

} // namespace assay
