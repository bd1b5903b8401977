#include "tests/engine/support/naive_logistic.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::test {
namespace {

/// Solves a x = b by elimination with pivots.
std::vector<double> solved(Rows a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t r = c + 1; r < n; ++r)
            if (std::abs(a[r][c]) > std::abs(a[pivot][c]))
                pivot = r;
        std::swap(a[c], a[pivot]);
        std::swap(b[c], b[pivot]);
        for (std::size_t r = c + 1; r < n; ++r) {
            const double times = a[r][c] / a[c][c];
            for (std::size_t k = c; k < n; ++k)
                a[r][k] -= times * a[c][k];
            b[r] -= times * b[c];
        }
    }
    for (std::size_t c = n; c-- > 0;) {
        for (std::size_t k = c + 1; k < n; ++k)
            b[c] -= a[c][k] * b[k];
        b[c] /= a[c][c];
    }
    return b;
}

/// Moves one class's vector after another by Newton's method over all of them at once.
/// @param firstFree 1 where the first of two classes has no vector of its own, else 0
void newtonStep(Rows& weights, const Rows& rows, const std::vector<std::uint32_t>& code, std::size_t firstFree) {
    const std::size_t width = weights[0].size();
    const std::size_t size = (weights.size() - firstFree) * width;
    Rows hessian(size, std::vector<double>(size, 0.0));
    std::vector<double> gradient(size, 0.0);
    const Rows probabilities = naiveProbabilities(weights, rows);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto feature = [&](std::size_t f) { return f + 1 < width ? rows[r][f] : 1.0; };
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t a = firstFree + i / width;
            gradient[i] += (probabilities[r][a] - (code[r] == a ? 1.0 : 0.0)) * feature(i % width);
            for (std::size_t j = 0; j < size; ++j) {
                const std::size_t b = firstFree + j / width;
                hessian[i][j] += probabilities[r][a] * ((a == b ? 1.0 : 0.0) - probabilities[r][b]) *
                                 feature(i % width) * feature(j % width);
            }
        }
    }
    for (std::size_t i = 0; i < size; ++i) {
        const bool isIntercept = i % width + 1 == width;
        hessian[i][i] += isIntercept ? 1e-9 : 1.0; // all intercepts together may move freely
        gradient[i] += isIntercept ? 0.0 : weights[firstFree + i / width][i % width];
    }
    const std::vector<double> step = solved(std::move(hessian), gradient);
    double longest = 0.0;
    for (const double element : step)
        longest = std::max(longest, std::abs(element));
    const double damping = std::min(1.0, 1.0 / longest); // far from the minimum the parabola misleads
    for (std::size_t i = 0; i < size; ++i)
        weights[firstFree + i / width][i % width] -= damping * step[i];
}

} // namespace

Rows standardised(const Rows& rows, const Rows& reference) {
    Rows result = rows;
    const auto count = static_cast<double>(reference.size());
    for (std::size_t f = 0; f < reference[0].size(); ++f) {
        double mean = 0.0;
        for (const auto& row : reference)
            mean += row[f] / count;
        double squares = 0.0;
        for (const auto& row : reference)
            squares += (row[f] - mean) * (row[f] - mean) / count;
        const double deviation = squares > 1e-20 ? std::sqrt(squares) : 1.0;
        for (auto& row : result)
            row[f] = (row[f] - mean) / deviation;
    }
    return result;
}

Rows naiveProbabilities(const Rows& weights, const Rows& rows) {
    Rows all;
    for (const auto& row : rows) {
        std::vector<double> logits;
        for (const auto& of : weights) {
            double sum = of.back();
            for (std::size_t f = 0; f < row.size(); ++f)
                sum += of[f] * row[f];
            logits.push_back(sum);
        }
        const double largest = *std::max_element(logits.begin(), logits.end());
        double sum = 0.0;
        for (double& logit : logits)
            sum += logit = std::exp(logit - largest);
        for (double& logit : logits)
            logit /= sum;
        all.push_back(logits);
    }
    return all;
}

std::vector<double> naiveLogistic(const Rows& rows, const std::vector<std::uint32_t>& code) {
    Rows weights(2, std::vector<double>(rows[0].size() + 1, 0.0));
    for (int step = 0; step < 200; ++step)
        newtonStep(weights, rows, code, 1);
    return weights[1];
}

Rows naiveMultinomial(const Rows& rows, const std::vector<std::uint32_t>& code, std::size_t classes) {
    Rows weights(classes, std::vector<double>(rows[0].size() + 1, 0.0));
    for (int step = 0; step < 200; ++step)
        newtonStep(weights, rows, code, 0);
    return weights;
}

double naiveAuc(const Rows& probabilities, const std::vector<std::uint32_t>& code) {
    double sum = 0.0;
    for (std::uint32_t c = 0; c < probabilities[0].size(); ++c) {
        double right = 0.0;
        double own = 0.0;
        for (std::size_t i = 0; i < code.size(); ++i) {
            own += code[i] == c ? 1.0 : 0.0;
            for (std::size_t j = 0; j < code.size() && code[i] == c; ++j)
                if (code[j] != c)
                    right += probabilities[i][c] > probabilities[j][c]    ? 1.0
                             : probabilities[i][c] == probabilities[j][c] ? 0.5
                                                                          : 0.0;
        }
        const double others = static_cast<double>(code.size()) - own;
        if (own > 0.0 && others > 0.0)
            sum += right / others;
    }
    return sum / static_cast<double>(code.size());
}

} // namespace assay::test
