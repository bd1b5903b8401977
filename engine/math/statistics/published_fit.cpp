#include "engine/base/error.h"
#include "engine/data/set_statistics.h"
#include "engine/math/linear/lapack.h"
#include "engine/math/statistics/gaussian_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Apart from the fit of samples, so that what reads files needs no products of rows.
namespace assay {

GaussianFit gaussianOf(const SetStatistics& statistics, const JobContext& job) {
    const std::size_t dim = statistics.mean.size();
    GaussianFit fit;
    fit.mean = statistics.mean;
    DoubleMatrix covariance(dim, dim);
    std::ranges::copy(statistics.covariance, covariance.values.begin());
    for (std::size_t c = 0; c < dim; ++c)
        fit.totalVariance += covariance.at(c, c);
    fit.factor = factorOf(std::move(covariance), job);
    double kept = 0.0;
    for (const double x : fit.factor.values)
        kept += x * x;
    constexpr double kSlack = 1e-5; // of sums in single precision
    if (!(std::abs(kept - fit.totalVariance) <= kSlack * std::abs(fit.totalVariance)))
        throw Error(ErrorKind::BadInput,
                    statistics.file + ": expected a covariance, found a matrix with negative eigenvalues");
    return fit;
}

} // namespace assay
