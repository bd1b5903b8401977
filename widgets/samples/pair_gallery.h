#pragma once

#include "widgets/samples/listed_pairs.h"
#include "widgets/samples/tile_wall.h"

#include <QAbstractScrollArea>

#include <optional>

namespace assay {

class SampleSelection;
class ThumbnailCache;

/// Pairs as a wall of pictures, two side by side, with their ids, ratio and distance. Only pairs in sight are painted,
/// so a million scroll like a hundred.
///
/// A click on a picture selects its sample: Shift adds, Ctrl toggles, Ctrl+Shift takes away. Left and Right go from
/// picture to picture, Up and Down from line to line; with Shift they add. Enter and a double click inspect. A
/// remarkable pair has a magenta strip and its ratio in bold. A dashed frame shows where the keys are.
class PairGallery : public QAbstractScrollArea, public TileWall {
    Q_OBJECT

public:
    static constexpr int kPicture = 88; ///< edge of a picture in logical pixels

    /// Pictures of the audit's samples, and of the held-out set's.
    struct Pictures {
        ThumbnailCache* audit;
        ThumbnailCache* heldOut;
    };

    /// @param pairs, selection and caches outlive the view
    PairGallery(const ListedPairs* pairs, SampleSelection* selection, Pictures pictures, QWidget* parent);

    /// The pairs are others now: shows the nearest of them.
    void pairsChanged();
    /// Goes to a sample that was selected elsewhere, where it is listed.
    void followSelection();

    int columns() const;
    /// Area of a picture in viewport coordinates, also when out of sight.
    QRect pictureRect(PairCell cell) const;
    /// Where ratio and distance of a pair stand.
    QRect ratioRect(std::size_t position) const;
    std::optional<PairCell> cellAt(QPoint viewportPoint) const;
    std::optional<PairCell> current() const noexcept { return current_; }
    /// Items are the samples: left and right one of the first pair, and so on.
    std::size_t itemCount() const override { return 2 * pairs_->size(); }
    std::optional<std::size_t> itemAt(QPoint viewportPoint) const override;
    std::optional<std::size_t> currentItem() const override;
    bool isSelected(std::size_t item) const override;
    QRect itemRect(std::size_t item) const override { return pictureRect(cellOf(item)); }
    QString spokenText(std::size_t item) const override;
    /// Pairs painted by the last paint event.
    int lastPaintedPairs() const noexcept { return lastPainted_; }

signals:
    void inspectRequested(assay::SampleId sample);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    static PairCell cellOf(std::size_t item) { return {item / 2, item % 2 == 0 ? PairSide::Left : PairSide::Right}; }
    static std::size_t itemOf(PairCell cell) { return 2 * cell.position + (cell.side == PairSide::Right ? 1 : 0); }
    int pitchX() const;
    int pitchY() const;
    QPoint originOf(std::size_t position) const;
    std::optional<std::size_t> positionAt(QPoint point) const;
    /// The sample of a cell, unless it is a held-out one.
    std::optional<SampleId> selectable(std::optional<PairCell> cell) const;
    std::optional<PairCell> moved(int key) const;
    void choose(PairCell cell, Qt::KeyboardModifiers modifiers);
    void inspect(PairCell cell);
    void scrollTo(std::size_t position);
    void updateScrollBar();
    void paintSample(QPainter& painter, PairCell cell) const;
    void paintPair(QPainter& painter, std::size_t position) const;
    QString toolTipAt(QPoint point) const;

    const ListedPairs* pairs_;
    SampleSelection* selection_;
    Pictures pictures_;
    std::optional<PairCell> current_; ///< where the keys are
    int lastPainted_ = 0;
};

} // namespace assay
