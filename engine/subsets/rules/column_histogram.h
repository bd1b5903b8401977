#pragma once

#include "engine/data/sample_set.h"
#include "engine/math/statistics/histogram.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// The samples of a set in the bars of a column. Bars stay where they are while filters, rules and the selection
/// change.
class ColumnHistogram {
public:
    /// Chooses bars for other values; nothing is counted yet.
    /// @param logarithmic bars of equal width on a logarithmic axis, where there can be such
    void choose(std::span<const double> values, SetId set, Unit unit, std::size_t k, bool logarithmic);

    /// Samples that are counted, and how.
    struct Counting {
        const SampleSet* shown = nullptr;        ///< samples that pass the filter; null: all
        const std::vector<bool>* kept = nullptr; ///< per row; null: nothing is rejected
        bool isCumulative = false;               ///< in a bar and the ones before
    };
    /// @param values those that the bars were chosen for
    void count(std::span<const double> values, const Counting& counting);
    /// Expects as many good samples as there are samples. @param values of good samples; empty: none are known
    void countGood(std::span<const double> values);
    void countSelected(const SampleSet& selected);

    const HistogramBins& bins() const noexcept { return bins_; }
    /// Whether there can be bars on a logarithmic axis: all values are above 0, and they differ.
    bool canBeLogarithmic() const noexcept { return canBeLogarithmic_; }
    std::size_t countIn(std::size_t bin) const { return counts_.at(bin); }
    std::size_t rejectedIn(std::size_t bin) const { return rejected_.at(bin); }
    std::size_t selectedIn(std::size_t bin) const { return selected_.at(bin); }
    /// Good samples expected in each bar; empty where they are not known.
    const std::vector<double>& good() const noexcept { return good_; }
    std::size_t total() const noexcept { return total_; }
    std::size_t missing() const noexcept { return missing_; } ///< samples without a value
    /// All samples of the bars from `first` to `last`.
    SampleSet samplesIn(std::size_t first, std::size_t last) const;

private:
    void sumUp(std::vector<std::size_t>& counts) const;

    SetId set_ = SetId::Real;
    HistogramBins bins_;
    std::vector<std::uint8_t> binOfRow_; ///< kNoBin for none
    std::vector<std::size_t> counts_;
    std::vector<std::size_t> rejected_;
    std::vector<std::size_t> selected_;
    std::vector<double> good_;
    bool isCumulative_ = false;
    bool canBeLogarithmic_ = false;
    std::size_t total_ = 0;
    std::size_t missing_ = 0;
};

} // namespace assay
