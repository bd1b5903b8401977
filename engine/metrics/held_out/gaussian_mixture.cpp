#include "engine/metrics/held_out/gaussian_mixture.h"

#include "engine/base/large_array.h"
#include "engine/base/parallel.h"
#include "engine/math/linear/centre.h"
#include "engine/math/products/kernels.h"
#include "engine/math/statistics/adam_w.h"
#include "engine/metrics/tables/values.h"
#include "engine/neighbors/products/product_bounds.h"
#include "engine/neighbors/products/tile_product.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <span>

namespace assay {
namespace {

// As published.
constexpr std::size_t kSteps = 50;
constexpr AdamW::Options kAdam{.learningRate = 0.5, .weightDecay = 0.0};
constexpr double kNearestOffset = 1e-3; // added to the squared distance that a width starts from
constexpr double kMaxLogVariance = 40.0;
constexpr double kOriginShare = 0.9 * 0.9;
constexpr double kSettled = 5e-4;

/// Log-likelihoods more than this many nats below the largest one are ignored in a sum.
constexpr double kFarBelow = 30.0;
constexpr std::size_t kEdge = 384;
/// Squared distances below this share of the squared norms are measured directly, because the matrix product loses
/// their digits to cancellation.
constexpr double kCancelled = 1e-2;
/// Fixed number of parts, added in order, so that the sums are equal for every number of threads.
constexpr std::size_t kParts = 16;

/// Squared distances from rows to centres, computed block of rows by block of rows.
class SquaredDistances {
public:
    SquaredDistances(MatrixView rows, MatrixView centres, unsigned threads, const JobContext& job)
        : rows_(rows), centres_(centres), threads_(resolveThreads(threads)),
          frame_(Frame::of(centres, {rows, centres}, threads, job)),
          rowOperand_(ProductOperand::of(rows, frame_, Precision::Single, threads, job)),
          centreOperand_(ProductOperand::of(centres, frame_, Precision::Single, threads, job)),
          rowNorm_(norms(rowOperand_)), centreNorm_(norms(centreOperand_)) {}

    /// Calls take(row, squared distances to all centres) for every row, concurrently from several threads.
    void each(const JobContext& job, const std::function<void(std::size_t, std::span<const float>)>& take) const {
        parallelRanges(rows_.rows, kBlock, threads_, job, [&](std::size_t from, std::size_t to, unsigned) {
            const Range block{from, to - from};
            std::vector<float> squared(block.count * centres_.rows);
            TileProduct product;
            for (std::size_t first = 0; first < centres_.rows; first += kEdge) {
                job.throwIfStopped();
                const Range columns{first, std::min(kEdge, centres_.rows - first)};
                product.multiply({&rowOperand_, block}, {&centreOperand_, columns});
                for (std::size_t r = 0; r < block.count; ++r)
                    fill(block.first + r, product.singleRow(r), columns, squared.data() + r * centres_.rows + first);
            }
            for (std::size_t r = 0; r < block.count; ++r)
                take(block.first + r, {squared.data() + r * centres_.rows, centres_.rows});
        });
    }

private:
    static constexpr std::size_t kBlock = 256;

    static std::vector<double> norms(const ProductOperand& operand) {
        std::vector<double> norms(operand.rows());
        for (std::size_t r = 0; r < norms.size(); ++r) {
            const float* row = operand.singleRow(r);
            for (std::size_t c = 0; c < operand.dim(); ++c)
                norms[r] += static_cast<double>(row[c]) * static_cast<double>(row[c]);
        }
        return norms;
    }

    void fill(std::size_t row, const float* products, const Range& columns, float* squared) const {
        const auto scale = static_cast<double>(frame_.scale);
        for (std::size_t c = 0; c < columns.count; ++c) {
            const std::size_t centre = columns.first + c;
            const double both = rowNorm_[row] + centreNorm_[centre];
            const double found = both - 2.0 * static_cast<double>(products[c]);
            squared[c] = static_cast<float>(
                found < kCancelled * both
                    ? kernels().squaredDistance(rows_.rowData(row), centres_.rowData(centre), rows_.dim)
                    : found / scale / scale);
        }
    }

    MatrixView rows_;
    MatrixView centres_;
    unsigned threads_;
    Frame frame_;
    ProductOperand rowOperand_, centreOperand_;
    std::vector<double> rowNorm_, centreNorm_;
};

/// Terms of log N(x | centre, variance) that depend on the centre: squared distance * slope + height.
struct Terms {
    std::vector<double> slope, height;
    Eigen::ArrayXf floatSlope, floatHeight;

    Terms(std::span<const double> logVariance, std::size_t dim) : slope(logVariance.size()), height(slope.size()) {
        const double each = -std::log(static_cast<double>(logVariance.size()));
        for (std::size_t j = 0; j < slope.size(); ++j) {
            slope[j] = -0.5 * std::exp(-logVariance[j]);
            height[j] = each - 0.5 * static_cast<double>(dim) * logVariance[j];
        }
        floatSlope =
            Eigen::Map<const Eigen::ArrayXd>(slope.data(), static_cast<Eigen::Index>(slope.size())).cast<float>();
        floatHeight =
            Eigen::Map<const Eigen::ArrayXd>(height.data(), static_cast<Eigen::Index>(height.size())).cast<float>();
    }
};

/// Log-likelihood of the additional Gaussian if there is none.
constexpr double kNone = -std::numeric_limits<double>::infinity();

/// Mean of the rows' values plus the term that all Gaussians share.
double meanNllOf(const std::vector<double>& nll, std::size_t dim) {
    return metrics::meanOf(nll) / static_cast<double>(dim) + 0.5 * std::log(2.0 * std::numbers::pi);
}

/// A centre and its share of the likelihood of a row.
struct Part {
    std::uint32_t centre;
    double likelihood; ///< after of(): share of the row's likelihood, in [0, 1]
};

/// Computes the log-likelihood of one row under many Gaussians.
class RowLikelihood {
public:
    explicit RowLikelihood(const Terms& terms) : terms_(terms) {}

    /// @param more log-likelihood of an additional Gaussian, or minus infinity for none
    /// @return logarithm of the sum of the likelihoods
    double of(std::span<const float> squared, double more) {
        findPeaks(squared);
        parts.clear();
        double largest = more;
        const auto floor = static_cast<float>(std::max<double>(peak_, more) - kFarBelow) - 1.0F;
        for (std::size_t c = 0; c < peaks_.size(); ++c) {
            if (peaks_[c] < floor)
                continue;
            for (std::size_t j = c * kColumns; j < std::min(squared.size(), (c + 1) * kColumns); ++j) {
                const double log = static_cast<double>(squared[j]) * terms_.slope[j] + terms_.height[j];
                if (log < static_cast<double>(floor))
                    continue;
                parts.push_back({static_cast<std::uint32_t>(j), log});
                largest = std::max(largest, log);
            }
        }
        double sum = std::exp(more - largest);
        for (Part& part : parts)
            sum += part.likelihood = std::exp(part.likelihood - largest);
        moreShare = std::exp(more - largest) / sum;
        for (Part& part : parts)
            part.likelihood /= sum;
        return largest + std::log(sum);
    }

    std::vector<Part> parts; ///< after of(): centres that explain the row, with their shares
    double moreShare = 0.0;  ///< share of the additional Gaussian

private:
    static constexpr std::size_t kColumns = 64;

    void findPeaks(std::span<const float> squared) {
        peaks_.resize((squared.size() + kColumns - 1) / kColumns);
        for (std::size_t c = 0; c < peaks_.size(); ++c) {
            const auto first = static_cast<Eigen::Index>(c * kColumns);
            const auto count = static_cast<Eigen::Index>(std::min(kColumns, squared.size() - c * kColumns));
            const Eigen::Map<const Eigen::ArrayXf> part(squared.data() + first, count);
            peaks_[c] =
                (part * terms_.floatSlope.segment(first, count) + terms_.floatHeight.segment(first, count)).maxCoeff();
        }
        peak_ = *std::max_element(peaks_.begin(), peaks_.end());
    }

    const Terms& terms_;
    std::vector<float> peaks_;
    float peak_ = 0.0F;
};

/// Gradient of one optimisation step.
struct Gradient {
    std::vector<double> centre; ///< per centre
    double origin = 0.0;
    double nll = 0.0;

    void add(const Gradient& other) {
        for (std::size_t j = 0; j < centre.size(); ++j)
            centre[j] += other.centre[j];
        origin += other.origin;
        nll += other.nll;
    }
};

/// Squared distances of rows to their mean, scaled down as in the published program.
std::vector<double> originDistances(MatrixView rows) {
    return metrics::mapped(distancesTo(columnMeans(rows, 1), rows, 1, {}),
                           [](double distance) { return distance * (kOriginShare * distance); });
}

/// Stores the squared distances of all pairs and optimises the variances.
class Fitting {
public:
    Fitting(MatrixView rows, MatrixView centres, unsigned threads, const JobContext& job)
        : rows_(rows.rows), centres_(centres.rows), dim_(rows.dim), threads_(resolveThreads(threads)),
          squared_(makeLargeArray<float>(rows_ * centres_)), origin_(originDistances(rows)) {
        SquaredDistances(rows, centres, threads, job).each(job, [&](std::size_t row, std::span<const float> squared) {
            std::copy(squared.begin(), squared.end(), squared_.get() + row * centres_);
        });
    }

    std::vector<double> nearestRow() const {
        Eigen::ArrayXf least = row(0);
        for (std::size_t r = 1; r < rows_; ++r)
            least = least.min(row(r));
        return {least.data(), least.data() + least.size()};
    }

    Gradient gradient(std::span<const double> logVariance, double originLogVariance, const JobContext& job) const {
        const Terms terms(logVariance, dim_);
        std::vector<Gradient> parts(kParts);
        const std::size_t perPart = (rows_ + kParts - 1) / kParts;
        parallelFor(kParts, threads_, job.part({}, 0.0, 0.0), [&](std::size_t p, unsigned) {
            parts[p].centre.assign(centres_, 0.0);
            RowLikelihood likelihood(terms);
            for (std::size_t r = p * perPart; r < std::min(rows_, (p + 1) * perPart); ++r) {
                job.throwIfStopped();
                add(parts[p], likelihood, r, terms, originLogVariance);
            }
        });
        for (std::size_t p = 1; p < kParts; ++p)
            parts.front().add(parts[p]);
        return std::move(parts.front());
    }

    /// Mean negative log-likelihood without the additional Gaussian, in nats per dimension.
    double meanNll(std::span<const double> logVariance, const JobContext& job) const {
        const Terms terms(logVariance, dim_);
        std::vector<double> nll(rows_);
        parallelRanges(rows_, kEdge, threads_, job.part({}, 0.0, 0.0),
                       [&](std::size_t first, std::size_t last, unsigned) {
                           RowLikelihood likelihood(terms);
                           for (std::size_t r = first; r < last; ++r) {
                               job.throwIfStopped();
                               nll[r] = -likelihood.of({squared_.get() + r * centres_, centres_}, kNone);
                           }
                       });
        return meanNllOf(nll, dim_);
    }

private:
    Eigen::Map<const Eigen::ArrayXf> row(std::size_t r) const {
        return {squared_.get() + r * centres_, static_cast<Eigen::Index>(centres_)};
    }

    void add(Gradient& to, RowLikelihood& likelihood, std::size_t r, const Terms& terms,
             double originLogVariance) const {
        const double half = 0.5 * static_cast<double>(dim_);
        const double whole = static_cast<double>(rows_) * static_cast<double>(dim_);
        const float* squared = squared_.get() + r * centres_;
        const double originTerm = -0.5 * origin_[r] * std::exp(-originLogVariance);
        to.nll -= likelihood.of({squared, centres_}, originTerm - half * originLogVariance) / whole;
        // d/ds of squared * slope - half s, where slope = -exp(-s) / 2, is -squared * slope - half.
        for (const Part& part : likelihood.parts)
            to.centre[part.centre] -= part.likelihood *
                                      (-static_cast<double>(squared[part.centre]) * terms.slope[part.centre] - half) /
                                      whole;
        to.origin -= likelihood.moreShare * (-originTerm - half) / whole;
    }

    std::size_t rows_, centres_, dim_;
    unsigned threads_;
    LargeArray<float> squared_; ///< rows x centres
    std::vector<double> origin_;
};

bool settled(const std::vector<double>& nll) {
    constexpr std::size_t kLast = 5;
    if (nll.size() <= kLast + 1)
        return false;
    return std::all_of(nll.end() - kLast, nll.end(), [&](double one) { return std::abs(nll.back() - one) < kSettled; });
}

} // namespace

double GaussianMixture::fit(MatrixView rows, const JobContext& job) {
    const Fitting fitting(rows, centres_, threads_, job.part({}, 0.0, 0.3));
    logVariance_ = fitting.nearestRow();
    for (double& value : logVariance_)
        value = std::log((value + kNearestOffset) / static_cast<double>(rows.dim));
    double origin = 0.0;
    AdamW adam(logVariance_.size(), kAdam);
    AdamW originAdam(1, kAdam);
    std::vector<double> nll;
    for (std::size_t step = 0; step < kSteps && !settled(nll); ++step) {
        job.checkpoint(0.3 + 0.7 * static_cast<double>(step) / static_cast<double>(kSteps));
        const Gradient gradient = fitting.gradient(logVariance_, origin, job);
        nll.push_back(gradient.nll);
        adam.step<double>(gradient.centre, logVariance_);
        originAdam.step<double>({&gradient.origin, 1}, {&origin, 1});
        for (double& value : logVariance_)
            value = std::clamp(value, -kMaxLogVariance, kMaxLogVariance);
    }
    return fitting.meanNll(logVariance_, job);
}

double GaussianMixture::meanNll(MatrixView rows, const JobContext& job) const {
    const Terms terms(logVariance_, rows.dim);
    std::vector<double> nll(rows.rows);
    SquaredDistances(rows, centres_, threads_, job.part({}, 0.0, 0.1))
        .each(job.part({}, 0.1, 1.0), [&](std::size_t row, std::span<const float> squared) {
            nll[row] = -RowLikelihood(terms).of(squared, kNone);
        });
    return meanNllOf(nll, rows.dim);
}

} // namespace assay
