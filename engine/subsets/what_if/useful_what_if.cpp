#include "engine/subsets/what_if/useful_what_if.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/held_out/membership.h"
#include "engine/metrics/utility/utility.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <algorithm>

namespace assay {
namespace {

/// Distances of all rows of a set to the nearest of some others.
std::vector<double> nearestDistances(MatrixView set, MatrixView others, const NeighborSearch& search,
                                     const JobContext& job) {
    return search.nearest(set, others, 1, job).distancesAt(1);
}

void addUtility(UsefulScores& scores, const SyntheticUtility& utility) {
    scores.whyNot = utility.whyNot;
    if (utility.classes != nullptr) {
        scores.accuracy = utility.classes->test.accuracy;
        scores.auc = utility.classes->test.auc;
    }
    if (utility.numbers != nullptr)
        scores.r2 = utility.numbers->test.r2;
}

} // namespace

UsefulWhatIf::UsefulWhatIf(std::shared_ptr<const AuditResult> audit, std::size_t model, const AuditOptions& options,
                           const JobContext& job)
    : audit_(std::move(audit)), model_(model), options_(continued(*audit_, options)) {
    if (model >= audit_->models.size())
        throw Error(ErrorKind::InvalidArgument, "useful what-if: expected one of " +
                                                    std::to_string(audit_->models.size()) + " models, found number " +
                                                    std::to_string(model));
    if (audit_->described != nullptr && audit_->described->utility != nullptr) {
        basis_ = audit_->described->utility;
        return;
    }
    const auto heldOut = audit_->heldOut ? audit_->heldOut->audit->set : nullptr; // an audit file has no basis
    basis_ = std::make_shared<const RealUtility>(
        utilityBasis(audit_->real->set, heldOut, {audit_->seed, options_.threads, job}));
}

UsefulScores UsefulWhatIf::scoresOf(std::span<const std::uint32_t> rows, const JobContext& job) const {
    if (rows.empty())
        throw Error(ErrorKind::InvalidArgument, "useful what-if: expected at least one sample, found none");
    const EmbeddingSet& set = *audit_->models[model_]->set;
    UsefulScores scores;
    scores.rows = rows.size();
    addUtility(scores, syntheticUtility(basis_, set, {audit_->seed, options_.threads, job.part({}, 0.0, 0.8)}, rows));
    if (audit_->heldOut == nullptr)
        return scores;
    const std::vector<float> values = gatherRows(set.matrix(), rows);
    const MatrixView kept{values.data(), rows.size(), set.dim()};
    const MatrixView real = audit_->real->set->matrix();
    const auto search = options_.makeSearch(options_.backend, real, options_.threads, job.part({}, 0.8, 0.8));
    const std::vector<double> members = nearestDistances(real, kept, *search, job.part({}, 0.8, 0.9));
    const MembershipScores membership = membershipScores(
        members, nearestDistances(audit_->heldOut->audit->set->matrix(), kept, *search, job.part({}, 0.9, 1.0)));
    scores.membershipAuc = membership.auc;
    scores.membershipTpr = membership.tpr1;
    return scores;
}

PredictedClasses UsefulWhatIf::predictedClasses(const JobContext& job) const {
    PredictedClasses result;
    result.model = audit_->models[model_];
    const auto utility = syntheticUtility(basis_, *result.model->set, {audit_->seed, options_.threads, job}).classes;
    if (utility == nullptr)
        return result;
    constexpr std::size_t kReal = UtilityScores::kReal;
    result.names = utility->labels.names;
    result.actual.assign(audit_->real->set->rows(), PredictedClasses::kNone);
    result.predicted = result.actual;
    const std::vector<std::uint32_t>& rows = utility->labels.rows[kReal];
    for (std::size_t i = 0; i < rows.size(); ++i) {
        result.actual[rows[i]] = utility->labels.code[kReal][i];
        result.predicted[rows[i]] = utility->realTest.predicted[i];
    }
    return result;
}

UsefulIfKept UsefulWhatIf::evaluate(const std::vector<bool>& kept, const JobContext& job) const {
    const auto rowsOf = [](const std::vector<bool>& flags) {
        return rowsWhere(flags.size(), [&](std::size_t row) { return flags[row]; });
    };
    const std::vector<std::uint32_t> rows = rowsOf(kept);
    return {scoresOf(rows, job.part({}, 0.0, 0.5)),
            scoresOf(rowsOf(randomRows(kept.size(), rows.size())), job.part({}, 0.5, 1.0))};
}

ConfusionCounts::ConfusionCounts(std::shared_ptr<const PredictedClasses> classes) : classes_(std::move(classes)) {
    std::vector<bool> occurs(classes_->names.size(), false);
    for (const auto* side : {&classes_->actual, &classes_->predicted})
        for (const std::uint32_t code : *side)
            if (code != PredictedClasses::kNone)
                occurs[code] = true;
    std::vector<std::size_t> places(occurs.size(), 0);
    for (std::uint32_t code = 0; code < occurs.size(); ++code)
        if (occurs[code]) {
            places[code] = shown_.size();
            shown_.push_back(code);
        }
    totals_.assign(shown_.size(), 0);
    for (std::uint32_t row = 0; row < classes_->actual.size(); ++row)
        if (classes_->actual[row] != PredictedClasses::kNone) {
            const std::size_t actual = places[classes_->actual[row]];
            ++totals_[actual];
            cells_[keyOf({actual, places[classes_->predicted[row]]})].push_back(row);
        }
    for (const Place& place : filledCells())
        if (place.first != place.second)
            largestError_ = std::max(largestError_, shareAt(place));
}

std::size_t ConfusionCounts::countAt(Place place) const {
    const auto at = cells_.find(keyOf(place));
    return at == cells_.end() ? 0 : at->second.size();
}

double ConfusionCounts::shareAt(Place place) const {
    const std::size_t total = totals_[place.first];
    return total == 0 ? 0.0 : static_cast<double>(countAt(place)) / static_cast<double>(total);
}

std::vector<ConfusionCounts::Place> ConfusionCounts::filledCells() const {
    std::vector<Place> places;
    places.reserve(cells_.size());
    for (const auto& cell : cells_)
        places.emplace_back(cell.first / shown_.size(), cell.first % shown_.size());
    std::ranges::sort(places);
    return places;
}

std::size_t ConfusionCounts::largestCount() const {
    std::size_t largest = 0;
    for (const auto& cell : cells_)
        largest = std::max(largest, cell.second.size());
    return largest;
}

std::vector<std::uint32_t> ConfusionCounts::samplesIn(const std::vector<Place>& cells) const {
    std::vector<std::uint32_t> samples;
    for (const Place& place : cells)
        if (const auto at = cells_.find(keyOf(place)); at != cells_.end())
            samples.insert(samples.end(), at->second.begin(), at->second.end());
    std::ranges::sort(samples);
    return samples;
}

} // namespace assay
