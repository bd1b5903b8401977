#pragma once

#include "widgets/link/view_state.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace assay {

class SampleSelection;
class SampleStrip;
class ThumbnailCache;

/// One real sample, and the nearest synthetic samples of two models below each other: what either makes in the same
/// place.
class NeighborhoodPair : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 12; ///< samples of each model

    /// @param selection, cache outlive the widget
    NeighborhoodPair(SampleSelection* selection, ThumbnailCache* cache, QWidget* parent);

    /// @param first, second models of the state's audit @param real a row of the real set; nothing: shows nothing
    void show(const ViewState& state, std::size_t first, std::size_t second, std::optional<std::uint32_t> real);
    /// Whether a sample is one of the synthetic ones that are shown.
    bool shows(SampleId sample) const;
    /// The real sample that is shown.
    std::optional<std::uint32_t> real() const noexcept { return real_; }

signals:
    void inspectRequested(assay::SampleId sample);

private:
    QLabel* title_;
    QLabel* names_[2];
    SampleStrip* realStrip_;
    SampleStrip* strips_[2];
    std::optional<std::uint32_t> real_;
};

} // namespace assay
