#pragma once

#include "engine/report/samples/export_request.h"
#include "engine/subsets/rules/filter.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace assay {

class EmbeddingSet;
struct AuditResult;
struct ModelAudit;

/// A column of the synthetic side that was computed. One value per row of the model's set.
struct ExportedColumn {
    const Column* column;
    std::span<const double> values;
};

/// The samples of one model that an export writes, and what a writer can say about each of them.
class ExportedSamples {
public:
    /// @param audit outlives the object @param model index into audit.models
    /// @throws Error{InvalidArgument} as AppliedFilter, and for a listed row that is not there
    ExportedSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter,
                    const ExportRequest& request);

    const ModelAudit& model() const noexcept { return model_; }
    const EmbeddingSet& set() const noexcept { return *model_.set; }
    /// Rows of the model's set, ascending.
    std::span<const std::uint32_t> rows() const noexcept { return rows_; }
    /// In the order of the catalogue.
    const std::vector<ExportedColumn>& columns() const noexcept { return columns_; }

    bool isKept(std::uint32_t row) const { return applied_.kept()[row]; }
    /// Why a sample is rejected; empty for a kept one.
    std::string reason(std::uint32_t row) const { return applied_.reason(row); }
    /// Whether any sample of the model has tags, or a note.
    bool hasTags() const noexcept { return !tags_.empty(); }
    bool hasNotes() const noexcept { return !notes_.empty(); }
    /// Names, else numbers of the sample's tags, in the order of the numbers.
    std::vector<std::string> tags(std::uint32_t row) const;
    /// The same in one text: "1 4 blurred".
    std::string tagsText(std::uint32_t row) const;
    /// Empty where there is none.
    std::string note(std::uint32_t row) const;

private:
    const ModelAudit& model_;
    AppliedFilter applied_;
    std::vector<std::uint32_t> rows_;
    std::vector<ExportedColumn> columns_;
    TagNames tagNames_;
    RowTags tags_;
    std::map<std::uint32_t, std::string> notes_;
};

} // namespace assay
