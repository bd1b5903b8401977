#pragma once

#include "gui/commands/commands.h"
#include "gui/session/audit_session.h"
#include "widgets/link/panel_host.h"
#include "widgets/link/thumbnail_cache.h"

#include <functional>

namespace assay {

/// What the panels of a window want, handed to its session, its commands and its docks.
class SessionHost : public PanelHost {
    Q_OBJECT

public:
    struct Parts {
        AuditSession* session;
        Commands* commands;
        ThumbnailCache* pictures;
        ThumbnailCache* heldOutPictures;
        std::function<void(const QString& id, const QJsonObject& state)> showPanel;
    };

    /// All parts outlive the host.
    explicit SessionHost(const Parts& parts)
        : PanelHost(parts.session->selection(), parts.pictures, parts.heldOutPictures), parts_(parts) {
        AuditSession* session = parts_.session;
        connect(session, &AuditSession::busyChanged, this,
                [this, session] { emit busyChanged(session->jobs()->isRunning()); });
        connect(session, &AuditSession::curvesStarted, this, &PanelHost::curvesStarted);
        connect(session, &AuditSession::curveChosen, this, [this](const QString& key) {
            showPanel(QStringLiteral("curves"), {{QStringLiteral("curve"), key}});
        });
    }

    void prepare(const ViewState& state) override { parts_.pictures->setAudit(state.audit); }
    void setModel(std::size_t model) override { parts_.session->editor()->setModel(model); }
    void setFilter(const ViewFilter& filter) override { parts_.session->editor()->setFilter(filter); }
    void setRules(const FilterRules& rules) override { parts_.session->editor()->setRules(rules); }
    void judge(const SampleSet& samples, HandVerdict verdict) override {
        parts_.session->editor()->judge(samples, verdict);
    }
    void setNote(SampleId sample, const QString& note) override { parts_.session->editor()->setNote(sample, note); }
    void showPanel(const QString& id, const QJsonObject& state = {}) override { parts_.showPanel(id, state); }
    void run(PanelCommand command) override {
        switch (command) {
        case PanelCommand::OpenSets:
            return parts_.commands->chooseSets();
        case PanelCommand::ChooseGroups:
            return parts_.commands->chooseGroups();
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
    void request(Panel* panel, const PanelRequest& request) override {
        parts_.session->panelJobs()->request(panel, request);
    }
    void arrange(const SpaceLayout& layout) override { parts_.session->projector()->arrange(layout); }
    void computeCurves(const CurveRequest& request) override { parts_.session->computeCurves(request); }
    void showUsefulCurve(const std::string& column) override {
        showPanel(QStringLiteral("curves"));
        parts_.session->showUsefulCurve(column);
    }
    void exportSamples(ExportWhat what) override { parts_.commands->exportCurrent(what, QStringLiteral("csv")); }
    void exportHoles(const std::shared_ptr<const CoverageHoles>& holes) override {
        parts_.commands->exportHoles(holes);
    }
    void exportCoverage(const std::shared_ptr<const ModelContrast>& contrast) override {
        parts_.commands->exportCoverage(contrast);
    }

private:
    Parts parts_;
};

} // namespace assay
