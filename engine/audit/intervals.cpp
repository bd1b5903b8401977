#include "engine/audit/intervals.h"

#include "engine/audit/audit_result.h"
#include "engine/demo/random.h"
#include "engine/metrics/averages.h"
#include "engine/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

namespace assay {
namespace {

/// The terms of one side that metrics ask for, each once, and their means in every resample.
class SideResamples {
public:
    explicit SideResamples(Side side) : side_(side) {}

    void add(const Term& term) {
        if (term.side == side_ && std::find(terms_.begin(), terms_.end(), &term) == terms_.end())
            terms_.push_back(&term);
    }

    void draw(const MetricInputs& inputs, const ModelAudit& model, std::uint64_t seed) {
        std::vector<std::vector<double>> columns;
        for (const Term* term : terms_)
            columns.push_back(term->column.empty() ? term->values(inputs) : model.column(term->column));
        means_ = resampledMeans(columns, {kResamples, seed, inputs.threads}, inputs.job);
    }

    double mean(const Term& term, std::size_t resample) const {
        const auto at = std::find(terms_.begin(), terms_.end(), &term);
        return means_[resample * terms_.size() + static_cast<std::size_t>(at - terms_.begin())];
    }

private:
    Side side_;
    std::vector<const Term*> terms_;
    std::vector<double> means_;
};

/// Whether everything is there that the average is found from.
bool canResample(const Metric& metric, const MetricInputs& inputs, const ModelAudit& model) {
    if (metric.average == nullptr || !inputs.have(metric.needs))
        return false;
    return std::all_of(metric.average->terms.begin(), metric.average->terms.end(), [&](const Term* term) {
        return term == nullptr || term->column.empty() || model.hasColumn(term->column);
    });
}

/// Draws of a shift and with which of them, and which sign, each resample is combined: the same for every metric and
/// every model of an audit.
class Shifts {
public:
    explicit Shifts(std::uint64_t seed) : seed_(streamSeed(seed, "shifts")) {}

    double at(const std::vector<double>& draws, std::size_t resample) const {
        if (draws.empty())
            return 0.0;
        demo::Random random = demo::Random::forItem(seed_, resample);
        const double shift = draws[random.below(draws.size())];
        return random.below(2) == 0 ? shift : -shift;
    }

private:
    std::uint64_t seed_;
};

/// The interval of a figure from its resamples before they are capped. The long-run mean of a capped figure is not the
/// capped mean: near the cap it is below, because only what scatters downwards is left of the scatter. So the bounds
/// for the uncapped mean are carried over to the capped one by what a mean there would come to under the same scatter.
Bounds boundsOf(const std::vector<double>& resamples, double cap, double value) {
    const Bounds uncapped = percentileBounds(resamples);
    if (std::isinf(cap) || std::isnan(uncapped.low))
        return uncapped;
    const auto count = static_cast<double>(resamples.size());
    const double mean = std::accumulate(resamples.begin(), resamples.end(), 0.0) / count;
    const auto cappedMeanAt = [&](double centre) {
        double sum = 0.0;
        for (const double resample : resamples)
            sum += std::min(centre + resample - mean, cap);
        return sum / count;
    };
    return {std::min(cappedMeanAt(uncapped.low), value), std::max(cappedMeanAt(uncapped.high), value)};
}

} // namespace

Uncertainty resampleMetrics(const MetricInputs& inputs, const ModelAudit& model) {
    std::vector<const Metric*> metrics;
    SideResamples synthetic(Side::Synthetic);
    SideResamples real(Side::Real);
    std::map<std::vector<double> (*)(const MetricInputs&), std::vector<double>> shiftsOf; // each computed once
    for (const Metric& metric : metricCatalog()) {
        if (!canResample(metric, inputs, model))
            continue;
        metrics.push_back(&metric);
        for (const Term* term : metric.average->terms) {
            if (term == nullptr)
                continue;
            synthetic.add(*term);
            real.add(*term);
        }
        if (const auto draw = metric.average->shifts; draw != nullptr && !shiftsOf.contains(draw))
            shiftsOf.emplace(draw, draw(inputs));
    }
    // The same samples give the same resamples, whatever the model is called: a set compared with itself is no
    // different.
    const std::string& sha256 = model.set->source().sha256;
    synthetic.draw(inputs, model, streamSeed(inputs.seed, "synthetic " + (sha256.empty() ? model.name : sha256)));
    real.draw(inputs, model, streamSeed(inputs.seed, "real"));

    const Shifts shifts(inputs.seed);
    Uncertainty result;
    for (const Metric* metric : metrics) {
        const Average& average = *metric->average;
        const Combine combine = average.combine == nullptr ? Combine() : average.combine(inputs);
        const std::vector<double> draws = average.shifts == nullptr ? std::vector<double>() : shiftsOf[average.shifts];
        std::vector<double> values(kResamples);
        for (std::size_t b = 0; b < kResamples; ++b) {
            std::array<double, std::tuple_size_v<decltype(average.terms)>> means{};
            for (std::size_t t = 0; t < means.size(); ++t)
                if (const Term* term = average.terms[t])
                    means[t] = (term->side == Side::Synthetic ? synthetic : real).mean(*term, b);
            values[b] = combine ? combine(means, shifts.at(draws, b)) : means[0];
        }
        const Bounds bounds = boundsOf(values, average.cap, model.metric(metric->id));
        for (double& value : values)
            value = std::min(value, average.cap);
        result.intervals.push_back({metric->id, bounds.low, bounds.high});
        result.resamples.push_back({metric->id, std::move(values)});
    }
    return result;
}

} // namespace assay
