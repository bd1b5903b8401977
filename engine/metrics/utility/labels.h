#pragma once

#include "engine/data/embedding_set.h"
#include "engine/metrics/tables/compared_rows.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// Kind of label that a model of utility predicts.
enum class LabelKind { Classes, Numbers };

/// The labels of some sets under common codes.
struct CommonLabels {
    std::vector<std::string> names; ///< every class of the sets once: the first set's in their order, then new ones
    std::vector<std::vector<std::uint32_t>> rows; ///< per set: its rows that have a label, ascending
    std::vector<std::vector<std::uint32_t>> code; ///< per set and row of `rows`: index into `names`

    /// Number of samples of each class in one set: names.size() values.
    std::vector<std::uint32_t> counts(std::size_t set) const;
    /// Number of classes that occur in one set.
    std::size_t classesIn(std::size_t set) const;
};

/// @param sets none of them null
CommonLabels commonLabels(const std::vector<const EmbeddingSet*>& sets);

/// Numbers, where every label is one and they are no classes: some have a fraction, or they differ for most samples
/// (fewer than five of a value on average). Classes otherwise.
LabelKind kindOf(const EmbeddingSet& set);

/// Outputs of a model that predicts a set's labels: one per class, 1 for numbers, 0 without labels.
std::size_t labelOutputs(const EmbeddingSet& set);

/// The labels of a set's labelled rows as numbers; empty if one of them is no number.
std::vector<double> numbersOf(const EmbeddingSet& set);

/// The compared rows of a set that have a class, in the same order.
struct LabelledRows {
    ComparedRows compared;
    std::vector<std::uint32_t> code; ///< class of each row of `compared`
};

/// @param labels common labels of several sets @param set place of the rows' set in `labels`
LabelledRows labelledRows(const ComparedRows& compared, const CommonLabels& labels, std::size_t set);

} // namespace assay
