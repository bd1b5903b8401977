// Texts of the space panel, and what a person has chosen in it, to be kept with the window's layout.
#include "widgets/space/view/space_view.h"

#include "widgets/common/number_format.h"
#include "widgets/space/view/layout_picker.h"
#include "widgets/space/view/space_header.h"

#include <QJsonArray>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr QLatin1String kArrangement("arrangement");
constexpr QLatin1String kDimensions("dimensions");
constexpr QLatin1String kAxes("axes");
constexpr QLatin1String kColumn("column");
constexpr QLatin1String kFeature("feature");
constexpr QLatin1String kColors("colors");
constexpr QLatin1String kMap("map");
constexpr QLatin1String kReal("real");
constexpr QLatin1String kSynthetic("synthetic");

SpaceLayout layoutOf(const QJsonObject& state) {
    SpaceLayout layout;
    layout.arrangement = static_cast<Arrangement>(state.value(kArrangement).toInt());
    layout.dimensions = state.value(kDimensions).toInt() == 2 ? 2 : 3;
    const QJsonArray axes = state.value(kAxes).toArray();
    for (qsizetype at = 0; at < std::min<qsizetype>(axes.size(), std::ssize(layout.axes)); ++at) {
        const QJsonObject axis = axes[at].toObject();
        layout.axes[static_cast<std::size_t>(at)] = {axis.value(kColumn).toString().toStdString(),
                                                     static_cast<std::size_t>(axis.value(kFeature).toInteger())};
    }
    return layout;
}

QString percent(double share, const QLocale& locale) {
    const double value = 100.0 * share;
    return locale.toString(value, 'f', value >= 9.95 || value == 0.0 ? 0 : value >= 0.995 ? 1 : 2);
}

} // namespace

/// None where axes mean nothing.
QStringList SpaceView::axisTitles() const {
    const SpaceLayout& layout = points()->layout;
    QStringList titles;
    for (std::size_t axis = 0; axis < layout.dimensions; ++axis) {
        if (layout.arrangement == Arrangement::Components)
            titles << tr("PC %1 (%2\u00a0%)").arg(axis + 1).arg(percent(points()->explainedShare[axis], locale()));
        if (layout.arrangement != Arrangement::Columns)
            continue;
        const AxisRange& range = points()->ranges[axis];
        const QString title = space::axisTitle(layout.axes[axis], state());
        // In space no ticks say how long an axis is.
        titles << (layout.isFlat() ? title
                                   : tr("%1, %2 to %3").arg(title, formatNumber(range.low), formatNumber(range.high)));
    }
    return titles;
}

QString SpaceView::clickHint() const {
    if (points()->layout.arrangement == Arrangement::Components)
        return tr("Click a sample to see its neighbours and its ball.");
    return tr("Click a sample to see its neighbours.");
}

/// Help text: controls, and how reliable the picture is.
QString SpaceView::hint() const {
    if (!coloring_.models.empty()) {
        if (!placesOtherModels(points()->layout.arrangement))
            return tr("UMAP arranges one model at a time, so the other models are not shown. Arrange by "
                      "components or by columns to see all models together.");
        QStringList sentences{tr("Models share the axes of the current one.")};
        if (coloring_.legend.more > 0)
            sentences << tr("%1 more models are not drawn.").arg(coloring_.legend.more);
        if (others_ && others_->isSample)
            sentences << tr("At most %1 evenly spaced samples of each other model are drawn.")
                             .arg(formatCount(OtherModels::kMost));
        sentences << tr("Click a model in the legend to make it the current one, whose samples can be selected.");
        return sentences.join(QLatin1Char(' '));
    }
    if (points()->layout.arrangement == Arrangement::Columns) {
        const bool noReal = !space::isAnyPlaced(points()->real);
        const bool noSynthetic = !space::isAnyPlaced(points()->synthetic);
        if (noReal && noSynthetic)
            return tr("No sample has a value on every axis: scores of real and of synthetic samples cannot be mixed.");
        if (noReal || noSynthetic)
            return noReal ? tr("Real samples do not have these scores and are not shown. %1").arg(clickHint())
                          : tr("Synthetic samples do not have these scores and are not shown. %1").arg(clickHint());
        return clickHint();
    }
    if (std::isnan(points()->keptNeighbors))
        return clickHint();
    return tr("%1\u00a0% of each sample\u2019s %2 nearest neighbours are among its nearest here. %3")
        .arg(percent(points()->keptNeighbors, locale()))
        .arg(points()->neighbors)
        .arg(clickHint());
}

QJsonObject SpaceView::saveState() const {
    const SpaceLayout& layout = state().computed.layout;
    QJsonArray axes;
    for (const SpaceAxis& axis : layout.axes)
        axes << QJsonObject{{kColumn, QString::fromStdString(axis.column)},
                            {kFeature, static_cast<qint64>(axis.feature)}};
    QJsonObject saved{{kColors, colorColumn()},
                      {kMap, static_cast<int>(header_->mapKind())},
                      {kReal, header_->isSetVisible(SetId::Real)},
                      {kSynthetic, header_->isSetVisible(state().currentSet())}};
    if (layoutChosen_) { // else nobody has seen a layout yet
        saved.insert(kArrangement, static_cast<int>(layout.arrangement));
        saved.insert(kDimensions, static_cast<int>(layout.dimensions));
        saved.insert(kAxes, axes);
    }
    return saved;
}

void SpaceView::restoreState(const QJsonObject& state) {
    constexpr int kArrangements = static_cast<int>(Arrangement::Columns) + 1;
    const int arrangement = state.value(kArrangement).toInt(kArrangements);
    if (arrangement >= 0 && arrangement < kArrangements)
        arrange(layoutOf(state));
    if (!state.contains(kColors))
        return;
    setColorColumn(state.value(kColors).toString());
    setMapKind(static_cast<space::MapKind>(state.value(kMap).toInt()));
    setSetVisible(SetId::Real, state.value(kReal).toBool(true));
    setSetVisible(this->state().currentSet(), state.value(kSynthetic).toBool(true));
}

} // namespace assay
