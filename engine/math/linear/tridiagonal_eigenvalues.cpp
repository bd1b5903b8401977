#include "engine/math/linear/tridiagonal_eigenvalues.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

namespace assay {
namespace {

/// Eigenvalues of a 2 x 2 matrix.
std::pair<double, double> pairOf(double a, double b, double squared) {
    const double middle = 0.5 * (a + b);
    const double apart = std::hypot(0.5 * (a - b), std::sqrt(squared));
    return {middle - apart, middle + apart};
}

/// A matrix without zeros below the diagonal, solved from one end; index 0 is that end.
class Steps {
public:
    /// @param step 1 or -1: memory step to the next element
    Steps(double* diagonal, double* squares, std::ptrdiff_t step)
        : diagonal_(diagonal), squares_(squares), step_(step) {}

    double& d(std::size_t i) const { return diagonal_[static_cast<std::ptrdiff_t>(i) * step_]; }
    /// Squared off-diagonal element between diagonal elements i and i + 1.
    double& e(std::size_t i) const { return squares_[static_cast<std::ptrdiff_t>(i) * step_]; }

    /// Runs one step on elements first .. last, with a shift close to the eigenvalue that converges at the first.
    void run(std::size_t first, std::size_t last) const {
        const double root = std::sqrt(e(first));
        const double slope = (d(first + 1) - d(first)) / (2.0 * root);
        const double shift = d(first) - root / (slope + std::copysign(std::hypot(slope, 1.0), slope));
        double c = 1.0;
        double s = 0.0;
        double gamma = d(last) - shift;
        double p = gamma * gamma;
        for (std::size_t i = last; i-- > first;) {
            const double square = e(i);
            const double r = p + square;
            if (i + 1 < last)
                e(i + 1) = s * r;
            const double before = c;
            c = p / r;
            s = square / r;
            const double inverse = r / p; // beside c, so that the next step does not wait for another division
            const double old = gamma;
            const double alpha = d(i);
            gamma = c * (alpha - shift) - s * old;
            d(i + 1) = old + (alpha - gamma);
            p = std::isfinite(inverse) ? gamma * gamma * inverse : before * square;
        }
        e(first) = s * p;
        d(first) = shift + gamma;
    }

private:
    double* diagonal_;
    double* squares_;
    std::ptrdiff_t step_;
};

bool isSmall(const Steps& matrix, std::size_t i) {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon() / 2.0;
    return matrix.e(i) <= kEpsilon * kEpsilon * std::abs(matrix.d(i) * matrix.d(i + 1));
}

/// Computes the eigenvalues in place, on the diagonal of `size` elements.
void solve(const Steps& matrix, std::size_t size) {
    constexpr std::size_t kMostSteps = 30; // per eigenvalue: two are common, and more than four were never seen
    std::size_t steps = 0;
    for (std::size_t first = 0; first + 1 < size && steps < kMostSteps * size; ++steps) {
        std::size_t last = first;
        while (last + 1 < size && !isSmall(matrix, last))
            ++last;
        if (last + 1 < size)
            matrix.e(last) = 0.0;
        if (last == first) {
            ++first;
        } else if (last == first + 1) {
            std::tie(matrix.d(first), matrix.d(last)) = pairOf(matrix.d(first), matrix.d(last), matrix.e(first));
            first += 2;
        } else {
            matrix.run(first, last);
        }
    }
}

} // namespace

std::vector<double> tridiagonalEigenvalues(std::vector<double> diagonal, const std::vector<double>& below) {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon() / 2.0;
    const std::size_t n = diagonal.size();
    std::vector<double> squares(below.size() + 1);
    std::transform(below.begin(), below.end(), squares.begin(), [](double x) { return x * x; });
    for (std::size_t first = 0; first < n;) {
        std::size_t last = first;
        while (last + 1 < n && std::abs(below[last]) > kEpsilon * std::sqrt(std::abs(diagonal[last])) *
                                                           std::sqrt(std::abs(diagonal[last + 1])))
            ++last;
        // From the end where the elements are small: the other way round they would drown in the large ones' rounding.
        if (std::abs(diagonal[last]) < std::abs(diagonal[first]))
            solve({diagonal.data() + last, squares.data() + last - 1, -1}, last - first + 1);
        else
            solve({diagonal.data() + first, squares.data() + first, 1}, last - first + 1);
        first = last + 1;
    }
    std::sort(diagonal.begin(), diagonal.end());
    return diagonal;
}

} // namespace assay
