#include "gui/jobs/space_projector.h"

#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/gpu/backends/backends.h"
#include "engine/neighbors/search/neighbor_search.h"
#include "engine/report/space/sample_places.h"

#include <utility>

namespace assay {
namespace {

const EmbeddingSet* realSetOf(const ViewState& state) {
    return state.hasModel() ? state.audit->real->set.get() : nullptr;
}

const EmbeddingSet* syntheticSetOf(const ViewState& state) {
    return state.hasModel() ? state.current().set.get() : nullptr;
}

/// The graphics card, where the audit ran on one that can still be had; null where not.
std::unique_ptr<NeighborSearch> cardOf(const RealAnalysis& real) {
    if (real.backend != "cuda")
        return nullptr;
    try {
        return makeNeighborSearch(BackendChoice::Cuda, real.set->matrix(), 0, {});
    } catch (const Error&) { // lent to another program, say
        return nullptr;
    }
}

} // namespace

SpaceProjector::SpaceProjector(QObject* parent) : QObject(parent) {
    connect(&jobs_, &JobRunner::failed, this, &SpaceProjector::fallBack);
}

void SpaceProjector::fallBack() {
    if (layout_.arrangement == Arrangement::Neighbors)
        arrange({Arrangement::Components, layout_.dimensions}); // supersedes the job
}

void SpaceProjector::project(const ViewState& state) {
    const bool same = realSetOf(state) == realSetOf(state_) && syntheticSetOf(state) == syntheticSetOf(state_);
    // Scores come while an audit runs, and more of them with every part of it.
    const bool sameScores = layout_.arrangement != Arrangement::Columns ||
                            (state.hasModel() && state_.hasModel() && &state.current() == &state_.current());
    state_ = state;
    if (!same || !sameScores)
        start();
}

void SpaceProjector::arrange(const SpaceLayout& layout) {
    if (layout == layout_)
        return;
    layout_ = layout;
    emit layoutChanged(layout_);
    start();
}

void SpaceProjector::stop() {
    if (!jobs_.isRunning())
        return;
    jobs_.cancel();
    fallBack();
}

void SpaceProjector::show(std::shared_ptr<const SpacePoints> points) {
    points_ = std::move(points);
    emit pointsChanged(points_);
}

void SpaceProjector::start() {
    points_.reset();
    if (!state_.hasModel()) {
        known_.reset();
        jobs_.cancel();
        return;
    }
    const auto known = known_ && known_->real.get() == realSetOf(state_) ? known_ : nullptr;
    const bool sameSet = known && known->synthetic.get() == syntheticSetOf(state_) &&
                         (layout_.arrangement != Arrangement::Columns || known->model.get() == &state_.current());
    if (sameSet && known->of(layout_)) {
        jobs_.cancel();
        show(known->of(layout_));
        return;
    }
    const bool arranging = layout_.arrangement == Arrangement::Neighbors;
    const SpaceLayout meanwhile{Arrangement::Components, layout_.dimensions};
    if (sameSet && arranging && known->of(meanwhile))
        show(known->of(meanwhile));
    const auto publish = [this, meanwhile](std::shared_ptr<const PlacedSamples> found) {
        known_ = std::move(found);
        if (points_ != known_->of(meanwhile))
            show(known_->of(meanwhile));
    };
    jobs_.start<PlacedSamples>(
        arranging ? tr("Arranging by nearest neighbours") : tr("Placing samples"),
        [audit = state_.audit, model = state_.model, layout = layout_, known, publish](const RunningJob& job) {
            const auto card = cardOf(*audit->real);
            return placeSamples(*audit, model, layout, known, card ? card->accelerator() : nullptr, job.context(),
                                [&](std::shared_ptr<const PlacedSamples> found) {
                                    job.deliver([publish, found = std::move(found)] { publish(found); });
                                });
        },
        [this](std::shared_ptr<const PlacedSamples> found) {
            known_ = std::move(found);
            show(known_->of(layout_));
        });
}

} // namespace assay
