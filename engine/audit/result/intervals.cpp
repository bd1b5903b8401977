#include "engine/audit/result/intervals.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/math/statistics/bootstrap.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/resampling/averages.h"
#include "engine/metrics/resampling/jackknife.h"
#include "engine/metrics/tables/metric_inputs.h"
#include "engine/metrics/tables/values.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/metrics/verdicts/sample_units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

namespace assay {
namespace {

/// The distinct terms that metrics need on one side, and their means in every resample.
class SideResamples {
public:
    void add(const Term& term) {
        if (std::find(terms_.begin(), terms_.end(), &term) == terms_.end())
            terms_.push_back(&term);
    }

    /// @param hashes of the side's rows: in their order they are drawn, wherever they are in a file
    /// @param units which rows are drawn together; empty: each by itself
    void draw(const MetricInputs& inputs, const ModelAudit& model, std::span<const std::uint64_t> hashes,
              std::span<const std::uint32_t> units, std::uint64_t seed, const JobContext& job) {
        std::vector<std::vector<double>> columns;
        for (const Term* term : terms_) {
            const Column* column = findBy(columnCatalog(), &Column::compute, term->values);
            const bool isKnown = column != nullptr && model.hasColumn(column->id);
            columns.push_back(isKnown ? model.column(column->id) : term->values(inputs));
        }
        std::vector<std::uint32_t> order(hashes.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
            if (hashes[a] != hashes[b])
                return hashes[a] < hashes[b];
            for (const std::vector<double>& column : columns)
                if (const auto ordered = std::strong_order(column[a], column[b]); ordered != 0)
                    return ordered < 0;
            return false;
        });
        for (std::vector<double>& column : columns) {
            std::vector<double> ordered(order.size());
            std::ranges::transform(order, ordered.begin(), [&](std::uint32_t row) { return column[row]; });
            column = std::move(ordered);
        }
        std::vector<std::uint32_t> together;
        if (!units.empty()) {
            together.resize(order.size());
            std::ranges::transform(order, together.begin(), [&](std::uint32_t row) { return units[row]; });
            together = renumbered(together);
        }
        means_ = resampledMeans(columns, {kResamples, seed, inputs.threads, together}, job);
    }

    double mean(const Term& term, std::size_t resample) const {
        const auto at = std::find(terms_.begin(), terms_.end(), &term);
        return means_[resample * terms_.size() + static_cast<std::size_t>(at - terms_.begin())];
    }

private:
    std::vector<const Term*> terms_;
    std::vector<double> means_;
};

/// Interval of an aggregate from that of its raw statistic. For a capped aggregate the expected value is not the cap of
/// the expected raw statistic: near the cap it is lower, because only downward scatter remains. Therefore each bound of
/// the raw statistic's mean is mapped to the mean of the aggregate for raw statistics that scatter around this bound.
/// @param scatter differences of raw statistics from their mean
Bounds finished(const Bounds& raw, const std::vector<double>& scatter, const Finish& finish, double value) {
    if (!finish || std::isnan(raw.low))
        return raw;
    const auto averageAt = [&](double centre) {
        return metrics::meanOf(metrics::mapped(scatter, [&](double change) { return finish(centre + change); }));
    };
    return {std::min(averageAt(raw.low), value), std::max(averageAt(raw.high), value)};
}

Finish finishOf(const Metric& metric, const MetricInputs& inputs) {
    return metric.average->finish == nullptr ? Finish() : metric.average->finish(inputs);
}

/// Bootstrap draws that the metrics of a model share, and the raw statistics computed from them.
class Resampler {
public:
    Resampler(const MetricInputs& inputs, const ModelAudit& model, std::span<const Metric* const> metrics)
        : inputs_(inputs) {
        for (const Metric* metric : metrics)
            for (const Term* term : metric->average->terms)
                if (term != nullptr)
                    (term->side == Side::Synthetic ? synthetic_ : real_).add(*term);
        const std::vector<std::uint64_t> synthetic =
            distanceHashes(std::array{&inputs.pair.syntheticToSynthetic, &inputs.pair.synthetic.nearest}, inputs.seed);
        // The same samples give the same resamples, whatever the model is called: a set compared with itself is no
        // different.
        const std::uint64_t digest = std::accumulate(synthetic.begin(), synthetic.end(), std::uint64_t{0});
        const SampleUnits* units = inputs.results.find<SampleUnits>();
        const auto syntheticUnits = units != nullptr ? std::span(units->unit) : std::span<const std::uint32_t>();
        const RealPartition* partition = inputs.real.partition.get();
        const bool byGroup = partition != nullptr && partition->byGroup;
        synthetic_.draw(inputs, model, synthetic, syntheticUnits,
                        Random::forItem(streamSeed(inputs.seed, "synthetic"), digest).next(),
                        inputs.job.part({}, 0.0, 0.5));
        real_.draw(inputs, model, distanceHashes(std::array{&inputs.real.neighbors}, inputs.seed),
                   byGroup ? std::span(partition->unit) : std::span<const std::uint32_t>(),
                   streamSeed(inputs.seed, "real"), inputs.job.part({}, 0.5, 1.0));
    }

    /// The raw statistic in every resample, before the average's `finish`.
    std::vector<double> figures(const Average& average) const {
        if (average.own != nullptr)
            return average.own(inputs_, {kResamples, inputs_.seed, inputs_.threads});
        const Combine combine = average.combine == nullptr ? Combine() : average.combine(inputs_);
        std::vector<double> values(kResamples);
        for (std::size_t b = 0; b < kResamples; ++b) {
            std::array<double, std::tuple_size_v<decltype(average.terms)>> means{};
            for (std::size_t t = 0; t < means.size(); ++t)
                if (const Term* term = average.terms[t])
                    means[t] = (term->side == Side::Synthetic ? synthetic_ : real_).mean(*term, b);
            values[b] = combine ? combine(means) : means[0];
        }
        return values;
    }

private:
    const MetricInputs& inputs_;
    SideResamples synthetic_;
    SideResamples real_;
};

/// Interval of one metric and the values behind it.
struct MetricUncertainty {
    Bounds bounds{};
    MetricResamples resamples{};
};

std::vector<MetricUncertainty> bootstrapped(const MetricInputs& inputs, const ModelAudit& model,
                                            std::span<const Metric* const> metrics) {
    const Resampler resampler(inputs, model, metrics);
    std::vector<MetricUncertainty> found(metrics.size());
    parallelFor(metrics.size(), inputs.threads, inputs.job.silent(), [&](std::size_t m, unsigned) {
        const Metric& metric = *metrics[m];
        std::vector<double> values = resampler.figures(*metric.average);
        const Finish finish = finishOf(metric, inputs);
        const double mean = metrics::meanOf(values);
        const std::vector<double> scatter = metrics::mapped(values, [&](double value) { return value - mean; });
        found[m].bounds = finished(percentileBounds(values), scatter, finish, model.metric(metric.id));
        if (finish)
            std::ranges::transform(values, values.begin(), finish);
        found[m].resamples = {metric.id, std::move(values)};
    });
    return found;
}

/// Values that are spread like a normal distribution around 0.
std::vector<double> normalScatter(double deviation) {
    constexpr std::size_t kValues = 400;
    Random random(1);
    std::vector<double> values(kValues);
    for (std::size_t v = 0; v < kValues; v += 2) { // Box and Muller 1958
        const double radius = std::sqrt(-2.0 * std::log1p(-random.uniform()));
        values[v] = deviation * radius * std::cos(2.0 * std::numbers::pi * random.uniform());
        values[v + 1] = -values[v];
    }
    return values;
}

/// Interval of a jackknifed metric.
/// @param deviation standard deviation of the metric's raw statistic
/// @param exact bounds of the raw statistic that the interval contains at least; or nothing
Bounds jackknifeBounds(const Metric& metric, double deviation, const std::optional<Bounds>& exact,
                       const MetricInputs& inputs, const ModelAudit& model) {
    const Average& average = *metric.average;
    const Metric& raw = average.raw.empty() ? metric : *findMetric(average.raw);
    const Finish finish = finishOf(metric, inputs);
    const double value = model.metric(metric.id);
    const MetricRange range = rangeOf(raw);
    const double centre = model.metric(raw.id);
    const double half = kJackknifeDeviations * deviation;
    const Bounds bounds{std::max(centre - half, range.low), std::min(centre + half, range.high)};
    if (exact)
        return finished({std::min(bounds.low, exact->low), std::max(bounds.high, exact->high)}, {0.0}, finish, value);
    return finished(bounds, normalScatter(deviation), finish, value);
}

double deviationOf(const Replicates& replicates) {
    return std::sqrt(jackknifeVariance(replicates.withoutReal) + jackknifeVariance(replicates.withoutSynthetic));
}

std::vector<MetricUncertainty> jackknifed(const MetricInputs& inputs, const ModelAudit& model,
                                          std::span<const Metric* const> metrics, const RowGroups& realGroups) {
    const std::array lists{&inputs.pair.syntheticToSynthetic, &inputs.pair.synthetic.nearest};
    const SampleUnits* units = inputs.results.find<SampleUnits>();
    const RowGroups syntheticGroups =
        groupRows(lists, inputs.seed, units != nullptr ? std::span(units->unit) : std::span<const std::uint32_t>());
    std::vector<Replicates> replicates = jackknife(inputs, metrics, realGroups, syntheticGroups);
    std::vector<double> deviations(metrics.size());
    std::ranges::transform(replicates, deviations.begin(), deviationOf);
    std::vector<MetricUncertainty> found(metrics.size());
    for (std::size_t m = 0; m < metrics.size(); ++m) {
        const Average& average = *metrics[m]->average;
        const auto raw = std::ranges::find(metrics, average.raw.empty() ? metrics[m]->id : average.raw, &Metric::id);
        const double deviation = deviations[static_cast<std::size_t>(raw - metrics.begin())];
        const std::optional<Bounds> exact = average.exact == nullptr ? std::nullopt : average.exact(inputs);
        found[m].bounds = jackknifeBounds(*metrics[m], deviation, exact, inputs, model);
        found[m].resamples.id = metrics[m]->id;
        if (!exact) // else they show next to nothing
            found[m].resamples.replicates = std::move(replicates[m]);
    }
    return found;
}

} // namespace

void insertInterval(std::vector<MetricInterval>& intervals, const MetricInterval& added) {
    const auto placeOf = [](std::string_view id) { return findMetric(id); }; // rows of one array
    const auto at = std::ranges::find_if(
        intervals, [&](const MetricInterval& interval) { return placeOf(interval.id) > placeOf(added.id); });
    intervals.insert(at, added);
}

Uncertainty resampleMetrics(const MetricInputs& given, const ModelAudit& model,
                            std::span<const std::uint32_t> realUnits) {
    MetricInputs inputs = given;
    const RowGroups realGroups = groupRows(std::array{&inputs.real.neighbors}, inputs.seed, realUnits);
    const bool canLeaveOut = jackknifeServes(inputs.real, realGroups);
    std::vector<const Metric*> all;
    std::array<std::vector<const Metric*>, 2> byMethod; // bootstrap, jackknife
    for (const Metric& metric : metricCatalog()) {
        if (metric.average == nullptr || !inputs.results.has(metric.needs))
            continue;
        all.push_back(&metric);
        byMethod[canLeaveOut && isFromTables(metric) ? 1 : 0].push_back(&metric);
    }
    inputs.job = given.job.part({}, 0.0, 0.5);
    std::vector<MetricUncertainty> found = bootstrapped(inputs, model, byMethod[0]);
    inputs.job = given.job.part({}, 0.5, 1.0);
    std::ranges::move(jackknifed(inputs, model, byMethod[1], realGroups), std::back_inserter(found));
    Uncertainty result;
    for (const Metric* metric : all) {
        const auto of =
            std::ranges::find(found, metric->id, [](const MetricUncertainty& one) { return one.resamples.id; });
        result.intervals.push_back({metric->id, of->bounds.low, of->bounds.high});
        if (!of->resamples.values.empty() || !of->resamples.replicates.empty())
            result.resamples.push_back(std::move(of->resamples));
    }
    return result;
}

} // namespace assay
