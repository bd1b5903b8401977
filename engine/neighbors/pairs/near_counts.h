#pragma once

#include "engine/neighbors/pairs/pair_handler.h"
#include "engine/neighbors/pairs/pair_proposer.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace assay {

/// Counts per query the base rows at a distance of at most `within`.
class NearCounts : public MeasuredPairs {
public:
    /// @param queries, base two sets of one dimension, kept by reference @param within at least 0
    NearCounts(MatrixView queries, MatrixView base, double within)
        : queries_(queries), base_(base), within_(within), query_(queries.rows), baseRow_(base.rows),
          counts_(queries.rows) {
        std::iota(query_.begin(), query_.end(), 0U);
        std::iota(baseRow_.begin(), baseRow_.end(), 0U);
    }

    PairRows rows() const override { return {queries_, query_, base_, baseRow_}; }
    double farthest(std::size_t, const PlaceRange&) const override { return within_; }
    const std::vector<std::uint32_t>& counts() const noexcept { return counts_; }

protected:
    bool isKnown(std::size_t, std::size_t) const override { return false; }
    void visit(std::size_t query, std::size_t, double distance) override {
        counts_[query] += distance <= within_ ? 1U : 0U;
    }

private:
    MatrixView queries_;
    MatrixView base_;
    double within_;
    std::vector<std::uint32_t> query_;
    std::vector<std::uint32_t> baseRow_;
    std::vector<std::uint32_t> counts_;
};

/// @throws Error{InvalidArgument} for more columns than the bounds allow; Cancelled
inline std::vector<std::uint32_t> nearCounts(PairSearch search, MatrixView queries, MatrixView base, double within,
                                             unsigned threads, const JobContext& job) {
    NearCounts handler(queries, base, within);
    PairProposer(search, queries, base, threads, job).propose(handler.rows(), handler, job);
    return handler.counts();
}

} // namespace assay
