#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

class EmbeddingSet;
struct AuditResult;
struct ModelAudit;
struct NeighborTable;

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
