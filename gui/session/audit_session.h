#pragma once

#include "gui/jobs/audit_files.h"
#include "gui/jobs/audit_loader.h"
#include "gui/jobs/decision_keeper.h"
#include "gui/jobs/export_queue.h"
#include "gui/jobs/job_runner.h"
#include "gui/jobs/kept_scorer.h"
#include "gui/jobs/panel_jobs.h"
#include "gui/jobs/space_projector.h"
#include "gui/session/document.h"
#include "gui/session/editor.h"

#include "engine/report/pages/report.h"
#include "engine/report/samples/export_samples.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

struct CoverageHoles;
struct ModelContrast;
struct RemovalProposal;
struct StatisticsScores;

/// The jobs on the open audit: opens and scores it, adds to it, computes what views show, keeps decisions in its file,
/// and writes lists and reports. The audit itself is in the document; a person's edits go through the editor.
///
/// A job that fails or is cancelled leaves the audit that was open as it was. While several models are being scored,
/// those that are done are shown already.
class AuditSession : public QObject {
    Q_OBJECT

public:
    /// @param selection outlives the session
    explicit AuditSession(SampleSelection* selection, const EngineCalls& calls = engineCalls(),
                          QObject* parent = nullptr);

    Document* document() noexcept { return &document_; }
    const Document* document() const noexcept { return &document_; }
    Editor* editor() noexcept { return &editor_; }
    const Editor* editor() const noexcept { return &editor_; }
    bool isOpen() const noexcept { return document_.isOpen(); }
    /// The state that every view shows.
    const ViewState& state() const noexcept { return document_.state(); }
    SampleSelection* selection() const noexcept { return document_.selection(); }

    /// Whether some decisions (rules, verdicts by hand, tags, notes) are in no audit file and no exported report.
    bool hasUnsavedDecisions() const;
    /// Why nothing is kept in the audit file; empty where it is.
    QString keepingProblem() const { return keeper_.problem(); }
    /// The files to offer in the open dialog: of an audit that was cancelled or failed, else of the open one.
    std::optional<AuditFiles> filesToOffer() const { return unfinished_ ? unfinished_ : document_.files(); }
    /// How the window is arranged; kept in the audit file, where there is one.
    void setWindowState(const QString& state);

    /// Loading and scoring.
    JobRunner* jobs() noexcept { return &jobs_; }
    ExportQueue* exports() noexcept { return &exports_; }
    /// Where the samples lie in three dimensions; follows the audit once it is scored.
    SpaceProjector* projector() noexcept { return &projector_; }
    /// Scores of the current model's kept samples alone; updated with the rules.
    KeptScorer* keptScorer() noexcept { return &keptScorer_; }
    /// Utility and membership of the current model's kept samples, for views that ask for it.
    UsefulScorer* usefulScorer() noexcept { return &usefulScorer_; }
    /// What panels have asked for.
    PanelJobs* panelJobs() noexcept { return &panelJobs_; }
    /// A job beside the window, in the order in which the status bar shows them and cancel() stops them.
    struct Background {
        JobRunner* runner;
        std::function<void()> cancel;
        bool isAskedFor = false;      ///< a person has begun it
        bool isStoppedByHand = false; ///< only a person stops it, and is told so
    };
    const std::vector<Background>& background() const noexcept { return background_; }
    /// Whether anything runs in the background, which cancel() would stop.
    bool isBusy() const noexcept;

public slots:
    /// Opens and audits files, in place of the open audit once there is something to show.
    void open(const assay::AuditFiles& files);
    void openDemo();
    /// Adds models to the open audit. Like all up to proposeRemoval(), ignored with a message while
    /// a job runs or nothing is open.
    void addModels(const std::vector<assay::ModelFile>& models);
    /// Judges the open audit again with this version's statistics, as a job.
    void judgeAgain();
    /// Computes curves that not every audit has.
    void computeCurves(const assay::CurveRequest& request);
    /// Shows the curve of usefulness over discarding by a score (`curveChosen`), computed first where it is missing.
    void showUsefulCurve(const std::string& column);
    /// Computes the curve of the bad fraction with bad samples of a file, in place of one that is there.
    void computeBadFraction(const QString& bad);
    /// Reads a table of figures of samples from elsewhere and adds them as columns; `sampleScoresAdded` follows.
    void addSampleScores(const QString& file);
    /// Looks for what to remove from the current model to reach a score; `removalProposed` follows.
    /// @param aim `clipped_density` or `frechet_distance`
    void proposeRemoval(const std::string& aim, double wanted);
    /// Stops loading and scoring, else exports, else what is computed for the views.
    void cancel();

    /// Puts the rules of a file into force, and writes those in force to one; `failed` says why that was impossible.
    void loadRules(const QString& file);
    void saveRules(const QString& file);

    /// Writes samples with the decisions about them, after earlier exports; `exported` or `failed` follows.
    void exportSamples(const assay::ExportRequest& request, const QString& file);

    /// Writes the missed real samples of a model of the open audit as a job; `exported` or `failed` follows.
    void exportHoles(const std::shared_ptr<const assay::CoverageHoles>& holes, const QString& file);
    /// Writes which of two models cover each real sample, likewise.
    void exportCoverage(const std::shared_ptr<const assay::ModelContrast>& contrast, const QString& file);

    /// Writes audit and decisions into one file, which keeps later decisions, too; `exported` or `failed` follows.
    void saveAudit(const QString& file);
    /// Writes a copy with embeddings and pictures; later decisions are kept where they were; likewise.
    void saveSelfContained(const QString& file);
    /// Writes every decision, and which sample is looked at, into the audit file, if any, before this returns.
    void keepNow();

    /// Writes a report in the format of the file's extension (writeReportFile()); `exported` or `failed` follows.
    void exportReport(const QString& file, assay::Appendix appendix = assay::Appendix::LeftOut);
    /// Writes a page to explore in a browser (writeExplorePage()); `exported` or `failed` follows.
    void exportPage(const QString& file);

signals:
    /// Columns were added. @param column id of the first one
    void sampleScoresAdded(const QString& column);
    /// These curves are being computed now; stateChanged follows with them, unless that fails or is cancelled.
    void curvesStarted(const assay::CurveRequest& request);
    /// A curve that is there is to be shown; its key.
    void curveChosen(const QString& key);
    /// An audit of files is complete: worth remembering.
    void opened(const assay::AuditFiles& files);
    void exported(const QString& file);
    /// In place of an audit, where the real set is a mean and a covariance.
    void scoredAgainstStatistics(const assay::StatisticsScores& scores);
    void removalProposed(const assay::RemovalProposal& proposal);
    /// An audit file was opened; the arrangement of the window that it stores, or empty.
    void windowStateRestored(const QString& state);
    /// @param title what was tried: "Opening gan.npz"; "failed" goes after it
    void failed(const QString& title, const QString& message);
    void busyChanged();

private:
    using Result = std::shared_ptr<const AuditResult>;

    /// @param then called once the audit is complete
    void startOpening(const QString& title, const std::optional<AuditFiles>& files,
                      std::function<Result(const RunningJob&, const AuditLoader::Partial&)> work,
                      std::function<void()> then = {});
    /// Shows a result of the running opening job, finished or not.
    void showOpening(const std::optional<AuditFiles>& files, const Result& result);
    using FileWork = std::function<void(const std::filesystem::path& file, const JobContext& job)>;
    /// Writes a file as a job, after earlier ones. @param what it is, for the history @param done once it is there
    void write(const QString& file, const QString& what, const FileWork& work, const std::function<void()>& done = {});
    /// Remembers that a file was written of an audit, which may not be the open one any more.
    void recordWritten(const std::shared_ptr<const AuditResult>& audit, const QString& file, const QString& what);
    /// The audit has got more than its file has.
    void rewriteAudit();
    /// @param what for the history, once it is written; empty for nothing
    void writeAudit(const QString& file, const QString& what);
    /// Whether the audit file follows the document.
    bool isKept() const;
    void keepDecisions();
    void keepHistory();
    /// Goes back to what was open before the running opening job.
    void rollBack();

    /// Whether the open audit can be extended now; `failed` says why not.
    bool canExtend(const QString& title, const QString& closed);
    /// Takes over the open audit with more in it. @param what for the history
    std::function<void(Result)> extendsBy(const QString& what);
    void startCurves(const CurveRequest& request, const QString& bad);
    /// How the open audit was made, for what is added to it.
    AuditOptions optionsForMore() const;

    void findSets(const Result& audit, std::size_t model, const std::vector<std::string>& rules);
    void followRunner(const JobRunner& runner);
    /// Has what is worked out beside the views follow the state.
    void followState();
    /// Hands the document what they have found.
    void showComputed();

    Document document_;
    Editor editor_;
    NetworkEmbedder embedder_;
    AuditLoader loader_;
    std::unique_ptr<OpenAudit> before_;    ///< while an opening job shows partial results: what was open before
    std::optional<AuditFiles> unfinished_; ///< of the last audit that was begun, until it is complete
    bool opening_ = false;                 ///< partial results of an opening job are shown
    bool followed_ = false;                ///< the scorer and the projector work on the state of now
    // Last: their threads end before anything they use goes.
    JobRunner jobs_;
    ExportQueue exports_;
    DecisionKeeper keeper_;
    SpaceProjector projector_;
    KeptScorer keptScorer_;
    JobRunner sets_; ///< of rules on sets
    UsefulScorer usefulScorer_;
    PanelJobs panelJobs_;
    std::vector<Background> background_; ///< all but the panels' jobs
};

} // namespace assay
