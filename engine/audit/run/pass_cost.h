#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <cstddef>

namespace assay {

/// What an audit does with a model beside its passes.
struct CatalogCost {
    double verdicts;  ///< what is said of single samples
    double rowScores; ///< of the embeddings themselves (engine/metrics/embedding/row_scores.h)
    double features;  ///< one by one
    double nearPairs;
    double likelihood; ///< of held-out samples
    double curves;
    double intervals;
};

/// How long the parts of an audit take beside each other, so that progress is shared out by time. Measured, not exact:
/// products cost by pairs, trees by rows and the depth that each has to go down.
class PassCost {
public:
    /// @param choice Auto is guessed by the dimension: what the trial will choose is known only once it ran
    PassCost(BackendChoice choice, std::size_t dim);

    /// Neighbours within one set. In a unit of its own, common to all passes of one PassCost.
    double within(std::size_t rows) const;
    /// Neighbours both ways between two sets, and the balls.
    double between(std::size_t rowsA, std::size_t rowsB) const;
    /// Reading all rows once or twice.
    double reading(std::size_t rows) const;
    /// Finding or counting a set's modes.
    double modes(std::size_t rows) const;
    /// Scores of a set's own rows: what the real set has beside its pass.
    double rowScores(std::size_t rows) const;
    /// The whole catalogue of a model beside its passes, one-class embedding apart.
    CatalogCost catalog(std::size_t realRows, std::size_t rows) const;
    /// Training the one-class network on a set.
    double training(std::size_t rows) const;

private:
    double seconds(double wanted) const;

    double dim_;
    bool byRows_;
};

} // namespace assay
