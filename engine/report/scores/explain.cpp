#include "engine/report/scores/explain.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

/// Text ", 18 % beyond that sample's radius (2.90)"; from three radii on ", 20.8 times that sample's radius (0.637)".
std::string beyond(const NeighborRelation& nearest, const char* whose) {
    const double miss = nearest.relativeGap();
    const std::string ball = std::string(whose) + " (" + roundedText(nearest.radius) + ")";
    if (!std::isfinite(miss))
        return ", beyond " + ball;
    return miss < 2.0 ? ", " + percentText(miss) + " beyond " + ball
                      : ", " + roundedText(miss + 1.0) + " times " + ball;
}

/// Explains an over-represented sample whose p-value counts samples that equal it; empty for others.
std::string equalSamplesSentence(const AuditResult& audit, const ModelAudit& model, std::size_t row) {
    constexpr unsigned kCounted = 3; // version of the statistics that began to count
    const NeighborTable& own = model.tables->syntheticToSynthetic;
    const std::size_t few = densityNeighbors(audit.real->set->rows(), own.rows());
    if (model.verdictStatistics < kCounted || own.k < few || own.distanceAt(row, few - 1) > 0.0)
        return {};
    const double ratio = std::exp(model.column("log_density_ratio")[row]);
    return std::isinf(ratio) ? fmt::format("Over-represented: {} or more other synthetic samples equal it. ", few)
                             : "Over-represented: samples equal to it are " + roundedText(ratio) +
                                   " times as frequent in the model as in the real set. ";
}

/// Explains a sample's verdict, and how often good samples are as extreme; empty for a good sample.
std::string verdictSentence(const AuditResult& audit, const ModelAudit& model, std::size_t row,
                            const NeighborRelation& nearest) {
    if (!model.hasColumn("verdict") || !model.hasColumn("p_copy"))
        return {};
    const auto asBad = [&](std::string_view column) {
        return percentText(model.column(column)[row]) + (audit.heldOut ? " of held-out samples" : " of real samples");
    };
    switch (static_cast<Verdict>(model.column("verdict")[row])) {
    case Verdict::Copy:
        return "Likely a copy: it is " + roundedText(nearest.distance) + " from real sample " +
               audit.real->set->idText(nearest.neighbor.row) + ", " + roundedText(model.column("copy_ratio")[row]) +
               " times that sample's distance to its nearest other; " + asBad("p_copy") + " are as near to one. ";
    case Verdict::OverRepresented:
        if (std::string counted = equalSamplesSentence(audit, model, row); !counted.empty())
            return counted;
        return "Over-represented: around it the model is far denser than the real set, as around " +
               asBad("p_over_represented") + ". ";
    case Verdict::Unrealistic:
        return "Unrealistic: as far from the real samples as " + asBad("p_unrealistic") + " are from each other. ";
    case Verdict::Good:
        break;
    }
    return {};
}

std::string fidelitySentence(const AuditResult& audit, const PairTables& tables, std::size_t row,
                             const NeighborRelation& nearest) {
    const std::size_t clipped = tables.clippedBallsHolding[row];
    const std::size_t k = audit.real->k;
    if (clipped >= k)
        return "Fully faithful: it lies in " + counted(clipped, "clipped real ball", "clipped real balls") + " (" +
               std::to_string(k) + (k == 1 ? " suffices)." : " suffice).");
    if (clipped > 0)
        return fmt::format("Partly faithful: it lies in {}, {} are needed for full fidelity.",
                           counted(clipped, "clipped real ball", "clipped real balls"), k);
    const std::size_t wide = tables.ballsHolding[row];
    const bool shrunk = audit.real->clippedRadius[nearest.neighbor.row] < audit.real->radius[nearest.neighbor.row];
    std::string text = wide == 0 ? "Outside every real ball" : "Outside every clipped real ball";
    text += ": its nearest real sample is " + roundedText(nearest.distance) + " away" +
            beyond(nearest, shrunk ? "that sample's clipped radius" : "that sample's radius") + ".";
    if (wide > 0)
        text += " Before clipping to the median radius, " + counted(wide, "wide ball", "wide balls") +
                " of isolated real samples would have held it.";
    return text;
}

std::string explainSynthetic(const AuditResult& audit, SampleId sample) {
    const ModelAudit& model = *audit.models[modelIndex(sample.set)];
    const auto found = nearestSamples(audit, 0, sample, Side::Real, 1);
    if (found.empty())
        return {};
    const NeighborRelation& nearest = found.front();
    const std::string id = audit.real->set->idText(nearest.neighbor.row);
    const double gap = audit.real->neighbors.distanceAt(nearest.neighbor.row, 0);
    const double alike = audit.heldOut ? 1.0 - audit.heldOut->audit->metric("authenticity") : audit.real->notAuthentic;
    // Good samples are often not authentic either; the sentence states how many, so that it does not sound like an
    // accusation.
    std::string authentic;
    const std::string verdict = verdictSentence(audit, model, sample.row, nearest);
    if (nearest.distance <= gap && verdict.empty())
        authentic = "Not authentic: no farther from real sample " + id +
                    " than that one is from its nearest other, as " + percentText(alike) +
                    (audit.heldOut ? " of held-out samples are. " : " of real samples are. ");
    const std::string equal = nearest.distance == 0.0 ? "It equals real sample " + id + ". " : "";
    return verdict + equal + authentic + fidelitySentence(audit, *model.tables, sample.row, nearest);
}

std::string explainReal(const AuditResult& audit, std::size_t model, std::size_t row) {
    const PairTables& tables = *audit.models[model]->tables;
    if (tables.insideBall.empty() || tables.realToSynthetic.rows() == 0)
        return {};
    const std::size_t inside = tables.insideBall[row];
    const std::size_t k = audit.real->k;
    if (inside >= k)
        return "Well covered: " + counted(inside, "synthetic sample lies", "synthetic samples lie") + " in its ball (" +
               std::to_string(k) + (k == 1 ? " suffices)." : " suffice).");
    if (inside > 0)
        return fmt::format("Partly covered: {} in its ball, {} are needed for full coverage.",
                           counted(inside, "synthetic sample lies", "synthetic samples lie"), k);
    const double radius = audit.real->radius[row];
    const NeighborRelation nearest{{}, tables.realToSynthetic.distanceAt(row, 0), radius, false};
    return "Not covered: the nearest synthetic sample is " + roundedText(nearest.distance) + " away" +
           beyond(nearest, "this sample's radius") + ".";
}

const NeighborTable& tableFor(const AuditResult& audit, std::size_t model, SetId from, Side side) {
    if (isReal(from))
        return side == Side::Real ? audit.real->neighbors : audit.models[model]->tables->realToSynthetic;
    const PairTables& tables = *audit.models[modelIndex(from)]->tables;
    return side == Side::Real ? tables.syntheticToReal : tables.syntheticToSynthetic;
}

} // namespace

double NeighborRelation::relativeGap() const noexcept {
    if (inside)
        return 0.0;
    return radius > 0.0 ? (distance - radius) / radius : std::numeric_limits<double>::infinity();
}

std::vector<NeighborRelation> nearestSamples(const AuditResult& audit, std::size_t model, SampleId sample, Side side,
                                             std::size_t count) {
    if (audit.models.empty() && (side == Side::Synthetic || !isReal(sample.set)))
        return {};
    const NeighborTable& table = tableFor(audit, model, sample.set, side);
    if (sample.row >= table.rows())
        return {};
    const std::size_t owner = isReal(sample.set) ? model : modelIndex(sample.set);
    const SetId set = side == Side::Real ? SetId::Real : syntheticSet(owner);
    const std::vector<double>& radii =
        side == Side::Real ? audit.real->clippedRadius : audit.models[owner]->tables->syntheticRadius;
    std::vector<NeighborRelation> result;
    for (std::size_t rank = 0; rank < std::min(count, table.k); ++rank) {
        const std::uint32_t row = table.indexAt(sample.row, rank);
        const double distance = table.distanceAt(sample.row, rank);
        result.push_back({{set, row}, distance, radii[row], distance <= radii[row]});
    }
    return result;
}

std::string explainSample(const AuditResult& audit, std::size_t model, SampleId sample) {
    if (!isReal(sample.set))
        return explainSynthetic(audit, sample);
    return model < audit.models.size() ? explainReal(audit, model, sample.row) : std::string();
}

double Standing::percentile() const noexcept {
    return total == 0 ? std::numeric_limits<double>::quiet_NaN()
                      : (static_cast<double>(below) + 0.5 * static_cast<double>(equal)) / static_cast<double>(total);
}

Standing standingOf(std::span<const double> values, std::size_t row) {
    Standing standing;
    const double value = values[row];
    if (std::isnan(value))
        return standing;
    for (double other : values) {
        standing.below += other < value;
        standing.equal += other == value;
        standing.total += !std::isnan(other);
    }
    return standing;
}

} // namespace assay
