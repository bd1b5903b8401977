#include "gui/jobs/space_projector.h"

#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/gpu/backends/backends.h"
#include "engine/layout/joint_neighbors.h"
#include "engine/layout/neighbor_layout.h"
#include "engine/neighbors/search/neighbor_search.h"

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
    const auto positions = neighborLayout(graph, joined(start), {}, job.part({}, 0.02, 0.95), accelerator);
    auto points = std::make_shared<SpacePoints>();
    points->arrangement = Arrangement::Neighbors;
    const auto border = positions.begin() + static_cast<std::ptrdiff_t>(start.real.size());
    points->real.assign(positions.begin(), border);
    points->synthetic.assign(border, positions.end());
    judge(*points, neighbors, positions, job.part({}, 0.95, 1.0));
    return points;
}

} // namespace

/// Results that depend on the real set alone, and the points of one pair; the neighbour layout only after a request.
struct SpaceProjector::Known {
    std::shared_ptr<const EmbeddingSet> real, synthetic;
    std::shared_ptr<const PrincipalComponents> components;
    std::shared_ptr<const SpacePoints> byComponents;
    std::shared_ptr<const SpacePoints> byNeighbors;

    const std::shared_ptr<const SpacePoints>& points(Arrangement arrangement) const {
        return arrangement == Arrangement::Neighbors ? byNeighbors : byComponents;
    }
};

SpaceProjector::SpaceProjector(QObject* parent) : QObject(parent) {}

void SpaceProjector::project(const ViewState& state) {
    const bool same = realSetOf(state) == realSetOf(state_) && syntheticSetOf(state) == syntheticSetOf(state_);
    state_ = state;
    if (!same)
        start();
}

void SpaceProjector::arrange(Arrangement arrangement) {
    if (arrangement == arrangement_)
        return;
    arrangement_ = arrangement;
    emit arrangementChanged(arrangement_);
    start();
}

void SpaceProjector::stop() {
    if (!jobs_.isRunning())
        return;
    if (arrangement_ == Arrangement::Neighbors)
        arrange(Arrangement::Components); // supersedes the job
    else
        jobs_.cancel();
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
    if (known && known->synthetic.get() == syntheticSetOf(state_) && known->points(arrangement_)) {
        jobs_.cancel();
        show(known->points(arrangement_));
        return;
    }
    jobs_.start<Known>(
        arrangement_ == Arrangement::Neighbors ? tr("Arranging by nearest neighbours")
                                               : tr("Projecting into three dimensions"),
        [state = state_, arrangement = arrangement_, known](const RunningJob& job) {
            return place(state, arrangement, known, job.context());
        },
        [this](std::shared_ptr<const Known> found) {
            known_ = std::move(found);
            show(known_->points(arrangement_));
        });
}

std::shared_ptr<const SpaceProjector::Known> SpaceProjector::place(const ViewState& state, Arrangement arrangement,
                                                                   std::shared_ptr<const Known> before,
                                                                   const JobContext& job) {
    const bool arranging = arrangement == Arrangement::Neighbors;
    const double projected = arranging ? 0.1 : 0.9;
    const auto card = cardOf(*state.audit->real);
    const Accelerator* accelerator = card ? card->accelerator() : nullptr;
    auto known = std::make_shared<Known>();
    known->real = state.audit->real->set;
    known->synthetic = state.current().set;
    const NeighborTable neighbors = jointNeighbors(*state.audit->real, *state.current().tables, kNeighbors);
    if (before && before->synthetic == known->synthetic) {
        *known = *before;
    } else {
        const JobContext fit = job.part(tr("Principal components").toStdString(), 0.0, 0.6 * projected);
        const JobContext project = job.part(tr("Projecting").toStdString(), 0.6 * projected, projected);
        auto points = std::make_shared<SpacePoints>();
        known->components = before ? before->components
                                   : std::make_shared<const PrincipalComponents>(
                                         PrincipalComponents::fit(known->real->matrix(), fit, 0, accelerator));
        points->real = before ? before->byComponents->real
                              : known->components->project(known->real->matrix(), project.part({}, 0.0, 0.5));
        points->synthetic = known->components->project(known->synthetic->matrix(), project.part({}, 0.5, 1.0));
        points->explainedShare = known->components->explainedShare();
        judge(*points, neighbors, joined(*points), job.part({}, projected, projected + 0.1));
        known->byComponents = std::move(points);
    }
    if (arranging)
        known->byNeighbors =
            arrangedByNeighbors(*known->byComponents, neighbors, accelerator,
                                job.part(tr("Arranging by nearest neighbours").toStdString(), 0.2, 1.0));
    return known;
}

} // namespace assay
