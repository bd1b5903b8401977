// What the space panel says about its axes, and how reliable the picture is.
#include "widgets/space/view/space_view.h"

#include "widgets/common/number_format.h"
#include "widgets/space/view/layout_picker.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

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

} // namespace assay
