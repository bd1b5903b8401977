#pragma once

#include "engine/audit/result/sample_scores.h"
#include "engine/base/job_context.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace assay {

class EmbeddingSet;

/// The sets that a table of sample scores may be about.
struct NamedSets {
    struct Set {
        std::string name;
        const EmbeddingSet* set; ///< outlives this
    };
    std::vector<Set> sets;                     ///< the real set, then the synthetic set of every model
    std::optional<SetId> usual = std::nullopt; ///< meant where a table names no set and fits several; none: an error

    static NamedSets of(const AuditResult& audit);
};

/// Reads a table with a header and one row per sample: columns of numbers, and what tells the samples. That is a column
/// of ids (id, sample, name, file, ...), or of row numbers from 0 (row, index), or nothing, where the rows stand in the
/// order of the set. A column `model` (or set, generator) names the set of each row: a model, or "real". Other columns
/// of text are left out. A field may be missing, and so may samples; both get NaN.
/// @param notes receives a sentence for each set of which some samples have no row, or some rows no sample
/// @return one part per column of numbers and set
/// @throws Error{BadInput} naming file, line and column: no header, no numbers, text among numbers, an unknown model or
///         sample, a sample twice, other rows than the set has, a table that fits several sets; Cancelled
SampleScores readSampleTable(const std::string& file, const NamedSets& sets, const JobContext& job = {},
                             std::vector<std::string>* notes = nullptr);

} // namespace assay
