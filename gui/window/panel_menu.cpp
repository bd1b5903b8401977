#include "gui/window/panel_menu.h"

#include "engine/audit/explain.h"
#include "gui/session/audit_session.h"
#include "widgets/histogram/histogram_view.h"
#include "widgets/link/linked_view.h"
#include "widgets/link/sample_selection.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>
#include <QPixmap>
#include <QStringList>

namespace assay {
namespace {

constexpr std::size_t kSimilar = 20;

QString tr(const char* text) {
    return QCoreApplication::translate("assay::PanelMenu", text);
}

/// The focused sample and its nearest ones of the same set.
void selectSimilar(const AuditSession& session) {
    const ViewState& state = session.state();
    const auto focus = session.selection()->focus();
    if (!focus || !state.audit)
        return;
    std::vector<SampleId> samples{*focus};
    const Side side = isReal(focus->set) ? Side::Real : Side::Synthetic;
    for (const NeighborRelation& near : nearestSamples(*state.audit, state.model, *focus, side, kSimilar))
        samples.push_back(near.neighbor);
    session.selection()->replace(samples, focus);
}

void copyIds(const AuditSession& session) {
    QStringList ids;
    for (const SampleId sample : session.selection()->samples())
        ids << QString::fromStdString(session.state().audit->setOf(sample.set).idText(sample.row));
    QGuiApplication::clipboard()->setText(ids.join(QLatin1Char('\n')));
}

void saveFigure(LinkedView* view, const PanelMenuWishes& wishes) {
    const QPixmap figure = view->grab(); // before a dialog covers it
    const QString file = wishes.figureFile(view->parentWidget()->windowTitle() + QStringLiteral(".png"));
    if (!file.isEmpty() && !figure.save(file))
        wishes.failed(tr("Saving the figure"), tr("%1: expected a place to write a PNG or JPEG file to.").arg(file));
}

} // namespace

QMenu* makePanelMenu(QWidget* window, AuditSession* session, LinkedView* view, const PanelMenuWishes& wishes) {
    SampleSelection* selection = session->selection();
    if (const auto hovered = selection->hovered(); hovered && !selection->contains(*hovered))
        selection->select(*hovered);
    auto* menu = new QMenu(view);
    menu->setObjectName(QStringLiteral("panelMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& name, const QString& text, bool enabled, const auto& act) {
        QAction* action = menu->addAction(text);
        action->setObjectName(name);
        action->setEnabled(enabled);
        QObject::connect(action, &QAction::triggered, view, act);
    };
    const bool focused = selection->focus().has_value();
    add(QStringLiteral("menuInspect"), tr("&Inspect"), focused, wishes.inspect);
    add(QStringLiteral("menuSimilar"), tr("Select &similar"), focused, [session] { selectSimilar(*session); });
    menu->addSeparator();
    if (auto* reject = window->findChild<QAction*>(QStringLiteral("actionRejectByHand")))
        menu->addAction(reject);
    if (auto* tags = window->findChild<QMenu*>(QStringLiteral("menuTag")))
        menu->addMenu(tags);
    menu->addSeparator();
    if (const auto* histogram = qobject_cast<HistogramView*>(view)) {
        const auto range = histogram->chosenRange();
        add(QStringLiteral("menuShowRange"), tr("Show only these &values"), range.has_value(), [session, range] {
            ViewFilter filter = session->state().filter;
            filter.range = range;
            session->setFilter(filter);
        });
    }
    for (const char* name : {"actionShowSelected", "actionShowAll"})
        if (auto* show = window->findChild<QAction*>(QLatin1String(name)))
            menu->addAction(show);
    menu->addSeparator();
    add(QStringLiteral("menuCopyIds"),
        selection->samples().size() > 1 ? tr("&Copy ids of selected samples") : tr("&Copy id"), !selection->isEmpty(),
        [session] { copyIds(*session); });
    add(QStringLiteral("menuSaveFigure"), tr("Save &figure..."), true, [view, wishes] { saveFigure(view, wishes); });
    return menu;
}

} // namespace assay
