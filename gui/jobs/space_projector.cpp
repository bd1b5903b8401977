#include "gui/jobs/space_projector.h"

#include "widgets/space/drawing/sample_places.h"

#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/gpu/backends/backends.h"
#include "engine/layout/joint_neighbors.h"
#include "engine/layout/neighbor_layout.h"
#include "engine/neighbors/search/neighbor_search.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t kNeighbors = 15; // as UMAP has it: fewer tear groups apart, more blur them

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

/// Both sets' positions in one row, the real ones first.
std::vector<std::array<float, 3>> joined(const SpacePoints& points) {
    std::vector<std::array<float, 3>> all = points.real;
    all.insert(all.end(), points.synthetic.begin(), points.synthetic.end());
    return all;
}

/// Notes how many neighbours lie together. @param neighbors none where the audit has no tables
void judge(SpacePoints& points, const NeighborTable& neighbors, const std::vector<std::array<float, 3>>& positions,
           const JobContext& job) {
    if (neighbors.rows() != positions.size())
        return;
    points.neighbors = neighbors.k;
    points.keptNeighbors = keptNeighbors(neighbors, positions, 0, job);
}

std::shared_ptr<const SpacePoints> arrangedByNeighbors(const SpacePoints& start, const NeighborTable& neighbors,
                                                       const Accelerator* accelerator, const JobContext& job) {
    const NeighborGraph graph = neighborGraph(neighbors, 0, job.part({}, 0.0, 0.02));
    LayoutOptions options;
    options.dimensions = start.layout.dimensions;
    const auto positions = neighborLayout(graph, joined(start), options, job.part({}, 0.02, 0.95), accelerator);
    auto points = std::make_shared<SpacePoints>();
    points->layout = {Arrangement::Neighbors, start.layout.dimensions};
    const auto border = positions.begin() + static_cast<std::ptrdiff_t>(start.real.size());
    points->real.assign(positions.begin(), border);
    points->synthetic.assign(border, positions.end());
    judge(*points, neighbors, positions, job.part({}, 0.95, 1.0));
    return points;
}

/// The first two coordinates.
SpacePoints flattened(const SpacePoints& points) {
    SpacePoints flat = points;
    flat.layout.dimensions = 2;
    for (auto* set : {&flat.real, &flat.synthetic})
        for (auto& point : *set)
            point[2] = 0.0F;
    return flat;
}

} // namespace

/// Results that depend on the real set alone, and the points of one pair: by components in space, the others only after
/// a request.
struct SpaceProjector::Known {
    std::shared_ptr<const EmbeddingSet> real, synthetic;
    std::shared_ptr<const ModelAudit> model; ///< whose scores are along the axes
    std::shared_ptr<const PrincipalComponents> components;
    std::vector<std::shared_ptr<const SpacePoints>> points; ///< at most one by columns

    std::shared_ptr<const SpacePoints> of(const SpaceLayout& layout) const {
        const auto at = std::ranges::find(points, layout, [](const auto& one) { return one->layout; });
        return at == points.end() ? nullptr : *at;
    }

    void add(std::shared_ptr<const SpacePoints> found) {
        if (found->layout.arrangement == Arrangement::Columns)
            std::erase_if(points, [](const auto& one) { return one->layout.arrangement == Arrangement::Columns; });
        points.push_back(std::move(found));
    }
};

/// The work of one job.
class SpaceProjector::Placing {
public:
    /// @param publish gets what is known before samples are arranged by neighbours
    Placing(const ViewState& state, SpaceLayout layout, std::shared_ptr<const Known> before, const JobContext& job,
            std::function<void(std::shared_ptr<const Known>)> publish)
        : state_(state), layout_(std::move(layout)), before_(std::move(before)), job_(job),
          publish_(std::move(publish)), card_(cardOf(*state.audit->real)), known_(std::make_shared<Known>()) {}

    std::shared_ptr<const Known> run() {
        known_->real = state_.audit->real->set;
        known_->synthetic = state_.current().set;
        if (before_ && before_->synthetic == known_->synthetic)
            *known_ = *before_;
        const auto& model = state_.audit->models[state_.model];
        if (known_->model != model)
            std::erase_if(known_->points,
                          [](const auto& one) { return one->layout.arrangement == Arrangement::Columns; });
        known_->model = model;
        if (layout_.arrangement == Arrangement::Columns) {
            known_->components = before_ ? before_->components : nullptr;
            known_->add(std::make_shared<const SpacePoints>(columnPoints(state_, layout_)));
            return known_;
        }
        neighbors_ = jointNeighbors(*state_.audit->real, *state_.current().tables, kNeighbors);
        const bool arranging = layout_.arrangement == Arrangement::Neighbors;
        const double projected = arranging ? 0.1 : 0.9;
        placeByComponents(projected);
        if (arranging) {
            publish_(std::make_shared<const Known>(*known_));
            known_->add(arrangedByNeighbors(*known_->of({Arrangement::Components, layout_.dimensions}), neighbors_,
                                            accelerator(),
                                            job_.part(tr("Arranging by nearest neighbours").toStdString(), 0.2, 1.0)));
        }
        return known_;
    }

private:
    const Accelerator* accelerator() const { return card_ ? card_->accelerator() : nullptr; }

    /// In space, from where they are taken to the plane.
    void placeByComponents(double projected) {
        if (!known_->of({Arrangement::Components}))
            project(projected);
        if (layout_.isFlat() && !known_->of({Arrangement::Components, 2})) {
            auto points = std::make_shared<SpacePoints>(flattened(*known_->of({Arrangement::Components})));
            judge(*points, neighbors_, joined(*points), job_.part({}, projected + 0.05, projected + 0.1));
            known_->add(std::move(points));
        }
    }

    void project(double projected) {
        const JobContext fit = job_.part(tr("Principal components").toStdString(), 0.0, 0.6 * projected);
        const JobContext project = job_.part(tr("Projecting").toStdString(), 0.6 * projected, projected);
        auto points = std::make_shared<SpacePoints>();
        known_->components = before_ && before_->components
                                 ? before_->components
                                 : std::make_shared<const PrincipalComponents>(
                                       PrincipalComponents::fit(known_->real->matrix(), fit, 0, accelerator()));
        const auto before = before_ ? before_->of({Arrangement::Components}) : nullptr;
        points->real =
            before ? before->real : known_->components->project(known_->real->matrix(), project.part({}, 0.0, 0.5));
        points->synthetic = known_->components->project(known_->synthetic->matrix(), project.part({}, 0.5, 1.0));
        points->explainedShare = known_->components->explainedShare();
        points->components = known_->components;
        judge(*points, neighbors_, joined(*points), job_.part({}, projected, projected + 0.05));
        known_->add(std::move(points));
    }

    const ViewState& state_;
    SpaceLayout layout_;
    std::shared_ptr<const Known> before_;
    const JobContext& job_;
    std::function<void(std::shared_ptr<const Known>)> publish_;
    std::unique_ptr<NeighborSearch> card_;
    std::shared_ptr<Known> known_;
    NeighborTable neighbors_;
};

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
    const auto publish = [this, meanwhile](std::shared_ptr<const Known> found) {
        known_ = std::move(found);
        if (points_ != known_->of(meanwhile))
            show(known_->of(meanwhile));
    };
    jobs_.start<Known>(
        arranging ? tr("Arranging by nearest neighbours") : tr("Placing samples"),
        [state = state_, layout = layout_, known, publish](const RunningJob& job) {
            return Placing(state, layout, known, job.context(),
                           [&](std::shared_ptr<const Known> found) {
                               job.deliver([publish, found = std::move(found)] { publish(found); });
                           })
                .run();
        },
        [this](std::shared_ptr<const Known> found) {
            known_ = std::move(found);
            show(known_->of(layout_));
        });
}

} // namespace assay
