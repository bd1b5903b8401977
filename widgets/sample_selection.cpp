#include "widgets/sample_selection.h"

#include <algorithm>

namespace assay {

SampleSelection::SampleSelection(QObject* parent) : QObject(parent) {}

bool SampleSelection::contains(SampleId id) const noexcept {
    return std::binary_search(samples_.begin(), samples_.end(), id);
}

void SampleSelection::replace(std::vector<SampleId> samples, std::optional<SampleId> focus) {
    std::sort(samples.begin(), samples.end());
    samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
    const auto selected = [&](SampleId id) { return std::binary_search(samples.begin(), samples.end(), id); };

    std::optional<SampleId> next;
    if (focus && selected(*focus))
        next = focus;
    else if (focus_ && selected(*focus_))
        next = focus_;
    else if (samples.size() == 1)
        next = samples.front();
    if (samples == samples_ && next == focus_)
        return;
    samples_ = std::move(samples);
    focus_ = next;
    emit changed();
}

void SampleSelection::select(SampleId sample) {
    replace({sample}, sample);
}

void SampleSelection::toggle(SampleId sample) {
    std::vector<SampleId> next = samples_;
    const auto at = std::lower_bound(next.begin(), next.end(), sample);
    if (at != next.end() && *at == sample) {
        next.erase(at);
        replace(std::move(next));
    } else {
        next.insert(at, sample);
        replace(std::move(next), sample);
    }
}

void SampleSelection::clear() {
    replace({});
}

void SampleSelection::hover(std::optional<SampleId> sample) {
    if (sample == hovered_)
        return;
    hovered_ = sample;
    emit hoverChanged();
}

} // namespace assay
