#pragma once

#include "widgets/grid/grid_contents.h"
#include "widgets/grid/grid_layout.h"

#include <QAbstractScrollArea>
#include <QStringList>

#include <optional>
#include <utility>

class QPainter;

namespace assay {

class SampleSelection;
class ThumbnailCache;

/// How a grid looks and behaves, whatever it shows. Lengths are logical pixels.
struct GridLook {
    int edge = 80;        ///< width of a picture
    int height = 0;       ///< of a picture; 0: its width
    int smallestEdge = 0; ///< where the cells fill the grid: pictures may shrink to this to take fewer lines; 0: not
    int gap = 6;          ///< between cells
    Qt::Orientation pictures = Qt::Horizontal; ///< how the pictures of a cell stand
    /// Cells: the keyboard and screen readers go from cell to cell. Pictures: from picture to picture.
    enum class Stops { Cells, Pictures } stops = Stops::Cells;
    /// Choose: what an arrow key comes to is chosen. Walk: Space chooses, arrow keys only move the frame.
    enum class Arrows { Choose, Walk } arrows = Arrows::Choose;
    /// Scroll: fills the room that it is given and scrolls. Fit: as high as its cells need at its width.
    enum class Extent { Scroll, Fit } extent = Extent::Scroll;
    std::size_t fewest = 0; ///< of a grid that fits: one line of cells, or this many where a line holds fewer; 0: all
    bool pictureCaptions = false; ///< a line of text below each picture
    QStringList rowTitles{};      ///< to the left of the pictures of a line, from the top

    /// Small pictures without captions, all in sight.
    static GridLook strip() { return {.edge = 48, .gap = 4, .extent = Extent::Fit}; }
};

/// Pictures of samples in cells, in lines below each other, perhaps in groups with headings: the one gallery, list of
/// pairs and strip of examples. Only cells in sight are asked for and painted, and pictures are loaded for these alone.
///
/// Yellow frame: selected; bold yellow frame: focused; faded with a cross: rejected; check mark: kept by hand; question
/// mark: unsure. A dashed frame shows where the keyboard is.
///
/// A click chooses (Shift and Ctrl as everywhere), a double click or Enter inspects, and a double click shows the
/// picture large; arrow keys, Home, End and the page keys walk. A click on a heading selects the group, and so do Up
/// and Down when they come to it; a double click, Enter, Space or a click on "show all" opens or folds it.
class SampleGrid : public QAbstractScrollArea {
    Q_OBJECT

public:
    static constexpr int kSmallestEdge = 32;
    static constexpr int kLargestEdge = 256;

    /// @param selection, cache outlive the grid
    SampleGrid(SampleSelection* selection, ThumbnailCache* cache, const GridLook& look, QWidget* parent);

    /// Takes another look; contentsChanged() lays it out.
    void setLook(const GridLook& look) {
        look_ = look;
        edge_ = look.edge;
    }
    /// @param contents outlive the grid
    void setContents(GridContents* contents);
    /// Pictures of the held-out set, whose samples are not those of the audit. @param cache outlives the grid
    void setHeldOutPictures(ThumbnailCache* cache);
    /// Shows a list that the grid keeps.
    void setCells(const ViewState& state, std::vector<GridCell> cells);
    /// Decisions and marks of another state of the same audit, in the grid's own list.
    void setState(const ViewState& state);
    /// The samples of that list, picture by picture.
    std::vector<SampleId> samples() const { return list_.samples(); }

    /// Lays other cells out.
    void contentsChanged();
    /// Lays the same cells out again and keeps those at the top in sight.
    void layOut();
    /// Folds all groups.
    void foldAll() { layout_.forgetOpen(); }
    /// Width of a picture; clamped to [kSmallestEdge, kLargestEdge].
    void setEdge(int edge);
    int edge() const noexcept { return edge_; }

    int columns() const { return columnsFor(viewport()->width(), edge_); }
    const GridLayout& layoutOfCells() const noexcept { return layout_; }
    /// Areas in viewport coordinates, also when out of sight; empty where there is none, or it is folded away.
    QRect cellRect(std::size_t cell) const;
    QRect pictureRect(GridPlace place) const;
    QRect captionRect(std::size_t cell) const;
    QRect headingRect(std::size_t group) const;
    QRect foldRect(std::size_t group) const; ///< the link that opens or folds it
    std::optional<std::size_t> cellAt(QPoint viewportPoint) const;
    std::optional<GridPlace> placeAt(QPoint viewportPoint) const;
    std::optional<std::size_t> headingAt(QPoint viewportPoint) const;

    /// Where the keyboard is: at a picture or a heading.
    std::optional<GridPlace> current() const noexcept { return current_; }
    std::optional<std::size_t> currentHeading() const noexcept { return heading_; }
    /// Opens a folded group, or folds it.
    void setGroupOpen(std::size_t group, bool open);
    /// Scrolls as little as needed to bring the cell into sight. A folded group is opened for it.
    void scrollTo(std::size_t cell);
    /// The same for a cell of many: where it is folded away its heading comes into sight.
    void scrollNear(std::size_t cell);
    /// Follows the focus of the selection, where it is listed.
    void scrollToFocus();

    /// Text of a badge at this size of the pictures.
    QString badgeText(const GridBadge& badge) const;
    SampleId sampleAt(GridPlace place) const;
    /// A sample, its pictures, and the state in which it is looked up.
    struct Shown {
        SampleId sample;
        ThumbnailCache* cache;
        ViewState state;
    };
    Shown shownAt(GridPlace place) const { return shown(pictureAt(place)); }
    /// Goes where a key leads. @return false where it leads nowhere
    bool walk(int key);
    bool isSelectable(GridPlace place) const;
    /// Cells painted by the last paint event.
    int lastPainted() const noexcept { return lastPainted_; }

    /// Stops of the keyboard in order, then the headings: what screen readers list.
    std::size_t stopCount() const;
    std::optional<std::size_t> stopAt(QPoint viewportPoint) const;
    std::optional<std::size_t> currentStop() const;
    QRect stopRect(std::size_t stop) const;
    QString spokenText(std::size_t stop) const;
    bool isHeading(std::size_t stop) const;
    bool isSelected(std::size_t stop) const;

    bool hasHeightForWidth() const override { return fits(); }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Ctrl and the wheel have changed the size of the pictures.
    void edgeChanged(int edge);
    /// Double click or Enter: the person wants to look closely at a sample.
    void inspectRequested(assay::SampleId sample);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    // Sizes (sample_grid.cpp)
    bool fits() const noexcept { return look_.extent == GridLook::Extent::Fit; }
    std::size_t stopsPerCell() const;
    QSize pictureSize(int edge) const { return {edge, look_.height > 0 ? look_.height : edge}; }
    QFont captionFont() const;
    int countCaptionLines(int edge) const;
    int picturesHeight(int edge) const;
    int cellWidth(int edge) const;
    int cellHeight(int edge) const;
    int headingHeight() const;
    int margin() const;
    int titlesWidth() const;
    int columnsFor(int width, int edge) const;
    int linesFor(int width, int edge) const;
    int fittingEdge(int width) const;
    std::size_t shownFor(int width, int edge) const;
    int pitchX() const;
    GridSizes measured();
    /// Converts between heights of the layout and of the viewport.
    std::int64_t heightAt(int y) const;
    int yOf(std::int64_t height) const;
    void updateScrollBar();
    void scrollIntoSight(QRect area);

    // Keyboard (sample_grid_keys.cpp)
    GridPicture pictureAt(GridPlace place) const;
    Shown shown(const GridPicture& picture) const;
    std::size_t stopOf(GridPlace place) const;
    void follow();
    void goTo(GridPlace place, Qt::KeyboardModifiers modifiers);
    void choose(GridPlace place, Qt::KeyboardModifiers modifiers);
    void chooseGroup(std::size_t group, Qt::KeyboardModifiers modifiers);
    void setHeading(std::optional<std::size_t> group);
    void inspect(GridPlace place);
    bool takesSpace() const;
    bool headingKey(QKeyEvent* event);
    std::optional<GridPlace> moved(int key) const;
    std::optional<GridPlace> movedSideways(int key, GridPlace from) const;
    std::optional<GridPlace> movedByLines(int key, GridPlace from) const;
    std::optional<std::size_t> movedByPage(int key, std::size_t from) const;
    std::optional<std::size_t> headingFrom(int key) const;
    std::optional<std::size_t> cellFrom(std::size_t group, int key) const;
    void announceCurrent();
    void showHintAt(QPoint point, QPoint onScreen);
    void hoverAt(QPoint point);

    // Painting (sample_grid_paint.cpp)
    ThumbnailCache* cacheOf(const GridPicture& picture) const { return picture.heldOut ? heldOutCache_ : cache_; }
    void paintCell(QPainter& painter, std::size_t at) const;
    void paintPicture(QPainter& painter, const GridPicture& picture, GridPlace place) const;
    void paintMarks(QPainter& painter, const GridPicture& picture, const QRect& area) const;
    void paintCaption(QPainter& painter, const GridCell& cell, std::size_t at) const;
    int paintSign(QPainter& painter, GridSign sign, const QRect& line, int textWidth) const;
    void paintBadge(QPainter& painter, const GridBadge& badge, const QRect& picture, Qt::Corner corner) const;
    void paintHeading(QPainter& painter, std::size_t group) const;
    void paintRowTitles(QPainter& painter, int top) const;
    QString foldText(std::size_t group) const;

    SampleSelection* selection_;
    ThumbnailCache* cache_;
    ThumbnailCache* heldOutCache_;
    GridLook look_;
    GridList list_;
    GridContents* contents_;
    GridLayout layout_;
    std::optional<GridPlace> current_;
    std::optional<std::size_t> heading_;
    /// Picture that was pressed and where: choosing it may bring another one below the second click.
    std::optional<std::pair<GridPicture, QPoint>> pressed_;
    bool choosing_ = false;  ///< the selection is being changed by this grid
    std::size_t column_ = 0; ///< where Up and Down go on below a heading
    int edge_;
    int captionLines_ = 0;
    int lastPainted_ = 0;
};

/// Makes screen readers see the cells of grids; for any number of calls.
void makeGridsAccessible();
/// Tells screen readers that the keyboard has come to another stop.
void announceCurrentStop(SampleGrid& grid);

} // namespace assay
