#pragma once

#include "gui/jobs/job_runner.h"

#include "engine/report/space/sample_places.h"
#include "widgets/link/panel.h"

#include <QObject>

#include <memory>

namespace assay {

/// Finds where the samples of the audit lie on the plane or in space, the real and the current synthetic set together:
/// by the real set's principal components, found once per real set, by their nearest neighbours, or by columns. Works
/// in the background.
class SpaceProjector : public QObject {
    Q_OBJECT

public:
    explicit SpaceProjector(QObject* parent = nullptr);

    /// Places the samples of this state, unless that is done or under way. Points of other sets are dropped.
    void project(const ViewState& state);
    const SpaceLayout& layout() const noexcept { return layout_; }

    JobRunner* jobs() noexcept { return &jobs_; }
    const JobRunner* jobs() const noexcept { return &jobs_; }
    /// Points of the sets and the layout last requested; null until they are computed. By components while samples are
    /// being arranged by their neighbours.
    std::shared_ptr<const SpacePoints> points() const noexcept { return points_; }

public slots:
    /// Places the samples in another way, now and from now on. What was found before for these sets is found at once.
    void arrange(const assay::SpaceLayout& layout);
    /// Gives up what is under way: back to the components if the neighbour layout was requested, else without points
    /// until the sets change.
    void stop();

signals:
    void layoutChanged(const assay::SpaceLayout& layout);
    void pointsChanged(std::shared_ptr<const assay::SpacePoints> points);

private:
    void start();
    /// To the components where samples were to be arranged by neighbours.
    void fallBack();
    void show(std::shared_ptr<const SpacePoints> points);

    ViewState state_; ///< whose samples are placed
    SpaceLayout layout_;
    std::shared_ptr<const PlacedSamples> known_; ///< of the last real set that was placed
    std::shared_ptr<const SpacePoints> points_;
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
