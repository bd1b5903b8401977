#include "engine/report/parts/charts.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/math/statistics/histogram.h"
#include "engine/report/parts/chart_area.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace assay::report {
namespace {

constexpr double kHistogramHeight = 210.0;
constexpr std::size_t kMaxBins = 24; // keeps the bars wide enough to see

/// Contents of one histogram chart.
struct ScoreHistogram {
    ChartTitle title;
    std::string xTitle, yTitle;
    std::string style;            ///< style class of the bars
    std::vector<double> values;   ///< one per sample
    std::vector<double> compared; ///< values of the set to compare with, drawn as lines over the bars; may be empty
};

/// The share of all values in each bin, in [0, 1].
std::vector<double> shares(const HistogramBins& bins, std::span<const double> values) {
    std::vector<double> result;
    for (const std::size_t count : countPerBin(bins, values))
        result.push_back(static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(values.size(), 1)));
    return result;
}

/// Upper end of the y axis: the smallest of some round shares that contains all bars and lines.
double rangeOfShares(const std::vector<double>& bars, const std::vector<double>& lines) {
    double largest = 0.0;
    for (const std::vector<double>* part : {&bars, &lines})
        for (const double share : *part)
            largest = std::max(largest, share);
    for (const double round : {0.1, 0.2, 0.4, 0.6, 0.8})
        if (largest <= round)
            return round;
    return 1.0;
}

std::vector<double> evenTicks(double high, int steps) {
    std::vector<double> ticks;
    for (int step = 0; step <= steps; ++step)
        ticks.push_back(high * step / steps);
    return ticks;
}

/// Text such as "12 % of the samples at 0 and 63 % at 1."
std::string inWords(const HistogramBins& bins, const std::vector<double>& bars) {
    std::string text;
    constexpr std::size_t kListed = 12; // a longer list would be tiring in a screen reader
    if (!bins.discrete() || bars.size() > kListed)
        return "Lowest bin " + percentText(bars.front()) + " of the samples, highest bin " + percentText(bars.back()) +
               ".";
    for (std::size_t bin = 0; bin < bars.size(); ++bin)
        text += (text.empty() ? "" : ", ") + roundedText(bins.values[bin]) + ": " + percentText(bars[bin]);
    return "Share of samples at each value: " + text + ".";
}

void drawHistogram(HtmlWriter& html, const ScoreHistogram& drawn, std::size_t k) {
    const HistogramBins bins = chooseBins(drawn.values, Unit::Share, k, kMaxBins);
    if (bins.count() == 0)
        return;
    const std::vector<double> bars = shares(bins, drawn.values);
    const std::vector<double> lines = drawn.compared.empty() ? std::vector<double>() : shares(bins, drawn.compared);
    const double high = rangeOfShares(bars, lines);
    ChartTitle title = drawn.title;
    title.description += inWords(bins, bars);
    constexpr std::size_t kNamedValues = 8;
    const bool named = bins.discrete() && bins.count() <= kNamedValues;
    const ChartArea area(html, title, kHistogramHeight,
                         {drawn.xTitle, bins.edges.front(), bins.edges.back(), named ? bins.values : evenTicks(1.0, 5)},
                         {drawn.yTitle, 0.0, high, evenTicks(high, 4), true});
    constexpr double kGap = 1.0;
    for (std::size_t bin = 0; bin < bars.size(); ++bin) {
        const double left = area.xOf(bins.edges[bin]) + kGap;
        const double width = std::max(area.xOf(bins.edges[bin + 1]) - kGap - left, 0.5);
        const double top = area.yOf(bars[bin]);
        html.empty(
            "rect",
            {{"class", drawn.style}, {"x", left}, {"y", top}, {"width", width}, {"height", area.bottom() - top}});
    }
    for (std::size_t bin = 0; bin < lines.size(); ++bin)
        area.line(bins.edges[bin], lines[bin], bins.edges[bin + 1], lines[bin], "compared");
}

std::string anchor(std::size_t model, const char* part) {
    return "model-" + std::to_string(model + 1) + "-" + part;
}

} // namespace

void drawFidelityHistogram(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const ModelAudit& audited = *audit.models[model];
    ScoreHistogram drawn{{anchor(model, "fidelity"), "Fidelity of the synthetic samples", {}},
                         "Fidelity",
                         "Synthetic samples",
                         "bar synthetic",
                         audited.column("fidelity"),
                         {}};
    // Scores of the real samples by the same count: how many clipped balls of other real samples contain each of them.
    for (const std::uint32_t count : audit.real->innerHolding)
        drawn.compared.push_back(std::min(1.0, static_cast<double>(count) / static_cast<double>(audit.k)));
    drawHistogram(html, drawn, audit.k);
}

void drawCoverageHistogram(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const ScoreHistogram drawn{{anchor(model, "coverage"), "Coverage of the real samples", {}},
                               "Coverage",
                               "Real samples",
                               "bar real",
                               audit.models[model]->column("coverage"),
                               {}};
    drawHistogram(html, drawn, audit.k);
}

} // namespace assay::report
