#pragma once

namespace assay {

/// Bounds on the squared distance of two rows.
struct PairBounds {
    double low;
    double high;
};

} // namespace assay
