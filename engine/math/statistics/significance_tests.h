#pragma once

#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"

#include <cstddef>
#include <span>
#include <vector>

// Tests of counts and distributions, exact intervals of shares, and conformal p-values. Probabilities of the
// hypergeometric distribution come from the saddle-point expansion (Loader 2000, "Fast and accurate computation of
// binomial probabilities"), which cancels no digits, and sums from ratios of neighbouring probabilities: the relative
// error stays below 1e-10 for counts up to 1e6.

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

/// Exact confidence interval of a share (Clopper and Pearson 1934): at least `level` of all such intervals contain the
/// true share.
/// @param successes at most `trials`
/// @param trials at least 1
/// @return bounds in [0, 1]
Bounds clopperPearson(std::size_t successes, std::size_t trials, double level = 0.95);

/// Probability of at least `successes` among `trials` whose chance is `chance`, in [0, 1]. Between whole numbers it is
/// interpolated by the incomplete beta function, which it equals.
/// @param successes in [0, trials]
/// @param chance in (0, 1)
double atLeastSuccesses(double successes, double trials, double chance);

/// Two-sided p-value for the equality of the shares first / ofFirst and second / ofSecond: the pooled z-test that
/// Richardson and Weiss, NeurIPS 2018, use to compare bins. It is 1 if both shares are 0 or both are 1.
/// @return in [0, 1]
double twoSharesPValue(std::size_t first, std::size_t ofFirst, std::size_t second, std::size_t ofSecond);

/// Largest difference of the distribution functions of two samples of one dimension (Kolmogorov and Smirnov).
/// @param a, b ascending, not empty
/// @return in [0, 1]
double kolmogorovDistance(std::span<const float> a, std::span<const float> b);

/// Probability that the Kolmogorov distribution is above x: the asymptotic p-value of x = sqrt(n m / (n + m)) times the
/// distance of two samples of n and m values of one continuous law. Conservative where values tie.
/// @return in [0, 1]; 1 for x <= 0
/// Source: Kolmogorov 1933; Smirnov, Annals of Mathematical Statistics 1948, both forms of the series.
double kolmogorovTail(double x);

/// The end of a statistic's range that indicates a problem.
enum class Extreme { Low, High };

/// Conformal p-values: how extreme each value is among calibration values of good samples, p = (1 + number of
/// calibration values at least as extreme) / (1 + number of calibration values). Ties count as extreme. NaN calibration
/// values count as extreme as well, and a NaN value has p = 1, so that missing numbers never lead to a rejection. O((V
/// + C) log C). Source: Bates, Candes, Lei, Romano, Sesia, Annals of Statistics 2023.
/// @return one p-value per value, in (0, 1]
std::vector<double> conformalPValues(std::span<const double> values, std::vector<double> calibration, Extreme end);

/// Benjamini-Hochberg adjusted p-values: for each p-value the smallest false discovery rate at which it is rejected. At
/// the rate q, all p-values with an adjusted value of at most q are rejected. O(P log P).
/// @param p in [0, 1]
/// @return one adjusted p-value per value, in [0, 1]
std::vector<double> benjaminiHochberg(std::span<const double> p);

/// Estimated share of p-values that do not come from the uniform distribution in (0, 1]: max(0, 1 - (1 + number above
/// 1/2) / (P / 2)). 0 for no values. Source: Storey, JRSS B 2002.
/// @return in [0, 1)
double shareNotUniform(std::span<const double> p);

} // namespace assay
