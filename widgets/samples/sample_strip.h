#pragma once

#include "widgets/link/view_state.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace assay {

class SampleSelection;
class ThumbnailCache;

/// Samples of any sets of the audit as a row of pictures: as many as the width has room for. A click selects a sample,
/// a double click or Enter inspects it, Left and Right go from one to the next.
class SampleStrip : public QWidget {
    Q_OBJECT

public:
    static constexpr int kEdge = 48; ///< of a picture, in logical pixels

    /// @param selection, cache outlive the strip
    SampleStrip(SampleSelection* selection, ThumbnailCache* cache, QWidget* parent);

    /// @param name for screen readers: what the samples are
    void setSamples(const ViewState& state, std::vector<SampleId> samples, const QString& name);
    /// Shows decisions and marks of another state of the same audit.
    void setState(const ViewState& state);
    const std::vector<SampleId>& samples() const noexcept { return samples_; }
    /// Where a picture is, by its place in samples(); as many are shown as fit.
    QRect pictureRect(std::size_t place) const;
    std::size_t shownCount() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {kEdge + 4, kEdge + 4}; }

signals:
    void inspectRequested(assay::SampleId sample);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::optional<std::size_t> placeAt(QPoint point) const;

    ViewState state_;
    SampleSelection* selection_;
    ThumbnailCache* cache_;
    std::vector<SampleId> samples_;
    std::size_t current_ = 0; ///< place of the one that keys act on
};

} // namespace assay
