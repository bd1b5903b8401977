#include "tests/bench/table_makers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace assay::bench {
namespace {

using Row = std::vector<float>;

std::vector<double> deviationsOf(const Table& table) {
    std::vector<double> deviations(table.dim);
    const auto rows = static_cast<double>(table.rows());
    for (std::size_t c = 0; c < table.dim; ++c) {
        double sum = 0.0;
        double squares = 0.0;
        for (std::size_t r = 0; r < table.rows(); ++r) {
            const auto value = static_cast<double>(table.row(r)[c]);
            sum += value;
            squares += value * value;
        }
        deviations[c] = std::sqrt(std::max(0.0, squares / rows - sum * sum / rows / rows));
    }
    return deviations;
}

/// The rows of each class, or those of all classes that have fewer than two.
std::vector<std::vector<std::size_t>> rowsByClass(const Table& table) {
    std::vector<std::vector<std::size_t>> rows(*std::max_element(table.code.begin(), table.code.end()) + 1);
    for (std::size_t r = 0; r < table.rows(); ++r)
        rows[table.code[r]].push_back(r);
    return rows;
}

/// Normal quantile by bisection of erfc: slow and plain.
double normalQuantile(double share) {
    double low = -8.0;
    double high = 8.0;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2.0;
        (std::erfc(-middle / std::sqrt(2.0)) / 2.0 < share ? low : high) = middle;
    }
    return low;
}

/// Gaussian copula of some rows: sorted marginals, and the factor of the correlation of normal scores.
class Copula {
public:
    Copula(const Table& table, const std::vector<std::size_t>& rows)
        : dim_(table.dim), sorted_(table.dim), factor_(table.dim * table.dim, 0.0) {
        const std::size_t count = rows.size();
        std::vector<double> scores(count * dim_);
        std::vector<std::size_t> order(count);
        for (std::size_t c = 0; c < dim_; ++c) {
            std::iota(order.begin(), order.end(), std::size_t{0});
            const auto value = [&](std::size_t at) { return table.row(rows[at])[c]; };
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
            for (std::size_t first = 0; first < count;) { // equal values share their middle rank
                std::size_t last = first;
                while (last < count && value(order[last]) == value(order[first]))
                    ++last;
                const double rank = (static_cast<double>(first + last) / 2.0) / static_cast<double>(count);
                for (; first < last; ++first) {
                    scores[order[first] * dim_ + c] = normalQuantile(rank);
                    sorted_[c].push_back(value(order[first]));
                }
            }
        }
        factorize(scores, count);
    }

    Row draw(std::mt19937& random) const {
        std::normal_distribution<double> normal;
        std::vector<double> noise(dim_);
        for (double& value : noise)
            value = normal(random);
        Row row(dim_);
        for (std::size_t c = 0; c < dim_; ++c) {
            double score = 0.0;
            for (std::size_t k = 0; k <= c; ++k)
                score += factor_[c * dim_ + k] * noise[k];
            const double share = std::erfc(-score / std::sqrt(2.0)) / 2.0;
            const double place = share * static_cast<double>(sorted_[c].size() - 1);
            const auto below = std::min(static_cast<std::size_t>(place), sorted_[c].size() - 1);
            const std::size_t above = std::min(below + 1, sorted_[c].size() - 1);
            const auto part = static_cast<float>(place - static_cast<double>(below));
            row[c] = sorted_[c][below] + part * (sorted_[c][above] - sorted_[c][below]);
        }
        return row;
    }

private:
    /// Cholesky factor of the scores' correlations, shrunk a little towards none, as few rows have singular ones.
    void factorize(const std::vector<double>& scores, std::size_t count) {
        std::vector<double> correlation(dim_ * dim_, 0.0);
        for (std::size_t r = 0; r < count; ++r)
            for (std::size_t i = 0; i < dim_; ++i)
                for (std::size_t j = 0; j <= i; ++j)
                    correlation[i * dim_ + j] += scores[r * dim_ + i] * scores[r * dim_ + j];
        std::vector<double> length(dim_);
        for (std::size_t i = 0; i < dim_; ++i)
            length[i] = std::sqrt(std::max(correlation[i * dim_ + i], 1e-12));
        constexpr double kShrunk = 0.95;
        for (std::size_t i = 0; i < dim_; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                correlation[i * dim_ + j] =
                    i == j ? 1.0 : kShrunk * correlation[i * dim_ + j] / (length[i] * length[j]);
        for (std::size_t i = 0; i < dim_; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = correlation[i * dim_ + j];
                for (std::size_t k = 0; k < j; ++k)
                    sum -= factor_[i * dim_ + k] * factor_[j * dim_ + k];
                factor_[i * dim_ + j] = i == j ? std::sqrt(std::max(sum, 1e-9)) : sum / factor_[j * dim_ + j];
            }
    }

    std::size_t dim_;
    std::vector<std::vector<float>> sorted_;
    std::vector<double> factor_; ///< dim x dim, lower triangle
};

Table copulaTable(const Table& training, std::mt19937& random) {
    Table table{{}, training.dim, {}};
    const auto byClass = rowsByClass(training);
    for (std::uint32_t own = 0; own < byClass.size(); ++own) {
        if (byClass[own].empty())
            continue;
        const Copula copula(training, byClass[own]);
        for (std::size_t r = 0; r < byClass[own].size(); ++r)
            table.append(copula.draw(random).data(), own);
    }
    return table;
}

Table independentTable(const Table& training, std::mt19937& random) {
    Table table{{}, training.dim, {}};
    const auto byClass = rowsByClass(training);
    Row row(training.dim);
    for (std::uint32_t own = 0; own < byClass.size(); ++own)
        for (std::size_t r = 0; r < byClass[own].size(); ++r) {
            for (std::size_t c = 0; c < training.dim; ++c)
                row[c] = training.row(byClass[own][random() % byClass[own].size()])[c];
            table.append(row.data(), own);
        }
    return table;
}

/// A row with noise of so many deviations.
Row noisy(const float* row, const std::vector<double>& deviations, double noise, std::mt19937& random) {
    std::normal_distribution<double> normal;
    Row moved(row, row + deviations.size());
    for (std::size_t c = 0; c < moved.size(); ++c)
        moved[c] += static_cast<float>(noise * deviations[c] * normal(random));
    return moved;
}

Table collapsedTable(const Table& training, std::mt19937& random) {
    constexpr std::size_t kKept = 3;
    Table table{{}, training.dim, {}};
    const std::vector<double> deviations = deviationsOf(training);
    const auto byClass = rowsByClass(training);
    for (std::uint32_t own = 0; own < byClass.size(); ++own) {
        std::vector<std::size_t> rows = byClass[own];
        std::shuffle(rows.begin(), rows.end(), random);
        rows.resize(std::min(rows.size(), kKept));
        for (std::size_t r = 0; r < byClass[own].size(); ++r)
            table.append(noisy(training.row(rows[r % rows.size()]), deviations, 0.1, random).data(), own);
    }
    return table;
}

void mislabel(Table& table, std::size_t every, std::mt19937& random) {
    std::vector<std::uint32_t> labels = table.code;
    std::shuffle(labels.begin(), labels.end(), random);
    for (std::size_t r = 0; r < table.rows(); r += every)
        table.code[r] = labels[r];
}

Table withoutLastClass(const Table& table, const Table& training) {
    Table rest{{}, table.dim, {}};
    const std::uint32_t last = *std::max_element(training.code.begin(), training.code.end());
    const bool onlyTwo = last < 2; // a classifier needs two classes: half of the second is lost then
    for (std::size_t r = 0; r < table.rows(); ++r)
        if (table.code[r] != last || (onlyTwo && r % 10 == 0))
            rest.append(table.row(r), table.code[r]);
    return rest;
}

Table partNoise(Table table, const Table& training, std::mt19937& random) {
    const std::vector<double> deviations = deviationsOf(training);
    for (std::size_t r = 0; r < table.rows(); ++r)
        if (random() % 10 < 3) {
            const Row far = noisy(table.row(r), deviations, 3.0, random);
            std::copy(far.begin(), far.end(), table.values.begin() + static_cast<std::ptrdiff_t>(r * table.dim));
            table.code[r] = training.code[random() % training.rows()];
        }
    return table;
}

} // namespace

std::shared_ptr<const EmbeddingSet> asSet(const Table& table, const std::string& name) {
    EmbeddingParts parts = EmbeddingParts::of(table.values, table.dim, name);
    parts.labels = labelsFromIntegers({table.code.begin(), table.code.end()});
    return std::make_shared<const EmbeddingSet>(std::move(parts));
}

const char* nameOf(Maker maker) {
    constexpr std::array<const char*, kMakers> kNames{"copula",
                                                      "copula, half mislabelled",
                                                      "copula, mislabelled",
                                                      "copies, noise 0.1",
                                                      "copies, noise 0.5",
                                                      "copies, noise 1.5",
                                                      "independent columns",
                                                      "three rows per class",
                                                      "copula, a class lost",
                                                      "copula, 30 % noise"};
    return kNames[static_cast<std::size_t>(maker)];
}

Table noisyCopies(const Table& training, double noise, std::mt19937& random) {
    Table table{{}, training.dim, {}};
    const std::vector<double> deviations = deviationsOf(training);
    for (std::size_t r = 0; r < training.rows(); ++r)
        table.append(noisy(training.row(r), deviations, noise, random).data(), training.code[r]);
    return table;
}

Table made(Maker maker, const Table& training, std::mt19937& random) {
    switch (maker) {
    case Maker::Copula:
        return copulaTable(training, random);
    case Maker::HalfMislabelled:
    case Maker::Mislabelled: {
        Table table = copulaTable(training, random);
        mislabel(table, maker == Maker::Mislabelled ? 1 : 2, random);
        return table;
    }
    case Maker::NearCopies:
        return noisyCopies(training, 0.1, random);
    case Maker::NoisyCopies:
        return noisyCopies(training, 0.5, random);
    case Maker::VeryNoisyCopies:
        return noisyCopies(training, 1.5, random);
    case Maker::Independent:
        return independentTable(training, random);
    case Maker::Collapsed:
        return collapsedTable(training, random);
    case Maker::LostClass:
        return withoutLastClass(copulaTable(training, random), training);
    case Maker::PartNoise:
        return partNoise(copulaTable(training, random), training, random);
    }
    return {};
}

} // namespace assay::bench
