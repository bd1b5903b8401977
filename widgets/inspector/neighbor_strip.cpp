#include "widgets/inspector/neighbor_strip.h"

#include "widgets/inspector/neighbor_tile.h"
#include "widgets/link/thumbnail_cache.h"

#include <algorithm>

namespace assay {
namespace {

constexpr int kTileGap = 4;
constexpr int kFewest = 5;

} // namespace

NeighborStrip::NeighborStrip(ThumbnailCache* cache, const QString& objectName, QWidget* parent) : QWidget(parent) {
    setObjectName(objectName);
    // Not Fixed, which would hold it to the height of its hint's width.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    for (std::size_t at = 0; at < kMost; ++at) {
        auto* tile = new NeighborTile(cache, this);
        tile->setObjectName(QStringLiteral("%1Tile%2").arg(objectName).arg(at));
        tile->hide();
        connect(cache, &ThumbnailCache::arrived, tile, qOverload<>(&QWidget::update));
        connect(tile, &QAbstractButton::clicked, this, [this, tile] {
            if (tile->relation())
                emit chosen(tile->relation()->neighbor);
        });
        connect(tile, &NeighborTile::hovered, this, &NeighborStrip::hovered);
        tiles_.push_back(tile);
    }
}

void NeighborStrip::setNeighbors(const ViewState& state, const std::vector<NeighborRelation>& neighbors,
                                 const std::shared_ptr<const BarFeatures>& bars, Ball ball) {
    count_ = std::min(neighbors.size(), kMost);
    flat_ = bars != nullptr;
    for (std::size_t at = 0; at < kMost; ++at)
        if (at < count_)
            tiles_[at]->setNeighbor(state, neighbors[at], bars, ball);
        else
            tiles_[at]->clear();
    arrange();
    updateGeometry();
}

int NeighborStrip::columnsFor(int width) const {
    return std::max(1, (width + kTileGap) / (NeighborTile::kWidth + kTileGap));
}

int NeighborStrip::shownFor(int width) const {
    return std::min(static_cast<int>(count_), std::max(kFewest, columnsFor(width)));
}

int NeighborStrip::heightForWidth(int width) const {
    const int perLine = columnsFor(width);
    const int lines = (shownFor(width) + perLine - 1) / perLine;
    return std::max(0, lines * (NeighborTile::heightFor(fontMetrics(), flat_) + kTileGap) - kTileGap);
}

QSize NeighborStrip::sizeHint() const {
    const int width = kFewest * (NeighborTile::kWidth + kTileGap) - kTileGap;
    return {width, heightForWidth(width)};
}

QSize NeighborStrip::minimumSizeHint() const {
    // One line: how many lines there are is a matter of heightForWidth().
    return {NeighborTile::kWidth, NeighborTile::heightFor(fontMetrics(), flat_)};
}

void NeighborStrip::resizeEvent(QResizeEvent*) {
    arrange();
}

void NeighborStrip::arrange() {
    const int perLine = columnsFor(width());
    const int shown = shownFor(width());
    const int tileHeight = NeighborTile::heightFor(fontMetrics(), flat_);
    for (int at = 0; at < static_cast<int>(tiles_.size()); ++at) {
        NeighborTile* tile = tiles_[static_cast<std::size_t>(at)];
        tile->setGeometry(at % perLine * (NeighborTile::kWidth + kTileGap), at / perLine * (tileHeight + kTileGap),
                          NeighborTile::kWidth, tileHeight);
        tile->setVisible(at < shown);
    }
}

} // namespace assay
