#include "gui/window/panel_menu.h"

#include "engine/report/scores/explain.h"
#include "gui/commands/commands.h"
#include "gui/desktop/settings.h"
#include "gui/session/audit_session.h"
#include "gui/window/figure_file.h"
#include "gui/window/panel_docks.h"
#include "gui/window/window_actions.h"
#include "widgets/common/controls.h"
#include "widgets/histogram/distribution_panel.h"
#include "widgets/histogram/histogram_view.h"
#include "widgets/link/panel.h"
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
    if (file.isEmpty())
        return;
    if (const QString problem = saveFigure(*figure, Settings().figureCaption(), scale, file); !problem.isEmpty())
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
    const auto add = [view](QMenu* to, const QString& name, const QString& text, const auto& act) {
        QAction* action = to->addAction(text);
        action->setObjectName(name);
        QObject::connect(action, &QAction::triggered, view, act);
        return action;
    };
    if (!view->figure()) {
        add(menu, QStringLiteral("menuSaveFigure"), Panel::tr("Save &figure\u2026"),
            [view, commands] { savePanel(view, commands); });
        add(menu, QStringLiteral("menuCopyPicture"), Panel::tr("Copy &picture"),
            [view] { QGuiApplication::clipboard()->setPixmap(view->grab()); });
        return;
    }
    QMenu* save = menu->addMenu(Panel::tr("Save &figure"));
    save->setObjectName(QStringLiteral("menuFigure"));
    add(save, QStringLiteral("menuSaveSvg"), Panel::tr("&SVG\u2026"), [=] { saveChart(view, "svg", 1, commands); });
    add(save, QStringLiteral("menuSavePdf"), Panel::tr("&PDF\u2026"), [=] { saveChart(view, "pdf", 1, commands); });
    for (int scale = 1; scale <= 4; ++scale)
        add(save, QStringLiteral("menuSavePng%1").arg(scale), Panel::tr("PNG, &%1\u00d7\u2026").arg(scale),
            [=] { saveChart(view, "png", scale, commands); });
    save->addSeparator();
    QAction* caption =
        add(save, QStringLiteral("menuFigureCaption"), Panel::tr("With a &footnote that says how it was made"),
            [](bool on) { Settings().setFigureCaption(on ? FigureCaption::Shown : FigureCaption::Hidden); });
    caption->setCheckable(true);
    caption->setChecked(Settings().figureCaption() == FigureCaption::Shown);
    add(menu, QStringLiteral("menuSaveData"), Panel::tr("Save its &data (CSV)\u2026"),
        [=] { saveData(view, commands); });
    add(menu, QStringLiteral("menuCopyPicture"), Panel::tr("Copy &picture"), [view] {
        if (const auto figure = view->figure())
            QGuiApplication::clipboard()->setImage(figureImage(*figure, Settings().figureCaption(), 2));
    });
}

} // namespace

QMenu* makePanelMenu(const PanelMenuParts& parts, Panel* view) {
    AuditSession* session = parts.session;
    SampleSelection* selection = session->selection();
    if (const auto hovered = selection->hovered(); hovered && !selection->contains(*hovered))
        selection->select(*hovered);
    auto* menu = named<QMenu>("panelMenu", view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& name, const QString& text, bool enabled, const auto& act) {
        QAction* action = menu->addAction(text);
        action->setObjectName(name);
        action->setEnabled(enabled);
        QObject::connect(action, &QAction::triggered, view, act);
    };
    const bool focused = selection->focus().has_value();
    add(QStringLiteral("menuInspect"), Panel::tr("&Inspect"), focused,
        [docks = parts.docks] { docks->showPanel(QStringLiteral("inspector")); });
    add(QStringLiteral("menuSimilar"), Panel::tr("Select &similar"), focused, [session] { selectSimilar(*session); });
    menu->addSeparator();
    for (const char* name : {"actionRejectByHand", "actionAcceptByHand", "actionUnsureByHand", "actionNote"})
        menu->addAction(parts.actions->action(QLatin1String(name)));
    menu->addMenu(parts.actions->action(QStringLiteral("menuTag"))->menu());
    menu->addSeparator();
    if (const auto* distribution = qobject_cast<DistributionPanel*>(view)) {
        const auto range = distribution->histogram()->chosenRange();
        add(QStringLiteral("menuShowRange"), Panel::tr("Show only these &values"), range.has_value(), [session, range] {
            ViewFilter filter = session->state().filter;
            filter.range = range;
            session->editor()->setFilter(filter);
        });
    }
    for (const char* name : {"actionShowSelected", "actionShowAll"})
        menu->addAction(parts.actions->action(QLatin1String(name)));
    menu->addSeparator();
    add(QStringLiteral("menuCopyIds"),
        selection->samples().size() > 1 ? Panel::tr("&Copy ids of selected samples") : Panel::tr("&Copy id"),
        !selection->isEmpty(), [session] { copyIds(*session); });
    menu->addSeparator();
    addFigureActions(menu, view, parts.commands);
    return menu;
}

} // namespace assay
