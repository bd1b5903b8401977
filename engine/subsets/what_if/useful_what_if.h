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
#include <unordered_map>
#include <utility>
#include <vector>

namespace assay {

struct AuditResult;
struct ModelAudit;
struct RealUtility;

/// Utility and membership scores of some of a model's samples.
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

/// Class that a classifier trained on a model's synthetic samples predicts for each real sample.
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

/// Real samples by their class (rows) and the class that a classifier trained on the synthetic set takes them for
/// (columns), of the classes that occur. Never changes.
class ConfusionCounts {
public:
    /// Row and column of a cell, in [0, size()).
    using Place = std::pair<std::size_t, std::size_t>;

    /// @param classes not null
    explicit ConfusionCounts(std::shared_ptr<const PredictedClasses> classes);

    const PredictedClasses& classes() const noexcept { return *classes_; }
    std::size_t size() const noexcept { return shown_.size(); }
    const std::string& nameAt(std::size_t place) const { return classes_->names[shown_[place]]; }
    /// Real samples of a class.
    std::size_t totalOf(std::size_t row) const { return totals_[row]; }
    std::size_t countAt(Place place) const;
    /// Share of a class's real samples in a cell; 0 for a class without any.
    double shareAt(Place place) const;
    /// Every cell that holds samples, row by row.
    std::vector<Place> filledCells() const;
    /// Largest number of samples in a cell.
    std::size_t largestCount() const;
    /// Largest share of a class that is taken for one other class; 0 without errors.
    double largestError() const noexcept { return largestError_; }
    /// Real samples in the cells, ascending.
    std::vector<std::uint32_t> samplesIn(const std::vector<Place>& cells) const;

private:
    std::size_t keyOf(Place place) const { return place.first * shown_.size() + place.second; }

    std::shared_ptr<const PredictedClasses> classes_;
    std::vector<std::uint32_t> shown_; ///< indices into PredictedClasses::names, those that occur
    std::vector<std::size_t> totals_;  ///< per shown class: its real samples
    std::unordered_map<std::size_t, std::vector<std::uint32_t>> cells_; ///< samples of those that hold some, by keyOf()
    double largestError_ = 0.0;
};

} // namespace assay
