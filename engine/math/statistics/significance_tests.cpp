#include "engine/math/statistics/significance_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unsupported/Eigen/SpecialFunctions>

namespace assay {
namespace {

constexpr double kHalfLogTwoPi = 0.91893853320467274178;

/// Error of Stirling's formula for log(n!).
/// @param n a whole number, at least 1
double stirlingError(double n) {
    constexpr std::size_t kExact = 16; // 15! is exact in double precision
    static const std::array<double, kExact> kErrors = [] {
        std::array<double, kExact> errors{};
        double factorial = 1.0;
        for (std::size_t i = 1; i < kExact; ++i) {
            const auto x = static_cast<double>(i);
            factorial *= x;
            errors[i] = std::log(factorial) - ((x + 0.5) * std::log(x) - x + kHalfLogTwoPi);
        }
        return errors;
    }();
    if (n < static_cast<double>(kExact))
        return kErrors[static_cast<std::size_t>(n)];
    const double square = n * n;
    return (1.0 / 12.0 -
            (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square) / square) /
           n;
}

/// Deviance x log(x / mean) + mean - x, without cancellation near the mean.
double deviance(double x, double mean) {
    if (std::abs(x - mean) >= 0.1 * (x + mean))
        return x * std::log(x / mean) + mean - x;
    const double v = (x - mean) / (x + mean);
    double sum = (x - mean) * v;
    double term = 2.0 * x * v;
    for (double order = 3.0;; order += 2.0) {
        term *= v * v;
        const double next = sum + term / order;
        if (next == sum)
            return next;
        sum = next;
    }
}

/// Logarithm of the probability of x successes in n trials. @param success, failure their chances, which sum to 1
double logBinomial(double x, double n, double success, double failure) {
    if (x == 0.0)
        return n == 0.0 ? 0.0 : n * (success < 0.5 ? std::log1p(-success) : std::log(failure));
    if (x == n)
        return n * (failure < 0.5 ? std::log1p(-failure) : std::log(success));
    return stirlingError(n) - stirlingError(x) - stirlingError(n - x) - deviance(x, n * success) -
           deviance(n - x, n * failure) - kHalfLogTwoPi - 0.5 * (std::log(x) + std::log1p(-x / n));
}

/// Distribution of the number of marked items among the drawn ones.
class Hypergeometric {
public:
    explicit Hypergeometric(const MarkedDraws& draws)
        : population_(static_cast<double>(draws.population)), marked_(static_cast<double>(draws.marked)),
          drawn_(static_cast<double>(draws.drawn)), lowest_(std::max(0.0, drawn_ + marked_ - population_)),
          highest_(std::min(drawn_, marked_)),
          mode_(std::clamp(std::floor((drawn_ + 1.0) * (marked_ + 1.0) / (population_ + 2.0)), lowest_, highest_)) {}

    /// The number whose probability range holds `chance`, ranges being laid out from the mode outwards.
    /// @param chance in [0, 1)
    double at(double chance) const {
        double low = mode_;
        double high = mode_;
        double ofLow = std::exp(logProbability(mode_));
        double ofHigh = ofLow;
        for (double left = chance - ofLow; left >= 0.0;) {
            if (ofLow + ofHigh < kNegligible) // only rounding is left
                return mode_;
            ofHigh *= high < highest_ ? ratioAfter(high) : 0.0;
            if (left < ofHigh)
                return high + 1.0;
            ofLow = low > lowest_ ? ofLow / ratioAfter(low - 1.0) : 0.0;
            high = std::min(high + 1.0, highest_);
            left -= ofHigh;
            if (left < ofLow)
                return low - 1.0;
            low = std::max(low - 1.0, lowest_);
            left -= ofLow;
        }
        return mode_;
    }

    double mode() const { return mode_; }
    double highest() const { return highest_; }
    double lowest() const { return lowest_; }

    double logProbability(double x) const {
        if (lowest_ == highest_)
            return 0.0;
        const double success = drawn_ / population_;
        const double failure = (population_ - drawn_) / population_;
        return logBinomial(x, marked_, success, failure) +
               logBinomial(drawn_ - x, population_ - marked_, success, failure) -
               logBinomial(drawn_, population_, success, failure);
    }

    double atMost(double x) const {
        if (x < lowest_)
            return 0.0;
        if (x >= highest_)
            return 1.0;
        return x <= mode_ ? below(x) : 1.0 - above(x + 1.0);
    }

    double atLeast(double x) const {
        if (x > highest_)
            return 0.0;
        if (x <= lowest_)
            return 1.0;
        return x >= mode_ ? above(x) : 1.0 - below(x - 1.0);
    }

private:
    /// Terms below this part of the sum no longer change it.
    static constexpr double kNegligible = 1e-19;

    /// Probability of x + 1 over that of x.
    double ratioAfter(double x) const {
        return (marked_ - x) * (drawn_ - x) / ((x + 1.0) * (population_ - marked_ - drawn_ + x + 1.0));
    }
    /// Sum of the probabilities up to x. @param x at most the mode: terms decrease
    double below(double x) const {
        double sum = 1.0;
        double term = 1.0;
        for (double y = x; y > lowest_ && term > kNegligible * sum; --y) {
            term /= ratioAfter(y - 1.0);
            sum += term;
        }
        return std::min(1.0, std::exp(logProbability(x)) * sum);
    }
    /// Sum of the probabilities from x. @param x at least the mode
    double above(double x) const {
        double sum = 1.0;
        double term = 1.0;
        for (double y = x; y < highest_ && term > kNegligible * sum; ++y) {
            term *= ratioAfter(y);
            sum += term;
        }
        return std::min(1.0, std::exp(logProbability(x)) * sum);
    }

    double population_, marked_, drawn_;
    double lowest_, highest_, mode_;
};

/// First number in (from, to] for which `holds` becomes true; `to` + step if none. @param step 1 or -1
template <typename Condition>
double firstWhere(double from, double to, double step, const Condition& holds) {
    double without = from;
    double with = to + step;
    while (std::abs(with - without) > 1.0) {
        const double middle = without + std::trunc((with - without) / 2.0);
        (holds(middle) ? with : without) = middle;
    }
    return with;
}

double twoSided(const Hypergeometric& counts, double observed) {
    constexpr double kSlack = 1e-7;
    const double limit = counts.logProbability(observed) + kSlack;
    const auto asExtreme = [&](double x) { return counts.logProbability(x) <= limit; };
    if (asExtreme(counts.mode()))
        return 1.0;
    const double sum =
        observed < counts.mode()
            ? counts.atMost(observed) + counts.atLeast(firstWhere(counts.mode(), counts.highest(), 1.0, asExtreme))
            : counts.atLeast(observed) + counts.atMost(firstWhere(counts.mode(), counts.lowest(), -1.0, asExtreme));
    return std::min(1.0, sum);
}

} // namespace

double fisherExact(std::size_t first, std::size_t ofFirst, std::size_t second, std::size_t ofSecond,
                   Alternative alternative) {
    const Hypergeometric counts({ofFirst + ofSecond, first + second, ofFirst});
    const auto observed = static_cast<double>(first);
    switch (alternative) {
    case Alternative::Greater:
        return counts.atLeast(observed);
    case Alternative::Less:
        return counts.atMost(observed);
    case Alternative::TwoSided:
        break;
    }
    return twoSided(counts, observed);
}

double hypergeometricAtMost(std::size_t count, const MarkedDraws& draws) {
    return Hypergeometric(draws).atMost(static_cast<double>(count));
}

double hypergeometricAtLeast(std::size_t count, const MarkedDraws& draws) {
    return Hypergeometric(draws).atLeast(static_cast<double>(count));
}

std::size_t drawMarked(const MarkedDraws& draws, Random& random) {
    constexpr std::size_t kOneByOne = 32;
    const auto [fewer, more] = std::minmax(draws.marked, draws.drawn); // the law is the same with both exchanged
    if (fewer > kOneByOne)
        return static_cast<std::size_t>(Hypergeometric(draws).at(random.uniform()));
    std::size_t hits = 0;
    for (std::size_t item = 0; item < fewer; ++item)
        hits +=
            random.uniform() * static_cast<double>(draws.population - item) < static_cast<double>(more - hits) ? 1 : 0;
    return hits;
}

double exceedanceProbability(std::size_t count, std::size_t ofFirst, std::size_t rank, std::size_t ofSecond) {
    if (count == 0)
        return 1.0;
    if (count > ofFirst)
        return 0.0;
    // At least `count` come before the rank-th of the other sample: of the first count + rank - 1 at least `count`.
    return hypergeometricAtLeast(count, {ofFirst + ofSecond, ofFirst, count + rank - 1});
}

double poissonAtMost(std::size_t count, double mean) {
    return mean > 0.0 ? Eigen::numext::igammac(static_cast<double>(count) + 1.0, mean) : 1.0;
}

namespace {

/// Quantile of the beta distribution with parameters a and b, by bisection: the share at which the probability of at
/// least a certain number of successes is `chance`.
double shareAt(double a, double b, double chance) {
    double low = 0.0;
    double high = 1.0;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2.0;
        (Eigen::numext::betainc(a, b, middle) < chance ? low : high) = middle;
    }
    return (low + high) / 2.0;
}

} // namespace

Bounds clopperPearson(std::size_t successes, std::size_t trials, double level) {
    const double tail = (1.0 - level) / 2.0;
    const auto x = static_cast<double>(successes);
    const auto n = static_cast<double>(trials);
    return {successes == 0 ? 0.0 : shareAt(x, n - x + 1.0, tail),
            successes == trials ? 1.0 : shareAt(x + 1.0, n - x, 1.0 - tail)};
}

double atLeastSuccesses(double successes, double trials, double chance) {
    return successes > 0.0 ? Eigen::numext::betainc(successes, trials - successes + 1.0, chance) : 1.0;
}

double twoSharesPValue(std::size_t first, std::size_t ofFirst, std::size_t second, std::size_t ofSecond) {
    const auto n = static_cast<double>(ofFirst);
    const auto m = static_cast<double>(ofSecond);
    const double pooled = static_cast<double>(first + second) / (n + m);
    const double deviation = std::sqrt(pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m));
    if (!(deviation > 0.0))
        return 1.0;
    const double z = (static_cast<double>(first) / n - static_cast<double>(second) / m) / deviation;
    return std::erfc(std::abs(z) / std::sqrt(2.0));
}

double kolmogorovDistance(std::span<const float> a, std::span<const float> b) {
    const double perA = 1.0 / static_cast<double>(a.size());
    const double perB = 1.0 / static_cast<double>(b.size());
    double largest = 0.0;
    // Once one sample has ended, the difference can only shrink.
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const float x = std::min(a[i], b[j]);
        while (i < a.size() && a[i] == x)
            ++i;
        while (j < b.size() && b[j] == x)
            ++j;
        largest = std::max(largest, std::abs(static_cast<double>(i) * perA - static_cast<double>(j) * perB));
    }
    return largest;
}

double kolmogorovTail(double x) {
    if (!(x > 0.0))
        return 1.0;
    constexpr double kPi = std::numbers::pi;
    constexpr double kBothConverge = 1.0; // three terms of either series are exact to 1e-15 or better
    constexpr int kTerms = 5;
    double sum = 0.0;
    if (x < kBothConverge) {
        for (int k = 1; k <= kTerms; ++k)
            sum += std::exp(-std::pow((2 * k - 1) * kPi / x, 2) / 8.0);
        return std::clamp(1.0 - std::sqrt(2.0 * kPi) / x * sum, 0.0, 1.0);
    }
    for (int k = 1; k <= kTerms; ++k)
        sum += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * x * x);
    return std::clamp(sum, 0.0, 1.0);
}

std::vector<double> conformalPValues(std::span<const double> values, std::vector<double> calibration, Extreme end) {
    const auto numbers =
        std::partition(calibration.begin(), calibration.end(), [](double v) { return !std::isnan(v); });
    const auto unknown = static_cast<std::size_t>(calibration.end() - numbers);
    std::sort(calibration.begin(), numbers);
    const double all = 1.0 + static_cast<double>(calibration.size());
    std::vector<double> p(values.size(), 1.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i]))
            continue;
        const auto extreme = end == Extreme::High
                                 ? numbers - std::lower_bound(calibration.begin(), numbers, values[i])
                                 : std::upper_bound(calibration.begin(), numbers, values[i]) - calibration.begin();
        p[i] = (1.0 + static_cast<double>(unknown) + static_cast<double>(extreme)) / all;
    }
    return p;
}

std::vector<double> benjaminiHochberg(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    std::vector<double> adjusted(p.size());
    double smallest = 1.0;
    for (std::size_t above = 0; above < order.size(); ++above) {
        const auto rank = static_cast<double>(order.size() - above);
        smallest = std::min(smallest, p[order[above]] * static_cast<double>(p.size()) / rank);
        adjusted[order[above]] = smallest;
    }
    return adjusted;
}

double shareNotUniform(std::span<const double> p) {
    if (p.empty())
        return 0.0;
    const auto above = std::count_if(p.begin(), p.end(), [](double value) { return value > 0.5; });
    return std::max(0.0, 1.0 - (1.0 + static_cast<double>(above)) / (static_cast<double>(p.size()) / 2.0));
}

} // namespace assay
