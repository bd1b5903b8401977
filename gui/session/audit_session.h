#pragma once

#include "gui/jobs/audit_files.h"
#include "gui/jobs/audit_loader.h"
#include "gui/jobs/decision_keeper.h"
#include "gui/jobs/export_queue.h"
#include "gui/jobs/job_runner.h"
#include "gui/jobs/kept_scorer.h"
#include "gui/jobs/space_projector.h"
#include "gui/session/gesture_tracker.h"
#include "gui/session/session_edit.h"

#include "engine/report/samples/export_request.h"
#include "engine/subsets/rules/filter.h"
#include "widgets/link/linked_view.h"

#include <QDateTime>
#include <QObject>
#include <QUndoGroup>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace assay {

class SampleSelection;
struct AuditDocument;
struct RemovalProposal;

/// Decision by hand about a sample, which overrides the rules; Unsure: reviewed, but the rules decide.
enum class HandVerdict { None, Rejected, Accepted, Unsure };

/// The open audit and everything a person has decided about it: current model, rules, verdicts by hand, tags, notes,
/// and through SampleSelection the selection. All of these can be undone.
///
/// Loading and scoring run as jobs; a job that fails or is cancelled leaves the audit that was open as it was. While
/// several models are being scored, those that are done are shown already.
class AuditSession : public QObject {
    Q_OBJECT

public:
    /// @param selection outlives the session
    explicit AuditSession(SampleSelection* selection, const EngineCalls& calls = engineCalls(),
                          QObject* parent = nullptr);
    ~AuditSession() override;

    bool isOpen() const noexcept { return document_ != nullptr; }
    /// The state that every view shows.
    const ViewState& state() const noexcept { return state_; }
    const FilterRules& rules() const noexcept;
    /// Whether a person has decided something (rules, verdicts by hand, tags, notes) that is kept in no audit file and
    /// in no exported report.
    bool hasUnsavedDecisions() const;
    /// Whether there are selected synthetic samples of the current model to decide about, and whether all of them were
    /// given this verdict by hand.
    bool canDecide() const;
    bool isSelectionJudged(HandVerdict verdict) const;
    /// Whether there are selected samples that tags can be given to: of the real set or the current model's.
    bool canTag() const;
    /// The tags that all selected samples have.
    TagSet tagsOfSelection() const;
    /// Whether a sample of the real set or the current model's has the tag.
    bool isTagged(int tag) const;
    std::size_t keptCount() const noexcept { return keptCount_; }
    std::size_t rejectedCount() const noexcept { return rejectedCount_; }
    /// The audit file that everything is kept in; empty where there is none.
    QString auditFile() const;
    /// Why nothing is kept in it; empty where it is.
    QString keepingProblem() const { return keeper_.problem(); }
    /// The files of the open audit; none for the demo.
    std::optional<AuditFiles> files() const;
    /// The files to offer when an audit is to be opened: of one that was cancelled or failed, so that nobody has to
    /// enter them again, else those of the open audit.
    std::optional<AuditFiles> filesToOffer() const { return unfinished_ ? unfinished_ : files(); }
    SampleSelection* selection() const noexcept { return selection_; }
    /// History of the open audit, oldest first; null if none is open.
    std::shared_ptr<const History> history() const;
    /// The clock of the history; the system's at first.
    void setClock(std::function<QDateTime()> clock) { clock_ = std::move(clock); }
    /// How the window was arranged for the open audit, in the window's own format; empty if it was never set.
    QString windowState() const;
    /// Is kept in the audit file, where there is one. Not undone.
    void setWindowState(const QString& state);

    /// Loading and scoring.
    JobRunner* jobs() noexcept { return &jobs_; }
    ExportQueue* exports() noexcept { return &exports_; }
    /// Where the samples lie in three dimensions; follows the audit once it is scored.
    SpaceProjector* projector() noexcept { return &projector_; }
    /// Scores of the current model's kept samples alone; updated with the rules.
    KeptScorer* keptScorer() noexcept { return &keptScorer_; }
    /// Whether anything runs in the background.
    bool isBusy() const noexcept;
    /// Whether anything runs that cancel() would stop.
    bool canCancel() const noexcept { return isBusy(); }
    /// Its active stack is the open audit's.
    QUndoGroup* undoGroup() noexcept { return &undoGroup_; }

public slots:
    /// Opens and audits files, in place of the open audit once there is something to show.
    void open(const assay::AuditFiles& files);
    void openDemo();
    /// Adds models to the open audit. Ignored, with a message, while a job runs or nothing is open.
    void addModels(const std::vector<assay::ModelFile>& models);
    /// Computes curves that not every audit has. Ignored, with a message, while a job runs or nothing is open.
    void computeCurves(const assay::CurveRequest& request);
    /// Likewise the curve of the bad fraction with bad samples of a file, in place of one that is there.
    void computeBadFraction(const QString& bad);
    /// Looks for what to remove from the current model to reach a clipped density, as a job; `removalProposed` follows,
    /// with the samples selected. Ignored, with a message, while a job runs or nothing is open.
    void proposeRemoval(double wanted);
    /// Stops what a person would see as the job at hand: loading and scoring, else exports, else what is worked out
    /// for the views.
    void cancel();

    void setModel(std::size_t model);
    /// The next (+1) or previous (-1) model, round and round.
    void stepModel(int step);
    /// Replaces the rules. Refused with `failed` when one does not fit the catalogue.
    void setRules(const assay::FilterRules& rules);
    /// Puts further rules into force, in place of those on the same columns.
    void addRules(const assay::FilterRules& rules);

    /// Puts the rules of a file into force, and writes those in force to one; `failed` says why that was impossible.
    void loadRules(const QString& file);
    void saveRules(const QString& file);

    /// Gives the selected synthetic samples of the current model a verdict by hand; when all of them have it, takes it
    /// back.
    void toggleByHand(HandVerdict verdict);
    /// Gives synthetic samples a verdict, in place of the one that they have; None takes it back.
    /// @param then what is selected next, in the same step of the history
    void judge(const SampleSet& samples, HandVerdict verdict,
               const std::optional<SelectionSnapshot>& then = std::nullopt);
    /// Writes about a sample; nothing drops what was written.
    void setNote(SampleId sample, const QString& note);
    /// @param tag in [1, kTags] @param name empty: it goes by its number
    void nameTag(int tag, const QString& name);
    /// Names all tags in one step of the history.
    void nameTags(const TagNames& names);
    /// Gives the selected samples a tag; when all of them have it, takes it away.
    /// @param tag in [1, kTags]
    void toggleTag(int tag);
    void clearTags();

    /// Shows no more than the filter leaves, everywhere. Several changes of its text in a row are one step of the
    /// history.
    void setFilter(const assay::ViewFilter& filter);
    /// Shows the selected samples only, among those that are shown.
    void showOnlySelected();
    void showAll() { setFilter({}); }

    /// Writes samples with what is decided about them as a job, after earlier exports; `exported` or `failed`
    /// follows.
    void exportSamples(const assay::ExportRequest& request, const QString& file);

    /// Writes the whole audit and every decision into one file as a job, and keeps what is decided from then on in it;
    /// `exported` or `failed` follows.
    void saveAudit(const QString& file);
    /// Writes a copy that needs no other files: embeddings and pictures are in it. What is decided from then on is kept
    /// where it was before. `exported` or `failed` follows.
    void saveSelfContained(const QString& file);
    /// Makes sure that every decision is in the audit file, where there is one, before this returns.
    void keepNow() { keeper_.flush(); }

    /// Writes a report of the audit with what was decided and what the kept samples score, as a job: HTML, PDF,
    /// Markdown or JSON as the file's extension says (gui/report/report_export.h); `exported` or `failed` follows.
    void exportReport(const QString& file);

signals:
    /// Audit, current model or kept samples have changed.
    void stateChanged(const assay::ViewState& state);
    void rulesChanged(const assay::FilterRules& rules);
    /// These curves are being computed now; stateChanged follows with them, unless that fails or is cancelled.
    void curvesStarted(const assay::CurveRequest& request);
    /// An audit of files is complete: worth remembering.
    void opened(const assay::AuditFiles& files);
    void exported(const QString& file);
    void removalProposed(const assay::RemovalProposal& proposal);
    void historyChanged();
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
    /// Goes on from what had been decided when the audit was open last.
    void restore(const Decisions& decided);
    /// Remembers that something was done that decides nothing.
    void record(const QString& what);
    /// The same of a file that was written of an audit, which may not be the open one any more.
    void recordWritten(const std::shared_ptr<const AuditResult>& audit, const QString& file, const QString& what);
    /// The audit has got more than its file has.
    void rewriteAudit();
    /// @param what for the history, once it is written; empty for nothing
    void writeAudit(const QString& file, const QString& what);
    /// Content of the audit file.
    Decisions decisions() const;
    void keepDecisions();
    /// Goes back to what was open before the running opening job.
    void rollBack();
    /// Makes `document` (may be null) the open one.
    void enter(std::unique_ptr<AuditDocument> document);
    /// The open audit has got further models; everything else stays.
    void extend(const Result& result);

    /// Whether the open audit can be extended now; `failed` says why not.
    bool canExtend(const QString& title, const QString& busy, const QString& closed);
    void startCurves(const CurveRequest& request, const QString& bad);
    /// How the open audit was made, for what is added to it.
    AuditOptions optionsForMore() const;

    void edit(EditKind kind, const QString& text, EditState after);
    void push(EditKind kind, const QString& text, EditState after, std::optional<std::uint64_t> gesture);
    /// @param what was done, for the history
    void apply(const EditState& next, const QString& what);
    void onSelectionChanged();
    /// Derives the view state from the open document and emits it.
    void publish();
    SampleSet selectedOfModel() const;
    /// The decisions about a model's samples; without an argument the current model's.
    SampleFilter filterOf(std::size_t model) const;
    SampleFilter filter() const { return filterOf(state_.model); }
    void decide(const ViewState& before, bool sameSamples);
    void findNearDuplicates(const ViewState& before);
    void changeTags(const QString& text, const std::function<void(SampleTags& tags, const SampleSet& samples)>& change);
    SampleSet selectedOnShow() const;
    EditState edits() const;
    void decisionsReported(const EditState& reported);
    void connectRunner(JobRunner& runner);
    /// Has what is worked out beside the views follow the state.
    void followState();

    SampleSelection* selection_;
    NetworkEmbedder embedder_;
    AuditLoader loader_;
    GestureTracker gestures_;
    QUndoGroup undoGroup_;
    std::unique_ptr<AuditDocument> document_; ///< null: nothing is open
    std::unique_ptr<AuditDocument> before_;   ///< while an opening job shows partial results: what was open before
    std::optional<AuditFiles> unfinished_;    ///< of the last audit that was begun, until it is complete
    bool opening_ = false;                    ///< partial results of an opening job are shown
    bool applying_ = false;
    ViewState state_;
    EditState decidedBy_; ///< what the kept samples of the state follow from
    /// Near duplicates of the current model; null until a rule needs them.
    std::shared_ptr<const std::vector<std::uint32_t>> nearDuplicates_;
    std::function<QDateTime()> clock_;
    std::size_t keptCount_ = 0;
    std::size_t rejectedCount_ = 0;
    // Last: their threads end before anything they use goes.
    JobRunner jobs_;
    ExportQueue exports_;
    DecisionKeeper keeper_;
    SpaceProjector projector_;
    KeptScorer keptScorer_;
};

} // namespace assay
