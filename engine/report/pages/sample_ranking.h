#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

struct Column;
struct ModelAudit;

} // namespace assay

namespace assay::report {

/// Rows of a model's samples, ranked by one score, for display.
struct SampleRanking {
    std::string_view id;    ///< id for anchors in the page: "worst"
    std::string_view title; ///< heading: "Worst samples"
    /// The column by which the samples are ranked.
    const Column* column = nullptr;
    std::vector<std::uint32_t> rows; ///< in ranking order: the most extreme sample first
};

/// The worst, the most memorised and the most typical samples of a model, at most `count` of each. Each ranking uses
/// the most suitable column that the model has. Ties are ordered by the catalogue's tie-breaking column
/// (Column::thenBy), then by row. Samples without a value are left out.
std::vector<SampleRanking> sampleRankings(const ModelAudit& model, std::size_t count);

} // namespace assay::report
