#pragma once

#include "gui/jobs/job_runner.h"

#include "engine/audit/result/model_contrast.h"
#include "engine/audit/result/nearest_classes.h"
#include "engine/subsets/holes/coverage_holes.h"
#include "engine/subsets/what_if/useful_what_if.h"
#include "widgets/samples/pair_lists.h"
#include "widgets/space/drawing/other_models.h"
#include "widgets/space/plane/plane_density.h"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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

/// Finds a model's near duplicates for the rule on them, in the background. The model of the last request is the one
/// that is looked at.
class DuplicateFinder : public QObject {
    Q_OBJECT

public:
    explicit DuplicateFinder(QObject* parent = nullptr) : QObject(parent) {}

    JobRunner* jobs() noexcept { return &jobs_; }
    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void find(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);

signals:
    /// @param rows of the model's set, ascending
    void found(std::shared_ptr<const assay::AuditResult> audit, std::size_t model,
               std::shared_ptr<const std::vector<std::uint32_t>> rows);

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

/// Counts the classes of the nearest real samples of a model's samples, in the background. The model of the last
/// request is the one that is looked at.
class ClassFinder : public QObject {
    Q_OBJECT

public:
    explicit ClassFinder(QObject* parent = nullptr) : QObject(parent) {}

    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void find(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);

signals:
    void found(std::shared_ptr<const assay::ComparedClasses> classes);

private:
    JobRunner jobs_; // last: its thread ends first
};

/// Contrasts two models sample by sample, in the background. The models of the last request are the ones that are
/// contrasted.
class ContrastFinder : public QObject {
    Q_OBJECT

public:
    explicit ContrastFinder(QObject* parent = nullptr) : QObject(parent) {}

    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void find(std::shared_ptr<const assay::AuditResult> audit, std::size_t first, std::size_t second);

signals:
    void found(std::shared_ptr<const assay::ModelContrast> contrast);

private:
    JobRunner jobs_; // last: its thread ends first
};

/// Ranks the real samples by how easily they are told to be training samples, in the background. The model of the last
/// request is the one that is looked at.
class ExposureFinder : public QObject {
    Q_OBJECT

public:
    explicit ExposureFinder(QObject* parent = nullptr) : QObject(parent) {}

    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void find(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);

signals:
    void found(std::shared_ptr<const assay::PairLists> lists);

private:
    JobRunner jobs_; // last: its thread ends first
};

/// Classifies the real samples by what a model's samples teach, in the background: takes as long as the audit's utility
/// of that model. The model of the last request is the one that is looked at.
class Classifier : public QObject {
    Q_OBJECT

public:
    explicit Classifier(QObject* parent = nullptr) : QObject(parent) {}

    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void classify(std::shared_ptr<const assay::AuditResult> audit, std::size_t model);

signals:
    void classified(std::shared_ptr<const assay::PredictedClasses> classes);

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

/// Places the other models' samples of the space view in the background. The last request is the one that is placed.
class OtherModelsPlacer : public QObject {
    Q_OBJECT

public:
    explicit OtherModelsPlacer(QObject* parent = nullptr) : QObject(parent) {}

    const JobRunner* jobs() const noexcept { return &jobs_; }

public slots:
    void place(std::shared_ptr<const assay::OtherModelsRequest> request);

signals:
    void placed(std::shared_ptr<const assay::OtherModels> others);

private:
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
