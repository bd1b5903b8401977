#pragma once

#include "engine/report/samples/export_samples.h"
#include "engine/subsets/curves/requested_curves.h"
#include "widgets/link/panel.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"

#include <QStringList>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::test {

struct OwnSelection {
    SampleSelection ownSelection;
};

/// Stands in the window's place: keeps what a panel wants, and works requests out at once.
class TestHost : private OwnSelection, public PanelHost {
public:
    TestHost() : TestHost(&ownSelection) {}
    /// @param selection outlives the host
    explicit TestHost(SampleSelection* selection)
        : TestHost(selection, std::make_unique<ThumbnailCache>(), std::make_unique<ThumbnailCache>()) {}

    /// @param pictures likewise
    TestHost(SampleSelection* selection, ThumbnailCache* pictures) : PanelHost(selection, pictures, pictures) {}

    std::vector<std::size_t> models{};    ///< those that were to be the current one
    std::vector<ViewFilter> filters{};    ///< those that were to be shown
    std::vector<FilterRules> rules{};     ///< those that were to be in force
    std::vector<PanelCommand> commands{}; ///< those that were to be run
    std::vector<CurveRequest> curves{};   ///< those that were to be computed
    std::vector<SpaceLayout> layouts{};   ///< those that were chosen
    std::vector<SampleId> inspected{};    ///< samples that were to be looked at
    std::vector<std::pair<SampleSet, HandVerdict>> verdicts{};
    std::vector<std::pair<SampleId, QString>> notes{};
    std::vector<std::string> usefulCurves{};
    std::vector<ExportWhat> samplesExported{};
    std::vector<std::shared_ptr<const CoverageHoles>> holesExported{};
    std::vector<std::shared_ptr<const ModelContrast>> coverageExported{};
    QStringList shownPanels{};
    std::vector<PanelRequest> requests{};
    /// Takes the place of what answers requests and applies rules; empty: requests are worked out at once.
    std::function<void(const PanelRequest&)> onRequest{};
    std::function<void(const FilterRules&)> onRules{};

    /// How often a command was to be run.
    std::ptrdiff_t count(PanelCommand command) const { return std::ranges::count(commands, command); }
    std::size_t asked(std::string_view question) const {
        return static_cast<std::size_t>(std::ranges::count(requests, question, &PanelRequest::question));
    }

    void prepare(const ViewState& state) override { pictures()->setAudit(state.audit); }
    void setModel(std::size_t model) override { models.push_back(model); }
    void setFilter(const ViewFilter& filter) override { filters.push_back(filter); }
    void setRules(const FilterRules& wanted) override {
        rules.push_back(wanted);
        if (onRules)
            onRules(wanted);
    }
    void judge(const SampleSet& samples, HandVerdict verdict) override { verdicts.emplace_back(samples, verdict); }
    void setNote(SampleId sample, const QString& note) override { notes.emplace_back(sample, note); }
    void showPanel(const QString& id, const QJsonObject& /*state*/ = {}) override {
        shownPanels << id;
        if (id == QStringLiteral("sample") && selection()->focus())
            inspected.push_back(*selection()->focus());
    }
    void run(PanelCommand command) override { commands.push_back(command); }
    void request(Panel* /*panel*/, const PanelRequest& request) override {
        requests.push_back(request);
        if (onRequest)
            onRequest(request);
        else
            request.show(request.work({}));
    }
    void arrange(const SpaceLayout& layout) override { layouts.push_back(layout); }
    void computeCurves(const CurveRequest& request) override { curves.push_back(request); }
    void showUsefulCurve(const std::string& column) override { usefulCurves.push_back(column); }
    void exportSamples(ExportWhat what) override { samplesExported.push_back(what); }
    void exportHoles(const std::shared_ptr<const CoverageHoles>& holes) override { holesExported.push_back(holes); }
    void exportCoverage(const std::shared_ptr<const ModelContrast>& contrast) override {
        coverageExported.push_back(contrast);
    }

private:
    TestHost(SampleSelection* selection, std::unique_ptr<ThumbnailCache> pictures,
             std::unique_ptr<ThumbnailCache> heldOutPictures)
        : PanelHost(selection, pictures.get(), heldOutPictures.get()), ownPictures_(std::move(pictures)),
          ownHeldOutPictures_(std::move(heldOutPictures)) {}

    std::unique_ptr<ThumbnailCache> ownPictures_;
    std::unique_ptr<ThumbnailCache> ownHeldOutPictures_;
};

} // namespace assay::test
