#include "engine/audit/result/model_contrast.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <unordered_set>

namespace assay {
namespace {

/// Examples that are no neighbours of each other: of as many classes as there are, else of dense and sparse places
/// alike.
std::vector<std::uint32_t> examplesOf(const RealAnalysis& real, const std::vector<std::uint32_t>& rows) {
    std::vector<std::uint32_t> densest = rows;
    std::ranges::sort(densest, {}, [&](std::uint32_t row) { return std::pair(real.radius[row], row); });
    std::vector<std::uint32_t> examples;
    std::unordered_set<std::uint32_t> isNear;      // of an example before
    std::unordered_set<std::uint32_t> classesSeen; // those of examples before
    const auto add = [&](std::uint32_t row) {
        examples.push_back(row);
        isNear.insert(row);
        for (std::size_t rank = 0; rank < real.neighbors.k; ++rank)
            isNear.insert(real.neighbors.indexAt(row, rank));
    };
    if (real.set->hasLabels())
        for (const std::uint32_t row : densest)
            if (examples.size() < kGroupExamples && real.set->hasLabel(row) && !isNear.contains(row) &&
                classesSeen.insert(static_cast<std::uint32_t>(real.set->labels().code[row])).second)
                add(row);
    for (std::size_t part = 0; part < kGroupExamples && examples.size() < kGroupExamples; ++part)
        for (std::size_t at = part * densest.size() / kGroupExamples; at < densest.size(); ++at)
            if (!isNear.contains(densest[at])) {
                add(densest[at]);
                break;
            }
    return examples;
}

std::vector<double> sharesPerBin(const HistogramBins& bins, std::span<const double> values) {
    const std::vector<std::size_t> counts = countPerBin(bins, values);
    const auto all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    std::vector<double> shares;
    shares.reserve(counts.size());
    for (const std::size_t count : counts)
        shares.push_back(all == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(all));
    return shares;
}

ContrastedColumn contrastColumn(const AuditResult& audit, const ModelAudit& first, const ModelAudit& second,
                                std::string_view id) {
    if (!first.hasColumn(id) || !second.hasColumn(id))
        return {};
    std::vector<double> values = first.column(id);
    values.insert(values.end(), second.column(id).begin(), second.column(id).end());
    ContrastedColumn found;
    found.bins = chooseBins(values, findColumn(id)->unit, audit.k);
    found.first = sharesPerBin(found.bins, first.column(id));
    found.second = sharesPerBin(found.bins, second.column(id));
    return found;
}

} // namespace

ModelContrast contrastModels(const AuditResult& audit, std::size_t first, std::size_t second, const JobContext& job) {
    ModelContrast found{.first = audit.models[first], .second = audit.models[second]};
    const std::vector<std::uint32_t>& inFirst = found.first->tables->real.inside;
    const std::vector<std::uint32_t>& inSecond = found.second->tables->real.inside;
    for (std::uint32_t row = 0; row < std::min(inFirst.size(), inSecond.size()); ++row) {
        const bool isInFirst = inFirst[row] > 0;
        const bool isInSecond = inSecond[row] > 0;
        const CoveredBy by = isInFirst    ? isInSecond ? CoveredBy::Both : CoveredBy::OnlyFirst
                             : isInSecond ? CoveredBy::OnlySecond
                                          : CoveredBy::Neither;
        found.groups[static_cast<std::size_t>(by)].rows.push_back(row);
    }
    for (CoverageGroup& group : found.groups) {
        job.throwIfStopped();
        group.examples = examplesOf(*audit.real, group.rows);
    }
    job.throwIfStopped();
    found.fidelity = contrastColumn(audit, *found.first, *found.second, "fidelity");
    found.differences = compareModels(*found.first, *found.second);
    return found;
}

} // namespace assay
