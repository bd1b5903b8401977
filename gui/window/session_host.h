#pragma once

#include "widgets/link/panel_host.h"

#include <functional>

namespace assay {

class AuditSession;
class Commands;

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
    explicit SessionHost(const Parts& parts);

    void prepare(const ViewState& state) override;
    void setModel(std::size_t model) override;
    void setFilter(const ViewFilter& filter) override;
    void setRules(const FilterRules& rules) override;
    void judge(const SampleSet& samples, HandVerdict verdict) override;
    void setNote(SampleId sample, const QString& note) override;
    void showPanel(const QString& id, const QJsonObject& state = {}) override { parts_.showPanel(id, state); }
    void run(PanelCommand command) override;
    void request(Panel* panel, const PanelRequest& request) override;
    void arrange(const SpaceLayout& layout) override;
    void computeCurves(const CurveRequest& request) override;
    void showUsefulCurve(const std::string& column) override;
    void exportSamples(ExportWhat what) override;
    void exportHoles(const std::shared_ptr<const CoverageHoles>& holes) override;
    void exportCoverage(const std::shared_ptr<const ModelContrast>& contrast) override;

private:
    Parts parts_;
};

} // namespace assay
