#include "engine/subsets/what_if/useful_what_if.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/data/gather_rows.h"
#include "engine/metrics/held_out/membership.h"
#include "engine/metrics/utility/utility.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <algorithm>
#include <utility>

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

} // namespace assay
