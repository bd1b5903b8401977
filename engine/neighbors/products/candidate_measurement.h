#pragma once

#include "engine/base/job_context.h"
#include "engine/neighbors/products/candidates.h"
#include "engine/neighbors/search/ball_counter.h"
#include "engine/neighbors/search/nearest_measured.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Measures the candidates that bounds cannot exclude: those with the k lowest estimates first, which exclude most of
/// the others. Where the list of a query keeps all rows of its ball, these are counted, too.
class CandidateMeasurement {
public:
    /// @param balls around the queries; all of them outlive this
    CandidateMeasurement(const SearchSide& side, CandidateLists& lists, NearestMeasured& nearest, BallCounter& balls);

    /// Lowers the query's limit to the k-th nearest row measured, where there are k.
    void lowerLimit(std::size_t query);

    /// Measures what is left of one query and empties its list. @return how many rows were measured
    std::size_t measure(std::size_t query, const JobContext& job);

    /// The same in steps, for a caller who takes the base part by part so that each part stays in the cache:
    /// chooseLowest, measureChosen up to the end of each part, chooseDoubtful, and the same again.
    /// Chooses the candidates with the k lowest estimates. @return how many were chosen
    std::size_t chooseLowest(std::size_t query);
    /// Chooses what the measured ones do not exclude. @return how many were chosen
    std::size_t chooseDoubtful(std::size_t query);
    /// Measures the chosen ones among the base's rows before `endRow` that are not measured yet.
    void measureChosen(std::size_t query, std::size_t endRow, const JobContext& job);

    /// Loads a query's list, which was last used long ago, into the cache.
    void prefetch(std::size_t query) const noexcept;

private:
    std::size_t choose(std::size_t query, std::size_t number);

    SearchSide side_;
    CandidateLists& lists_;
    NearestMeasured& nearest_;
    BallCounter& balls_;
    std::vector<std::uint32_t> chosen_; ///< per query: entries at the front of its list that are to be measured
    std::vector<std::uint32_t> next_;   ///< per query: the first of them that is not measured yet
};

} // namespace assay
