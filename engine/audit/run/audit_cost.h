#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/available_memory.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// Upper bounds of an audit's memory beyond its inputs, in bytes. Linear in the number of rows.
struct MemoryNeed {
    std::size_t results = 0; ///< kept until the end: tables and columns of all models
    std::size_t working = 0; ///< in addition while the largest stage runs at full speed
    std::size_t lean = 0;    ///< in addition while the largest stage runs lean (withinMemory())

    std::size_t atFullSpeed() const noexcept { return results + working; }
    std::size_t atLeast() const noexcept { return results + lean; }
};

/// Number of neighbours per row that the audit's tables store: the larger of AuditOptions::storedNeighbors and what the
/// metrics need, at most `available`. Metrics need more neighbours within a sample's own set than in the other set.
/// @param available number of possible neighbours of a row
std::size_t ownNeighbors(const AuditOptions& options, std::size_t available);
std::size_t crossNeighbors(const AuditOptions& options, std::size_t available);

/// Bytes of one entry of a neighbour table.
constexpr std::size_t kNeighborBytes = sizeof(double) + sizeof(std::uint32_t);

/// Computes the need from the shapes alone: what the stages (engine/audit/run/stages.h) keep, and the working memory of
/// the largest.
/// @param begun audit that models are added to, whose parts exist already; or null
MemoryNeed memoryNeed(const AuditRequest& request, const AuditResult* begun = nullptr);

/// Options with which an audit stays within its memory limit: as given, or lean, with a search of
/// short neighbour lists and products of integers only. If several processes share the audit, they are unchanged.
/// @param begun as for memoryNeed
/// @throws Error{NotEnoughMemory} naming the needed and the available memory
AuditOptions withinMemory(const AuditRequest& request, const AuditResult* begun = nullptr);

/// Parses a number of bytes such as "512M", "8G", "1.5GiB" or a plain number; units are powers of 1024.
/// @return in [1, 2^62]
/// @throws Error{InvalidArgument} for any other text
std::size_t parseBytes(const std::string& text);

/// Costs of the scores of one model beyond its neighbour passes, as PassCost gives them.
struct CatalogCost {
    double verdicts;  ///< tests of single samples
    double rowScores; ///< scores of the embeddings themselves (engine/metrics/embedding/row_scores.h)
    double features;  ///< comparison of single features
    double nearPairs;
    double likelihood; ///< likelihood of held-out samples
    double curves;
    double intervals;
};

/// Estimates the run time of the parts of an audit, so that progress is proportional to time: seconds of one core of
/// the machine that they were measured on (tests/bench/RESULTS.md, Stages). Searches by products cost in proportion to
/// pairs, trees in proportion to rows and the depth of their search.
class PassCost {
public:
    /// @param choice for Auto the backend is guessed from the dimension, because the trial's choice is not known yet
    /// @param dim number of dimensions
    PassCost(BackendChoice choice, std::size_t dim);

    /// Cost of the neighbours within one set.
    double within(std::size_t rows) const;
    /// Cost of neighbours in both directions and ball counts between two sets.
    double between(std::size_t rowsA, std::size_t rowsB) const;
    /// Cost of reading all rows once or twice.
    double reading(std::size_t rows) const;
    /// Cost of finding the real set's regions.
    double modes(std::size_t rows) const;
    /// Cost of the tests of whole sets.
    double setTests(std::size_t realRows, std::size_t rows) const;
    /// Cost of choosing the examples of a model's findings.
    double examples(std::size_t realRows, std::size_t rows) const;
    /// Cost of the scores that neighbour tables give, and of the columns that they fill.
    double values(std::size_t rows) const;
    /// Cost of the scores of a set's own rows, such as the real set's share of RowScores.
    double rowScores(std::size_t rows) const;
    /// Costs of the whole catalogue of a model, without its passes and without the one-class embedding.
    CatalogCost catalog(std::size_t realRows, std::size_t rows) const;
    /// Cost of training and testing for utility. @param products of single numbers (linearModelProducts())
    double utility(double products) const;
    /// Cost of training the one-class network on a set.
    double training(std::size_t rows) const;

private:
    double pairs(double count) const;
    double levels(double count) const;
    double projected() const;

    double dim_;
    bool byRows_;
};

} // namespace assay
