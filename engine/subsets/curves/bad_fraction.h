#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Samples for a bad-fraction curve.
struct BadFractionRequest {
    /// Good samples: real samples outside the real set. Null: a seeded half of the real set, which is then removed from
    /// the reference. (`withCurves` uses the audit's held-out set instead if there is one.)
    std::shared_ptr<const EmbeddingSet> good;
    /// Bad samples. Null: Gaussian noise around the real mean with ten times each feature's standard deviation.
    std::shared_ptr<const EmbeddingSet> bad;
};

/// Samples of a bad-fraction curve, ordered so that each of its points is a contiguous range of rows of one pool.
struct BadFractionSets {
    std::shared_ptr<const EmbeddingSet> reference; ///< reference set in place of the real set
    std::shared_ptr<const EmbeddingSet> pool;      ///< 2 x size rows: first the good samples, then the bad samples
    std::size_t size = 0;                          ///< number of samples per point
    std::string note;                              ///< description of the samples, for people

    /// Rows of the point with `badCount` bad samples, which replace the first good samples of the pool.
    /// @param badCount at most `size`
    /// @return one flag per row of the pool
    std::vector<bool> kept(std::size_t badCount) const;
};

/// Draws the samples of a bad-fraction curve.
/// @param seed for the half, the noise and the order of replacement
/// @throws Error{BadInput} when dimensions differ; Cancelled
BadFractionSets badFractionSets(const std::shared_ptr<const EmbeddingSet>& real, const BadFractionRequest& request,
                                std::uint64_t seed, unsigned threads, const JobContext& job);

/// Every drawn metric as a function of the share of good samples that are replaced by bad ones.
/// Source: Salvy, Talbot, Thirion, ICLR 2026, figures 1, 3 and 4.
struct BadFractionCurves {
    CurveValues raw;      ///< "bad_fraction": one line per metric over the share of bad samples x = 0, 0.1, .., 1
    CurveValues relative; ///< "bad_fraction_relative": divided by the value at x = 0; for nats minus that value
    /// "bad_fraction_coverage": mean coverage over the share of good samples, measured and expected.
    CurveValues coverage;
    std::string note;
    std::size_t size = 0; ///< samples per point
};

/// Computes the curves with one audit of the pool and a what-if for each of eleven subsets.
/// @throws Error{BadInput} when dimensions differ, Error{InvalidArgument} when a set is too small for k; Cancelled
BadFractionCurves badFractionCurves(const std::shared_ptr<const EmbeddingSet>& real, const BadFractionRequest& request,
                                    const AuditOptions& options, const JobContext& job = {});

/// The share of bad samples at which a metric's line reaches a model's score, interpolated linearly; the smallest share
/// if there are several. 0 for scores better than at x = 0, 1 for scores worse than at x = 1. NaN if there is no such
/// line, if it contains values that are not finite, or if its first and last values are equal.
/// @return in [0, 1], or NaN
double equivalentBadFraction(const CurveValues& raw, std::string_view metric, double score);
/// Whether a score lies outside the range between the two ends of its metric's line, so that equivalentBadFraction()
/// returns an end with another score. False if equivalentBadFraction() is NaN.
bool isBeyondEnds(const CurveValues& raw, std::string_view metric, double score);
/// A metric's value relative to the first point of its line, as in BadFractionCurves::relative.
/// @param first value of the metric at x = 0
double relativeToFirst(const Metric& metric, double value, double first);

} // namespace assay
