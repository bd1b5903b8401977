#pragma once

#include "engine/base/job_context.h"
#include "engine/math/statistics/rank_statistics.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;

/// Figures of whole models from elsewhere: human error rates, an FID, training steps. A value type.
struct ExternalScores {
    struct Row {
        std::string model;
        std::vector<double> values; ///< one per column; NaN: none

        friend bool operator==(const Row& a, const Row& b);
    };

    std::string source; ///< name of the file, without its folder
    std::string sha256; ///< of the file
    std::vector<std::string> columns;
    std::vector<Row> rows;

    friend bool operator==(const ExternalScores&, const ExternalScores&) = default;

    bool empty() const noexcept { return columns.empty(); }
};

/// Reads a table with a header: one column of names (model, name, id, or the first one of text) and any number of
/// columns of figures, one row per model. A field may be missing; other columns of text are left out.
/// @throws Error{BadInput} naming file and line: no header, no names, no figures, a model twice, text in a column of
///         figures, or more than kMaxExternalRows rows; Cancelled
ExternalScores readExternalScores(const std::string& file, const JobContext& job = {});
/// More models than anybody compares: a longer table is of samples.
constexpr std::size_t kMaxExternalRows = 10'000;

/// Row of each model of an audit, by its name: as written, or else without regard to case and an extension; empty for a
/// model that the table does not have.
std::vector<std::optional<std::size_t>> rowsOfModels(const ExternalScores& scores, const AuditResult& audit);

/// The scores as JSON text, for audit files, and back. @return empty scores for text that is none
std::string externalToJson(const ExternalScores& scores);
ExternalScores externalFromJson(const std::string& text);

/// Kind of a table that is added to an open audit.
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

struct Metric;

/// How a figure of every model goes together with an external one: a metric of the audit, or another external column.
struct Agreement {
    const Metric* metric = nullptr;     ///< null: `other` is set
    std::optional<std::size_t> other{}; ///< index into ExternalScores::columns
    std::size_t column = 0;             ///< index into ExternalScores::columns: what it is compared with
    std::vector<std::size_t> models{};  ///< indices into AuditResult::models: those that have both figures
    std::vector<double> values{};       ///< one per entry of `models`
    std::vector<double> external{};     ///< one per entry of `models`
    Correlation pearson{};
    Correlation spearman{};
    Correlation kendall{};
};

/// Least number of models with both figures: two points are always on a line.
constexpr std::size_t kMinAgreeing = 3;

/// Every metric, in catalogue order, and then every other external column, against every external column, column by
/// column. Left out are those with fewer than kMinAgreeing models, and those that are equal in all of them.
std::vector<Agreement> agreements(const AuditResult& audit, const ExternalScores& scores);

/// Displayed name of what an agreement compares: "Clipped density", "FID".
std::string subjectOf(const Agreement& agreement, const ExternalScores& scores);

/// Agreement of a column in one or two sentences: "Clipped density follows human_error best: Spearman -0.93 (-0.98 to
/// -0.77), 13 models. 3 other metrics lie within that interval."
std::string agreementSentence(const std::vector<Agreement>& agreements, const ExternalScores& scores,
                              std::size_t column);

} // namespace assay
