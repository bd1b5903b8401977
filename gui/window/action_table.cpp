// The actions of the window, one per row.
#include "gui/commands/commands.h"
#include "gui/desktop/settings.h"
#include "gui/desktop/theme.h"
#include "gui/session/review.h"
#include "gui/session/selection_commands.h"
#include "gui/session/tour.h"
#include "gui/window/panel_docks.h"
#include "gui/window/window_actions.h"
#include "gui/window/workspaces.h"
#include "widgets/link/sample_selection.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QLineEdit>
#include <QMainWindow>

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

QKeySequence keys(const char* text) {
    return QKeySequence(QString::fromLatin1(text));
}

} // namespace

std::vector<ActionRow> WindowActions::table() {
    AuditSession* session = session_;
    const auto hasModel = [session] { return session->state().hasModel(); };
    const auto severalModels = [session] {
        return session->state().audit && session->state().audit->models.size() > 1;
    };
    const auto has = [session](const std::shared_ptr<const SampleSet>& samples) {
        return samples && samples->countIn(session->state().currentSet()) > 0;
    };
    const auto canTag = [this] { return selected_.canTag; };
    Commands* commands = commands_;
    const auto asks = [commands](void (Commands::*does)()) { return [commands, does] { (commands->*does)(); }; };
    const auto writes = [commands](ExportWhat what, const char* format) {
        return [commands, what, format] { commands->exportCurrent(what, QString::fromLatin1(format)); };
    };
    const auto themeRow = [this](const char* id, const QString& text, ThemeChoice choice) {
        return ActionRow{.menu = MenuId::Theme,
                         .id = QString::fromLatin1(id),
                         .text = text,
                         .does =
                             [this, choice] {
                                 theme_->setChoice(choice);
                                 Settings().setTheme(choice);
                             },
                         .checked = [this, choice] { return theme_->choice() == choice; }};
    };

    std::vector<ActionRow> rows{
        // File
        {.menu = MenuId::File,
         .id = "actionOpen",
         .text = tr("&Open\u2026"),
         .icon = "open",
         .keys = {QKeySequence::Open},
         .tip = tr("Open a real set and synthetic sets"),
         .does = asks(&Commands::chooseSets)},
        {.menu = MenuId::File,
         .id = "actionOpenAudit",
         .text = tr("Open a&udit file\u2026"),
         .icon = "open",
         .keys = {keys("Ctrl+Alt+O")},
         .tip = tr("Open a saved audit"),
         .does = asks(&Commands::chooseAudit)},
        {.menu = MenuId::File,
         .id = "actionAddModels",
         .text = tr("&Add models\u2026"),
         .icon = "add-model",
         .keys = {keys("Ctrl+Shift+O")},
         .tip = tr("Score further synthetic sets"),
         .does = asks(&Commands::chooseModels),
         .enabled = [session] { return session->isOpen() && !session->jobs()->isRunning(); }},
        {.menu = MenuId::File,
         .id = "actionAddExternal",
         .text = tr("Add mode&l scores\u2026"),
         .tip = tr("Compare the metrics with figures of the models from elsewhere: a table with one row per model"),
         .searchWords = tr("human error rate FID correlation agreement table"),
         .does = asks(&Commands::chooseExternalScores),
         .enabled = hasModel},
        {.menu = MenuId::File,
         .id = "actionRemoveExternal",
         .text = tr("Remove model scores"),
         .does = [session] { session->editor()->setExternal({}); },
         .enabled = [session] { return session->state().external != nullptr; }},
        {.menu = MenuId::File,
         .id = "actionAddSampleScores",
         .text = tr("Add sample sc&ores\u2026"),
         .tip = tr("Add columns from elsewhere, such as a classifier's confidence or ratings: a table with one row per "
                   "sample"),
         .searchWords = tr("external confidence rating column table import"),
         .does = asks(&Commands::chooseSampleScores),
         .enabled = [session] { return session->state().hasModel() && !session->jobs()->isRunning(); }},
        {.menu = MenuId::File,
         .id = "actionRemoveSampleScores",
         .text = tr("Remove sample scores"),
         .does = [session] { session->editor()->removeSampleScores(); },
         .enabled = [session] { return session->state().audit && session->state().audit->sampleScores; }},
        {.menu = MenuId::File, .id = "menuRecent", .text = tr("&Recent audits"), .opens = MenuId::Recent},
        {.menu = MenuId::File,
         .id = "actionDemo",
         .text = tr("Open the &demo"),
         .icon = "open-demo",
         .tip = tr("Open the built-in demo: generators with known faults"),
         .does = asks(&Commands::openDemo)},
        {.menu = MenuId::File,
         .id = "actionSave",
         .text = tr("&Save audit"),
         .keys = {QKeySequence::Save},
         .tip = tr("Save audit and decisions; later changes are saved automatically"),
         .does = asks(&Commands::save),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::File,
         .id = "actionSaveAs",
         .text = tr("Save audit &as\u2026"),
         .keys = {keys("Ctrl+Shift+S")},
         .tip = tr("Save the audit to another file"),
         .does = asks(&Commands::saveAs),
         .enabled = hasModel},
        {.menu = MenuId::File,
         .id = "actionSaveSelfContained",
         .text = tr("Save a self-&contained copy\u2026"),
         .tip = tr("Write the audit with its embeddings and pictures into one file that needs no others"),
         .searchWords = tr("pack, hand on, archive, another machine"),
         .does = asks(&Commands::saveSelfContained),
         .enabled = hasModel},
        {.menu = MenuId::File,
         .id = "menuExport",
         .text = tr("&Export"),
         .icon = "export",
         .tip = tr("Write the kept or the rejected samples to a file"),
         .enabled = hasModel,
         .opens = MenuId::Export,
         .separated = true},
        {.menu = MenuId::Export,
         .id = "actionExportSamples",
         .text = tr("&Samples\u2026"),
         .keys = {keys("Ctrl+Alt+E")},
         .tip = tr("Write kept, rejected, selected or tagged samples: tables, ids, arrays or pictures"),
         .searchWords = tr("npz npy zip pictures json lines selected tagged"),
         .does = asks(&Commands::chooseExport),
         .enabled = hasModel},
        {.menu = MenuId::Export,
         .id = "actionExportKeptCsv",
         .text = tr("&Kept samples as CSV\u2026"),
         .keys = {keys("Ctrl+E")},
         .does = writes(ExportWhat::Kept, "csv"),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::Export,
         .id = "actionExportRejectedCsv",
         .text = tr("&Rejected samples as CSV\u2026"),
         .keys = {keys("Ctrl+Shift+E")},
         .does = writes(ExportWhat::Rejected, "csv"),
         .enabled = hasModel},
        {.menu = MenuId::Export,
         .id = "actionExportKeptIds",
         .text = tr("Ids of k&ept samples\u2026"),
         .does = writes(ExportWhat::Kept, "ids"),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::Export,
         .id = "actionExportRejectedIds",
         .text = tr("Ids of re&jected samples\u2026"),
         .does = writes(ExportWhat::Rejected, "ids"),
         .enabled = hasModel},
        {.menu = MenuId::Export,
         .id = "actionExportReport",
         .text = tr("&Report of the audit\u2026"),
         .keys = {keys("Ctrl+R")},
         .tip = tr("Write verdicts, charts, samples and decisions as HTML, PDF or Markdown, or all scores as JSON"),
         .does = asks(&Commands::exportReport),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::Export,
         .id = "actionExportFullReport",
         .text = tr("Report with a&ppendix\u2026"),
         .tip = tr("Also classes, holes, features, and the worst and most typical samples of each model"),
         .does = asks(&Commands::exportFullReport),
         .enabled = hasModel},
        {.menu = MenuId::File,
         .id = "actionQuit",
         .text = tr("&Quit"),
         .keys = {QKeySequence::Quit},
         .does = [this] { window_->close(); },
         .separated = true},
    };

    // Edit: undo and redo stand before these.
    appendReviewRows(rows);
    const std::vector<ActionRow> rest{
        {.menu = MenuId::Edit,
         .id = "actionProposeRemoval",
         .text = tr("&Propose samples to remove\u2026"),
         .tip = tr("Find which samples to remove to reach a fidelity, with the least loss of coverage"),
         .does = asks(&Commands::proposeRemoval),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::Edit,
         .id = "actionJudgeAgain",
         .text = tr("&Judge again"),
         .tip = tr("Score and judge all samples again with this version's statistics"),
         .searchWords = tr("recompute verdicts earlier version"),
         .does = [session] { session->judgeAgain(); },
         .enabled = hasModel},
        {.menu = MenuId::Edit,
         .id = "actionLoadRules",
         .text = tr("&Load rules\u2026"),
         .tip = tr("Apply the rules of a file instead of the present ones"),
         .does = asks(&Commands::loadRules),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::Edit,
         .id = "actionSaveRules",
         .text = tr("Save r&ules\u2026"),
         .tip = tr("Write the rules to a file, for other audits and for assay-score --rules"),
         .does = asks(&Commands::saveRules),
         .enabled = [session] { return !session->document()->rules().empty(); }},

        // Select
        {.menu = MenuId::Select,
         .id = "actionClearSelection",
         .text = tr("&Clear"),
         .keys = {Qt::Key_Escape},
         .tip = tr("End the review or the walk, else select nothing"),
         .does =
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
         .enabled = [this, session] { return review_->isOn() || tour_->isOn() || !session->selection()->isEmpty(); }},
        {.menu = MenuId::Select,
         .id = "actionSelectRejected",
         .text = tr("&Rejected samples"),
         .icon = "reject",
         .keys = {keys("Ctrl+Shift+R")},
         .tip = tr("Select rejected samples, by rule or by hand"),
         .does = [session] { SelectionCommands(session).rejected(); },
         .enabled = [session] { return session->state().kept && session->document()->rejectedCount() > 0; },
         .separated = true},
        {.menu = MenuId::Select,
         .id = "actionSelectByHand",
         .text = tr("Rejected by &hand"),
         .tip = tr("Select samples that were rejected by hand"),
         .does = [session] { SelectionCommands(session).rejectedByHand(); },
         .enabled = [session] { return session->state().byHand != nullptr; }},
        {.menu = MenuId::Select,
         .id = "actionSelectAccepted",
         .text = tr("&Kept by hand"),
         .tip = tr("Select samples that were kept by hand"),
         .does = [session] { SelectionCommands(session).acceptedByHand(); },
         .enabled = [session, has] { return has(session->state().accepted); }},
        {.menu = MenuId::Select,
         .id = "actionSelectUnsure",
         .text = tr("U&nsure"),
         .tip = tr("Select samples that were marked as unsure"),
         .does = [session] { SelectionCommands(session).unsure(); },
         .enabled = [session, has] { return has(session->state().unsure); }},
        {.menu = MenuId::Select,
         .id = "actionSelectUndecided",
         .text = tr("Not reviewed &yet"),
         .tip = tr("Select samples without a verdict by hand"),
         .does = [session] { SelectionCommands(session).undecided(); },
         .enabled = hasModel},
        {.menu = MenuId::Select, .id = "menuTagged", .text = tr("&Tagged"), .opens = MenuId::Tagged},
        {.menu = MenuId::Select,
         .id = "actionSelectAccused",
         .text = tr("&Flagged samples"),
         .icon = "warning",
         .keys = {keys("Ctrl+Shift+U")},
         .tip = tr("Select samples whose verdict is not good"),
         .does = [session] { SelectionCommands(session).accused(); },
         .enabled = hasModel},
        {.menu = MenuId::Select,
         .id = "actionSelectUncovered",
         .text = tr("Unc&overed real samples"),
         .tip = tr("Select real samples whose ball holds no sample of this model"),
         .does = [session] { SelectionCommands(session).uncovered(); },
         .enabled = hasModel},
        {.menu = MenuId::Select,
         .id = "actionInvertSelection",
         .text = tr("&Invert within model"),
         .keys = {keys("Ctrl+I")},
         .tip = tr("Select the other samples of this model"),
         .does = [session] { SelectionCommands(session).others(); },
         .enabled = hasModel},
        {.menu = MenuId::Select,
         .id = "actionShowSelected",
         .text = tr("Show &only selected"),
         .keys = {keys("Ctrl+L")},
         .tip = tr("Hide all other samples in every panel; scores and decisions still cover all of them"),
         .does = [session] { session->editor()->showOnlySelected(); },
         .enabled = canTag,
         .separated = true},
        {.menu = MenuId::Select,
         .id = "actionShowAll",
         .text = tr("Show a&ll"),
         .keys = {keys("Ctrl+Shift+L")},
         .tip = tr("Show all samples again"),
         .does = [session] { session->editor()->showAll(); },
         .enabled = [session] { return !session->state().filter.empty(); }},

        // Audit
        {.menu = MenuId::Audit,
         .id = "actionNextModel",
         .text = tr("&Next model"),
         .keys = {keys("Ctrl+PgDown")},
         .does = [session] { session->editor()->stepModel(+1); },
         .enabled = severalModels},
        {.menu = MenuId::Audit,
         .id = "actionPreviousModel",
         .text = tr("&Previous model"),
         .keys = {keys("Ctrl+PgUp")},
         .does = [session] { session->editor()->stepModel(-1); },
         .enabled = severalModels},
        {.menu = MenuId::Audit,
         .id = "actionHistory",
         .text = tr("&History\u2026"),
         .tip = tr("Every change to the audit, with its time"),
         .searchWords = tr("log, record, provenance"),
         .does = asks(&Commands::showHistory),
         .enabled = [session] { return session->isOpen(); },
         .separated = true},
        {.menu = MenuId::Audit,
         .id = "actionCancel",
         .text = tr("&Cancel"),
         .icon = "cancel",
         .keys = {keys("Ctrl+.")},
         .tip = tr("Stop the running job; the open audit stays"),
         .does = [session] { session->cancel(); },
         .enabled = [session] { return session->isBusy(); },
         .separated = true},

        // View: the panels stand before these.
        {.menu = MenuId::View,
         .id = "actionResetLayout",
         .text = tr("&Reset layout"),
         .icon = "reset-view",
         .tip = tr("Arrange the panels of this workspace as at first"),
         .does = [this] { workspaces_->reset(); },
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::View,
         .id = "menuWorkspaces",
         .text = tr("&Workspaces"),
         .enabled = hasModel,
         .opens = MenuId::Workspaces},
        {.menu = MenuId::View, .id = "menuTheme", .text = tr("&Theme"), .icon = "theme", .opens = MenuId::Theme},
        themeRow("actionThemeSystem", tr("&System"), ThemeChoice::System),
        themeRow("actionThemeLight", tr("&Light"), ThemeChoice::Light),
        themeRow("actionThemeDark", tr("&Dark"), ThemeChoice::Dark),
        {.menu = MenuId::View,
         .id = "actionFullScreen",
         .text = tr("&Full screen"),
         .keys = {QKeySequence::FullScreen},
         .does = [this] { window_->setWindowState(window_->windowState() ^ Qt::WindowFullScreen); },
         .checked = [this] { return window_->windowState().testFlag(Qt::WindowFullScreen); }},

        // Help
        {.menu = MenuId::Help,
         .id = "actionHelp",
         .text = tr("&Help on this panel"),
         .icon = "help",
         .keys = {QKeySequence::HelpContents},
         .tip = tr("Explain the panel that has the keyboard"),
         .searchWords = tr("manual documentation"),
         .does = [this] { commands_->showHelp(docks_->panelOf(QApplication::focusWidget())); }},
        {.menu = MenuId::Help,
         .id = "actionTour",
         .text = tr("&Walk me through it"),
         .tip = tr("Show the findings of all models, one after the other"),
         .searchWords = tr("tour guide introduction"),
         .does = [this] { tour_->isOn() ? tour_->end() : tour_->start(); },
         .enabled = [this] { return tour_->canStart(); },
         .checked = [this] { return tour_->isOn(); }},
        {.menu = MenuId::Help,
         .id = "actionDefinitions",
         .text = tr("&Metric definitions"),
         .keys = {keys("Shift+F1")},
         .searchWords = tr("metrics help"),
         .does = asks(&Commands::showDefinitions)},
        {.menu = MenuId::Help,
         .id = "actionShortcuts",
         .text = tr("&Keyboard shortcuts"),
         .keys = {keys("Ctrl+?")},
         .does = asks(&Commands::showShortcuts)},
        {.menu = MenuId::Help,
         .id = "actionAbout",
         .text = tr("&About Assay"),
         .icon = "assay",
         .does = asks(&Commands::showAbout),
         .separated = true},
    };
    rows.insert(rows.end(), rest.begin(), rest.end());
    appendWorkspaceRows(rows);
    appendTagRows(rows);
    return rows;
}

} // namespace assay
