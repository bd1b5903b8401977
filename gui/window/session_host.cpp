#include "gui/window/session_host.h"

#include "gui/commands/commands.h"
#include "gui/session/audit_session.h"
#include "widgets/link/thumbnail_cache.h"

namespace assay {
namespace {

const QString kCurves = QStringLiteral("curves");

} // namespace

SessionHost::SessionHost(const Parts& parts)
    : PanelHost(parts.session->selection(), parts.pictures, parts.heldOutPictures), parts_(parts) {
    AuditSession* session = parts_.session;
    connect(session, &AuditSession::busyChanged, this,
            [this, session] { emit busyChanged(session->jobs()->isRunning()); });
    connect(session, &AuditSession::curvesStarted, this, &PanelHost::curvesStarted);
    connect(session, &AuditSession::curveChosen, this, [this](const QString& key) {
        showPanel(kCurves, {{QStringLiteral("curve"), key}});
    });
}

void SessionHost::prepare(const ViewState& state) {
    parts_.pictures->setAudit(state.audit); // does nothing but for the first of the panels
}

void SessionHost::setModel(std::size_t model) {
    parts_.session->editor()->setModel(model);
}

void SessionHost::setFilter(const ViewFilter& filter) {
    parts_.session->editor()->setFilter(filter);
}

void SessionHost::setRules(const FilterRules& rules) {
    parts_.session->editor()->setRules(rules);
}

void SessionHost::judge(const SampleSet& samples, HandVerdict verdict) {
    parts_.session->editor()->judge(samples, verdict);
}

void SessionHost::setNote(SampleId sample, const QString& note) {
    parts_.session->editor()->setNote(sample, note);
}

void SessionHost::run(PanelCommand command) {
    switch (command) {
    case PanelCommand::OpenSets:
        return parts_.commands->chooseSets();
    case PanelCommand::AddModels:
        return parts_.commands->chooseModels();
    case PanelCommand::AddModelScores:
        return parts_.commands->chooseExternalScores();
    case PanelCommand::AddBadSamples:
        return parts_.commands->chooseBadSamples();
    case PanelCommand::JudgeAgain:
        return parts_.session->judgeAgain();
    case PanelCommand::LoadRules:
        return parts_.commands->loadRules();
    case PanelCommand::SaveRules:
        return parts_.commands->saveRules();
    case PanelCommand::ProposeRemoval:
        return parts_.commands->proposeRemoval();
    case PanelCommand::ScoreUsefulness:
        return parts_.session->usefulScorer()->score(parts_.session->state());
    }
}

void SessionHost::request(Panel* panel, const PanelRequest& request) {
    parts_.session->panelJobs()->request(panel, request);
}

void SessionHost::arrange(const SpaceLayout& layout) {
    parts_.session->projector()->arrange(layout);
}

void SessionHost::computeCurves(const CurveRequest& request) {
    parts_.session->computeCurves(request);
}

void SessionHost::showUsefulCurve(const std::string& column) {
    showPanel(kCurves);
    parts_.session->showUsefulCurve(column);
}

void SessionHost::exportSamples(ExportWhat what) {
    parts_.commands->exportCurrent(what, QStringLiteral("csv"));
}

void SessionHost::exportHoles(const std::shared_ptr<const CoverageHoles>& holes) {
    parts_.commands->exportHoles(holes);
}

void SessionHost::exportCoverage(const std::shared_ptr<const ModelContrast>& contrast) {
    parts_.commands->exportCoverage(contrast);
}

} // namespace assay
