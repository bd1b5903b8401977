#pragma once

#include "engine/math/statistics/column_moments.h"

#include <memory>
#include <string>

namespace assay {

struct RealCentre;
struct RealOneClass;
struct RealRegions;
struct RealRows;
struct RealUtility;

/// Data of the real set for scores that need more than the neighbour tables. Computed once, shared by every model.
struct RealDescription {
    std::shared_ptr<const RealCentre> centre;     ///< distances to the centre in the embedding of the input files
    std::shared_ptr<const RealOneClass> oneClass; ///< null unless AuditOptions::oneClass is set
    std::shared_ptr<const RealRows> rows;         ///< for RowScores; after reading an audit file null until needed
    std::shared_ptr<const RealRegions> regions;   ///< after reading an audit file null until needed
    std::shared_ptr<const RealUtility> utility; ///< a model trained on the real set; as `regions` after reading a file
    FeatureScales scales;                       ///< standard deviations of the features
    std::string hardware;                       ///< as RealAnalysis::hardware, for this description
};

} // namespace assay
