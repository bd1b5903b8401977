#include "gui/commands/commands.h"

#include "gui/pages/conversion_pane.h"
#include "gui/pages/open_dialog.h"
#include "gui/pages/side_windows.h"
#include "gui/pages/start_page.h"
#include "gui/session/error_text.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/external/external_scores.h"
#include "engine/io/sets/manifest.h"
#include "engine/io/sets/python_converter.h"
#include "widgets/common/controls.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <iterator>
#include <utility>

// What opens something; what writes something is in commands_export.cpp.
namespace assay {
namespace {

constexpr int kErrorWidth = 480;
constexpr qsizetype kNamesShown = 6; // in a message

/// Those of which Python has to read something.
std::vector<SetFiles> forPythonOf(const std::vector<SetFiles>& sets) {
    std::vector<SetFiles> found;
    std::ranges::copy_if(sets, std::back_inserter(found),
                         [](const SetFiles& set) { return needsPython(set.embeddings); });
    return found;
}

/// The window's one help browser, in front.
HelpBrowser* helpBrowser(QWidget* window, Commands* commands) {
    auto* help = window->findChild<HelpBrowser*>();
    if (help == nullptr) {
        help = new HelpBrowser(commands->helpedPanels(), window);
        QObject::connect(help, &HelpBrowser::definitionsRequested, commands, &Commands::showDefinitions);
    }
    help->show();
    help->raise();
    help->activateWindow();
    return help;
}

} // namespace

Commands::Commands(QMainWindow* window, AuditSession* session, FilePrompts prompts, QList<HelpedPanel> panels)
    : QObject(window), window_(window), session_(session), prompts_(std::move(prompts)), panels_(std::move(panels)) {
    connect(session_, &AuditSession::failed, this, &Commands::showError);
    connect(session_, &AuditSession::opened, this, [this](const AuditFiles& files) {
        settings_.addRecentAudit(files);
        emit recentChanged(settings_.recentAudits());
    });
    connect(session_, &AuditSession::removalProposed, this, &Commands::tellProposal);
    connect(session_, &AuditSession::scoredAgainstStatistics, this, &Commands::tellStatisticsScores);
    connect(&looks_, &JobRunner::failed, this,
            [this](const Error& error) { showError(looks_.title(), QString::fromUtf8(error.what())); });
}

QWidget* Commands::window() const {
    return window_;
}

void Commands::chooseSets() {
    showOpenDialog(session_->filesToOffer().value_or(AuditFiles{}));
}

void Commands::openDemo() {
    leaveDecisions(tr("Opening the demo"), [this] { session_->openDemo(); });
}

void Commands::openFiles(const QStringList& files) {
    if (files.size() == 1 && isNamedAuditFile(files.front()))
        openAudit(files.front());
    else if (files.size() == 1 && isNamedManifest(files.front().toStdString()))
        openManifest(files.front());
    else if (session_->isOpen() && files.size() == 1 && isNamedTable(files.front()))
        addTable(files.front());
    else if (session_->isOpen())
        addModels(files);
    else
        looks_.start<AuditFiles>(
            tr("Looking at the dropped files"),
            [files](const RunningJob&) { return std::make_shared<const AuditFiles>(guessRoles(files)); },
            [this](const std::shared_ptr<const AuditFiles>& guess) { showOpenDialog(*guess); });
}

void Commands::showOpenDialog(const AuditFiles& files) {
    makeOpenDialog(files)->open();
}

void Commands::chooseGroups() {
    OpenDialog* dialog = makeOpenDialog(session_->filesToOffer().value_or(AuditFiles{}));
    dialog->open();
    dialog->askForGroups();
}

/// Not shown yet.
OpenDialog* Commands::makeOpenDialog(const AuditFiles& files) {
    auto* dialog = newDialog<OpenDialog>("openDialog", prompts_, window_);
    dialog->setFiles(files);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        leaveDecisions(tr("Opening another audit"), [this, files = dialog->files()] { session_->open(files); });
    });
    return dialog;
}

/// With the choice shown before anything is opened.
void Commands::openManifest(const QString& file) {
    try {
        showOpenDialog(manifestFiles(file));
    } catch (const Error& error) {
        showError(tr("Opening %1").arg(QFileInfo(file).fileName()), QString::fromUtf8(error.what()));
    }
}

void Commands::chooseAudit() {
    if (const QString file =
            prompts_.openFile(window_, tr("Open an audit file"), tr("Assay audits (*.assay);;All files (*)"));
        !file.isEmpty())
        openAudit(file);
}

void Commands::openAudit(const QString& file) {
    AuditFiles files;
    files.audit = file;
    leaveDecisions(tr("Opening another audit"), [this, files] { session_->open(files); });
}

void Commands::open(const AuditFiles& files) {
    std::vector<SetFiles> sets;
    if (files.audit.isEmpty()) {
        sets.push_back(setFiles(files.real, files.realBeside));
        for (const ModelFile& model : files.models)
            sets.push_back(setFiles(model.file, model.beside));
        sets.push_back(setFiles(files.heldOut, files.heldOutBeside));
    }
    whenConverted(
        sets, [this, files] { leaveDecisions(tr("Opening another audit"), [this, files] { session_->open(files); }); },
        [this, files] { showOpenDialog(files); });
}

void Commands::whenConverted(const std::vector<SetFiles>& sets, const std::function<void()>& act,
                             const std::function<void()>& otherwise) {
    const std::vector<SetFiles> forPython = forPythonOf(sets);
    if (forPython.empty()) {
        act();
        return;
    }
    looks_.start<bool>(
        tr("Looking for converted files"),
        [forPython, converter = installedConverter()](const RunningJob& job) {
            return std::make_shared<const bool>(std::ranges::all_of(forPython, [&](const SetFiles& set) {
                return keptConversion(set, converter, job.context()).has_value();
            }));
        },
        [act, otherwise](const std::shared_ptr<const bool>& all) { *all ? act() : otherwise(); });
}

void Commands::convertFirst(const std::vector<SetFiles>& sets, const std::function<void()>& act) {
    whenConverted(sets, act, [this, sets, act] {
        auto* dialog = newDialog<ConvertDialog>("convertDialog", prompts_, forPythonOf(sets), window_);
        connect(dialog, &QDialog::accepted, this, act);
        dialog->open();
    });
}

void Commands::openRecent(const AuditFiles& files) {
    const QString missing = missingFile(files);
    if (missing.isEmpty()) {
        open(files);
        return;
    }
    auto* box = newDialog<QMessageBox>("missingFile", QMessageBox::Warning, tr("Recent audit"),
                                       tr("%1 is not there any more.").arg(missing), QMessageBox::Cancel, window_);
    QPushButton* remove = box->addButton(tr("Remove from the list"), QMessageBox::DestructiveRole);
    QPushButton* choose = box->addButton(tr("Choose files\u2026"), QMessageBox::AcceptRole);
    connect(remove, &QPushButton::clicked, this, [this, files] {
        settings_.removeRecentAudit(files);
        emit recentChanged(settings_.recentAudits());
    });
    connect(choose, &QPushButton::clicked, this, [this, files] { showOpenDialog(files); });
    box->open();
}

void Commands::clearRecent() {
    settings_.clearRecentAudits();
    emit recentChanged(settings_.recentAudits());
}

void Commands::chooseModels() {
    addModels(prompts_.openMany(window_, tr("Add models")));
}

void Commands::addModels(const QStringList& files) {
    QStringList taken;
    for (const auto& model : session_->state().audit->models)
        taken << QString::fromStdString(model->name);
    QStringList sets;
    for (const QString& file : files) {
        if (isNamedManifest(file.toStdString()))
            showError(tr("Adding %1").arg(QFileInfo(file).fileName()), manifestWords(file));
        else
            sets << file;
    }
    if (sets.isEmpty())
        return;
    std::vector<SetFiles> given;
    for (const QString& set : sets)
        given.push_back(setFiles(set));
    convertFirst(given, [this, models = namedModels(sets, taken)] { session_->addModels(models); });
}

void Commands::addTable(const QString& file) {
    TableKind kind = TableKind::Samples;
    try {
        kind = guessTableKind(file.toStdString(), *session_->state().audit);
    } catch (const Error&) { // adding it as a model says what is wrong with it
    }
    if (kind == TableKind::ModelScores)
        addModelScores(file);
    else if (kind == TableKind::SampleScores)
        session_->addSampleScores(file);
    else
        addModels({file});
}

void Commands::chooseBadSamples() {
    if (const QString file = prompts_.openOne(window_, tr("Bad samples for the curve of the bad fraction"));
        !file.isEmpty())
        convertFirst({setFiles(file)}, [this, file] { session_->computeBadFraction(file); });
}

void Commands::chooseExternalScores() {
    if (const QString file =
            prompts_.openFile(window_, tr("Add model scores"), tr("Tables (*.csv *.tsv *.txt);;All files (*)"));
        !file.isEmpty())
        addModelScores(file);
}

void Commands::addModelScores(const QString& file) {
    const QString title = tr("Adding %1").arg(QFileInfo(file).fileName());
    try {
        // At most kMaxExternalRows lines are read, which needs no job.
        const ExternalScores scores = readExternalScores(file.toStdString());
        if (std::ranges::none_of(rowsOfModels(scores, *session_->state().audit),
                                 [](const auto& row) { return row.has_value(); })) {
            QStringList names;
            for (const ExternalScores::Row& row : scores.rows)
                names << QString::fromStdString(row.model);
            showError(title, tr("%1 names none of the models in this audit. The models in the file: %2.")
                                     .arg(QFileInfo(file).fileName(), names.mid(0, kNamesShown).join(tr(", "))) +
                                 tr(" For a table with one row per sample, use File, Add sample scores."));
            return;
        }
        session_->editor()->setExternal(scores);
        emit externalScoresAdded();
    } catch (const Error& error) {
        showError(title, QString::fromUtf8(error.what()));
    }
}

void Commands::chooseSampleScores() {
    if (const QString file =
            prompts_.openFile(window_, tr("Add sample scores"), tr("Tables (*.csv *.tsv *.txt);;All files (*)"));
        !file.isEmpty())
        session_->addSampleScores(file);
}

void Commands::leaveDecisions(const QString& what, const std::function<void()>& act) {
    if (!session_->hasUnsavedDecisions()) {
        act();
        return;
    }
    auto* box = newDialog<QMessageBox>("unsavedDecisions", QMessageBox::Question, tr("Assay"),
                                       tr("%1 discards your decisions").arg(what), QMessageBox::Cancel, window_);
    box->setInformativeText(tr("Rules, verdicts by hand, tags and notes have not been saved."));
    const auto add = [&](const char* name, const QString& text, QMessageBox::ButtonRole role, const auto& does) {
        QPushButton* button = box->addButton(text, role);
        button->setObjectName(QLatin1String(name));
        connect(button, &QPushButton::clicked, this, does);
        return button;
    };
    box->setDefaultButton(add("saveDecisions", tr("Save the audit\u2026"), QMessageBox::AcceptRole, &Commands::saveAs));
    add("exportDecisions", tr("Export a report\u2026"), QMessageBox::AcceptRole,
        [this] { exportReport(Appendix::LeftOut); });
    add("loseDecisions", tr("Discard"), QMessageBox::DestructiveRole, act);
    box->open();
}

void Commands::showError(const QString& title, const QString& message) {
    auto* box = newDialog<QMessageBox>("error", QMessageBox::Warning, tr("Assay"), tr("%1 failed").arg(title),
                                       QMessageBox::Ok, window_);
    box->setInformativeText(errorText(message));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // Messages name whole paths: a box as narrow as its title would break them into shreds.
    auto* grid = static_cast<QGridLayout*>(box->layout());
    grid->addItem(new QSpacerItem(kErrorWidth, 0), grid->rowCount(), 0, 1, grid->columnCount());
    box->open();
}

void Commands::showHelp(const QString& panel) {
    helpBrowser(window_, this)->showPanel(panel);
}

void Commands::showHelpPage(const QString& document) {
    helpBrowser(window_, this)->showDocument(document);
}

void Commands::showDefinitions() {
    makeDefinitionsWindow(window_)->show();
}

} // namespace assay
