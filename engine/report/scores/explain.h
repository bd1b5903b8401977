#pragma once

#include "engine/data/sample_set.h"
#include "engine/metrics/tables/metric.h"
#include "engine/metrics/verdicts/verdict.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// Statistic of a sample's verdict, in a form that a person can compare with another sample's.
struct Evidence {
    enum class Kind {
        None,
        ExactCopy, ///< value: row of the real sample that it equals
        Copy,      ///< value: how many times closer to its nearest real sample than that one is to any other
        Crowded,   ///< value: how many times as close its synthetic neighbours are as its real ones
        Dense,     ///< value: how many times as dense the model is here as the real set
        Distance   ///< value: distance to the real samples, relative to the usual one between these
    };
    Kind kind = Kind::None;
    double value = 0.0;

    friend bool operator==(const Evidence&, const Evidence&) = default;
};

/// Reads the evidence of the samples of one set from the columns and tables of an audit.
///
/// Densities are compared up to kDensityDims features. With more of them a density ratio is a distance ratio to a high
/// power, such as 10^90, which nobody can read; the distance ratio itself (Kind::Crowded) orders samples alike.
class SampleEvidence {
public:
    static constexpr std::size_t kDensityDims = 8;

    SampleEvidence() = default;
    /// @param model index into the audit's models
    SampleEvidence(std::shared_ptr<const AuditResult> audit, std::size_t model, Side side);

    /// Evidence of the verdict; for good samples that of the test with the smallest p-value.
    Evidence strongest(std::uint32_t row) const;
    /// Evidence of one test of a synthetic sample; of none for Verdict::Good.
    Evidence of(Verdict test, std::uint32_t row) const;

private:
    Evidence copy(std::uint32_t row) const;
    Evidence density(std::uint32_t row) const;
    Evidence distance(std::uint32_t row) const;
    std::optional<double> spacing(std::uint32_t row) const;

    using Values = const std::vector<double>*; ///< null: not computed
    std::shared_ptr<const AuditResult> audit_; ///< holds the columns
    std::size_t model_ = 0;
    Side side_ = Side::Synthetic;
    Values verdict_ = nullptr;
    Values pCopy_ = nullptr;
    Values pCrowded_ = nullptr;
    Values pUnrealistic_ = nullptr;
    Values copyRatio_ = nullptr;
    Values densityRatio_ = nullptr;
    Values nearest_ = nullptr;
    Values nearestDistance_ = nullptr;
};

/// The nearest sample of the other set: real for a synthetic sample, else of the model. None where the audit lacks it.
/// @param model index into the audit's models
std::optional<SampleId> nearestOther(const AuditResult& audit, std::size_t model, SampleId sample);

/// Position of a sample relative to one of its neighbours and to that neighbour's ball.
struct NeighborRelation {
    SampleId neighbor;
    double distance = 0.0;
    /// Radius of the neighbour's ball: min(NND_k, median) within the real set for a real neighbour, NND_k within the
    /// synthetic set for a synthetic one.
    double radius = 0.0;
    bool inside = false; ///< distance <= radius

    /// Distance from the ball's surface as a share of its radius: distance / radius - 1; 0 inside, infinite for radius
    /// 0.
    double relativeGap() const noexcept;
};

/// The stored nearest neighbours of a sample in a set, ascending by (distance, row), at most `count`.
/// @param model index of the model whose synthetic set is used for a real sample; for a synthetic sample, its own model
///         is used
/// @param side set in which the neighbours lie; a sample is never its own neighbour
std::vector<NeighborRelation> nearestSamples(const AuditResult& audit, std::size_t model, SampleId sample, Side side,
                                             std::size_t count);

/// Explains a sample's score in one or two plain sentences, with three significant digits:
/// "Outside every real ball: its nearest real sample is 3.42 away, 18 % beyond that sample's radius (2.90)."
/// @param model as in nearestSamples()
std::string explainSample(const AuditResult& audit, std::size_t model, SampleId sample);

/// Rank of a value among all values of its column.
struct Standing {
    std::size_t below = 0;              ///< number of smaller values
    std::size_t equal = 0;              ///< number of equal values, itself included
    std::size_t total = 0;              ///< number of values that are not NaN
    double percentile() const noexcept; ///< mid-rank in [0, 1]
};

/// Ranks the value of a row. @return all zero when the value is NaN
Standing standingOf(std::span<const double> values, std::size_t row);

} // namespace assay
