#pragma once

#include "engine/data/units.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

/// Bins of a histogram. Either ranges [edges[b], edges[b + 1]), the last one closed, or, for columns that take few
/// values, one bin around each value.
struct HistogramBins {
    std::vector<double> edges;  ///< count() + 1, ascending
    std::vector<double> values; ///< the value of each bin when every bin stands for one value; else empty

    std::size_t count() const noexcept { return edges.empty() ? 0 : edges.size() - 1; }
    bool discrete() const noexcept { return !values.empty(); }
    /// The bin of a value; none for NaN and for values outside all bins.
    std::optional<std::size_t> binOf(double value) const noexcept;
};

/// Bins that suit a column: the k + 1 steps of a share of k balls, yes and no, single counts while there are few of
/// them, otherwise even bins after Freedman and Diaconis (1981), between 8 and `most`.
/// @param k ball size; shares are discrete only when every value is a multiple of 1 / k
HistogramBins chooseBins(std::span<const double> values, Unit unit, std::size_t k, std::size_t most = 60);

/// The bin of each value, kNoBin for none. @param bins at most kNoBin of them
std::vector<std::uint8_t> binOfEach(const HistogramBins& bins, std::span<const double> values);
constexpr std::uint8_t kNoBin = 255;

/// How many values each bin holds.
std::vector<std::size_t> countPerBin(const HistogramBins& bins, std::span<const double> values);

} // namespace assay
