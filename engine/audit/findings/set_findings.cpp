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

/// A ratio above 100 with three significant digits: "31,500".
std::string timesText(double ratio) {
    const double unit = std::pow(10.0, std::floor(std::log10(ratio)) - 2.0);
    return assay::countText(static_cast<std::size_t>(std::llround(std::round(ratio / unit) * unit)));
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
    finding.sentence = fmt::format("{} of its samples have at least {} exact duplicates; of the real samples, {} do.",
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
    findings.push_back(ofValue(
        shrunken ? "shrunken" : "scattered", value,
        shrunken ? "Its samples vary less than real ones (" + percentText(value) + " smaller distances)."
                 : "Its samples are more spread out than real ones (" + percentText(value) + " larger distances)."));
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
    finding.sentence = "With only " + countText(rows, "sample", "samples") + ", its " +
                       (widest == "clipped_density" ? "clipped density" : "clipped coverage") + " is uncertain by ± " +
                       roundedText(half) + ".";
    finding.advice = fmt::format("About {} would bring that down to ± {}{}.", countText(wanted, "sample", "samples"),
                                 roundedText(finding.kind->reportFrom),
                                 in.real.set->rows() < wanted ? ", if the real set has as many" : "");
    findings.push_back(std::move(finding));
}

void addSizes(const FindingInputs& in, std::vector<Finding>& findings) {
    const std::size_t n = in.real.set->rows();
    const std::size_t m = in.model.set->rows();
    if (!alikeInSize(in))
        findings.push_back(
            ofValue("sizes", shareOf(std::max(n, m), std::min(n, m)) - 1.0,
                    fmt::format("The sets differ in size: {} synthetic and {} real samples.", assay::countText(m),
                                assay::countText(n)),
                    "That alone changes PCE, RCE, RE and every score that counts the balls of synthetic samples: "
                    "compare models of equal size only. Clipped coverage and the verdicts correct for it." +
                        std::string(in.real.set->isWhole() && in.model.hasColumn("verdict") &&
                                            !in.model.hasColumn("coverage_verdict")
                                        ? " Which real samples are missed cannot be told: there are too few."
                                        : "")));
}

void addTies(const FindingInputs& in, std::vector<Finding>& findings) {
    if (!in.model.hasMetric("degenerate_neighbors"))
        return;
    const std::size_t distances = 2 * (in.real.set->rows() + in.model.set->rows());
    const double share = in.model.metric("degenerate_neighbors") / static_cast<double>(distances);
    findings.push_back(ofValue("ties", share,
                               fmt::format("{} of the distances to the k-th nearest neighbour (k = {}) are 0: many "
                                           "samples are identical.",
                                           percentText(share), in.real.k),
                               "PCE, RCE and RE mean little here. The verdicts count identical samples instead."));
}

void addRealDuplicates(const FindingInputs& in, std::vector<Finding>& findings) {
    const std::vector<std::uint32_t> rows = atDistanceZero(in.real.neighbors);
    const double share = shareOf(rows.size(), in.real.set->rows());
    findings.push_back(ofValue("real_duplicates", share,
                               percentText(share) + " of the real samples have an exact duplicate in the real set.",
                               "They can hide copies: a copy of such a sample is no closer than its duplicate."));
    findings.back().side = Side::Real;
    findings.back().rows = rows;
}

void addHeldOutLeaks(const FindingInputs& in, std::vector<Finding>& findings) {
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
    finding.sentence = percentText(finding.value) + " of the held-out samples are in the real set too" +
                       (among > 0.0 ? "; of the real samples, " + percentText(among) + " occur more than once." : ".");
    finding.advice = "Held-out samples must not be training samples, or copies go unnoticed.";
    if (finding.value <= among)
        finding.advice += " Where rows repeat naturally, as combinations of categories do, this is no sign of a leak.";
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
    const bool one = large.size() == 1;
    finding.sentence = listText(large, kNamedFeatures) + (one ? " dominates" : " dominate") +
                       " every distance: " + (one ? "it varies up to " : "they vary up to ") +
                       timesText(finding.value) + " times as much as other features.";
    finding.advice = "Standardise the features? Use --scale zscore, or Scaling when you open the files.";
    findings.push_back(std::move(finding));
}

void addBuiltIn(const FindingInputs& in, std::vector<Finding>& findings) {
    const std::string& name = in.real.set->source().builtIn;
    if (name.empty())
        return;
    const bool isSeries = in.real.set->preparation()->window.steps > 0;
    const std::string sentence =
        "The scores come from the built-in embedding " + name +
        (isSeries ? ". It compares windows step by step: a shift in time or another phase counts as another shape."
                  : ". It sees colours and layout, but no texture, no fine detail and not what a picture shows.");
    const std::string advice =
        isSeries
            ? "It finds copies, collapse and noise. To judge whether a series looks real, use the embeddings "
              "of a network."
            : "It finds copies, collapse and noise. To judge whether a picture looks real, use the embeddings of a "
              "network and join the pictures to them.";
    findings.push_back(ofValue("built_in_embedding", 1.0, sentence, advice));
}

} // namespace assay::findings
