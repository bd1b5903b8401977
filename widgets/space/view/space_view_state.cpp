// What a person has chosen in Space, to be kept with the window's layout.
#include "widgets/space/view/space_view.h"

#include "widgets/space/view/space_header.h"

#include <QJsonArray>

#include <algorithm>

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

} // namespace

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
