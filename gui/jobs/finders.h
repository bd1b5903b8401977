#pragma once

#include "gui/jobs/job_runner.h"

#include "engine/subsets/holes/coverage_holes.h"
#include "widgets/pairs/pair_lists.h"
#include "widgets/space/plane/plane_density.h"

#include <QObject>

#include <cstddef>
#include <memory>

namespace assay {

/// Looks for pairs of samples that are nearly the same, in the background. The model of the last request is the one
/// that is found.
class PairFinder : public QObject {
    Q_OBJECT

public:
    explicit PairFinder(QObject* parent = nullptr) : QObject(parent) {}

    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void find(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);

signals:
    void found(std::shared_ptr<const assay::PairLists> lists);

private:
    JobRunner jobs_; // last: its thread ends first
};

/// Groups the real samples that a model misses, in the background. The model of the last request is the one that is
/// looked at.
class HoleFinder : public QObject {
    Q_OBJECT

public:
    explicit HoleFinder(QObject* parent = nullptr) : QObject(parent) {}

    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void find(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);

signals:
    void found(std::shared_ptr<const assay::CoverageHoles> holes);

private:
    JobRunner jobs_; // last: its thread ends first
};

/// Computes densities on the plane of the space view in the background. The last request is the one that is computed.
class DensityMapper : public QObject {
    Q_OBJECT

public:
    explicit DensityMapper(QObject* parent = nullptr) : QObject(parent) {}

    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void map(std::shared_ptr<const assay::DensityRequest> request);

signals:
    void mapped(std::shared_ptr<const assay::PlaneDensity> density);

private:
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
