#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// What the samples of a bad-fraction curve are.
struct BadFractionRequest {
    /// Real samples beside the real set; null: a seeded half of the real set, which is then kept out of the reference.
    /// (`withCurves` takes the audit's held-out set first.)
    std::shared_ptr<const EmbeddingSet> good;
    /// Bad samples; null: Gaussian noise about the real mean with ten times each feature's standard deviation.
    std::shared_ptr<const EmbeddingSet> bad;
};

/// The samples of a bad-fraction curve, laid out so that each of its points is a run of rows of one pool.
struct BadFractionSets {
    std::shared_ptr<const EmbeddingSet> reference; ///< takes the real set's part
    std::shared_ptr<const EmbeddingSet> pool;      ///< 2 x size rows: the good ones, then the bad ones
    std::size_t size = 0;                          ///< rows of every point
    std::string note;                              ///< what is what, for people

    /// Whether each row of the pool is in the point with so many bad samples: they replace the first of the good ones.
    std::vector<bool> kept(std::size_t badCount) const;
};

/// @param seed of the half, the noise, and the order of replacement
/// @throws Error{BadInput} when dimensions differ; Cancelled
BadFractionSets badFractionSets(const std::shared_ptr<const EmbeddingSet>& real, const BadFractionRequest& request,
                                std::uint64_t seed, unsigned threads, const JobContext& job);

/// How every fidelity and coverage metric falls as good samples are replaced by bad ones.
/// Source: Salvy, Talbot, Thirion, ICLR 2026, figures 1, 3 and 4.
struct BadFractionCurves {
    CurveValues raw;      ///< "bad_fraction": a line per metric over x = 0, 0.1, .., 1
    CurveValues relative; ///< "bad_fraction_relative": divided by the value at x = 0; nats: less that value
    CurveValues coverage; ///< "bad_fraction_coverage": over the share of good samples, measured and expected
    std::string note;
    std::size_t size = 0; ///< samples of every point
};

/// One audit of the pool, then eleven subsets of it.
/// @throws Error{BadInput} when dimensions differ, Error{InvalidArgument} when a set is too small for k; Cancelled
BadFractionCurves badFractionCurves(const std::shared_ptr<const EmbeddingSet>& real, const BadFractionRequest& request,
                                    const AuditOptions& options, const JobContext& job = {});

/// The share of bad samples at which a metric's line reaches a model's score, between points linearly, the smallest
/// where there are several. 0 for scores better than at x = 0, 1 for those worse than at x = 1; not a number when the
/// line says nothing (it ends where it began, or is not a number) or there is no such line.
double equivalentBadFraction(const CurveValues& raw, std::string_view metric, double score);
/// Whether a score lies beyond the ends of its metric's line, so that the equivalent is an end that does not score it;
/// false where the equivalent is not a number.
bool isBeyondEnds(const CurveValues& raw, std::string_view metric, double score);
/// A metric's value as BadFractionCurves::relative draws it. @param first the metric's line at x = 0
double relativeToFirst(const Metric& metric, double value, double first);

} // namespace assay
