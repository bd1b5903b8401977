#include "engine/subsets/rules/column_histogram.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace assay {

void ColumnHistogram::choose(std::span<const double> values, SetId set, Unit unit, std::size_t k, bool logarithmic) {
    *this = {};
    set_ = set;
    bins_ = chooseBins(values, unit, k);
    HistogramBins alternative = bins_.discrete() ? HistogramBins() : chooseLogarithmicBins(values);
    canBeLogarithmic_ = alternative.count() > 0;
    if (logarithmic && canBeLogarithmic_)
        bins_ = std::move(alternative);
    binOfRow_ = binOfEach(bins_, values);
    selected_.assign(bins_.count(), 0);
}

void ColumnHistogram::count(std::span<const double> values, const Counting& counting) {
    counts_.assign(bins_.count(), 0);
    rejected_.assign(bins_.count(), 0);
    missing_ = 0;
    isCumulative_ = counting.isCumulative;
    const auto take = [&](std::size_t row) {
        missing_ += std::isnan(values[row]) ? 1 : 0;
        const std::uint8_t bin = binOfRow_[row];
        if (bin == kNoBin)
            return;
        ++counts_[bin];
        rejected_[bin] += counting.kept != nullptr && !(*counting.kept)[row] ? 1 : 0;
    };
    if (counting.shown != nullptr)
        for (const SampleId sample : counting.shown->in(set_))
            take(sample.row);
    else
        for (std::size_t row = 0; row < values.size(); ++row)
            take(row);
    total_ = counting.shown != nullptr ? counting.shown->countIn(set_) : values.size();
    sumUp(counts_);
    sumUp(rejected_);
}

void ColumnHistogram::countGood(std::span<const double> values) {
    good_.clear();
    if (values.empty())
        return;
    std::vector<std::size_t> counts = countPerBin(bins_, values);
    sumUp(counts);
    const double scale = static_cast<double>(total_) / static_cast<double>(values.size());
    for (const std::size_t count : counts)
        good_.push_back(scale * static_cast<double>(count));
}

void ColumnHistogram::countSelected(const SampleSet& selected) {
    selected_.assign(bins_.count(), 0);
    for (const SampleId sample : selected.in(set_))
        if (sample.row < binOfRow_.size() && binOfRow_[sample.row] != kNoBin)
            ++selected_[binOfRow_[sample.row]];
    sumUp(selected_);
}

SampleSet ColumnHistogram::samplesIn(std::size_t first, std::size_t last) const {
    return SampleSet::where(set_, binOfRow_.size(), [&](std::size_t row) {
        return binOfRow_[row] != kNoBin && binOfRow_[row] >= first && binOfRow_[row] <= last;
    });
}

void ColumnHistogram::sumUp(std::vector<std::size_t>& counts) const {
    if (isCumulative_)
        std::partial_sum(counts.begin(), counts.end(), counts.begin());
}

} // namespace assay
