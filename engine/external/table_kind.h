#pragma once

#include <string>

namespace assay {

struct AuditResult;

/// What a table that comes to an open audit is.
enum class TableKind {
    Samples,      ///< a set of samples, with the features of the real set
    ModelScores,  ///< figures of whole models (readExternalScores)
    SampleScores, ///< figures of single samples (readSampleTable)
};

/// Guesses it from the names of the columns: a set has most of the real set's features or, where these have no names,
/// at least as many columns. Of other tables, one that names a model of the audit in each of few rows is of models.
/// @param file comma-, semicolon- or tab-separated text
/// @throws Error{BadInput} for a file that cannot be read as such
TableKind guessTableKind(const std::string& file, const AuditResult& audit);

} // namespace assay
