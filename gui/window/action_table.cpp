// The actions of the menus.
#include "gui/commands/commands.h"
#include "gui/desktop/settings.h"
#include "gui/desktop/theme.h"
#include "gui/pages/side_windows.h"
#include "gui/session/review.h"
#include "gui/session/selection_commands.h"
#include "gui/session/tour.h"
#include "gui/window/panel_docks.h"
#include "gui/window/window_actions.h"
#include "gui/window/workspaces.h"
#include "widgets/link/sample_groups.h"
#include "widgets/link/sample_selection.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <tuple>

namespace assay {
namespace {

/// Escape first leaves what the person is in: an open list, a search, a number being typed.
bool leavesField() {
    if (QWidget* popup = QApplication::activePopupWidget()) {
        popup->close();
        return true;
    }
    if (auto* edit = qobject_cast<QLineEdit*>(QApplication::focusWidget()); edit && !edit->text().isEmpty()) {
        if (qobject_cast<QAbstractSpinBox*>(edit->parentWidget()) == nullptr && !edit->isReadOnly())
            edit->clear();
        else
            edit->parentWidget()->clearFocus();
        return true;
    }
    if (auto* number = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget())) {
        number->clearFocus();
        return true;
    }
    return false;
}

} // namespace

std::function<void()> WindowActions::asks(void (Commands::*does)()) const {
    return std::bind_front(does, commands_);
}

void WindowActions::addFileActions() {
    using enum MenuId;
    AuditSession* session = session_;
    const auto writes = [commands = commands_](ExportWhat what, const char* format) {
        return [commands, what, format] { commands->exportCurrent(what, QString::fromLatin1(format)); };
    };
    const auto reports = [commands = commands_](Appendix appendix) {
        return [commands, appendix] { commands->exportReport(appendix); };
    };
    add(File, "actionOpen", tr("&Open\u2026"), asks(&Commands::chooseSets),
        {.icon = "open",
         .keys = {QKeySequence::Open},
         .tip = tr("Open a real set and synthetic sets"),
         .anytime = true});
    add(File, "actionOpenAudit", tr("Open a&udit file\u2026"), asks(&Commands::chooseAudit),
        {.icon = "open", .keys = {key("Ctrl+Alt+O")}, .tip = tr("Open a saved audit"), .anytime = true});
    add(File, "actionAddModels", tr("&Add models\u2026"), asks(&Commands::chooseModels),
        {.icon = "add-model",
         .keys = {key("Ctrl+Shift+O")},
         .tip = tr("Score further synthetic sets"),
         .enabled = [session] { return session->isOpen() && !session->jobs()->isRunning(); }});
    add(File, "actionAddExternal", tr("Add mode&l scores\u2026"), asks(&Commands::chooseExternalScores),
        {.tip = tr("Compare the metrics with figures of the models from elsewhere: a table with one row per model"),
         .searchWords = tr("human error rate FID correlation agreement table")});
    add(File, "actionRemoveExternal", tr("Remove model scores"), [session] { session->editor()->setExternal({}); },
        {.enabled = [session] { return session->state().external != nullptr; }});
    add(File, "actionAddSampleScores", tr("Add sample sc&ores\u2026"), asks(&Commands::chooseSampleScores),
        {.tip = tr("Add columns from elsewhere, such as a classifier's confidence or ratings: a table with one row per "
                   "sample"),
         .searchWords = tr("external confidence rating column table import"),
         .enabled = [session] { return session->state().hasModel() && !session->jobs()->isRunning(); }});
    add(File, "actionRemoveSampleScores", tr("Remove sample scores"),
        [session] { session->editor()->removeSampleScores(); },
        {.enabled = [session] { return session->state().audit && session->state().audit->sampleScores; }});
    addMenu(File, Recent, "menuRecent", tr("&Recent audits"), {.anytime = true});
    add(File, "actionDemo", tr("Open the &demo"), asks(&Commands::openDemo),
        {.icon = "open-demo", .tip = tr("Open the built-in demo: generators with known faults"), .anytime = true});
    add(File, "actionSave", tr("&Save audit"), asks(&Commands::save),
        {.keys = {QKeySequence::Save},
         .tip = tr("Save audit and decisions; later changes are saved automatically"),
         .separated = true});
    add(File, "actionSaveAs", tr("Save audit &as\u2026"), asks(&Commands::saveAs),
        {.keys = {key("Ctrl+Shift+S")}, .tip = tr("Save the audit to another file")});
    add(File, "actionSaveSelfContained", tr("Save a self-&contained copy\u2026"), asks(&Commands::saveSelfContained),
        {.tip = tr("Write the audit with its embeddings and pictures into one file that needs no others"),
         .searchWords = tr("pack, hand on, archive, another machine")});
    addMenu(File, Export, "menuExport", tr("&Export"),
            {.icon = "export", .tip = tr("Write the kept or the rejected samples to a file"), .separated = true});
    add(Export, "actionExportSamples", tr("&Samples\u2026"), asks(&Commands::chooseExport),
        {.keys = {key("Ctrl+Alt+E")},
         .tip = tr("Write kept, rejected, selected or tagged samples: tables, ids, arrays or pictures"),
         .searchWords = tr("npz npy zip pictures json lines selected tagged")});
    add(Export, "actionExportKeptCsv", tr("&Kept samples as CSV\u2026"), writes(ExportWhat::Kept, "csv"),
        {.keys = {key("Ctrl+E")}, .separated = true});
    add(Export, "actionExportRejectedCsv", tr("&Rejected samples as CSV\u2026"), writes(ExportWhat::Rejected, "csv"),
        {.keys = {key("Ctrl+Shift+E")}});
    add(Export, "actionExportKeptIds", tr("Ids of k&ept samples\u2026"), writes(ExportWhat::Kept, "ids"),
        {.separated = true});
    add(Export, "actionExportRejectedIds", tr("Ids of re&jected samples\u2026"), writes(ExportWhat::Rejected, "ids"));
    add(Export, "actionExportReport", tr("&Report of the audit\u2026"), reports(Appendix::LeftOut),
        {.keys = {key("Ctrl+R")},
         .tip = tr("Write verdicts, charts, samples and decisions as HTML, PDF or Markdown, or all scores as JSON"),
         .separated = true});
    add(Export, "actionExportFullReport", tr("Report with a&ppendix\u2026"), reports(Appendix::Written),
        {.tip = tr("Also classes, holes, features, and the worst and most typical samples of each model")});
    add(Export, "actionExportPage", tr("Pa&ge to explore\u2026"), asks(&Commands::exportPage),
        {.tip = tr("Write one file for a browser: plane, ranking, samples and distributions, linked as here"),
         .searchWords = tr("html browser share notebook")});
    add(File, "actionQuit", tr("&Quit"), [this] { window_->close(); },
        {.keys = {QKeySequence::Quit}, .anytime = true, .separated = true});
}

void WindowActions::addEditActions() {
    using enum MenuId;
    AuditSession* session = session_;
    addReviewActions();
    add(Edit, "actionProposeRemoval", tr("&Propose samples to remove\u2026"), asks(&Commands::proposeRemoval),
        {.tip = tr("Find which samples to remove to reach a fidelity, with the least loss of coverage"),
         .separated = true});
    add(Edit, "actionJudgeAgain", tr("&Judge again"), [session] { session->judgeAgain(); },
        {.tip = tr("Score and judge all samples again with this version's statistics"),
         .searchWords = tr("recompute verdicts earlier version")});
    add(Edit, "actionLoadRules", tr("&Load rules\u2026"), asks(&Commands::loadRules),
        {.tip = tr("Apply the rules of a file instead of the present ones"), .separated = true});
    add(Edit, "actionSaveRules", tr("Save r&ules\u2026"), asks(&Commands::saveRules),
        {.tip = tr("Write the rules to a file, for other audits and for assay-score --rules"),
         .enabled = [session] { return !session->document()->rules().empty(); }});
}

void WindowActions::addSelectActions() {
    using enum MenuId;
    AuditSession* session = session_;
    const auto selects = [session](void (SelectionCommands::*does)() const) {
        return [session, does] { (SelectionCommands(session).*does)(); };
    };
    const auto has = [session](const std::shared_ptr<const SampleSet>& samples) {
        return samples && samples->countIn(session->state().currentSet()) > 0;
    };
    add(Select, "actionClearSelection", tr("&Clear"),
        [this, session] {
            if (leavesField())
                return;
            if (review_->isOn())
                review_->end();
            else if (tour_->isOn())
                tour_->end();
            else
                session->selection()->clear();
        },
        {.keys = {Qt::Key_Escape},
         .tip = tr("End the review or the walk, else select nothing"),
         .enabled = [this, session] { return review_->isOn() || tour_->isOn() || !session->selection()->isEmpty(); }});
    add(Select, "actionSelectRejected", tr("&Rejected samples"), selects(&SelectionCommands::rejected),
        {.icon = "reject",
         .keys = {key("Ctrl+Shift+R")},
         .tip = tr("Select rejected samples, by rule or by hand"),
         .enabled = [session] { return session->state().kept && session->document()->rejectedCount() > 0; },
         .separated = true});
    add(Select, "actionSelectByHand", tr("Rejected by &hand"), selects(&SelectionCommands::rejectedByHand),
        {.tip = tr("Select samples that were rejected by hand"),
         .enabled = [session] { return session->state().rejectedByHand != nullptr; }});
    add(Select, "actionSelectAccepted", tr("&Kept by hand"), selects(&SelectionCommands::acceptedByHand),
        {.tip = tr("Select samples that were kept by hand"),
         .enabled = [session, has] { return has(session->state().accepted); }});
    add(Select, "actionSelectUnsure", tr("U&nsure"), selects(&SelectionCommands::unsure),
        {.tip = tr("Select samples that were marked as unsure"),
         .enabled = [session, has] { return has(session->state().unsure); }});
    add(Select, "actionSelectUndecided", tr("Not reviewed &yet"), selects(&SelectionCommands::undecided),
        {.tip = tr("Select samples without a verdict by hand")});
    addMenu(Select, Tagged, "menuTagged", tr("&Tagged"), {.anytime = true});
    add(Select, "actionSelectAccused", tr("&Flagged samples"), selects(&SelectionCommands::accused),
        {.icon = "warning", .keys = {key("Ctrl+Shift+U")}, .tip = tr("Select samples whose verdict is not good")});
    add(Select, "actionSelectUncovered", tr("Unc&overed real samples"), selects(&SelectionCommands::uncovered),
        {.tip = tr("Select real samples whose ball holds no sample of this model")});
    add(Select, "actionInvertSelection", tr("&Invert within model"), selects(&SelectionCommands::others),
        {.keys = {key("Ctrl+I")}, .tip = tr("Select the other samples of this model")});
    add(Select, "actionSelectGroup", tr("Select the &whole group"), selects(&SelectionCommands::wholeGroups),
        {.keys = {key("Ctrl+G")},
         .tip = tr("Select all samples that belong together with the selected ones, real and synthetic"),
         .searchWords = tr("patient subject video identity belong together"),
         .enabled = [session] { return haveGroups(session->state(), session->selection()->samples()); }});
    add(Select, "actionShowSelected", tr("Show &only selected"), [session] { session->editor()->showOnlySelected(); },
        {.keys = {key("Ctrl+L")},
         .tip = tr("Hide all other samples in every panel; scores and decisions still cover all of them"),
         .enabled = [this] { return selected_.canTag; },
         .separated = true});
    const auto group = [session] { return commonGroup(session->state(), session->selection()->samples()); };
    add(Select, "actionShowGroup", tr("Show only this &group"),
        [session, group] {
            if (const std::optional<std::string> name = group())
                session->editor()->setFilter(session->state().filter.toggledGroup(*name));
        },
        {.keys = {key("Ctrl+Shift+G")},
         .tip = tr("Hide samples of other groups in every panel, or show them again"),
         .enabled = [group] { return group().has_value(); },
         .checked =
             [session, group] {
                 const ViewFilter& filter = session->state().filter;
                 return filter.groupName && filter.groupName == group();
             }});
    add(Select, "actionShowAll", tr("Show a&ll"), [session] { session->editor()->showAll(); },
        {.keys = {key("Ctrl+Shift+L")}, .tip = tr("Show all samples again"), .enabled = [session] {
             return !session->state().filter.empty();
         }});
}

void WindowActions::addAuditActions() {
    using enum MenuId;
    AuditSession* session = session_;
    const auto severalModels = [session] {
        return session->state().audit && session->state().audit->models.size() > 1;
    };
    add(Audit, "actionNextModel", tr("&Next model"), [session] { session->editor()->stepModel(+1); },
        {.keys = {key("Ctrl+PgDown")}, .enabled = severalModels});
    add(Audit, "actionPreviousModel", tr("&Previous model"), [session] { session->editor()->stepModel(-1); },
        {.keys = {key("Ctrl+PgUp")}, .enabled = severalModels});
    add(Audit, "actionHistory", tr("&History\u2026"), [this] { makeHistoryWindow(window_, session_)->show(); },
        {.tip = tr("Every change to the audit, with its time"),
         .searchWords = tr("log, record, provenance"),
         .enabled = [session] { return session->isOpen(); },
         .separated = true});
    add(Audit, "actionCancel", tr("&Cancel"), [session] { session->cancel(); },
        {.icon = "cancel",
         .keys = {key("Ctrl+.")},
         .tip = tr("Stop the running job; the open audit stays"),
         .enabled = [session] { return session->isBusy(); },
         .separated = true});
}

void WindowActions::addViewActions() {
    using enum MenuId;
    add(View, "actionResetLayout", tr("&Reset layout"), [this] { workspaces_->reset(); },
        {.icon = "reset-view", .tip = tr("Arrange the panels of this workspace as at first"), .separated = true});
    addMenu(View, Workspaces, "menuWorkspaces", tr("&Workspaces"));
    addMenu(View, Theme, "menuTheme", tr("&Theme"), {.icon = "theme", .anytime = true});
    for (const auto& [id, text, choice] : {std::tuple("actionThemeSystem", tr("&System"), ThemeChoice::System),
                                           {"actionThemeLight", tr("&Light"), ThemeChoice::Light},
                                           {"actionThemeDark", tr("&Dark"), ThemeChoice::Dark}})
        add(Theme, id, text,
            [this, choice = choice] {
                theme_->setChoice(choice);
                Settings().setTheme(choice);
            },
            {.anytime = true, .checked = [this, choice = choice] { return theme_->choice() == choice; }});
    add(View, "actionFullScreen", tr("&Full screen"),
        [this] { window_->setWindowState(window_->windowState() ^ Qt::WindowFullScreen); },
        {.keys = {QKeySequence::FullScreen}, .anytime = true, .checked = [this] {
             return window_->windowState().testFlag(Qt::WindowFullScreen);
         }});
}

void WindowActions::addHelpActions() {
    using enum MenuId;
    add(Help, "actionHelp", tr("&Help on this panel"),
        [this] { commands_->showHelp(docks_->panelOf(QApplication::focusWidget())); },
        {.icon = "help",
         .keys = {QKeySequence::HelpContents},
         .tip = tr("Explain the panel that has the keyboard"),
         .searchWords = tr("manual documentation"),
         .anytime = true});
    add(Help, "actionTour", tr("&Walk me through it"), [this] { tour_->isOn() ? tour_->end() : tour_->start(); },
        {.tip = tr("Show the findings of all models, one after the other"),
         .searchWords = tr("tour guide introduction"),
         .enabled = [this] { return tour_->canStart(); },
         .checked = [this] { return tour_->isOn(); }});
    add(Help, "actionDefinitions", tr("&Metric definitions"), asks(&Commands::showDefinitions),
        {.keys = {key("Shift+F1")}, .searchWords = tr("metrics help"), .anytime = true});
    add(Help, "actionShortcuts", tr("&Keyboard shortcuts"), [this] { makeShortcutsWindow(window_)->show(); },
        {.keys = {key("Ctrl+?")}, .anytime = true});
    add(Help, "actionAbout", tr("&About Assay"), [this] { makeAboutWindow(window_)->show(); },
        {.icon = "assay", .anytime = true, .separated = true});
}

void WindowActions::addWorkspaceActions() {
    Workspaces* all = workspaces_;
    int number = 0;
    for (const Workspace& one : all->all())
        if (!one.own)
            add(MenuId::Workspaces, workspaceAction(one.id), one.title, [all, id = one.id] { all->show(id); },
                {.keys = {QKeySequence(QStringLiteral("Ctrl+%1").arg(++number))},
                 .tip = one.tip,
                 .searchWords = tr("workspace layout"),
                 .checked = [all, id = one.id] { return all->current() == id; }});
    add(MenuId::Workspaces, "actionSaveWorkspace", tr("&Save workspace as\u2026"),
        [commands = commands_, all] {
            commands->nameWorkspace([all](const QString& name) { return all->saveAs(name); });
        },
        {.tip = tr("Save how the panels are arranged now under a name"), .separated = true});
    const auto isOwn = [all] {
        const auto at = std::ranges::find(all->all(), all->current(), &Workspace::id);
        return at != all->all().end() && at->own;
    };
    add(MenuId::Workspaces, "actionRemoveWorkspace", tr("&Delete this workspace"),
        [all] { all->remove(all->current()); },
        {.tip = tr("Forget the saved workspace that is shown"), .enabled = isOwn});
}

void WindowActions::listWorkspaces() {
    for (QAction* action : ownWorkspaces_)
        delete action;
    ownWorkspaces_.clear();
    QMenu* menu = menus_.at(MenuId::Workspaces);
    QAction* before = action(QStringLiteral("actionSaveWorkspace"));
    for (const Workspace& one : workspaces_->all()) {
        if (!one.own)
            continue;
        QString text = one.title;
        auto* own = new QAction(text.replace(QLatin1Char('&'), QLatin1String("&&")), menu);
        own->setObjectName(workspaceAction(one.id));
        own->setCheckable(true);
        own->setChecked(workspaces_->current() == one.id);
        connect(
            own, &QAction::triggered, workspaces_, [all = workspaces_, id = one.id] { all->show(id); },
            Qt::QueuedConnection); // the list is made anew meanwhile
        menu->insertAction(before, own);
        ownWorkspaces_.push_back(own);
    }
    refresh();
}

} // namespace assay
