#pragma once

#include "engine/data/sample_id.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/subsets/rules/tags.h"

#include <QAbstractScrollArea>

#include <optional>

namespace assay {

class RankingModel;
class RankingPicker;
class ThumbnailCache;

/// A ranking as a wall of pictures. Only tiles in sight are painted, so a hundred thousand samples scroll like a
/// hundred.
///
/// Yellow frame: selected; bold yellow frame: focused; badge or corner: what the sample is accused of; faded with a
/// cross: rejected. Below each picture stands the value that the ranking goes by, with its place on the score colours.
class GalleryView : public QAbstractScrollArea {
    Q_OBJECT

public:
    static constexpr int kSmallestTile = 32;
    static constexpr int kLargestTile = 256;

    /// @param model, picker and cache outlive the view
    GalleryView(RankingModel* model, RankingPicker* picker, ThumbnailCache* cache, QWidget* parent);

    /// Edge of a picture in logical pixels; clamped to [kSmallestTile, kLargestTile].
    void setTileSize(int edge);
    int tileSize() const noexcept { return edge_; }

    int columns() const;
    /// Area of the tile at a position in viewport coordinates, also when out of sight.
    QRect tileRect(std::size_t position) const;
    std::optional<std::size_t> positionAt(QPoint viewportPoint) const;
    /// Scrolls as little as needed to bring the tile into sight.
    void scrollTo(std::size_t position);
    /// Tiles painted by the last paint event.
    int lastPaintedTiles() const noexcept { return lastPainted_; }

    /// What the tiles of a verdict say at this size: the verdict, else it abbreviated, else a letter.
    QString verdictText(Verdict verdict) const;

signals:
    /// Ctrl and the wheel change the size, too.
    void tileSizeChanged(int edge);
    /// Double click.
    void inspectRequested(assay::SampleId sample);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    int tileHeight() const;
    int tileWidth() const;
    /// Whether every sample stands beside the real one that it may be a copy of.
    bool showsOriginals() const;
    int pitchX() const;
    int pitchY() const;
    bool captionsFit() const;
    void updateScrollBar();
    void paintVerdict(QPainter& painter, Verdict verdict, const QRect& picture) const;
    void paintTags(QPainter& painter, SampleId sample, const QRect& picture) const;
    void paintDecision(QPainter& painter, SampleId sample, const QRect& picture) const;
    void paintOriginal(QPainter& painter, std::uint32_t row, const QRect& tile) const;
    void paintTile(QPainter& painter, std::size_t position, const QRect& tile) const;
    void paintCaption(QPainter& painter, std::uint32_t row, const QRect& tile) const;

    RankingModel* model_;
    RankingPicker* picker_;
    ThumbnailCache* cache_;
    int edge_ = 72;
    int lastPainted_ = 0;
};

} // namespace assay
