#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;
struct ModelAudit;
struct RealUtility;

/// What some of a model's samples are worth, and what they give away.
struct UsefulScores {
    std::size_t rows = 0;
    std::optional<double> accuracy;      ///< `utility_accuracy`; empty without classes
    std::optional<double> auc;           ///< `utility_auc`
    std::optional<double> r2;            ///< `utility_r2`; empty without numbers as labels
    std::optional<double> membershipAuc; ///< `membership_auc`; empty without a held-out set
    std::optional<double> membershipTpr; ///< `membership_tpr_1`
    std::string_view whyNot{};           ///< why there is no utility; empty if there is

    friend bool operator==(const UsefulScores&, const UsefulScores&) = default;
};

/// The kept samples beside as many drawn at random: only the difference is due to the choice.
struct UsefulIfKept {
    UsefulScores kept;
    UsefulScores random;
};

/// What a classifier trained on a model's synthetic samples takes each real sample for.
struct PredictedClasses {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF; ///< of a sample without a label

    std::shared_ptr<const ModelAudit> model; ///< whose samples it was trained on
    std::vector<std::string> names;          ///< every class of the sets once
    std::vector<std::uint32_t> actual;       ///< per real sample: index into `names`, or kNone
    std::vector<std::uint32_t> predicted;    ///< likewise

    /// Whether there are any: not without classes.
    bool exist() const { return !names.empty(); }
};

/// Utility and membership for any subset of a model's synthetic samples. Each answer trains a classifier and searches
/// the real and the held-out samples' nearest kept samples, so it takes a job.
/// The values equal those of an audit of the kept rows in their order.
class UsefulWhatIf {
public:
    /// @param audit a finished audit, not of the neighbour tables only; shared, never changed
    /// @param model index into audit->models
    /// @param options backend and threads; all others are the audit's
    /// @throws Error{InvalidArgument} if there is no such model; Cancelled
    UsefulWhatIf(std::shared_ptr<const AuditResult> audit, std::size_t model, const AuditOptions& options = {},
                 const JobContext& job = {});

    /// @param rows synthetic rows, ascending, at least one
    /// @throws Error{InvalidArgument} for no rows; Cancelled
    UsefulScores scoresOf(std::span<const std::uint32_t> rows, const JobContext& job = {}) const;

    /// @param kept one flag per synthetic row, at least one of them set; the random rows are those of auditKept()
    /// @throws as scoresOf()
    UsefulIfKept evaluate(const std::vector<bool>& kept, const JobContext& job = {}) const;

    /// The real samples' classes by the classifier of all synthetic samples: those right are the ones of
    /// `utility_correct`. Empty where labels are no classes or there is no utility.
    /// @throws Cancelled
    PredictedClasses predictedClasses(const JobContext& job = {}) const;

private:
    std::shared_ptr<const AuditResult> audit_;
    std::size_t model_;
    AuditOptions options_;
    std::shared_ptr<const RealUtility> basis_;
};

} // namespace assay
