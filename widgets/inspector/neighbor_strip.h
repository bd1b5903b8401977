#pragma once

#include "engine/report/scores/explain.h"
#include "widgets/inspector/neighbor_tile.h"
#include "widgets/link/view_state.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace assay {

struct BarFeatures;
class ThumbnailCache;

/// The nearest samples of one set as a row of tiles: as many as fit, but at least five, wrapped where it is too narrow
/// for them. Tiles stay where they are when another sample is inspected, and so does the keyboard.
class NeighborStrip : public QWidget {
    Q_OBJECT

public:
    /// Most neighbours that are shown.
    static constexpr std::size_t kMost = 12;

    /// @param cache outlives the strip
    /// @param objectName of the strip; tiles are named after it
    NeighborStrip(ThumbnailCache* cache, const QString& objectName, QWidget* parent);

    /// @param bars features by which rows without pictures are drawn; null: as the cache draws them
    /// @param ball which balls the relations are about
    void setNeighbors(const ViewState& state, const std::vector<NeighborRelation>& neighbors,
                      const std::shared_ptr<const BarFeatures>& bars, Ball ball);
    /// Shows nothing and keeps nothing of an audit.
    void clear() { setNeighbors({}, {}, nullptr, Ball::Neighbors); }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(assay::SampleId sample);
    /// The mouse entered (`inside`) or left a picture.
    void hovered(assay::SampleId sample, bool inside);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int columnsFor(int width) const;
    int shownFor(int width) const;
    void arrange();

    std::vector<NeighborTile*> tiles_;
    std::size_t count_ = 0; ///< neighbours that the tiles hold
    bool flat_ = false;     ///< without pictures
};

} // namespace assay
