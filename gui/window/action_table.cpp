// What can be done in the window: one row an action.
#include "engine/audit/tags.h"
#include "gui/app/theme.h"
#include "gui/session/selection_commands.h"
#include "gui/window/panel_docks.h"
#include "gui/window/window_actions.h"
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

std::vector<ActionRow> WindowActions::table(PanelDocks* docks) {
    AuditSession* session = session_;
    const auto hasModel = [session] { return session->state().hasModel(); };
    const auto severalModels = [session] {
        return session->state().audit && session->state().audit->models.size() > 1;
    };
    const auto canDecide = [session] { return session->canDecide(); };
    const auto canTag = [session] { return session->canTag(); };
    const auto wants = [this](void (WindowActions::*signal)()) { return [this, signal] { emit(this->*signal)(); }; };
    const auto writes = [this](ExportWhat what, ExportFormat format) {
        return [this, what, format] { emit exportRequested(what, format); };
    };
    const auto themeRow = [this](const char* id, const QString& text, ThemeChoice choice) {
        return ActionRow{.menu = MenuId::Theme,
                         .id = QString::fromLatin1(id),
                         .text = text,
                         .does =
                             [this, choice] {
                                 theme_->setChoice(choice);
                                 emit themeChosen();
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
         .does = wants(&WindowActions::openRequested)},
        {.menu = MenuId::File,
         .id = "actionOpenAudit",
         .text = tr("Open a&udit file\u2026"),
         .icon = "open",
         .keys = {keys("Ctrl+Alt+O")},
         .tip = tr("Go on from an audit that was saved, with all that was decided"),
         .does = wants(&WindowActions::openAuditRequested)},
        {.menu = MenuId::File,
         .id = "actionAddModels",
         .text = tr("&Add models\u2026"),
         .icon = "add-model",
         .keys = {keys("Ctrl+Shift+O")},
         .tip = tr("Score further synthetic sets"),
         .does = wants(&WindowActions::addModelsRequested),
         .enabled = [session] { return session->isOpen() && !session->jobs()->isRunning(); }},
        {.menu = MenuId::File, .id = "menuRecent", .text = tr("&Recent audits"), .opens = MenuId::Recent},
        {.menu = MenuId::File,
         .id = "actionDemo",
         .text = tr("Open the &demo"),
         .icon = "open-demo",
         .tip = tr("Open the built-in demo: generators with known faults"),
         .does = wants(&WindowActions::demoRequested)},
        {.menu = MenuId::File,
         .id = "actionSave",
         .text = tr("&Save audit"),
         .keys = {QKeySequence::Save},
         .tip = tr("Keep the audit and all that is decided in one file, from now on by itself"),
         .does = wants(&WindowActions::saveRequested),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::File,
         .id = "actionSaveAs",
         .text = tr("Save audit &as\u2026"),
         .keys = {keys("Ctrl+Shift+S")},
         .tip = tr("Keep the audit in another file"),
         .does = wants(&WindowActions::saveAsRequested),
         .enabled = hasModel},
        {.menu = MenuId::File,
         .id = "actionSaveSelfContained",
         .text = tr("Save a self-&contained copy\u2026"),
         .tip = tr("Write the audit with its embeddings and pictures into one file that needs no others"),
         .searchWords = tr("pack, hand on, archive, another machine"),
         .does = wants(&WindowActions::saveSelfContainedRequested),
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
         .id = "actionExportKeptCsv",
         .text = tr("&Kept samples as CSV\u2026"),
         .keys = {keys("Ctrl+E")},
         .does = writes(ExportWhat::Kept, ExportFormat::Csv),
         .enabled = hasModel},
        {.menu = MenuId::Export,
         .id = "actionExportRejectedCsv",
         .text = tr("&Rejected samples as CSV\u2026"),
         .keys = {keys("Ctrl+Shift+E")},
         .does = writes(ExportWhat::Rejected, ExportFormat::Csv),
         .enabled = hasModel},
        {.menu = MenuId::Export,
         .id = "actionExportKeptIds",
         .text = tr("Ids of k&ept samples\u2026"),
         .does = writes(ExportWhat::Kept, ExportFormat::Ids),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::Export,
         .id = "actionExportRejectedIds",
         .text = tr("Ids of re&jected samples\u2026"),
         .does = writes(ExportWhat::Rejected, ExportFormat::Ids),
         .enabled = hasModel},
        {.menu = MenuId::Export,
         .id = "actionExportReport",
         .text = tr("&Report of the audit (JSON)\u2026"),
         .keys = {keys("Ctrl+R")},
         .tip = tr("Write all scores with the files' digests, the parameters and the rules, for others to check"),
         .does = wants(&WindowActions::reportRequested),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::File,
         .id = "actionQuit",
         .text = tr("&Quit"),
         .keys = {QKeySequence::Quit},
         .does = [this] { window_->close(); },
         .separated = true},

        // Edit: undo and redo stand before these.
        {.menu = MenuId::Edit,
         .id = "actionRejectByHand",
         .text = tr("Re&ject by hand"),
         .icon = "reject",
         .keys = {Qt::Key_Space},
         .tip = tr("Reject the selected samples whatever the rules say, or take that back"),
         .does = [session] { session->toggleByHand(HandVerdict::Rejected); },
         .enabled = canDecide,
         .checked = [session] { return session->isSelectionJudged(HandVerdict::Rejected); },
         .repeats = false, // a key held down would reject and take back in turn
         .separated = true},
        {.menu = MenuId::Edit,
         .id = "actionAcceptByHand",
         .text = tr("&Keep by hand"),
         .keys = {keys("A")},
         .tip = tr("Keep the selected samples whatever the rules say, or take that back"),
         .does = [session] { session->toggleByHand(HandVerdict::Accepted); },
         .enabled = canDecide,
         .checked = [session] { return session->isSelectionJudged(HandVerdict::Accepted); },
         .repeats = false},
        {.menu = MenuId::Edit,
         .id = "actionUnsureByHand",
         .text = tr("Leave un&decided"),
         .keys = {keys("U")},
         .tip = tr("Mark the selected samples as looked at and leave them to the rules, or take that back"),
         .does = [session] { session->toggleByHand(HandVerdict::Unsure); },
         .enabled = canDecide,
         .checked = [session] { return session->isSelectionJudged(HandVerdict::Unsure); },
         .repeats = false},
        {.menu = MenuId::Edit,
         .id = "actionLoadRules",
         .text = tr("&Load rules\u2026"),
         .tip = tr("Put the rules of a file into force, in place of those that are"),
         .does = wants(&WindowActions::loadRulesRequested),
         .enabled = hasModel,
         .separated = true},
        {.menu = MenuId::Edit,
         .id = "actionSaveRules",
         .text = tr("Save r&ules\u2026"),
         .tip = tr("Write the rules to a file, for other audits and for assay-score --rules"),
         .does = wants(&WindowActions::saveRulesRequested),
         .enabled = [session] { return !session->rules().empty(); }},
        {.menu = MenuId::Edit, .id = "menuTag", .text = tr("&Tags"), .opens = MenuId::Tags},

        // Select
        {.menu = MenuId::Select,
         .id = "actionClearSelection",
         .text = tr("&Clear"),
         .keys = {Qt::Key_Escape},
         .tip = tr("Select nothing"),
         .does =
             [session] {
                 if (!leavesField())
                     session->selection()->clear();
             },
         .enabled = [session] { return !session->selection()->isEmpty(); }},
        {.menu = MenuId::Select,
         .id = "actionSelectRejected",
         .text = tr("&Rejected samples"),
         .icon = "reject",
         .keys = {keys("Ctrl+Shift+R")},
         .tip = tr("Select what is rejected, by the rules or by hand"),
         .does = [session] { SelectionCommands(session).rejected(); },
         .enabled = [session] { return session->state().kept && session->rejectedCount() > 0; },
         .separated = true},
        {.menu = MenuId::Select,
         .id = "actionSelectByHand",
         .text = tr("Rejected by &hand"),
         .tip = tr("Select what was rejected by hand"),
         .does = [session] { SelectionCommands(session).rejectedByHand(); },
         .enabled = [session] { return session->state().byHand != nullptr; }},
        {.menu = MenuId::Select, .id = "menuTagged", .text = tr("&Tagged"), .opens = MenuId::Tagged},
        {.menu = MenuId::Select,
         .id = "actionSelectAccused",
         .text = tr("Acc&used samples"),
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
         .tip = tr("Leave all other samples out of every panel; scores and decisions stay those of all"),
         .does = [session] { session->showOnlySelected(); },
         .enabled = canTag,
         .separated = true},
        {.menu = MenuId::Select,
         .id = "actionShowAll",
         .text = tr("Show a&ll"),
         .keys = {keys("Ctrl+Shift+L")},
         .tip = tr("Show all samples again"),
         .does = [session] { session->showAll(); },
         .enabled = [session] { return !session->state().filter.empty(); }},

        // Audit
        {.menu = MenuId::Audit,
         .id = "actionNextModel",
         .text = tr("&Next model"),
         .keys = {keys("Ctrl+PgDown")},
         .does = [session] { session->stepModel(+1); },
         .enabled = severalModels},
        {.menu = MenuId::Audit,
         .id = "actionPreviousModel",
         .text = tr("&Previous model"),
         .keys = {keys("Ctrl+PgUp")},
         .does = [session] { session->stepModel(-1); },
         .enabled = severalModels},
        {.menu = MenuId::Audit,
         .id = "actionHistory",
         .text = tr("&History\u2026"),
         .tip = tr("What has been done to the audit, and when"),
         .searchWords = tr("log, record, provenance"),
         .does = wants(&WindowActions::historyRequested),
         .enabled = [session] { return session->isOpen(); },
         .separated = true},
        {.menu = MenuId::Audit,
         .id = "actionCancel",
         .text = tr("&Cancel"),
         .icon = "cancel",
         .keys = {keys("Ctrl+.")},
         .tip = tr("Stop the running job; what was open before stays"),
         .does = [session] { session->cancel(); },
         .enabled = [session] { return session->canCancel(); },
         .separated = true},

        // View: the panels stand before these.
        {.menu = MenuId::View,
         .id = "actionResetLayout",
         .text = tr("&Reset layout"),
         .icon = "reset-view",
         .does =
             [docks] {
                 if (docks->isShown())
                     docks->resetLayout();
             },
         .enabled = hasModel,
         .separated = true},
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
         .id = "actionDefinitions",
         .text = tr("&Metric definitions"),
         .icon = "help",
         .keys = {QKeySequence::HelpContents},
         .searchWords = tr("metrics help"),
         .does = wants(&WindowActions::definitionsRequested)},
        {.menu = MenuId::Help,
         .id = "actionShortcuts",
         .text = tr("&Keyboard shortcuts"),
         .keys = {keys("Ctrl+?")},
         .does = wants(&WindowActions::shortcutsRequested)},
        {.menu = MenuId::Help,
         .id = "actionAbout",
         .text = tr("&About Assay"),
         .icon = "assay",
         .does = wants(&WindowActions::aboutRequested),
         .separated = true},
    };
    for (int tag = 1; tag <= kTags; ++tag) {
        rows.push_back({.menu = MenuId::Tags,
                        .id = QStringLiteral("actionTag%1").arg(tag),
                        .text = tr("Tag &%1").arg(tag),
                        .keys = {Qt::Key_0 + tag},
                        .tip = tr("Give the selected samples tag %1, or take it away").arg(tag),
                        .does = [session, tag] { session->toggleTag(tag); },
                        .enabled = canTag,
                        .checked = [session, tag] { return (session->tagsOfSelection() & tagSet(tag)) != 0; },
                        .repeats = false});
        rows.push_back({.menu = MenuId::Tagged,
                        .id = QStringLiteral("actionSelectTag%1").arg(tag),
                        .text = tr("Tag &%1").arg(tag),
                        .tip = tr("Select the samples of this model and the real ones that have tag %1").arg(tag),
                        .does = [session, tag] { SelectionCommands(session).tagged(tag); },
                        .enabled = [session, tag] { return session->isTagged(tag); }});
    }
    rows.push_back({.menu = MenuId::Tags,
                    .id = "actionClearTags",
                    .text = tr("&Clear all tags"),
                    .keys = {Qt::Key_0},
                    .tip = tr("Take every tag of the selected samples away"),
                    .does = [session] { session->clearTags(); },
                    .enabled = canTag,
                    .separated = true});
    return rows;
}

} // namespace assay
