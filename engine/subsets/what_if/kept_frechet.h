#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/job_context.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/gaussian_fit.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Frechet distances of what is kept, and of as many samples at random.
struct KeptFrechet {
    double kept;
    double random;
};

/// What a class adds to a Frechet distance.
struct ClassFrechet {
    std::string label;
    std::size_t samples = 0;
    double without = 0.0; ///< Frechet distance of the samples of all other classes
    double random = 0.0;  ///< of as many samples at random
};

/// The class whose samples have the largest shares in the Frechet distance together.
/// @return empty without labels or shares, and where the distance does not fall without any class
/// @throws Cancelled, std::bad_alloc
std::optional<ClassFrechet> heaviestClass(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                                          const JobContext& job = {});

/// Frechet distances of subsets of a model's samples. The sums behind the mean and covariance of all samples are found
/// once; those of a subset are these less the sums of the samples that are left out, or its own where these are fewer.
/// Not thread-safe: the first call finds the sums.
class FrechetOfSubset {
public:
    /// @param model index into audit->models
    FrechetOfSubset(std::shared_ptr<const AuditResult> audit, std::size_t model, unsigned threads = 0);

    /// Whether the model's own Frechet distance is known, and thus that of subsets can be found.
    bool isKnown() const;

    /// @param kept one flag per synthetic row
    /// @return NaN if fewer than two samples are kept
    /// @throws Cancelled, std::bad_alloc
    double evaluate(const std::vector<bool>& kept, const JobContext& job = {});

    /// Shares in the distance of the kept samples, as in frechetInfluence().
    /// @param kept one flag per synthetic row, at least three of them true
    /// @return a value per synthetic row; of rows that are not kept as if they were
    /// @throws Cancelled, std::bad_alloc
    std::vector<double> influence(const std::vector<bool>& kept, const JobContext& job = {});

private:
    void prepare(const JobContext& job);
    GaussianFit fitOf(const std::vector<bool>& kept, const JobContext& job);

    std::shared_ptr<const AuditResult> audit_;
    std::shared_ptr<const ModelAudit> model_;
    unsigned threads_;
    std::optional<GaussianFit> real_; ///< empty before the first call
    std::vector<double> mean_;        ///< of all synthetic samples
    DoubleMatrix products_;           ///< sum of (x - mean) (x - mean)^T over them, lower triangle
};

} // namespace assay
