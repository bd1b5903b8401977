#pragma once

#include "engine/audit/result/filter_rules.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/panel_request.h"
#include "widgets/link/view_filter.h"

#include <QJsonObject>
#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <string>

namespace assay {

class Panel;
class SampleSelection;
class ThumbnailCache;
enum class ExportWhat;
struct CoverageHoles;
struct CurveRequest;
struct ModelContrast;
struct SpaceLayout;

/// Commands of the window that panels have buttons for.
enum class PanelCommand {
    OpenSets,
    ChooseGroups, ///< of the open sets: which samples belong together
    AddModels,
    AddModelScores,
    AddBadSamples,
    JudgeAgain,
    LoadRules,
    SaveRules,
    ProposeRemoval,
    ScoreUsefulness, ///< of the kept samples, and of as many at random
};

/// What a panel wants of the window around it. State comes down by Panel::showState(), intent goes up through here.
///
/// Does nothing by itself, which is enough for a panel that stands alone.
class PanelHost : public QObject {
    Q_OBJECT

public:
    /// All outlive the host. @param heldOutPictures of the held-out set, whose samples are in no set of the audit
    PanelHost(SampleSelection* selection, ThumbnailCache* pictures, ThumbnailCache* heldOutPictures)
        : selection_(selection), pictures_(pictures), heldOutPictures_(heldOutPictures) {}

    SampleSelection* selection() const noexcept { return selection_; }
    ThumbnailCache* pictures() const noexcept { return pictures_; }
    ThumbnailCache* heldOutPictures() const noexcept { return heldOutPictures_; }

    /// A panel is about to show a state: pictures are of its audit from now on.
    virtual void prepare(const ViewState& /*state*/) {}

    /// Edits of the open audit; each can be undone.
    virtual void setModel(std::size_t /*model*/) {}
    virtual void setFilter(const ViewFilter& /*filter*/) {}
    virtual void setRules(const FilterRules& /*rules*/) {}
    virtual void judge(const SampleSet& /*samples*/, HandVerdict /*verdict*/) {}
    virtual void setNote(SampleId /*sample*/, const QString& /*note*/) {}

    /// Brings a panel to the front, by its id. @param state that it shows, in the terms of its saveState()
    virtual void showPanel(const QString& /*id*/, const QJsonObject& /*state*/ = {}) {}
    /// Selects a sample, and shows why it is good or bad.
    void inspect(SampleId sample);
    virtual void run(PanelCommand /*command*/) {}

    /// Works something out for a panel in the background. The newest request of a panel's question wins; it stops while
    /// nobody watches the panel, and the panel shows its failure.
    virtual void request(Panel* /*panel*/, const PanelRequest& /*request*/) {}
    /// Work that every panel shows.
    virtual void arrange(const SpaceLayout& /*layout*/) {}
    virtual void computeCurves(const CurveRequest& /*request*/) {}
    /// Shows the curve of usefulness over discarding by a score.
    virtual void showUsefulCurve(const std::string& /*column*/) {}

    /// Asks where to, and writes.
    virtual void exportSamples(ExportWhat /*what*/) {}
    virtual void exportHoles(const std::shared_ptr<const CoverageHoles>& /*holes*/) {}
    virtual void exportCoverage(const std::shared_ptr<const ModelContrast>& /*contrast*/) {}

signals:
    /// Whether a job runs that has to end before another can change the audit.
    void busyChanged(bool busy);
    /// These curves are being computed now.
    void curvesStarted(const assay::CurveRequest& request);

private:
    SampleSelection* selection_;
    ThumbnailCache* pictures_;
    ThumbnailCache* heldOutPictures_;
};

} // namespace assay
