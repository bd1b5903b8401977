#pragma once

#include "engine/data/embedding_set.h"
#include "engine/data/sample_set.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

class EmbeddingSet;
struct AuditResult;
struct ModelAudit;
struct NeighborTable;

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

/// How many samples of one class have their nearest real sample in another, or in their own.
struct NearestClassCount {
    std::uint32_t own = 0;     ///< index into NearestClasses::classes
    std::uint32_t nearest = 0; ///< index into NearestClasses::classes
    std::uint32_t count = 0;   ///< above 0

    friend bool operator==(const NearestClassCount&, const NearestClassCount&) = default;
};

/// A cell of the matrix: indices into NearestClasses::classes.
struct NearestClassPair {
    std::uint32_t own = 0;
    std::uint32_t nearest = 0;
};

/// For each class of some samples, the classes of their nearest real samples: a confusion matrix that needs no
/// classifier. Samples without a class are left out, and those whose nearest real sample has none are in no cell.
struct NearestClasses {
    std::vector<std::string> classes;     ///< jointClasses() of both sets
    std::vector<std::uint32_t> samples;   ///< per class: samples of it
    std::vector<std::uint32_t> real;      ///< per class: real samples of it
    std::vector<NearestClassCount> cells; ///< by own, then nearest class
    std::vector<std::uint32_t> own;       ///< per sample: its class; classes.size() for none
    std::vector<std::uint32_t> nearest;   ///< per sample: the class of its nearest real sample; classes.size() for none

    /// Samples of one class whose nearest real sample is of another.
    std::uint32_t count(std::size_t ofClass, std::size_t nearestClass) const;
    /// The same as a share of the samples of the class, in [0, 1]; NaN for a class without samples.
    double share(std::size_t ofClass, std::size_t nearestClass) const;
    /// The samples of some cells: their rows, ascending. One pass over the samples, however many cells.
    std::vector<std::uint32_t> rows(std::span<const NearestClassPair> of) const;
    /// Share of the samples with a class whose nearest real sample is of their own; NaN without such samples.
    double agreement() const;
};

/// Counts the classes of nearest samples. Of equally near samples the one with the lowest row counts.
/// @param samples M rows @param real the set that the table names rows of
/// @param nearest neighbours of the samples among the real ones, M x k; for the real set itself without the sample
/// @return empty if one of the sets has no labels or the table holds no neighbours of the samples
std::optional<NearestClasses> nearestClasses(const EmbeddingSet& samples, const EmbeddingSet& real,
                                             const NeighborTable& nearest);

/// The same of a model's samples. @param model index into audit.models
std::optional<NearestClasses> nearestClasses(const AuditResult& audit, std::size_t model);
/// The same of the real samples, each without itself: how well classes are apart in this embedding at all.
std::optional<NearestClasses> nearestClassesOfReal(const AuditResult& audit);

/// Order of the classes that puts the heaviest confusions first: the cells off the diagonal by falling count, each
/// bringing its two classes unless they are there already; then the other classes in their order. Classes that are
/// often confused stand beside each other, so the upper left corner of the matrix in this order holds the heaviest
/// confusions. @return every index into `classes` once
std::vector<std::uint32_t> confusedFirst(const NearestClasses& found);

/// The classes of nearest samples of one model, and of the real set to compare with. A plain value.
struct ComparedClasses {
    std::shared_ptr<const ModelAudit> model;
    std::optional<NearestClasses> found;  ///< of the model's samples; empty as nearestClasses()
    std::optional<NearestClasses> ofReal; ///< of the real samples
    std::vector<std::uint32_t> order;     ///< confusedFirst() of `found`
};
/// @param model index into audit.models
ComparedClasses compareClasses(const AuditResult& audit, std::size_t model);

} // namespace assay
