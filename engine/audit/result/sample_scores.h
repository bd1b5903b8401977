#pragma once

#include "engine/data/sample_set.h"
#include "engine/metrics/tables/column_values.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// Figures of single samples from elsewhere: a classifier's confidence, ratings. A value type.
struct SampleScores {
    /// A column of a table, for the samples of one set.
    struct Part {
        std::string name; ///< as in the table's header
        SetId set = SetId::Real;
        std::string source;  ///< name of the file, without its folder
        std::string sha256;  ///< of the file
        SharedValues values; ///< one per row of the set; NaN: none

        friend bool operator==(const Part& a, const Part& b);
    };

    std::vector<Part> parts; ///< in the order of being added; each name once per set

    bool empty() const noexcept { return parts.empty(); }
    /// Adds parts; one of the same name and set is replaced.
    void add(const SampleScores& more);

    friend bool operator==(const SampleScores&, const SampleScores&) = default;
};

/// Id of an external column, in rules, CSV and JSON: "external_confidence", of real samples
/// "external_real_confidence".
std::string externalId(const std::string& name, Side side);

/// The audit with the scores as the last columns of every model, and without any that it had before. Every model has
/// the same columns; a set without a part of that name has no values (NaN). Parts for sets that the audit does not have
/// are left out.
std::shared_ptr<const AuditResult> withSampleScores(const std::shared_ptr<const AuditResult>& audit,
                                                    const std::shared_ptr<const SampleScores>& scores);

} // namespace assay
