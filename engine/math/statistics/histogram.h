#pragma once

#include "engine/data/units.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

/// Bins of a histogram. They are ranges [edges[b], edges[b + 1]), where the last one is closed, or, for columns with
/// few distinct values, one bin around each value.
struct HistogramBins {
    std::vector<double> edges;  ///< count() + 1, ascending
    std::vector<double> values; ///< the value of each bin when every bin stands for one value; else empty
    bool logarithmic = false;   ///< whether bins are evenly wide in their logarithms; all edges are above 0 then

    std::size_t count() const noexcept { return edges.empty() ? 0 : edges.size() - 1; }
    bool discrete() const noexcept { return !values.empty(); }
    /// Index of the bin that contains a value; empty for NaN and for values outside all bins.
    std::optional<std::size_t> binOf(double value) const noexcept;
};

/// Chooses bins for a column: the k + 1 possible values of a share of k balls, the two values of yes and no, one bin
/// per word, single counts if there are few, otherwise bins of equal width. Their number follows Freedman and Diaconis
/// (1981), between 8 and `most`.
/// @param k ball size; shares are discrete only if every value is a multiple of 1 / k
/// @return no bins if no value is finite
HistogramBins chooseBins(std::span<const double> values, Unit unit, std::size_t k, std::size_t most = 60);

/// Bins whose edges have one ratio, as many as chooseBins() would choose for the logarithms.
/// @return no bins if no value is finite, or one of them is not above 0
HistogramBins chooseLogarithmicBins(std::span<const double> values, std::size_t most = 60);

/// Index of each value's bin, kNoBin if there is none.
/// @param bins at most kNoBin bins
std::vector<std::uint8_t> binOfEach(const HistogramBins& bins, std::span<const double> values);
/// Bin index of a value outside all bins.
constexpr std::uint8_t kNoBin = 255;

/// Number of values in each bin.
std::vector<std::size_t> countPerBin(const HistogramBins& bins, std::span<const double> values);

} // namespace assay
