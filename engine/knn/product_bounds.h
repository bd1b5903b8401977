#pragma once

#include "engine/data/matrix_view.h"
#include "engine/job/job_context.h"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <vector>

namespace assay {

/// A shift and a power-of-two scale, common to both operands of a product, that make single precision safe and tight:
/// centring shrinks norms (and with them rounding errors), scaling rules out overflow.
struct Frame {
    std::vector<double> centre; ///< dim values
    double scale = 1.0;         ///< power of two; scaled coordinates are at most 1 in magnitude

    /// Mean of `base` as centre, scale from the largest centred coordinate of all sets.
    static Frame of(MatrixView base, std::initializer_list<MatrixView> sets, unsigned threads, const JobContext& job);
};

/// One operand of the float product x.y, with the terms that turn a product into bounds on the squared distance D of
/// the stored rows, in scaled units (D * scale^2):
///
///     low = (p + y.lowTerm) + x.lowTerm   with p = fl(-2 x.y),   all in float
///     low <= D * scale^2 <= low + x.slack + y.slack
///
/// With u = 2^-24 and S = |x|^2 + |y|^2 the errors are: of the product at most gamma_d S with gamma_d = d u / (1 - d
/// u), in whatever order and with or without fused operations the library sums; of rounding the centred rows at
/// most 4.1 u S; of the norms and the two additions at most 6 u S. Their sum, less than kappa S with kappa = gamma_d +
/// 16 u, is what lowTerm takes off each squared norm and what slack gives back twice. `kUnderflow` covers coordinates
/// flushed to zero.
struct ProductOperand {
    std::size_t rows = 0;
    std::size_t dim = 0;
    std::unique_ptr<float[]>
        values; ///< rows x dim, centred and scaled; not zeroed first: that would cost a pass over memory
    std::vector<float> lowTerm; ///< rows
    std::vector<float> slack;   ///< rows, rounded up

    const float* rowData(std::size_t row) const noexcept { return values.get() + row * dim; }

    static ProductOperand of(MatrixView set, const Frame& frame, unsigned threads, const JobContext& job);
};

/// The next float at or above a double, one step further up, so that bounds survive double rounding on either side.
float roundUp(double value);
/// The next float at or below a double, one step further down.
float roundDown(double value);

} // namespace assay
