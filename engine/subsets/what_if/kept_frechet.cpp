#include "engine/subsets/what_if/kept_frechet.h"

#include "engine/base/large_array.h"
#include "engine/data/embedding_set.h"
#include "engine/math/linear/centre.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/products/dense_product.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/embedding/frechet_influence.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

/// Some rows of a set, side by side.
struct GatheredRows {
    GatheredRows(MatrixView set, const std::vector<bool>& kept, bool which)
        : count(static_cast<std::size_t>(std::ranges::count(kept, which))), dim(set.dim),
          values(makeLargeArray<float>(count * dim)) {
        float* to = values.get();
        for (std::size_t row = 0; row < set.rows; ++row)
            if (kept[row] == which)
                to = std::copy_n(set.rowData(row), dim, to);
    }
    MatrixView view() const { return {values.get(), count, dim}; }

    std::size_t count, dim;
    LargeArray<float> values;
};

} // namespace

FrechetOfSubset::FrechetOfSubset(std::shared_ptr<const AuditResult> audit, std::size_t model, unsigned threads)
    : audit_(std::move(audit)), model_(audit_->models.at(model)), threads_(threads) {}

bool FrechetOfSubset::isKnown() const {
    return audit_->real->set->isWhole() && model_->set->isWhole() && model_->hasMetric("frechet_distance") &&
           !std::isnan(model_->metric("frechet_distance"));
}

void FrechetOfSubset::prepare(const JobContext& job) {
    if (real_)
        return;
    const MatrixView set = model_->set->matrix();
    mean_ = columnMeans(set, threads_, job.part({}, 0.0, 0.1));
    products_ = gramOf(columnsOf(set, mean_), threads_, job.part({}, 0.1, 0.5));
    real_ = fitGaussian(audit_->real->set->matrix(), threads_, job.part({}, 0.5, 1.0));
}

GaussianFit FrechetOfSubset::fitOf(const std::vector<bool>& kept, const JobContext& job) {
    const MatrixView set = model_->set->matrix();
    const auto count = static_cast<std::size_t>(std::ranges::count(kept, true));
    if (count <= set.dim) // a factor of few rows needs no covariance
        return fitGaussian(GatheredRows(set, kept, true).view(), threads_, job);
    const bool removes = 2 * count > set.rows;
    const GatheredRows part(set, kept, !removes);
    DoubleMatrix products = removes ? products_ : DoubleMatrix(set.dim, set.dim);
    std::vector<double> shift(set.dim, 0.0); // from the mean of all to that of the kept ones
    if (part.count > 0) {
        const DoubleMatrix added = gramOf(columnsOf(part.view(), mean_), threads_, job.part({}, 0.0, 0.6));
        const std::vector<double> mean = columnMeans(part.view(), threads_);
        const double sign = removes ? -1.0 : 1.0;
        const double share = sign * static_cast<double>(part.count) / static_cast<double>(count);
        for (std::size_t c = 0; c < set.dim; ++c)
            shift[c] = share * (mean[c] - mean_[c]);
        changeLowerTriangle(products, threads_, job.silent(),
                            [&](std::size_t i, std::size_t j, double sum) { return sum + sign * added.at(i, j); });
    }
    const auto n = static_cast<double>(count);
    changeLowerTriangle(products, threads_, job.silent(), [&](std::size_t i, std::size_t j, double sum) {
        return (sum - n * shift[i] * shift[j]) / (n - 1.0);
    });
    GaussianFit fit;
    fit.rows = count;
    for (std::size_t c = 0; c < set.dim; ++c) {
        fit.mean.push_back(mean_[c] + shift[c]);
        fit.totalVariance += products.at(c, c);
    }
    fit.factor = factorOf(std::move(products), job.part({}, 0.6, 1.0));
    return fit;
}

double FrechetOfSubset::evaluate(const std::vector<bool>& kept, const JobContext& job) {
    prepare(job.part({}, 0.0, 0.5));
    if (std::ranges::count(kept, true) < 2)
        return kNaN;
    return frechetDistance(*real_, fitOf(kept, job.part({}, 0.5, 0.8)), threads_, job.part({}, 0.8, 1.0));
}

std::vector<double> FrechetOfSubset::influence(const std::vector<bool>& kept, const JobContext& job) {
    prepare(job.part({}, 0.0, 0.5));
    const MatrixView set = model_->set->matrix();
    const GaussianFit fit = fitOf(kept, job.part({}, 0.5, 0.6));
    const FrechetSpectrum spectrum = frechetSpectrum(*real_, fit, threads_, job.part({}, 0.6, 0.8));
    const std::vector<float> projected = alongDirections(spectrum, set, fit.mean, threads_, job.part({}, 0.8, 0.9));
    return frechetInfluence(spectrum, set, fit.mean, projected, fit.rows, threads_, job.part({}, 0.9, 1.0));
}

std::optional<ClassFrechet> heaviestClass(const std::shared_ptr<const AuditResult>& audit, std::size_t model,
                                          const JobContext& job) {
    const ModelAudit& audited = *audit->models.at(model);
    FrechetOfSubset subset(audit, model);
    if (!audited.set->hasLabels() || !audited.hasColumn("frechet_influence") || !subset.isKnown())
        return std::nullopt;
    const ClassLabels& labels = audited.set->labels();
    const std::vector<double>& share = audited.column("frechet_influence");
    std::vector<double> sums(labels.names.size(), 0.0);
    for (std::size_t row = 0; row < share.size(); ++row)
        if (labels.isClass(labels.code[row]))
            sums[labels.code[row]] += share[row];
    const auto heaviest = static_cast<std::uint32_t>(std::ranges::max_element(sums) - sums.begin());
    std::vector<bool> others(share.size());
    for (std::size_t row = 0; row < others.size(); ++row)
        others[row] = labels.code[row] != heaviest;
    ClassFrechet found{labels.names[heaviest], labels.counts()[heaviest], kNaN, kNaN};
    found.without = subset.evaluate(others, job.part({}, 0.0, 0.6));
    found.random = subset.evaluate(randomRows(share.size(), share.size() - found.samples), job.part({}, 0.6, 1.0));
    if (!(found.without < std::min(found.random, audited.metric("frechet_distance"))))
        return std::nullopt;
    return found;
}

} // namespace assay
