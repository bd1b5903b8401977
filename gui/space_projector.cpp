#include "gui/space_projector.h"

#include "engine/data/embedding_set.h"

#include <utility>

namespace assay {

/// What depends on the real set alone, and the points of one pair.
struct SpaceProjector::Projection {
    std::shared_ptr<const EmbeddingSet> set;
    std::shared_ptr<const PrincipalComponents> components;
    std::shared_ptr<const SpacePoints> points;
};

SpaceProjector::SpaceProjector(QObject* parent) : QObject(parent) {}

void SpaceProjector::project(const ViewState& state) {
    const auto real = state.hasModel() ? state.audit->real->set : nullptr;
    const auto synthetic = state.hasModel() ? state.current().set : nullptr;
    if (real == real_ && synthetic == synthetic_)
        return;
    real_ = real;
    synthetic_ = synthetic;
    points_.reset();
    if (!real) {
        known_.reset();
        jobs_.cancel();
        return;
    }
    const auto known = known_ && known_->set == real ? known_ : nullptr;
    jobs_.start<Projection>(
        tr("Projecting into three dimensions"),
        [real, synthetic, known](const RunningJob& job) {
            const JobContext fit = job.context().part(tr("Principal components").toStdString(), 0.0, 0.6);
            const JobContext place = job.context().part(tr("Projecting").toStdString(), 0.6, 1.0);
            auto projection = std::make_shared<Projection>();
            auto points = std::make_shared<SpacePoints>();
            projection->set = real;
            if (known) {
                projection->components = known->components;
                points->real = known->points->real;
            } else {
                projection->components =
                    std::make_shared<const PrincipalComponents>(PrincipalComponents::fit(real->matrix(), fit));
                points->real = projection->components->project(real->matrix(), place.part({}, 0.0, 0.5));
            }
            points->synthetic = projection->components->project(synthetic->matrix(), place.part({}, 0.5, 1.0));
            points->explainedShare = projection->components->explainedShare();
            projection->points = std::move(points);
            return std::shared_ptr<const Projection>(std::move(projection));
        },
        [this](std::shared_ptr<const Projection> projection) {
            known_ = std::move(projection);
            points_ = known_->points;
            emit pointsChanged(points_);
        });
}

} // namespace assay
