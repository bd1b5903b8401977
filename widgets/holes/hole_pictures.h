#pragma once

#include "widgets/link/view_state.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace assay {

class SampleSelection;
class ThumbnailCache;

/// Real samples side by side, each above the synthetic sample nearest to it. A click selects a sample, a double click
/// or Enter inspects it, arrow keys go from one to the next.
class HolePictures : public QWidget {
    Q_OBJECT

public:
    /// @param rows of the real set @param selection, cache outlive the widget
    HolePictures(const ViewState& state, const std::vector<std::uint32_t>& rows, SampleSelection* selection,
                 ThumbnailCache* cache, QWidget* parent);

    /// Shows decisions and marks. @param state of the audit that the samples belong to
    void setState(const ViewState& state);
    /// The pictures' samples, row by row: the real ones, then the nearest synthetic ones.
    const std::vector<SampleId>& samples() const noexcept { return samples_; }
    /// Where a picture is, by its place in samples().
    QRect pictureRect(std::size_t place) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

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
    std::size_t columns() const noexcept { return samples_.size() / 2; }
    int captionWidth() const;
    void goTo(std::size_t place);

    ViewState state_;
    SampleSelection* selection_;
    ThumbnailCache* cache_;
    std::vector<SampleId> samples_;
    std::size_t current_ = 0; ///< place of the one that keys act on
};

} // namespace assay
