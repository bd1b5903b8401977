#pragma once

#include "engine/data/sample_set.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace assay {

/// The samples inspected so far, in their order, and the place in them; like the history of a browser.
class VisitedSamples {
public:
    /// Appends a sample after the current one and drops those ahead of it. The current one again changes nothing.
    void visit(SampleId sample);
    void clear();

    /// The sample so many steps ahead (negative: back) of the current one; empty beyond the ends.
    std::optional<SampleId> at(std::ptrdiff_t steps) const;
    /// Makes that sample the current one. Does nothing beyond the ends.
    void move(std::ptrdiff_t steps);

    const std::vector<SampleId>& all() const noexcept { return visited_; }

private:
    std::vector<SampleId> visited_;
    std::ptrdiff_t place_ = -1;
};

} // namespace assay
