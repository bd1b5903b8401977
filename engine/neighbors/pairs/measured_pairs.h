#pragma once

#include "engine/neighbors/pairs/pair_handler.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// A handler that wants the distances of pairs, each measured.
class MeasuredPairs : public PairHandler {
public:
    void take(const ProposedPairs& pairs, const JobContext& job) override;

    /// The rows whose pairs are searched; the same during a search.
    virtual PairRows rows() const = 0;

protected:
    /// Whether the pair need not be measured. Places, as in farthest().
    virtual bool isKnown(std::size_t query, std::size_t base) const = 0;

    /// A pair with its distance, the double-precision direct difference. It may be beyond farthest().
    virtual void visit(std::size_t query, std::size_t base, double distance) = 0;
};

} // namespace assay
