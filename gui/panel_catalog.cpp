#include "gui/panel_catalog.h"

#include "gui/audit_session.h"
#include "widgets/space_view.h"

#include <QCoreApplication>

namespace assay {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("assay::PanelCatalog", text);
}

LinkedView* makeSpace(const PanelContext& context) {
    auto* view = new SpaceView(context.selection);
    SpaceProjector* projector = context.session->projector();
    view->showState(context.session->state());
    view->showPoints(projector->points());
    QObject::connect(projector, &SpaceProjector::pointsChanged, view, &SpaceView::showPoints);
    return view;
}

} // namespace

std::vector<Panel> panelCatalog() {
    using enum PanelColumn;
    return {
        {QStringLiteral("space"), tr("Space"), QStringLiteral("space3d"), {What, 1, 0, 840, 500}, makeSpace},
    };
}

} // namespace assay
