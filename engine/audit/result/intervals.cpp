#include "engine/audit/result/intervals.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/resampling/averages.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {
namespace {

/// The distinct terms that metrics need on one side, and their means in every resample.
class SideResamples {
public:
    void add(const Term& term) {
        if (std::find(terms_.begin(), terms_.end(), &term) == terms_.end())
            terms_.push_back(&term);
    }

    void draw(const MetricInputs& inputs, const ModelAudit& model, std::uint64_t seed, const JobContext& job) {
        std::vector<std::vector<double>> columns;
        for (const Term* term : terms_) {
            const Column* column = findBy(columnCatalog(), &Column::compute, term->values);
            const bool isKnown = column != nullptr && model.hasColumn(column->id);
            columns.push_back(isKnown ? model.column(column->id) : term->values(inputs));
        }
        means_ = resampledMeans(columns, {kResamples, seed, inputs.threads}, job);
    }

    double mean(const Term& term, std::size_t resample) const {
        const auto at = std::find(terms_.begin(), terms_.end(), &term);
        return means_[resample * terms_.size() + static_cast<std::size_t>(at - terms_.begin())];
    }

private:
    std::vector<const Term*> terms_;
    std::vector<double> means_;
};

/// Combines the half-split shifts into the shift of one resample: a sum with random signs. The signs are equal for
/// every metric and every model of an audit. The variance of the sum is the mean of the squared shifts, before the
/// correction for their number.
double shiftOf(const std::vector<double>& draws, std::uint64_t seed, std::size_t resample) {
    if (draws.size() < 3)
        return 0.0;
    Random random = Random::forItem(seed, resample);
    std::uint64_t signs = 0;
    double sum = 0.0;
    for (std::size_t d = 0; d < draws.size(); ++d, signs >>= 1) {
        if (d % 64 == 0)
            signs = random.next();
        sum += (signs & 1) == 0 ? draws[d] : -draws[d];
    }
    // Student's t: a variance estimated from n values widens the distribution by n / (n - 2).
    return sum / std::sqrt(static_cast<double>(draws.size() - 2));
}

/// Interval of an aggregate from the resamples of its raw statistic. For a capped aggregate the expected value is not
/// the cap of the expected raw statistic: near the cap it is lower, because only downward scatter remains. Therefore
/// each bound of the raw statistic's mean is mapped to the mean of the aggregate for raw statistics that scatter around
/// this bound.
Bounds boundsOf(const std::vector<double>& resamples, const Finish& finish, double value) {
    const Bounds figure = percentileBounds(resamples);
    if (!finish || std::isnan(figure.low))
        return figure;
    const double mean = metrics::meanOf(resamples);
    const auto averageAt = [&](double centre) {
        return metrics::meanOf(
            metrics::mapped(resamples, [&](double resample) { return finish(centre + resample - mean); }));
    };
    return {std::min(averageAt(figure.low), value), std::max(averageAt(figure.high), value)};
}

/// The random draws that all metrics of a model share, and the raw statistics computed from them.
class Resampler {
public:
    Resampler(const MetricInputs& inputs, const ModelAudit& model)
        : inputs_(inputs), shiftSeed_(streamSeed(inputs.seed, "shifts")) {
        for (const Metric& metric : metricCatalog())
            if (metric.average != nullptr && inputs.results.has(metric.needs))
                add(metric);
        if (std::ranges::any_of(metrics_, [](const Metric* metric) { return metric->average->shift != nullptr; })) {
            MetricInputs first = inputs;
            first.job = inputs.job.part({}, 0.0, 0.5);
            halves_ = halfShifts(first);
        }
        synthetic_.draw(inputs, model, streamSeed(inputs.seed, "synthetic " + std::string(inputs.stream)),
                        inputs.job.part({}, 0.5, 0.75));
        real_.draw(inputs, model, streamSeed(inputs.seed, "real"), inputs.job.part({}, 0.75, 1.0));
    }

    const std::vector<const Metric*>& metrics() const { return metrics_; }

    /// The raw statistic in every resample, before the average's `finish`.
    std::vector<double> figures(const Average& average) const {
        if (average.own != nullptr)
            return average.own(inputs_, {kResamples, inputs_.seed, inputs_.threads});
        const std::vector<double> shifts = average.shift == nullptr ? std::vector<double>() : halves_.*average.shift;
        const Combine combine = average.combine == nullptr ? Combine() : average.combine(inputs_, !shifts.empty());
        std::vector<double> values(kResamples);
        for (std::size_t b = 0; b < kResamples; ++b) {
            std::array<double, std::tuple_size_v<decltype(average.terms)>> means{};
            for (std::size_t t = 0; t < means.size(); ++t)
                if (const Term* term = average.terms[t])
                    means[t] = (term->side == Side::Synthetic ? synthetic_ : real_).mean(*term, b);
            values[b] = combine ? combine(means, shiftOf(shifts, shiftSeed_, b)) : means[0];
        }
        return values;
    }

private:
    void add(const Metric& metric) {
        metrics_.push_back(&metric);
        for (const Term* term : metric.average->terms)
            if (term != nullptr)
                (term->side == Side::Synthetic ? synthetic_ : real_).add(*term);
    }

    const MetricInputs& inputs_;
    std::vector<const Metric*> metrics_;
    SideResamples synthetic_;
    SideResamples real_;
    HalfShifts halves_;
    std::uint64_t shiftSeed_;
};

} // namespace

Uncertainty resampleMetrics(const MetricInputs& given, const ModelAudit& model) {
    // The same samples give the same resamples, whatever the model is called: a set compared with itself is no
    // different.
    const std::string& sha256 = model.set->source().sha256;
    MetricInputs inputs = given;
    inputs.stream = sha256.empty() ? model.name : sha256;
    const Resampler resampler(inputs, model);
    const std::vector<const Metric*>& metrics = resampler.metrics();
    Uncertainty result;
    result.intervals.resize(metrics.size());
    result.resamples.resize(metrics.size());
    parallelFor(metrics.size(), inputs.threads, inputs.job.silent(), [&](std::size_t m, unsigned) {
        const Metric& metric = *metrics[m];
        std::vector<double> values = resampler.figures(*metric.average);
        const Finish finish = metric.average->finish == nullptr ? Finish() : metric.average->finish(inputs);
        const Bounds bounds = boundsOf(values, finish, model.metric(metric.id));
        if (finish)
            std::transform(values.begin(), values.end(), values.begin(), finish);
        result.intervals[m] = {metric.id, bounds.low, bounds.high};
        result.resamples[m] = {metric.id, std::move(values)};
    });
    return result;
}

} // namespace assay
