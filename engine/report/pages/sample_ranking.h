#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Column;
struct ModelAudit;

} // namespace assay

namespace assay::report {

/// Samples of a model worth seeing, by one score.
struct SampleRanking {
    std::string_view id;    ///< for anchors: "worst"
    std::string_view title; ///< "Worst samples"
    const Column* column = nullptr;
    std::vector<std::uint32_t> rows; ///< in order, the most so first
};

/// The worst, the most memorised and the most typical samples, `count` of each at most, by the best score for it that
/// the model has. Equal ones go by the column that the catalogue names for that, then in the order of the file; samples
/// without a value are left out.
std::vector<SampleRanking> sampleRankings(const ModelAudit& model, std::size_t count);

} // namespace assay::report
