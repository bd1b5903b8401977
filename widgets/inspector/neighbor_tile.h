#pragma once

#include "engine/report/scores/explain.h"
#include "widgets/link/view_state.h"

#include <QAbstractButton>

#include <memory>
#include <optional>
#include <vector>

namespace assay {

struct BarFeatures;
class ThumbnailCache;

/// Whose ball a relation is about: that of the neighbour, which may hold the inspected sample, or that of the inspected
/// sample, which may hold the neighbour.
enum class Ball { Neighbors, Inspected };

/// One neighbour of the inspected sample: its picture, or bars of its features, the distance, and a sign with words
/// for inside or outside the ball.
class NeighborTile : public QAbstractButton {
    Q_OBJECT

public:
    static constexpr int kWidth = 60;

    /// @param cache outlives the tile
    NeighborTile(ThumbnailCache* cache, QWidget* parent);

    /// @param bars features by which a row without a picture is drawn; null: as the cache draws it
    /// @param ball whose radius the relation holds
    void setNeighbor(const ViewState& state, const NeighborRelation& relation, std::shared_ptr<const BarFeatures> bars,
                     Ball ball);
    /// Shows nothing and keeps nothing of an audit.
    void clear();
    const std::optional<NeighborRelation>& relation() const noexcept { return relation_; }

    /// Height of a tile.
    /// @param flat without pictures, whose bars need less room
    static int heightFor(const QFontMetrics& metrics, bool flat);

signals:
    /// The mouse entered (`inside`) or left the tile.
    void hovered(assay::SampleId sample, bool inside);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void paintRelation(QPainter& painter, const QRect& line) const;
    QString relationWords() const;
    QString relationText() const;

    ThumbnailCache* cache_;
    ViewState state_;
    std::optional<NeighborRelation> relation_;
    Ball ball_ = Ball::Neighbors;
    std::shared_ptr<const BarFeatures> bars_;
    std::vector<double> scores_; ///< of the bars
};

} // namespace assay
