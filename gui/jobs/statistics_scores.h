#pragma once

#include "gui/jobs/audit_files.h"

#include "engine/base/job_context.h"
#include "engine/metrics/embedding/reference_scores.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace assay {

/// Frechet distances of models to a mean and covariance, which stand in place of the real samples.
struct StatisticsScores {
    struct Model {
        QString name;
        std::size_t rows;
        ReferenceScores scores;
    };
    QString reference; ///< file of the mean and covariance
    std::vector<Model> models;
};

/// Whether the real set of the files is a mean and a covariance alone.
bool areAgainstStatistics(const AuditFiles& files, const JobContext& job);

/// @param files areAgainstStatistics()
/// @throws Error{BadInput} for a held-out set, and as readStatistics(), readSet(), scoreAgainst(); Cancelled
StatisticsScores scoreAgainstStatistics(const AuditFiles& files, const JobContext& job);

} // namespace assay
