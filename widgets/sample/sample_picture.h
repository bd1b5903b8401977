#pragma once

#include "widgets/link/view_state.h"

#include <QAbstractButton>

#include <optional>

namespace assay {

class ThumbnailCache;

/// One sample of a comparison: its picture, its part ("nearest real") and its name with class below. A click inspects
/// it. Without room for a picture only the two lines are shown, as for a table.
class SamplePicture : public QAbstractButton {
    Q_OBJECT

public:
    /// @param cache outlives the widget
    SamplePicture(ThumbnailCache* cache, QWidget* parent);

    void setSample(const ViewState& state, SampleId sample, const QString& part);
    /// Shows nothing and keeps nothing of an audit.
    void clear();
    std::optional<SampleId> sample() const noexcept { return sample_; }

    /// Where picture and lines stand; in the middle at first.
    void setSide(Qt::Alignment side);
    /// Height of the lines below the picture.
    int captionHeight() const;
    /// The picture's place in the widget; empty where there is no room for it.
    QRect picture() const;

    QSize sizeHint() const override { return {120, 120 + captionHeight()}; }

signals:
    /// The mouse or the keyboard entered (`inside`) or left the picture.
    void hovered(assay::SampleId sample, bool inside);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString nameFor(const QFontMetrics& metrics) const;

    ThumbnailCache* cache_;
    Qt::Alignment side_ = Qt::AlignHCenter;
    ViewState state_;
    std::optional<SampleId> sample_;
    QString part_;
    QString id_;
    QString class_; ///< with a comma in front; empty for none
};

} // namespace assay
