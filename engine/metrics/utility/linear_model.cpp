#include "engine/metrics/utility/linear_model.h"

#include "engine/base/parallel.h"
#include "engine/math/optimization/lbfgs.h"
#include "engine/math/products/dense_product.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace assay {
namespace {

constexpr std::size_t kRowsPerBlock = 512;
constexpr std::size_t kMaxStripes = 32;
constexpr std::size_t kFewestStripes = 4;
constexpr std::size_t kGradientBytes = std::size_t{64} << 20; ///< of all stripes, unless these are the fewest
constexpr std::size_t kRememberedSteps = 20;

/// Groups of blocks whose gradients are summed apart. Their number depends on the shape only, and so does the result.
std::size_t stripesFor(std::size_t rows, std::size_t weights) {
    const std::size_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
    const std::size_t fitting = kGradientBytes / (weights * sizeof(double));
    return std::min(std::clamp(fitting, kFewestStripes, kMaxStripes), blocks);
}

/// Weights without and with the intercepts, in single precision.
struct FloatWeights {
    std::vector<float> factors;    ///< outputs x dim
    std::vector<float> intercepts; ///< outputs

    FloatWeights(std::span<const double> weights, std::size_t outputs, std::size_t dim)
        : factors(outputs * dim), intercepts(outputs) {
        for (std::size_t o = 0; o < outputs; ++o) {
            const double* from = weights.data() + o * (dim + 1);
            std::transform(from, from + dim, factors.data() + o * dim,
                           [](double value) { return static_cast<float>(value); });
            intercepts[o] = static_cast<float>(from[dim]);
        }
    }
};

/// Consecutive rows.
struct Block {
    const float* values;
    std::size_t first;
    std::size_t rows;
};

/// Outputs of a block's rows.
void outputsOf(const FloatWeights& weights, const Block& block, std::size_t dim, float* outputs) {
    const std::size_t count = weights.intercepts.size();
    multiply({block.values, block.rows, dim}, {weights.factors.data(), count, dim, FloatFactor::Use::Transposed},
             Into::Replace, outputs);
    for (std::size_t r = 0; r < block.rows; ++r)
        for (std::size_t o = 0; o < count; ++o)
            outputs[r * count + o] += weights.intercepts[o];
}

/// Turns the outputs of one row into probabilities. @return logarithm of the sum that they were divided by
double toProbabilities(float* outputs, std::size_t count) {
    const float largest = *std::max_element(outputs, outputs + count);
    float sum = 0.0F;
    for (std::size_t o = 0; o < count; ++o) {
        outputs[o] = std::exp(outputs[o] - largest);
        sum += outputs[o];
    }
    for (std::size_t o = 0; o < count; ++o)
        outputs[o] /= sum;
    return static_cast<double>(largest) + std::log(static_cast<double>(sum));
}

/// Turns the outputs of a row into the loss's slope. @return the loss
using RowLoss = std::function<double(std::size_t row, float* outputs)>;

/// The summed loss over all rows with the ridge penalty, as a function of the weights.
class RidgeLoss {
public:
    RidgeLoss(const StandardRows& rows, std::size_t outputs, double ridge, RowLoss loss, const ComputeContext& context)
        : rows_(rows), outputs_(outputs), ridge_(ridge), loss_(std::move(loss)), threads_(context.threads),
          job_(context.job.silent()), stripes_(stripesFor(rows.rows, weights())) {}

    std::size_t weights() const { return outputs_ * (rows_.dim + 1); }

    Slope operator()(std::span<const double> at) {
        const FloatWeights weights(at, outputs_, rows_.dim);
        parallelFor(stripes_.size(), threads_, job_, [&](std::size_t stripe, unsigned) { addStripe(stripe, weights); });
        Slope slope{0.0, std::vector<double>(at.size(), 0.0)};
        for (const Stripe& stripe : stripes_) {
            slope.value += stripe.loss;
            std::ranges::transform(slope.gradient, stripe.gradient, slope.gradient.begin(), std::plus());
        }
        for (std::size_t w = 0; w < at.size(); ++w)
            if (w % (rows_.dim + 1) != rows_.dim) {
                slope.value += 0.5 * ridge_ * at[w] * at[w];
                slope.gradient[w] += ridge_ * at[w];
            }
        return slope;
    }

private:
    /// Sum over some blocks, and space to find it in.
    struct Stripe {
        double loss = 0.0;
        std::vector<double> gradient{};
        std::vector<float> outputs{};
        std::vector<float> blockGradient{};
    };

    void addStripe(std::size_t index, const FloatWeights& weights) {
        Stripe& stripe = stripes_[index];
        stripe.loss = 0.0;
        stripe.gradient.assign(this->weights(), 0.0);
        stripe.outputs.resize(kRowsPerBlock * outputs_);
        stripe.blockGradient.resize(outputs_ * rows_.dim);
        for (std::size_t first = index * kRowsPerBlock; first < rows_.rows; first += stripes_.size() * kRowsPerBlock) {
            job_.throwIfStopped();
            addBlock(stripe,
                     {rows_.values.data() + first * rows_.dim, first, std::min(kRowsPerBlock, rows_.rows - first)},
                     weights);
        }
    }

    void addBlock(Stripe& stripe, const Block& block, const FloatWeights& weights) const {
        float* outputs = stripe.outputs.data();
        outputsOf(weights, block, rows_.dim, outputs);
        for (std::size_t r = 0; r < block.rows; ++r)
            stripe.loss += loss_(block.first + r, outputs + r * outputs_);
        multiply({outputs, block.rows, outputs_, FloatFactor::Use::Transposed}, {block.values, block.rows, rows_.dim},
                 Into::Replace, stripe.blockGradient.data());
        for (std::size_t o = 0; o < outputs_; ++o) {
            double* to = stripe.gradient.data() + o * (rows_.dim + 1);
            const float* from = stripe.blockGradient.data() + o * rows_.dim;
            for (std::size_t c = 0; c < rows_.dim; ++c)
                to[c] += static_cast<double>(from[c]);
            for (std::size_t r = 0; r < block.rows; ++r)
                to[rows_.dim] += static_cast<double>(outputs[r * outputs_ + o]);
        }
    }

    const StandardRows& rows_;
    std::size_t outputs_;
    double ridge_;
    RowLoss loss_;
    unsigned threads_;
    JobContext job_;
    std::vector<Stripe> stripes_;
};

LinearModel trained(RidgeLoss loss, std::size_t outputs, std::size_t dim, double tolerance,
                    const ComputeContext& context) {
    Minimum minimum =
        minimize([&](std::span<const double> at) { return loss(at); }, std::vector<double>(loss.weights(), 0.0),
                 {.tolerance = tolerance, .remembered = kRememberedSteps}, context.job);
    return {outputs, dim, std::move(minimum.at), minimum.gradientNorm, minimum.evaluations, minimum.converged};
}

} // namespace

StandardRows StandardRows::of(MatrixView set, std::span<const std::uint32_t> rows, const ColumnMoments& reference,
                              const ComputeContext& context) {
    StandardRows result{std::vector<float>(rows.size() * set.dim), rows.size(), set.dim};
    parallelRanges(rows.size(), kRowsPerBlock, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       for (std::size_t r = first; r < last; ++r) {
                           const float* from = set.rowData(rows[r]);
                           float* to = result.values.data() + r * set.dim;
                           for (std::size_t c = 0; c < set.dim; ++c) {
                               const double deviation = reference.deviation[c] > 0.0 ? reference.deviation[c] : 1.0;
                               to[c] =
                                   static_cast<float>((static_cast<double>(from[c]) - reference.mean[c]) / deviation);
                           }
                       }
                   });
    return result;
}

LinearModel trainClassifier(const StandardRows& rows, std::span<const std::uint32_t> code, std::size_t classes,
                            const ComputeContext& context, const ClassifierTraining& training) {
    const RowLoss logLoss = [code, classes](std::size_t row, float* outputs) {
        const auto own = static_cast<double>(outputs[code[row]]);
        const double loss = toProbabilities(outputs, classes) - own;
        outputs[code[row]] -= 1.0F;
        return loss;
    };
    // Two classes have opposite weights, w / 2 and -w / 2 of the one vector w, whose penalty is |w|^2 / 2.
    const double ridge = (classes == 2 ? 2.0 : 1.0) * training.penalty;
    return trained(RidgeLoss(rows, classes, ridge, logLoss, context), classes, rows.dim, training.tolerance, context);
}

LinearModel trainRegression(const StandardRows& rows, std::span<const double> target, const ComputeContext& context) {
    const RowLoss squared = [target](std::size_t row, float* outputs) {
        const double error = static_cast<double>(*outputs) - target[row];
        *outputs = static_cast<float>(error);
        return 0.5 * error * error;
    };
    return trained(RidgeLoss(rows, 1, 1.0, squared, context), 1, rows.dim, LbfgsOptions{}.tolerance, context);
}

std::vector<float> outputsOf(const LinearModel& model, const StandardRows& rows, const ComputeContext& context) {
    const FloatWeights weights(model.weights, model.outputs, model.dim);
    std::vector<float> outputs(rows.rows * model.outputs);
    parallelRanges(rows.rows, kRowsPerBlock, context.threads, context.job.silent(),
                   [&](std::size_t first, std::size_t last, unsigned) {
                       outputsOf(weights, {rows.values.data() + first * rows.dim, first, last - first}, rows.dim,
                                 outputs.data() + first * model.outputs);
                   });
    return outputs;
}

void toProbabilities(std::span<float> outputs, std::size_t classes) {
    for (std::size_t first = 0; first < outputs.size(); first += classes)
        toProbabilities(outputs.data() + first, classes);
}

std::size_t linearModelBytes(std::size_t rows, std::size_t dim, std::size_t outputs) {
    const std::size_t weights = outputs * (dim + 1);
    constexpr std::size_t kPoints = 2 * kRememberedSteps + 12; // steps, changes and the points of a trial
    const std::size_t perStripe = weights * (sizeof(double) + sizeof(float)) + kRowsPerBlock * outputs * sizeof(float);
    return rows * dim * sizeof(float) + kPoints * weights * sizeof(double) + stripesFor(rows, weights) * perStripe;
}

double linearModelProducts(std::size_t rows, std::size_t dim, std::size_t outputs) {
    constexpr double kEvaluations = 250.0;
    return kEvaluations * 2.0 * static_cast<double>(rows) * static_cast<double>(dim) * static_cast<double>(outputs);
}

} // namespace assay
