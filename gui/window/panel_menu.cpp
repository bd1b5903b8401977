// The menu of a panel.
#include "engine/report/scores/explain.h"
#include "gui/commands/commands.h"
#include "gui/desktop/settings.h"
#include "gui/session/audit_session.h"
#include "gui/window/figure_file.h"
#include "gui/window/panel_docks.h"
#include "gui/window/window_actions.h"
#include "widgets/common/controls.h"
#include "widgets/distribution/distribution_panel.h"
#include "widgets/distribution/histogram_view.h"
#include "widgets/link/panel.h"
#include "widgets/link/sample_groups.h"
#include "widgets/link/sample_selection.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPixmap>
#include <QStringList>

namespace assay {
namespace {

constexpr std::size_t kSimilar = 20;

QAction* addTo(QMenu* menu, const QString& name, const QString& text, QWidget* view, const auto& act) {
    QAction* action = menu->addAction(text);
    action->setObjectName(name);
    QObject::connect(action, &QAction::triggered, view, act);
    return action;
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

/// Ends with another suffix than before.
QString named(const QString& title, const char* suffix) {
    QString name = title;
    return name.remove(QLatin1Char('?')).replace(QLatin1Char('/'), QLatin1Char('-')) + QLatin1Char('.') +
           QLatin1String(suffix);
}

/// Where to write a figure or its data; empty for nowhere.
QString figureFile(const Commands& commands, const QString& suggested, const QString& filter) {
    return commands.prompts().save(commands.window(), Panel::tr("Save figure"), suggested, filter);
}

/// A panel that is no chart goes into a file as it is seen.
void savePanel(Panel* view, Commands* commands) {
    const QPixmap picture = view->grab(); // before a dialog covers it
    const QString file =
        figureFile(*commands, named(view->parentWidget()->windowTitle(), "png"), Panel::tr("Pictures (*.png *.jpg)"));
    if (!file.isEmpty() && !picture.save(file))
        commands->showError(Panel::tr("Saving the figure"),
                            Panel::tr("%1: expected a place to write a PNG or JPEG file to.").arg(file));
}

void saveChart(Panel* view, const char* suffix, int scale, Commands* commands) {
    const auto figure = view->figure();
    if (!figure)
        return;
    const QString file =
        figureFile(*commands, named(figure->title, suffix),
                   Panel::tr("%1 (*.%2)").arg(QString::fromLatin1(suffix).toUpper(), QLatin1String(suffix)));
    const QString problem = file.isEmpty() ? QString() : saveFigure(*figure, Settings().figureCaption(), scale, file);
    if (!problem.isEmpty())
        commands->showError(Panel::tr("Saving the figure"), problem);
}

void saveData(Panel* view, Commands* commands) {
    const auto figure = view->figure();
    const QString file =
        figure ? figureFile(*commands, named(figure->title, "csv"), Panel::tr("CSV (*.csv)")) : QString();
    if (file.isEmpty())
        return;
    if (const QString problem = saveFigureData(*figure, file); !problem.isEmpty())
        commands->showError(Panel::tr("Saving the figure's data"), problem);
}

/// Actions on a panel's picture.
void addFigureActions(QMenu* menu, Panel* view, Commands* commands) {
    if (!view->figure()) {
        addTo(menu, "menuSaveFigure", Panel::tr("Save &figure\u2026"), view,
              [view, commands] { savePanel(view, commands); });
        addTo(menu, "menuCopyPicture", Panel::tr("Copy &picture"), view,
              [view] { QGuiApplication::clipboard()->setPixmap(view->grab()); });
        return;
    }
    QMenu* save = menu->addMenu(Panel::tr("Save &figure"));
    save->setObjectName(QStringLiteral("menuFigure"));
    addTo(save, "menuSaveSvg", Panel::tr("&SVG\u2026"), view, [=] { saveChart(view, "svg", 1, commands); });
    addTo(save, "menuSavePdf", Panel::tr("&PDF\u2026"), view, [=] { saveChart(view, "pdf", 1, commands); });
    for (int scale = 1; scale <= 4; ++scale)
        addTo(save, QStringLiteral("menuSavePng%1").arg(scale), Panel::tr("PNG, &%1\u00d7\u2026").arg(scale), view,
              [=] { saveChart(view, "png", scale, commands); });
    save->addSeparator();
    QAction* caption =
        addTo(save, "menuFigureCaption", Panel::tr("With a &footnote that says how it was made"), view,
              [](bool on) { Settings().setFigureCaption(on ? FigureCaption::Shown : FigureCaption::Hidden); });
    caption->setCheckable(true);
    caption->setChecked(Settings().figureCaption() == FigureCaption::Shown);
    addTo(menu, "menuSaveData", Panel::tr("Save its &data (CSV)\u2026"), view, [=] { saveData(view, commands); });
    addTo(menu, "menuCopyPicture", Panel::tr("Copy &picture"), view, [view] {
        if (const auto figure = view->figure())
            QGuiApplication::clipboard()->setImage(figureImage(*figure, Settings().figureCaption(), 2));
    });
}

} // namespace

QMenu* WindowActions::makePanelMenu(Panel* view) {
    AuditSession* session = session_;
    SampleSelection* selection = session->selection();
    if (const auto hovered = selection->hovered(); hovered && !selection->contains(*hovered))
        selection->select(*hovered);
    auto* menu = newDialog<QMenu>("panelMenu", view);
    const bool focused = selection->focus().has_value();
    addTo(menu, "menuInspect", Panel::tr("&Inspect"), view, [docks = docks_] {
        docks->showPanel("sample");
    })->setEnabled(focused);
    addTo(menu, "menuSimilar", Panel::tr("Select &similar"), view, [session] {
        selectSimilar(*session);
    })->setEnabled(focused);
    const bool grouped = haveGroups(session->state(), selection->samples());
    if (grouped)
        menu->addAction(action("actionSelectGroup"));
    menu->addSeparator();
    menu->addActions({action("actionRejectByHand"), action("actionAcceptByHand"), action("actionUnsureByHand"),
                      action("actionNote")});
    menu->addMenu(action(QStringLiteral("menuTag"))->menu());
    menu->addSeparator();
    if (const auto* distribution = qobject_cast<DistributionPanel*>(view)) {
        const auto range = distribution->histogram()->chosenRange();
        addTo(menu, "menuShowRange", Panel::tr("Show only these &values"), view, [session, range] {
            ViewFilter filter = session->state().filter;
            filter.range = range;
            session->editor()->setFilter(filter);
        })->setEnabled(range.has_value());
    }
    menu->addAction(action("actionShowSelected"));
    if (grouped)
        menu->addAction(action("actionShowGroup"));
    menu->addAction(action("actionShowAll"));
    menu->addSeparator();
    addTo(menu, "menuCopyIds",
          selection->samples().size() > 1 ? Panel::tr("&Copy ids of selected samples") : Panel::tr("&Copy id"), view,
          [session] { copyIds(*session); })
        ->setEnabled(!selection->isEmpty());
    menu->addSeparator();
    addFigureActions(menu, view, commands_);
    return menu;
}

} // namespace assay
