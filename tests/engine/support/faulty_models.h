#pragma once

#include "tests/support/matrices.h"

#include <string>
#include <vector>

namespace assay::test {

/// A model with one fault, and what it is audited with.
struct FaultyModel {
    std::string name; ///< the fault
    Matrix real, model;
    Matrix heldOut{{}, 0, 0};                             ///< without rows: none
    std::vector<std::string> realLabels{}, modelLabels{}; ///< of the rows, in turn; empty: none
    std::size_t realGroups = 0, modelGroups = 0;          ///< groups that the rows are of, in turn; 0: none
};

/// Small models, each with a fault that an audit can say; then two good ones.
std::vector<FaultyModel> faultyModels();

} // namespace assay::test
