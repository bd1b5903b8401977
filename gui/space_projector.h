#pragma once

#include "gui/job_runner.h"

#include "engine/stats/pca.h"
#include "widgets/linked_view.h"
#include "widgets/space/space_points.h"

#include <QObject>

#include <memory>

namespace assay {

/// Finds where the samples of the audit lie in three dimensions: the real set's first principal components, found once
/// per real set, with the real and the current synthetic set projected onto them. Works in the background.
class SpaceProjector : public QObject {
    Q_OBJECT

public:
    explicit SpaceProjector(QObject* parent = nullptr);

    /// Projects for this state, unless that is done or under way. Points of other sets are dropped.
    void project(const ViewState& state);

    JobRunner* jobs() noexcept { return &jobs_; }
    const JobRunner* jobs() const noexcept { return &jobs_; }
    /// For the sets last asked for; null until they are there.
    std::shared_ptr<const SpacePoints> points() const noexcept { return points_; }

signals:
    void pointsChanged(std::shared_ptr<const assay::SpacePoints> points);

private:
    struct Projection;

    std::shared_ptr<const EmbeddingSet> real_;
    std::shared_ptr<const EmbeddingSet> synthetic_;
    std::shared_ptr<const Projection> known_; ///< of the last real set that was projected
    std::shared_ptr<const SpacePoints> points_;
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
