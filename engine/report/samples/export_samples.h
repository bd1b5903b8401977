#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/compare.h"
#include "engine/base/job_context.h"
#include "engine/data/sample_set.h"
#include "engine/subsets/holes/coverage_holes.h"
#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;
struct SampleFilter;

/// Which synthetic samples of a model to write: those that the decisions keep, those that they reject, or a list.
enum class ExportWhat { Kept, Rejected, Listed };

/// Which samples of an audit to write, and in which format. A value type.
struct ExportRequest {
    ExportWhat what = ExportWhat::Kept;
    SampleSet listed{};                ///< for ExportWhat::Listed; real samples are ignored
    std::vector<std::size_t> models{}; ///< indices into AuditResult::models, ascending
    std::string format = "csv";        ///< id in exportFormats()
};

/// Writes samples of one or several models, with the decisions about them (docs/output.md). For one model, `file` is
/// written by the format. For several models, `file` is a new folder with one file per model, named by
/// exportFileName(); models without such samples have no file. The file or folder appears either complete or not at
/// all.
/// @param filters decisions about each model's samples, one per model of the audit
/// @param file is replaced when it exists; a folder must be new or empty
/// @return number of samples written
/// @throws Error{InvalidArgument} for an unknown format, no model, a rule that does not fit, samples that the format
///         cannot store, or an archive or folder without samples; Error{WriteFailed} naming the file, also when it is
///         an input of the audit or an audit file; Error{BadInput} for an input that has changed; Cancelled
std::size_t exportSamples(const AuditResult& audit, const ExportRequest& request, std::span<const SampleFilter> filters,
                          const std::filesystem::path& file, const JobContext& job = {});

/// Default name of a model's file, also used in a folder of several: "gan.kept.csv"; "gan-kept" for a folder.
/// @param name name of the model
/// @param request its `format` must exist
std::string exportFileName(std::string_view name, const ExportRequest& request);

/// A computed column of the synthetic side, with one value per row of the model's set.
struct ExportedColumn {
    const Column* column;
    std::span<const double> values;
};

/// The samples of one model that an export writes, with their scores and decisions.
class ExportedSamples {
public:
    /// @param audit must outlive this object
    /// @param model index into AuditResult::models
    /// @throws Error{InvalidArgument} as AppliedFilter, and for a listed row that does not exist
    ExportedSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter,
                    const ExportRequest& request);

    const ModelAudit& model() const noexcept { return model_; }
    const EmbeddingSet& set() const noexcept { return *model_.set; }
    /// Exported rows of the model's set, ascending.
    std::span<const std::uint32_t> rows() const noexcept { return rows_; }
    /// Computed columns in the order of the catalogue.
    const std::vector<ExportedColumn>& columns() const noexcept { return columns_; }

    /// Ids of the exported samples; row numbers for sets without ids.
    std::vector<std::string> ids() const;
    /// Pixels of a row's picture as in ImageStore. @pre the set has pictures
    /// @throws Error{BadInput} when it can no longer be read
    std::vector<std::uint8_t> pixels(std::uint32_t row) const;

    /// A value of one of the columns for output.
    double value(const Column& column, double value) const { return audit_.valueInFile(column, value); }

    bool isKept(std::uint32_t row) const { return applied_.kept()[row]; }
    /// Why a sample is rejected; empty for a kept sample.
    std::string reason(std::uint32_t row) const { return applied_.reason(row); }
    /// Whether any sample of the model has tags.
    bool hasTags() const noexcept { return !tags_.empty(); }
    /// Whether any sample of the model has a note.
    bool hasNotes() const noexcept { return !notes_.empty(); }
    /// The sample's tags in the order of their numbers, each as its name or, without a name, as its number.
    std::vector<std::string> tags(std::uint32_t row) const;
    /// The sample's tags as one text: "1 4 blurred".
    std::string tagsText(std::uint32_t row) const;
    /// The sample's note; empty when it has none.
    std::string note(std::uint32_t row) const;

private:
    const AuditResult& audit_;
    const ModelAudit& model_;
    AppliedFilter applied_;
    std::vector<std::uint32_t> rows_;
    std::vector<ExportedColumn> columns_;
    TagNames tagNames_;
    RowTags tags_;
    std::map<std::uint32_t, std::string> notes_;
};

/// A name made safe as part of a file name: no folders, no characters that file systems refuse, never empty, at most
/// 120 bytes of UTF-8. "../../etc/x" becomes "etc_x".
std::string safeFileName(std::string_view name);

/// Unique file names for samples, also on file systems that ignore case. Each name is the safe id without the suffix of
/// a picture file, then "-2", "-3" ... if the name is taken, then `suffix`.
/// @param taken names that must not be used
/// @return one per id
std::vector<std::string> fileNamesOf(std::span<const std::string> ids, std::string_view suffix,
                                     std::span<const std::string_view> taken = {});

/// The columns that tell a sample in every CSV file: row, id, label and, where the set has groups, group.
std::string sampleColumns(const EmbeddingSet& set);
/// Appends the fields of these columns, separated by commas.
void appendSample(std::string& text, const EmbeddingSet& set, std::size_t row);

/// Writes every real sample with which of two models cover it, as CSV: row, id, label, covered_by ("both", "neither",
/// or the name of the only one).
/// @throws Error{WriteFailed}; no partial file remains
void exportCoverage(const AuditResult& audit, const ModelContrast& contrast, const std::filesystem::path& file);

/// Writes the real samples of coverage holes as CSV, the largest hole first: row in the real set's file, id, label, and
/// the hole's number from 1 on; 0 for missed samples in no hole.
/// @param holes of this audit @throws Error{CannotWrite}
void exportHoles(const AuditResult& audit, const CoverageHoles& holes, const std::filesystem::path& file);

} // namespace assay
