#include "engine/math/linear/singular_values.h"

#include "engine/base/uninterruptible.h"
#include "engine/math/linear/lapack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace assay {

double singularValueSum(DoubleMatrix matrix, const JobContext& job) {
    if (matrix.rows == 0 || matrix.columns == 0)
        return 0.0;
    if (!std::ranges::all_of(matrix.values, [](double value) { return std::isfinite(value); }))
        return std::numeric_limits<double>::quiet_NaN();
    return runUninterruptible(job, [own = std::move(matrix)]() mutable {
        const std::vector<double> values = lapack::singularValues(own);
        return std::accumulate(values.begin(), values.end(), 0.0);
    });
}

} // namespace assay
