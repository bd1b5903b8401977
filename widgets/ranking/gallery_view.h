#pragma once

#include "engine/data/sample_id.h"
#include "engine/metrics/verdicts/verdicts.h"
#include "engine/subsets/rules/tags.h"
#include "widgets/ranking/gallery_layout.h"
#include "widgets/ranking/tile_captions.h"
#include "widgets/samples/tile_wall.h"

#include <QAbstractScrollArea>

#include <optional>

namespace assay {

class RankingModel;
class RankingPicker;
class ThumbnailCache;

/// A ranking as a wall of pictures. Only tiles in sight are painted, so a million samples scroll like a hundred.
///
/// Yellow frame: selected; bold yellow frame: focused; badge or corner: the verdict; faded with a cross: rejected.
/// Below each picture stands its place on the score colours and a caption (TileCaptions), and between them, if wanted,
/// the picture of the nearest sample of the other set.
///
/// Groups have headers. A click on one selects the group, and so do Up and Down when they come to it; a double click,
/// Enter or a click on "show all" opens or folds it.
class GalleryView : public QAbstractScrollArea, public TileWall {
    Q_OBJECT

public:
    static constexpr int kSmallestTile = 32;
    static constexpr int kLargestTile = 256;

    /// @param model, picker and cache outlive the view
    GalleryView(RankingModel* model, RankingPicker* picker, ThumbnailCache* cache, QWidget* parent);

    /// Edge of a picture in logical pixels; clamped to [kSmallestTile, kLargestTile].
    void setTileSize(int edge);
    int tileSize() const noexcept { return edge_; }
    /// Whether each tile has a second picture, of the nearest sample of the other set. Orders by copy ratio always do.
    void setNearestShown(bool shown);
    bool isNearestShown() const;

    int columns() const;
    const GalleryLayout& layoutOfTiles() const noexcept { return layout_; }
    /// Area of the tile at a position in viewport coordinates, also when out of sight; empty when folded away.
    QRect tileRect(std::size_t position) const;
    std::optional<std::size_t> positionAt(QPoint viewportPoint) const;
    /// Area of the second picture of a tile; empty without one.
    QRect nearestRect(std::size_t position) const;
    /// Area of a group's header, and of the link in it that opens or folds the group; empty without.
    QRect headerRect(std::size_t group) const;
    QRect foldRect(std::size_t group) const;
    std::optional<std::size_t> headerAt(QPoint viewportPoint) const;
    /// The header that the keyboard is at.
    std::optional<std::size_t> currentHeader() const noexcept { return header_; }
    QString caption(std::size_t position) const { return captions_.at(position); }
    QString headerText(std::size_t group) const;
    /// Opens a folded group, or folds it.
    void setGroupOpen(std::size_t group, bool open);

    /// Items are the tiles, and after them the headers.
    std::size_t tileCount() const;
    std::size_t itemCount() const override;
    std::optional<std::size_t> itemAt(QPoint viewportPoint) const override;
    std::optional<std::size_t> currentItem() const override;
    bool isSelected(std::size_t position) const override;
    QRect itemRect(std::size_t item) const override;
    QString spokenText(std::size_t item) const override;
    bool isHeading(std::size_t item) const override { return item >= tileCount(); }

    /// Scrolls as little as needed to bring the tile into sight. A folded group is opened for it.
    void scrollTo(std::size_t position);
    /// The same for a tile of many: where it is folded away its header comes into sight.
    void scrollNear(std::size_t position);
    /// Tiles painted by the last paint event.
    int lastPaintedTiles() const noexcept { return lastPainted_; }

    /// What the tiles of a verdict say at this size: the verdict, else a letter.
    QString verdictText(Verdict verdict) const;
    QString verdictText(CoverageVerdict verdict) const;

signals:
    /// Ctrl and the wheel change the size, too.
    void tileSizeChanged(int edge);
    /// Double click.
    void inspectRequested(assay::SampleId sample);

protected:
    bool event(QEvent* event) override;
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
    int measureCaptions() const;
    int captionHeight() const;
    int tileHeight() const;
    int pitchX() const;
    int headerHeight() const;
    /// Measures what depends on the font, the order and the size of the tiles.
    GallerySizes measured();
    /// Of badges and captions.
    QFont smallFont() const;
    int badgeWidth(const QString& text) const;
    QString fittingBadge(const QString& word) const;
    /// Converts between heights of the layout and of the viewport.
    std::int64_t heightAt(int y) const;
    int yOf(std::int64_t height) const;
    /// Lays out again and keeps the sample at the top in sight.
    void layOut();
    void updateScrollBar();
    void scrollIntoSight(QRect area);

    void selectGroup(std::size_t group, Qt::KeyboardModifiers modifiers);
    void setHeader(std::optional<std::size_t> group);
    bool headerKey(QKeyEvent* event);
    std::optional<std::size_t> moved(int key, std::optional<std::size_t> from) const;
    std::optional<std::size_t> movedByLines(int key, std::size_t from) const;
    std::optional<std::size_t> movedByPage(int key, std::size_t from) const;
    /// The header that Up or Down leads to; none where it leads to a tile.
    std::optional<std::size_t> headerFrom(int key) const;
    /// The tile that an arrow leads to from a header.
    std::optional<std::size_t> tileFrom(std::size_t group, int key) const;
    void showCardAt(QPoint point);
    /// Tells assistive technology where the keyboard is.
    void announceCurrent();

    void paintVerdict(QPainter& painter, const QString& text, const QColor& color, const QRect& picture) const;
    void paintTags(QPainter& painter, SampleId sample, const QRect& picture) const;
    void paintDecision(QPainter& painter, SampleId sample, const QRect& picture) const;
    void paintNearest(QPainter& painter, std::size_t position) const;
    void paintTile(QPainter& painter, std::size_t position) const;
    void paintCaption(QPainter& painter, std::size_t position, const QRect& tile) const;
    void paintHeader(QPainter& painter, std::size_t group) const;

    RankingModel* model_;
    RankingPicker* picker_;
    ThumbnailCache* cache_;
    TileCaptions captions_;
    GalleryLayout layout_;
    bool nearestShown_ = false;
    std::optional<std::size_t> header_;
    bool choosing_ = false; ///< the selection is being changed by a header
    int column_ = 0;        ///< where Up and Down go on below a header
    int edge_ = 80;
    int captionLines_ = 2;
    int lastPainted_ = 0;
};

} // namespace assay
