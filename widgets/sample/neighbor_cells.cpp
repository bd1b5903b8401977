#include "widgets/sample/neighbor_cells.h"

#include "widgets/common/number_format.h"
#include "widgets/grid/sample_texts.h"
#include "widgets/link/feature_glyphs.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kTwice = 0.995; // gap from which on a factor is shorter than a percentage: "+100 %" has no room

/// Translation context of this file's texts.
struct NeighborWords {
    Q_DECLARE_TR_FUNCTIONS(assay::NeighborCells)
};

QString relationWords(const NeighborRelation& relation) {
    if (relation.inside)
        return NeighborWords::tr("inside");
    const double miss = relation.relativeGap();
    if (!std::isfinite(miss))
        return NeighborWords::tr("outside");
    // As few digits as fit below a picture.
    constexpr double kSmall = 0.01;
    return miss < kTwice ? NeighborWords::tr("+%1 %").arg(formatSignificant(100.0 * miss, miss < kSmall ? 1 : 2))
                         : NeighborWords::tr("\u00d7%1").arg(formatSignificant(miss + 1.0, 2));
}

QString ringText(const NeighborRelation& relation, bool own) {
    const QString radius = formatNumber(relation.radius);
    if (relation.inside)
        return own ? NeighborWords::tr(
                         "Dot in the ring: this sample lies in the ball of the inspected one (radius %1).")
                         .arg(radius)
                   : NeighborWords::tr("Dot in the ring: the inspected sample lies in this sample's ball (radius %1).")
                         .arg(radius);
    const QString words =
        own ? NeighborWords::tr(
                  "Dot beside the ring: this sample lies outside the ball of the inspected one (radius %1).")
                  .arg(radius)
            : NeighborWords::tr(
                  "Dot beside the ring: the inspected sample lies outside this sample's ball (radius %1).")
                  .arg(radius);
    const double miss = relation.relativeGap();
    if (!std::isfinite(miss))
        return words;
    return words + u' ' +
           (miss < kTwice
                ? NeighborWords::tr("It is %1 farther away than the ball reaches.")
                      .arg(formatPercent(miss).replace(u' ', QChar::Nbsp))
                : NeighborWords::tr("It is %1 times as far away as the ball reaches.").arg(formatNumber(miss + 1.0)));
}

QString relationText(const NeighborRelation& relation, bool bars, Ball ball) {
    const bool own = ball == Ball::Inspected;
    const QString meaning =
        own ? NeighborWords::tr("The ball of a real sample reaches to its k-th nearest real neighbour.")
        : isReal(relation.neighbor.set)
            ? NeighborWords::tr("The ball of a real sample reaches to its k-th nearest real neighbour; it counts up to "
                                "the usual size (the median radius) only.")
            : NeighborWords::tr("The ball of a synthetic sample reaches to its k-th nearest synthetic neighbour.");
    QString text = QStringLiteral("<p>%1</p><p>%2</p>").arg(ringText(relation, own), meaning);
    if (bars)
        text +=
            QStringLiteral("<p>%1</p>")
                .arg(NeighborWords::tr("Bars: the features in which the inspected sample and its nearest one differ "
                                       "most, as standard deviations above or below the real mean. The marks are "
                                       "the inspected sample."));
    return text;
}

} // namespace

std::vector<GridCell> neighborCells(const ViewState& state, const std::vector<NeighborRelation>& neighbors,
                                    const std::shared_ptr<const BarFeatures>& bars, Ball ball) {
    std::vector<GridCell> cells;
    for (const NeighborRelation& relation : neighbors) {
        GridPicture picture{relation.neighbor};
        picture.rimmed = true;
        picture.bars = bars;
        GridCell cell{{picture}};
        const QString distance = formatNumber(relation.distance);
        cell.caption = distance + u'\n' + relationWords(relation);
        cell.sign = relation.inside ? GridSign::Inside : GridSign::Outside;
        cell.note = relationText(relation, bars != nullptr, ball);
        cell.spokenText = NeighborWords::tr("%1, distance %2, %3")
                              .arg(sampleCaption(*state.audit, relation.neighbor), distance, relationWords(relation));
        cells.push_back(cell);
    }
    return cells;
}

GridLook neighborLook(bool flat) {
    return {.edge = 54,
            .height = flat ? 36 : 0,
            .gap = 6,
            .arrows = GridLook::Arrows::Walk,
            .extent = GridLook::Extent::Fit,
            .fewest = 5};
}

} // namespace assay
