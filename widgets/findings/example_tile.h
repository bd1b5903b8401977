#pragma once

#include "engine/audit/result/finding.h"
#include "widgets/link/view_state.h"

#include <QAbstractButton>

#include <optional>

namespace assay {

class SampleSelection;
class ThumbnailCache;

/// One example of a finding: its picture, for a copy its original beside it, and the number of samples like it.
class ExampleTile : public QAbstractButton {
    Q_OBJECT

public:
    static constexpr int kSmallestPicture = 36;
    static constexpr int kLargestPicture = 64;

    /// @param example @param side of its finding  @param selection, cache outlive the tile
    ExampleTile(const FindingExample& example, Side side, SampleSelection* selection, ThumbnailCache* cache,
                QWidget* parent);

    /// @param state of the audit that the example belongs to
    void setState(const ViewState& state);
    SampleId sample() const;
    /// How a tile looks; alike for all tiles beside each other.
    struct Look {
        int edge = kLargestPicture; ///< of a picture, in logical pixels
        int captionLines = 1;       ///< 1 or 2
    };
    void setLook(const Look& look);
    QSize sizeFor(const Look& look) const;
    QSize sizeHint() const override { return sizeFor(look_); }
    /// Whether the caption is no wider than pictures of this edge.
    bool captionFits(int edge) const;

signals:
    /// Double click or Enter, on the example or its original.
    void inspectRequested(assay::SampleId sample);
    /// Left (-1) or Right (1).
    void moved(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QStringList captionLines() const;
    QString caption() const;
    bool hasPictures() const;
    QSize pictureSize(int edge) const;
    int picturesWidth(int edge) const;
    /// Room of the picture, and of the original's beside it.
    QRect pictureRect() const;
    QRect originalRect() const;
    /// The sample whose picture is there; the example itself where none is.
    SampleId sampleAt(QPoint point) const;
    void paintSample(QPainter& painter, SampleId sample, const QRect& picture) const;

    FindingExample example_;
    Side side_;
    SampleSelection* selection_;
    ThumbnailCache* cache_;
    ViewState state_;
    Look look_;
};

} // namespace assay
