#pragma once

#include "engine/data/embedding_set.h"
#include "engine/data/sample_set.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

class EmbeddingSet;
struct AuditResult;
struct ModelAudit;

/// The classes of two sets, each once: in numerical order where all are integers, else by code points. Labels are
/// compared as text. Samples without a class have none here.
std::vector<std::string> jointClasses(const EmbeddingSet& first, const EmbeddingSet& second);

/// Per row of a set: index of its class in `classes`; classes.size() for a row without a class. Empty without labels.
/// @param classes jointClasses() of the set and another
std::vector<std::uint32_t> classPlaces(const EmbeddingSet& set, const std::vector<std::string>& classes);

/// Scores of one class: its number of samples and the means of the columns.
struct ClassScores {
    std::string label;
    std::optional<std::size_t> real;      ///< real samples of the class; empty if the real set has no labels
    std::optional<std::size_t> synthetic; ///< synthetic samples of the class; empty if the synthetic set has no labels
    /// One per ByClass::columns; NaN if the class has no sample with a value on that side.
    std::vector<double> means;
};

/// Means of all per-sample columns per class. Columns of the synthetic side are grouped by the synthetic samples'
/// labels, columns of the real side by the real samples' labels. For verdicts the mean is the share of samples whose
/// word is not the first one. Labels are compared as text; integers by their decimal text. Samples without a class are
/// in none.
struct ByClass {
    /// Ids of the columns of the labelled sides, in catalogue order; columns of row indices are left out.
    std::vector<std::string_view> columns;
    std::vector<ClassScores> classes; ///< in numerical order where all labels are integers, else by code points
    bool hasCommon = false;           ///< whether the sets have a class in common
    std::vector<std::string> missing; ///< real classes without a synthetic sample, if the sets have a class in common
};

/// Whether both sets have labels and at least one class in common. Otherwise the labels mean different things, and none
/// is missing.
bool haveCommonClass(const EmbeddingSet& real, const EmbeddingSet& synthetic);

/// Computes the means per class.
/// @return empty if neither set has labels
std::optional<ByClass> scoresByClass(const EmbeddingSet& real, const ModelAudit& model);

/// Indices of ByClass::columns with the scores that people look at first in front.
std::vector<std::size_t> scoresInReadingOrder(const ByClass& scores);

/// Smallest and largest mean of a score to compare the classes by: [0, 1] for shares, so that shares of one half look
/// alike everywhere; other scores from 0 to the largest of the classes, those that may be negative from the lowest one.
std::pair<double, double> rangeOfMeans(const ByClass& scores, std::size_t column, Unit unit);

/// The samples of a set that have this label.
SampleSet samplesOfClass(SetId id, const EmbeddingSet& set, const std::string& label);

/// How many of some samples of a set are of each class, in the order of ByClass::classes.
std::vector<std::size_t> countByClass(const ByClass& scores, SetId id, const EmbeddingSet& set,
                                      const SampleSet& samples);

/// Synthetic samples beyond the share that their class has in the real set. A class with p_c = (its real samples) / N
/// and M_c synthetic samples has a surplus of M_c - ceil(p_c M): its samples with the smallest p_any, or its first ones
/// in the file if there are no verdicts. All samples of a class that the real set does not have are surplus. Empty if
/// one of the sets has no labels.
/// @param model index into audit.models
/// @return rows of the synthetic set, ascending
std::vector<std::uint32_t> classSurplus(const AuditResult& audit, std::size_t model);

} // namespace assay
