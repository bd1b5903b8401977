#pragma once

#include "engine/data/embedding_set.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct ModelAudit;

/// One class: how many samples it has and what they score on average.
struct ClassScores {
    std::string label;
    std::optional<std::size_t> real;      ///< real samples of the class; nothing when the real set has no labels
    std::optional<std::size_t> synthetic; ///< likewise
    std::vector<double> means;            ///< one per ByClass::columns; NaN where the class has no sample on that side
};

/// Every per-sample column by class: synthetic-side columns by the synthetic sample's label, real-side ones by the real
/// sample's; of verdicts the share that is not the first word. Labels match by their text; integers by their decimal
/// text.
struct ByClass {
    std::vector<std::string_view> columns; ///< those of the sides that have labels, in catalogue order, but for rows
    std::vector<ClassScores> classes;      ///< in numerical order where all labels are integers, else by code points
    std::vector<std::string> missing; ///< classes of the real set without a synthetic sample, where both have labels
};

/// @return nothing where neither set has labels
std::optional<ByClass> scoresByClass(const EmbeddingSet& real, const ModelAudit& model);

} // namespace assay
