#pragma once

#include "engine/base/random.h"

#include <cstddef>

/// Exact tests of counts. Probabilities of the hypergeometric distribution come from the saddle-point expansion (Loader
/// 2000, "Fast and accurate computation of binomial probabilities"), which cancels no digits, and sums from ratios of
/// neighbouring probabilities: the relative error stays below 1e-10 for counts up to 1e6.
namespace assay {

/// The alternative to equal shares.
enum class Alternative {
    TwoSided, ///< the shares differ
    Greater,  ///< the first share is larger
    Less,     ///< the first share is smaller
};

/// Fisher's exact p-value for the equality of the shares first / ofFirst and second / ofSecond. Two-sided: the
/// probability of all tables with the same margins that are at most as probable as the given one (with a relative slack
/// of 1e-7, so that ties by symmetry count), as R and SciPy define it. 1 where a margin is 0. O(deviations of the
/// count).
/// @param first at most `ofFirst` @param second at most `ofSecond`
/// @return in [0, 1]
double fisherExact(std::size_t first, std::size_t ofFirst, std::size_t second, std::size_t ofSecond,
                   Alternative alternative = Alternative::TwoSided);

/// Items drawn without replacement from a population of which some are marked.
struct MarkedDraws {
    std::size_t population = 0;
    std::size_t marked = 0; ///< at most `population`
    std::size_t drawn = 0;  ///< at most `population`
};

/// Probability that at most `count` of the drawn items are marked: scipy.stats.hypergeom.cdf(count, population, marked,
/// drawn).
/// @return in [0, 1]
double hypergeometricAtMost(std::size_t count, const MarkedDraws& draws);

/// Probability that at least `count` of the drawn items are marked: scipy.stats.hypergeom.sf(count - 1, population,
/// marked, drawn).
/// @return in [0, 1]
double hypergeometricAtLeast(std::size_t count, const MarkedDraws& draws);

/// Draws the number of marked items among the drawn ones. O(min(marked, drawn)) up to 32 of either, above it
/// O(deviations of the number).
std::size_t drawMarked(const MarkedDraws& draws, Random& random);

/// Two samples of one continuous law, in order: the probability that at least `count` of the `ofFirst` values of the
/// first sample lie beyond the `rank`-th most extreme value of the second one (negative hypergeometric, or exceedance,
/// test): scipy.stats.nhypergeom.sf(count - 1, ofFirst + ofSecond, ofFirst, rank).
/// @param rank at least 1, at most `ofSecond`
/// @return in [0, 1]
double exceedanceProbability(std::size_t count, std::size_t ofFirst, std::size_t rank, std::size_t ofSecond);

/// Probability that a Poisson variable is at most `count`: scipy.stats.poisson.cdf(count, mean).
/// @param mean at least 0
/// @return in [0, 1]
double poissonAtMost(std::size_t count, double mean);

} // namespace assay
