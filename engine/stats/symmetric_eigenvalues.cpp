#include "engine/stats/symmetric_eigenvalues.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

/// What one pass over the matrix needs of the last reflection, I - beta u u^T, and of the next one.
struct Reflections {
    const double* u; ///< of the last one
    const double* q; ///< p - (beta / 2) (u . p) u for its p = beta A u
    const double* next;
    double* image; ///< A next, added up
};

/// Takes u q^T + q u^T off the first `rows` rows of the lower triangle and multiplies the result with `next` on the
/// way, so that the matrix is read and written once a step and no more.
///
/// Eight at a time by hand: the order of a sum is part of its value, so the compiler does not reorder it.
#define ASSAY_ROW_PASS_BODY                                                                                            \
    using Eight = double __attribute__((vector_size(64), aligned(8), may_alias));                                      \
    constexpr std::size_t kEight = 8;                                                                                  \
    const double uj = of.u[j];                                                                                         \
    const double qj = of.q[j];                                                                                         \
    const double nj = of.next[j];                                                                                      \
    Eight sums = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};                                                             \
    std::size_t m = 0;                                                                                                 \
    for (; m + kEight <= j; m += kEight) {                                                                             \
        Eight a = *reinterpret_cast<const Eight*>(row + m);                                                            \
        a -= uj * *reinterpret_cast<const Eight*>(of.q + m) + qj * *reinterpret_cast<const Eight*>(of.u + m);          \
        *reinterpret_cast<Eight*>(row + m) = a;                                                                        \
        sums += a * *reinterpret_cast<const Eight*>(of.next + m);                                                      \
        *reinterpret_cast<Eight*>(of.image + m) += nj * a;                                                             \
    }                                                                                                                  \
    double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));            \
    for (; m < j; ++m) {                                                                                               \
        row[m] -= uj * of.q[m] + qj * of.u[m];                                                                         \
        sum += row[m] * of.next[m];                                                                                    \
        of.image[m] += nj * row[m];                                                                                    \
    }                                                                                                                  \
    row[j] -= 2.0 * uj * qj;                                                                                           \
    of.image[j] += sum + row[j] * nj;

using RowPass = void (*)(double* row, std::size_t j, const Reflections& of);

void plainPass(double* row, std::size_t j, const Reflections& of) {
    ASSAY_ROW_PASS_BODY
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void avx2Pass(double* row, std::size_t j, const Reflections& of) {
    ASSAY_ROW_PASS_BODY
}
__attribute__((target("avx512f"))) void avx512Pass(double* row, std::size_t j,
                                                   const Reflections& of){ASSAY_ROW_PASS_BODY}
#endif

RowPass rowPass() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Pass;
    if (__builtin_cpu_supports("avx2"))
        return avx2Pass;
#endif
    return plainPass;
}

double dot(const double* a, const double* b, std::size_t n) {
    double sum = 0.0;
    for (std::size_t m = 0; m < n; ++m)
        sum += a[m] * b[m];
    return sum;
}

/// Reduces a symmetric matrix to three diagonals, from the last row up: the vector of each reflection lies in one row.
class Tridiagonalization {
public:
    explicit Tridiagonalization(DoubleMatrix& matrix)
        : matrix_(matrix), size_(matrix.rows), u_(size_, 0.0), q_(size_, 0.0), next_(size_, 0.0), image_(size_, 0.0) {}

    void run(Eigen::VectorXd& diagonal, Eigen::VectorXd& below, const JobContext& job) {
        const RowPass pass = rowPass();
        for (std::size_t i = size_ - 1; i > 0; --i) {
            if (i % 32 == 0)
                job.throwIfStopped(); // several matrices share the cores: only the job's own thread reports progress
            updateLastRow(i);
            diagonal[static_cast<Eigen::Index>(i)] = matrix_.at(i, i);
            const double beta = reflect(i, below[static_cast<Eigen::Index>(i - 1)]);
            std::fill_n(image_.begin(), i, 0.0);
            const Reflections of{u_.data(), q_.data(), next_.data(), image_.data()};
            for (std::size_t j = 0; j < i; ++j)
                pass(matrix_.row(j), j, of);
            takeNext(i, beta);
        }
        updateLastRow(0);
        diagonal[0] = matrix_.at(0, 0);
    }

private:
    /// The row that the next reflection is made of is brought up to date before the others.
    void updateLastRow(std::size_t i) {
        double* row = matrix_.row(i);
        for (std::size_t m = 0; m <= i; ++m)
            row[m] -= u_[i] * q_[m] + q_[i] * u_[m];
    }

    /// The reflection that leaves of row i nothing but its last element before the diagonal.
    /// @return beta; its vector is in next_
    double reflect(std::size_t i, double& element) {
        const double* row = matrix_.row(i);
        std::copy_n(row, i, next_.begin());
        const double others = dot(row, row, i - 1);
        const double last = row[i - 1];
        element = last;
        if (others == 0.0) {
            std::fill_n(next_.begin(), i, 0.0);
            return 0.0;
        }
        const double length = std::sqrt(others + last * last);
        element = last > 0.0 ? -length : length;
        next_[i - 1] = last - element;
        return 2.0 / (others + next_[i - 1] * next_[i - 1]);
    }

    void takeNext(std::size_t i, double beta) {
        u_.swap(next_);
        const double half = 0.5 * beta * beta * dot(u_.data(), image_.data(), i);
        for (std::size_t m = 0; m < i; ++m)
            q_[m] = beta * image_[m] - half * u_[m];
    }

    DoubleMatrix& matrix_;
    std::size_t size_;
    std::vector<double> u_, q_, next_, image_;
};

} // namespace

std::vector<double> symmetricEigenvalues(DoubleMatrix symmetric, const JobContext& job) {
    const std::size_t n = symmetric.rows;
    if (n == 0)
        return {};
    // Squares of what comes in must neither overflow nor vanish.
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            largest = std::max(largest, std::abs(symmetric.at(i, j)));
    if (largest == 0.0)
        return std::vector<double>(n, 0.0);
    for (double& value : symmetric.values)
        value /= largest;

    Eigen::VectorXd diagonal(static_cast<Eigen::Index>(n));
    Eigen::VectorXd below(static_cast<Eigen::Index>(n - 1));
    Tridiagonalization(symmetric).run(diagonal, below, job);
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, below, Eigen::EigenvaluesOnly);
    std::vector<double> values(solver.eigenvalues().begin(), solver.eigenvalues().end());
    for (double& value : values)
        value *= largest;
    return values;
}

} // namespace assay
