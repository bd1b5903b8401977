#pragma once

#include "engine/base/job_context.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay {

struct AuditResult;
struct ModelAudit;

/// Missed real samples that lie together: a part of reality that a model does not make.
struct CoverageHole {
    std::vector<std::uint32_t> rows; ///< of the real set, ascending
    /// Up to kHoleExamples of them that stand for the hole, the densest first; none is among the nearest of another.
    std::vector<std::uint32_t> examples;
    /// The classes of the rows with their numbers, the most frequent first; empty without labels.
    std::vector<std::pair<std::string, std::size_t>> classes;
};

/// The coverage holes of one model. A plain value.
struct CoverageHoles {
    std::shared_ptr<const ModelAudit> model;
    std::size_t missed = 0;           ///< real samples called missed
    std::vector<CoverageHole> holes;  ///< the largest first
    std::vector<std::uint32_t> apart; ///< missed rows in no hole: too few lie together
};

/// Largest number of examples of a hole.
constexpr std::size_t kHoleExamples = 5;
/// Fewer missed samples together are no hole.
constexpr std::size_t kSmallestHole = 5;

/// Groups the real samples that a model misses by neighbourhood.
///
/// Each missed sample is joined to those of its 15 nearest missed ones that are no farther than two radii of their
/// balls, and is as dense as the mean distance of the 15 is short. Each dense centre gathers what lies downhill of it,
/// and two centres are one hole unless what lies between them is at least a fifth sparser than the sparser one (Chazal
/// et al., "Persistence-Based Clustering in Riemannian Manifolds", 2013). The result does not depend on the number of
/// threads. O(n^2) distances for n missed samples.
///
/// @param model index into audit.models @throws Cancelled
CoverageHoles coverageHoles(const AuditResult& audit, std::size_t model, const JobContext& job = {});

} // namespace assay
