#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/report/samples/export_samples.h"
#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace assay {

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

} // namespace assay
