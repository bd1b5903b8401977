#include "engine/audit/explain.h"

#include "engine/audit/audit_result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace assay {
namespace {

// By symmetry about half of the samples of a perfect generator come out unauthentic, so only far fewer are telling.
constexpr double kFewAuthentic = 0.25;
constexpr double kHardlyCovered = 0.1;
// Bad samples lower both scores alike; a coverage well below the density means that good samples miss part of the real
// set.
constexpr double kGapShare = 2.0 / 3.0;

/// Three significant digits, whole numbers from 100 on: 0.120, 3.42, 1234.
std::string number(double value) {
    std::array<char, 40> text{};
    if (value == 0.0)
        return "0";
    std::snprintf(text.data(), text.size(), std::abs(value) >= 99.95 ? "%.0f" : "%#.3g", value);
    return text.data();
}

std::string percent(double share) {
    std::array<char, 40> text{};
    const double value = 100.0 * share;
    std::snprintf(text.data(), text.size(), value < 9.95 ? "%.2g %%" : "%.0f %%", value);
    return text.data();
}

std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// ", 18 % beyond that sample's radius (2.90)", or for far misses ", 20.8 times that sample's radius (0.637)"
std::string beyond(const NeighborRelation& nearest, const char* whose) {
    const double miss = nearest.missShare();
    const std::string ball = std::string(whose) + " (" + number(nearest.radius) + ")";
    if (!std::isfinite(miss))
        return ", beyond " + ball;
    return miss < 2.0 ? ", " + percent(miss) + " beyond " + ball : ", " + number(miss + 1.0) + " times " + ball;
}

std::string copySentence(const AuditResult& audit, const NeighborRelation& nearest, double gap) {
    const std::string name = audit.real->set->idText(nearest.neighbor.row);
    if (nearest.distance == 0.0)
        return "An exact copy of real sample " + name + ".";
    const std::string relation = nearest.distance < gap ? "closer than" : "no farther than";
    return "Likely a copy: it is " + number(nearest.distance) + " from real sample " + name + ", " + relation +
           " that sample's nearest real neighbour (" + number(gap) + ").";
}

std::string fidelitySentence(const AuditResult& audit, const PairTables& tables, std::size_t row,
                             const NeighborRelation& nearest) {
    const std::size_t clipped = tables.clippedBallsHolding[row];
    const std::size_t k = audit.real->k;
    if (clipped >= k)
        return "Fully faithful: it lies in " + counted(clipped, "clipped real ball", "clipped real balls") + " (" +
               std::to_string(k) + (k == 1 ? " suffices)." : " suffice).");
    if (clipped > 0)
        return "Partly faithful: it lies in " + counted(clipped, "clipped real ball", "clipped real balls") + ", " +
               std::to_string(k) + " are needed for full fidelity.";
    const std::size_t wide = tables.ballsHolding[row];
    const bool shrunk = audit.real->clippedRadius[nearest.neighbor.row] < audit.real->radius[nearest.neighbor.row];
    std::string text = wide == 0 ? "Outside every real ball" : "Outside every clipped real ball";
    text += ": its nearest real sample is " + number(nearest.distance) + " away" +
            beyond(nearest, shrunk ? "that sample's clipped radius" : "that sample's radius") + ".";
    if (wide > 0)
        text += " Before clipping to the median radius, " + counted(wide, "wide ball", "wide balls") +
                " of isolated real samples would have held it.";
    return text;
}

std::string explainSynthetic(const AuditResult& audit, SampleId sample) {
    const ModelAudit& model = *audit.models[modelIndex(sample.set)];
    const auto nearest = nearestSamples(audit, 0, sample, Side::Real, 1);
    if (nearest.empty())
        return {};
    const std::string fidelity = fidelitySentence(audit, model.tables, sample.row, nearest.front());
    const double gap = audit.real->neighbors.distanceAt(nearest.front().neighbor.row, 0);
    if (nearest.front().distance > gap)
        return fidelity;
    return copySentence(audit, nearest.front(), gap) + " " + fidelity;
}

std::string explainReal(const AuditResult& audit, std::size_t model, std::size_t row) {
    const PairTables& tables = audit.models[model]->tables;
    if (tables.insideBall.empty() || tables.realToSynthetic.rows() == 0)
        return {};
    const std::size_t inside = tables.insideBall[row];
    const std::size_t k = audit.real->k;
    if (inside >= k)
        return "Well covered: " + counted(inside, "synthetic sample lies", "synthetic samples lie") + " in its ball (" +
               std::to_string(k) + (k == 1 ? " suffices)." : " suffice).");
    if (inside > 0)
        return "Partly covered: " + counted(inside, "synthetic sample lies", "synthetic samples lie") +
               " in its ball, " + std::to_string(k) + " are needed for full coverage.";
    const double radius = audit.real->radius[row];
    const NeighborRelation nearest{{}, tables.realToSynthetic.distanceAt(row, 0), radius, false};
    return "Not covered: the nearest synthetic sample is " + number(nearest.distance) + " away" +
           beyond(nearest, "this sample's radius") + ".";
}

const NeighborTable& tableFor(const AuditResult& audit, std::size_t model, SetId from, Side side) {
    if (isReal(from))
        return side == Side::Real ? audit.real->neighbors : audit.models[model]->tables.realToSynthetic;
    const PairTables& tables = audit.models[modelIndex(from)]->tables;
    return side == Side::Real ? tables.syntheticToReal : tables.syntheticToSynthetic;
}

} // namespace

double NeighborRelation::missShare() const noexcept {
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
        side == Side::Real ? audit.real->clippedRadius : audit.models[owner]->tables.syntheticRadius;
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

std::vector<Concern> modelConcerns(const ModelAudit& model) {
    std::vector<Concern> concerns;
    const double authenticity = model.metric("authenticity");
    if (authenticity < kFewAuthentic)
        concerns.push_back(
            {"copies", percent(1.0 - authenticity) + " of its samples are likely copies of training data."});
    const double density = model.metric("clipped_density");
    const double coverage = model.metric("clipped_coverage");
    if (coverage < kHardlyCovered)
        concerns.push_back(
            {"uncovered", "It covers almost none of the real data (clipped coverage " + number(coverage) + ")."});
    else if (coverage < kGapShare * density)
        concerns.push_back({"gaps", "It leaves out much of the real data: its clipped coverage (" + number(coverage) +
                                        ") is less than two thirds of its clipped density (" + number(density) + ")."});
    return concerns;
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
