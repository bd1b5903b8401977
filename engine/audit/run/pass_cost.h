#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>

namespace assay {

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
