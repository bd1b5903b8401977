#pragma once

#include "engine/data/sample_id.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

} // namespace assay
