#pragma once

#include "gui/desktop/file_prompts.h"
#include "gui/desktop/settings.h"
#include "gui/jobs/job_runner.h"
#include "gui/pages/help_browser.h"
#include "gui/session/audit_session.h"

#include "engine/report/samples/export_samples.h"

#include <QObject>

#include <functional>
#include <vector>

class QMainWindow;

namespace assay {

class OpenDialog;
struct CoverageHoles;
struct ModelContrast;
struct RemovalProposal;
struct StatisticsScores;

/// What a person can do that asks for something first: for files, names, or whether decisions may be lost. Owns every
/// question and dialog of the window; menus and panels call it. What needs no question is the session's.
class Commands : public QObject {
    Q_OBJECT

public:
    /// @param window that dialogs belong to; it and the session outlive this
    /// @param panels of the window, which the manual has a page for
    Commands(QMainWindow* window, AuditSession* session, FilePrompts prompts, QList<HelpedPanel> panels = {});

    const FilePrompts& prompts() const noexcept { return prompts_; }
    const QList<HelpedPanel>& helpedPanels() const noexcept { return panels_; }
    QWidget* window() const;
    QList<AuditFiles> recentAudits() const { return settings_.recentAudits(); }
    /// Asks for the name of a workspace. @param save returns false for a name that cannot be taken
    void nameWorkspace(const std::function<bool(const QString& name)>& save);

public slots:
    /// Asks for a real set and synthetic sets.
    void chooseSets();
    /// The same, filled in with `files`.
    void showOpenDialog(const assay::AuditFiles& files);
    /// The same for the open sets, where it asks which samples of the real set belong together.
    void chooseGroups();
    void openDemo();
    /// Opens sets, or the dialog where Python has to convert some first.
    void open(const assay::AuditFiles& files);
    void openRecent(const assay::AuditFiles& files);
    void clearRecent();
    void chooseAudit();
    void openManifest(const QString& file);
    /// Opens dropped files: an audit file, a manifest, sets, or models or a table of scores for the open audit.
    void openFiles(const QStringList& files);
    void chooseModels();
    /// Asks for a file of bad samples, and computes the curve of the bad fraction with them.
    void chooseBadSamples();

    /// Asks for a table of figures per model from elsewhere, to compare the metrics with.
    void chooseExternalScores();
    /// Asks for a table of figures per sample, to add them as columns.
    void chooseSampleScores();

    /// Writes decisions into the audit's file; asks for one where there is none.
    void save();
    void saveAs();
    void saveSelfContained();
    /// Writes samples of the current model. @param format id in exportFormats()
    void exportCurrent(assay::ExportWhat what, const QString& format);
    void chooseExport();
    void exportReport(assay::Appendix appendix);
    void exportPage();
    /// Asks for a file, and writes the missed real samples with the number of their hole.
    void exportHoles(const std::shared_ptr<const assay::CoverageHoles>& holes);
    /// Asks for a file, and writes which of two models cover each real sample.
    void exportCoverage(const std::shared_ptr<const assay::ModelContrast>& contrast);
    void loadRules();
    void saveRules();
    /// Asks for a fidelity, and looks for what to remove for it.
    void proposeRemoval();
    void nameTags();

    /// @param panel id of the panel that is explained; empty: the first page
    void showHelp(const QString& panel);
    /// @param document name of a file in docs/, without its ending
    void showHelpPage(const QString& document);
    void showDefinitions();

    /// Does what would lose the decisions; where some are not in any report, once the person has said so.
    void leaveDecisions(const QString& what, const std::function<void()>& act);
    /// @param title what was tried: "Opening gan.npz"
    void showError(const QString& title, const QString& message);

signals:
    void recentChanged(const QList<assay::AuditFiles>& audits);
    /// The person has added figures of models from elsewhere, and wants to see them.
    void externalScoresAdded();

private:
    OpenDialog* makeOpenDialog(const AuditFiles& files);
    void openAudit(const QString& file);
    void addModels(const QStringList& files);
    /// A table that was dropped on an open audit: as what its columns say that it is.
    void addTable(const QString& file);
    void addModelScores(const QString& file);
    /// Acts once it is known that all files are there which Python has to convert; at once where none has to be.
    /// @param otherwise what is done where one is missing
    void whenConverted(const std::vector<SetFiles>& sets, const std::function<void()>& act,
                       const std::function<void()>& otherwise);
    /// The same; where one is missing, a dialog offers to convert it.
    void convertFirst(const std::vector<SetFiles>& sets, const std::function<void()>& act);
    /// The real set's name with an ending, for a file.
    QString auditName(const char* ending) const;
    QString askAuditFile(const QString& title, const QString& name);
    void chooseExportFile(const ExportRequest& request);
    void tellProposal(const RemovalProposal& proposal);
    void tellStatisticsScores(const StatisticsScores& scores);

    QMainWindow* window_;
    AuditSession* session_;
    FilePrompts prompts_;
    QList<HelpedPanel> panels_;
    Settings settings_;
    JobRunner looks_; ///< at files, off the window's thread: what was dropped, and what Python has converted
};

} // namespace assay
