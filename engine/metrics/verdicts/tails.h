#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace assay {

/// Tail scores of a statistic: -log of the chance that a good sample has at least such a value. The chance is the rank
/// among the calibration values up to their 90 % quantile u, and 0.1 exp(-(v - u) / mean excess over u) beyond; only
/// the rank where fewer than five values exceed u. Scores of several statistics can be compared, however heavy the tail
/// of each: what is compared with them is ranked again.
/// @param calibration at least one value, finite
/// @return one score per value, at least 0; more extreme values have larger scores
std::vector<double> tailScores(std::span<const double> values, std::vector<double> calibration);

/// Tail scores of the calibration values, each with itself left out of the calibration.
std::vector<double> tailScoresLeftOut(std::span<const double> calibration);

/// Direction in which more synthetic samples are extreme than real ones can explain.
enum class Beyond { Farther, MoreCrowded, CloserToOne };

/// More synthetic samples at the far end of a statistic than real ones can explain.
struct BeyondAll {
    Beyond what = Beyond::Farther;
    std::size_t rank = 1;    ///< beyond the rank-th most extreme real sample
    std::size_t samples = 0; ///< synthetic samples there
    std::size_t ofSamples = 0;
    std::size_t real = 0; ///< real samples there, those tied with the rank-th included
    std::size_t ofReal = 0;
    double excess = 0.0; ///< samples / ofSamples - real / ofReal
    bool isSure = false; ///< whether the excess is surely 5 % or more
};

/// Tests one statistic: the number of values at or beyond the r-th most extreme real one, r = 1, 5, 20, by the negative
/// hypergeometric distribution at 0.001 / 3. Where real values tie with the r-th, all of them count, and one more.
/// @param values of synthetic samples @param real of real samples
/// @return the largest excess; empty if chance may explain all
std::optional<BeyondAll> testBeyondAll(Beyond what, std::span<const double> values, std::span<const double> real);

} // namespace assay
