#include "widgets/useful/confusion_counts.h"

#include "widgets/common/number_format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {

ConfusionCounts::ConfusionCounts(std::shared_ptr<const PredictedClasses> classes) : classes_(std::move(classes)) {
    std::vector<bool> occurs(classes_->names.size(), false);
    for (const auto* side : {&classes_->actual, &classes_->predicted})
        for (const std::uint32_t code : *side)
            if (code != PredictedClasses::kNone)
                occurs[code] = true;
    std::vector<std::size_t> places(occurs.size(), 0);
    for (std::uint32_t code = 0; code < occurs.size(); ++code)
        if (occurs[code]) {
            places[code] = shown_.size();
            shown_.push_back(code);
        }
    totals_.assign(shown_.size(), 0);
    for (std::uint32_t row = 0; row < classes_->actual.size(); ++row)
        if (classes_->actual[row] != PredictedClasses::kNone) {
            const std::size_t actual = places[classes_->actual[row]];
            ++totals_[actual];
            cells_[keyOf({actual, places[classes_->predicted[row]]})].push_back(row);
        }
    for (const auto& [key, rows] : cells_)
        if (const HeatPlace place = placeOf(key); place.row != place.column)
            largestError_ =
                std::max(largestError_, static_cast<double>(rows.size()) / static_cast<double>(totals_[place.row]));
}

std::vector<std::uint32_t> ConfusionCounts::samplesIn(const std::vector<HeatPlace>& cells) const {
    std::vector<std::uint32_t> samples;
    for (const HeatPlace place : cells)
        if (const auto at = cells_.find(keyOf(place)); at != cells_.end())
            samples.insert(samples.end(), at->second.begin(), at->second.end());
    std::ranges::sort(samples);
    return samples;
}

std::vector<ConfusionCounts::Count> ConfusionCounts::counts() const {
    std::vector<std::size_t> keys;
    keys.reserve(cells_.size());
    for (const auto& cell : cells_)
        keys.push_back(cell.first);
    std::ranges::sort(keys);
    std::vector<Count> counts;
    counts.reserve(keys.size());
    for (const std::size_t key : keys)
        counts.push_back({nameAt(placeOf(key).row), nameAt(placeOf(key).column), cells_.at(key).size()});
    return counts;
}

std::size_t ConfusionCounts::countAt(HeatPlace place) const {
    const auto at = cells_.find(keyOf(place));
    return at == cells_.end() ? 0 : at->second.size();
}

QString ConfusionCounts::nameAt(std::size_t place) const {
    return QString::fromStdString(classes_->names[shown_[place]]);
}

HeatCell ConfusionCounts::cellAt(HeatPlace place) const {
    const std::size_t count = countAt(place);
    HeatCell cell{.isSame = place.row == place.column};
    if (count == 0)
        return cell;
    cell.text = formatCount(count);
    if (!cell.isSame)
        cell.shade = static_cast<double>(count) / static_cast<double>(totals_[place.row]) / largestError_;
    return cell;
}

QString ConfusionCounts::textOf(HeatPlace place) const {
    const std::size_t total = totals_[place.row];
    const double share = total == 0 ? 0.0 : static_cast<double>(countAt(place)) / static_cast<double>(total);
    const QString part =
        tr("%1 of the %2 real samples of class %3 (%4)")
            .arg(formatCount(countAt(place)), formatCount(total), nameAt(place.row), formatPercent(share));
    return place.row == place.column ? tr("Classified correctly: %1").arg(part)
                                     : tr("Predicted as class %2: %1").arg(part, nameAt(place.column));
}

HeatContent ConfusionCounts::heatContent(const std::shared_ptr<const ConfusionCounts>& counts) {
    HeatContent content;
    content.rowsTitle = tr("Class");
    content.columnsTitle = tr("Predicted class");
    std::size_t most = 0;
    for (const auto& [key, rows] : counts->cells_)
        most = std::max(most, rows.size());
    content.widest = formatCount(most);
    for (std::size_t place = 0; place < counts->shown_.size(); ++place)
        content.rows << counts->nameAt(place);
    content.columns = content.rows;
    content.cell = [counts](HeatPlace at) { return counts->cellAt(at); };
    content.toolTip = [counts](HeatPlace at) { return counts->textOf(at).toHtmlEscaped(); };
    content.description = [counts](HeatPlace at) { return counts->textOf(at); };
    return content;
}

} // namespace assay
