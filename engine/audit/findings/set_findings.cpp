#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/data/gather_rows.h"
#include "engine/math/statistics/binomial.h"
#include "engine/math/statistics/feature_scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace assay::findings {
namespace {

constexpr std::size_t kNamedFeatures = 5;

std::vector<std::uint32_t> atDistanceZero(const NeighborTable& table) {
    return rowsWhere(table.rows(), [&](std::size_t row) { return table.distanceAt(row, 0) == 0.0; });
}

double shareOf(std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

bool alikeInSize(const FindingInputs& in) {
    const auto n = static_cast<double>(in.real.set->rows());
    const auto m = static_cast<double>(in.model.set->rows());
    return std::max(n, m) <= 1.1 * std::min(n, m);
}

/// Names of the features with at least this standard deviation, largest deviation first.
std::vector<std::string> largeFeatures(const EmbeddingSet& real, double least) {
    const std::vector<double> deviations = featureDeviations(real.matrix());
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < deviations.size(); ++c)
        if (deviations[c] >= least)
            columns.push_back(c);
    std::ranges::stable_sort(columns, std::greater(), [&](std::size_t c) { return deviations[c]; });
    const std::vector<std::string>& names = real.source().columnNames;
    std::vector<std::string> texts;
    texts.reserve(columns.size());
    for (const std::size_t c : columns)
        texts.push_back(c < names.size() ? "'" + names[c] + "'" : "column " + std::to_string(c));
    return texts;
}

std::size_t zerosIn(const std::vector<double>& distances) {
    return static_cast<std::size_t>(std::count(distances.begin(), distances.end(), 0.0));
}

/// Too little variety where k-th distances are 0, so that RE would be minus infinity: by the share of such samples.
void addSpreadOfTies(const FindingInputs& in, std::size_t zeros, std::size_t realZeros,
                     std::vector<Finding>& findings) {
    const std::size_t n = in.real.set->rows();
    const std::size_t m = in.model.set->rows();
    if (m > n && !alikeInSize(in)) // larger sets have more equal samples
        return;
    // Samples with k equal ones come in groups of at least k + 1, each of which counts as one sample.
    const auto grouped = [&](std::size_t count) { return std::max<std::size_t>(1, count / (in.real.k + 1)); };
    const double low = clopperPearson(zeros / (in.real.k + 1), grouped(m)).low;
    const double high = clopperPearson(realZeros / (in.real.k + 1), grouped(n)).high;
    if (low <= high)
        return;
    Finding finding = ofValue("shrunken", shareOf(zeros, m) - shareOf(realZeros, n));
    finding.low = low - high;
    finding.high = 1.0;
    finding.sentence = fmt::format("{} of its samples have at least {} equal ones, and {} of the real samples do: it "
                                   "has too little variety.",
                                   percentText(shareOf(zeros, m)), in.real.k, percentText(shareOf(realZeros, n)));
    findings.push_back(std::move(finding));
}

} // namespace

void addSpread(const FindingInputs& in, std::vector<Finding>& findings) {
    const std::vector<double>& radii = in.model.tables->syntheticRadius;
    const std::size_t zeros = zerosIn(radii);
    const std::size_t realZeros = zerosIn(in.real.radius);
    constexpr double kTies = 0.01; // a mean of logarithms says nothing about zeros
    if (shareOf(zeros, radii.size()) > kTies || shareOf(realZeros, in.real.radius.size()) > kTies) {
        addSpreadOfTies(in, zeros, realZeros, findings);
        return;
    }
    // Between sets of different sizes distances differ for that reason alone.
    const MetricInterval* interval = in.model.interval("re");
    if (interval == nullptr || !alikeInSize(in))
        return;
    // RE is d times the mean logarithm of how much farther apart synthetic samples are than real ones.
    const auto dim = static_cast<double>(in.real.set->dim());
    const double ratio = std::exp(in.model.metric("re") / dim);
    const double low = std::exp(interval->low / dim);
    const double high = std::exp(interval->high / dim);
    const bool shrunken = high < 1.0;
    if (!shrunken && !(low > 1.0))
        return;
    const double value = shrunken ? 1.0 - ratio : ratio - 1.0;
    findings.push_back(ofValue(shrunken ? "shrunken" : "scattered", value,
                               "Its samples are " + percentText(value) +
                                   (shrunken ? " nearer to each other than real ones: it has too little variety."
                                             : " farther from each other than real ones: too scattered.")));
    findings.back().low = shrunken ? 1.0 - high : low - 1.0;
    findings.back().high = shrunken ? 1.0 - low : high - 1.0;
}

void addFewSamples(const FindingInputs& in, std::vector<Finding>& findings) {
    double half = 0.0;
    std::string_view widest;
    for (const std::string_view id : {"clipped_density", "clipped_coverage"})
        if (const MetricInterval* interval = in.model.interval(id);
            interval != nullptr && (interval->high - interval->low) / 2.0 > half) {
            half = (interval->high - interval->low) / 2.0;
            widest = id;
        }
    if (widest.empty())
        return;
    const std::size_t rows = in.model.set->rows();
    Finding finding = ofValue("few_samples", half);
    const auto wanted = static_cast<std::size_t>(
        std::ceil(static_cast<double>(rows) * std::pow(half / finding.kind->reportFrom, 2.0) / 100.0) * 100.0);
    finding.sentence = "With " + countText(rows, "sample", "samples") + " its " +
                       (widest == "clipped_density" ? "clipped density" : "clipped coverage") + " is known only to ± " +
                       roundedText(half) + ".";
    finding.advice = fmt::format("Some {} would bring that to ± {}, where the real set has as many.",
                                 countText(wanted, "sample", "samples"), roundedText(finding.kind->reportFrom));
    findings.push_back(std::move(finding));
}

void addSizes(const FindingInputs& in, std::vector<Finding>& findings) {
    const std::size_t n = in.real.set->rows();
    const std::size_t m = in.model.set->rows();
    if (!alikeInSize(in))
        findings.push_back(
            ofValue("sizes", shareOf(std::max(n, m), std::min(n, m)) - 1.0,
                    fmt::format("The sets differ in size: {} synthetic against {} real samples.", m, n),
                    "That alone moves PCE, RCE and RE, and every score that counts the balls of synthetic samples; "
                    "compare models of equal size. Clipped coverage and the verdicts take it into account."));
}

void addTies(const FindingInputs& in, std::vector<Finding>& findings) {
    if (!in.model.hasMetric("degenerate_neighbors"))
        return;
    const std::size_t distances = 2 * (in.real.set->rows() + in.model.set->rows());
    const double share = in.model.metric("degenerate_neighbors") / static_cast<double>(distances);
    findings.push_back(ofValue("ties", share,
                               fmt::format("{} of the distances to a {}th neighbour are 0: many samples are the same.",
                                           percentText(share), in.real.k),
                               "Entropies mean little there. Verdicts count equal samples instead."));
}

void addRealDuplicates(const FindingInputs& in, std::vector<Finding>& findings) {
    const std::vector<std::uint32_t> rows = atDistanceZero(in.real.neighbors);
    const double share = shareOf(rows.size(), in.real.set->rows());
    findings.push_back(ofValue("real_duplicates", share,
                               percentText(share) + " of the real samples equal another real one.",
                               "They hide copies: a copy of a duplicate is no nearer than the duplicate."));
    findings.back().side = Side::Real;
    findings.back().rows = rows;
}

void addLeaks(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.heldOut == nullptr)
        return;
    const ModelAudit& heldOut = *in.heldOut;
    const std::vector<std::uint32_t> rows = atDistanceZero(heldOut.tables->syntheticToReal);
    Finding finding = ofValue("held_out_leaks", shareOf(rows.size(), heldOut.set->rows()));
    finding.side = Side::Real;
    for (const std::uint32_t row : rows)
        finding.rows.push_back(heldOut.tables->syntheticToReal.indexAt(row, 0));
    std::sort(finding.rows.begin(), finding.rows.end());
    finding.rows.erase(std::unique(finding.rows.begin(), finding.rows.end()), finding.rows.end());
    const double among = shareOf(atDistanceZero(in.real.neighbors).size(), in.real.set->rows());
    finding.sentence = percentText(finding.value) + " of the held-out samples equal a real one" +
                       (among > 0.0 ? "; of the real samples " + percentText(among) + " equal another one." : ".");
    finding.advice = "What is held out must not have been trained on, or copies look usual.";
    if (finding.value <= among)
        finding.advice += " Where rows repeat by nature, as combinations of categories do, this is no sign of it.";
    findings.push_back(std::move(finding));
}

void addScales(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.described == nullptr)
        return;
    const FeatureScales& scales = in.described->scales;
    if (!(scales.typical > 0.0) || in.real.set->preparation()->scaling != Scaling::None)
        return;
    Finding finding = ofValue("scales", scales.largest / scales.typical);
    if (finding.value < finding.kind->reportFrom)
        return;
    const std::vector<std::string> large = largeFeatures(*in.real.set, finding.kind->reportFrom * scales.typical);
    finding.sentence = "The features are on different scales: " + listText(large, kNamedFeatures) +
                       (large.size() == 1 ? " varies" : " vary") + " up to " + roundedText(finding.value) +
                       " times as much as a quarter of the others, and " + (large.size() == 1 ? "decides" : "decide") +
                       " every distance.";
    finding.advice = "Bring the features to one scale: with --scale zscore, or by Scaling in the dialog that opens "
                     "files.";
    findings.push_back(std::move(finding));
}

void addBuiltIn(const FindingInputs& in, std::vector<Finding>& findings) {
    const std::string& name = in.real.set->source().builtIn;
    if (name.empty())
        return;
    const bool isSeries = in.real.set->preparation()->window.steps > 0;
    const std::string sentence =
        "The scores are of the built-in embedding " + name +
        (isSeries ? ": it compares windows step by step, and takes a shift in time or another phase for "
                    "another shape."
                  : ": it sees colours and layout, and neither texture, fine detail nor what a picture "
                    "shows.");
    const std::string advice =
        isSeries ? "It finds copies, collapse and noise. Whether a series looks real takes the embeddings "
                   "of a network."
                 : "It finds copies, collapse and noise. Whether a picture looks real takes the embeddings of a "
                   "network, to which the pictures can be joined.";
    findings.push_back(ofValue("built_in_embedding", 1.0, sentence, advice));
}

} // namespace assay::findings
