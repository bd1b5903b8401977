#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/data/matrix_view.h"
#include "engine/math/statistics/column_moments.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/verdicts.h"

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

/// Whether most of what is wrong with single samples is that they crowd, as samples do that vary too little.
bool explainsCrowds(const std::vector<Finding>& findings) {
    double crowded = 0.0;
    double others = 0.0;
    for (const Finding& finding : findings)
        if (isOneOf(finding, {"copy", "unrealistic", "invented", "crowded"}))
            (finding.kind->id == "crowded" ? crowded : others) += finding.value;
    return others <= crowded || others == 0.0;
}

} // namespace

void addRowOrder(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.tests == nullptr || !in.tests->order.areNeighborsAlike())
        return;
    Finding finding = ofValue("real_ordered", in.tests->order.excess());
    finding.place = place::kOrder;
    finding.sentence = "Neighbouring rows of the real file are alike: if they are slices, frames or augmentations of "
                       "one thing, the verdicts may be wrong until their groups are given.";
    finding.advice =
        "Samples that belong together (a patient, a video, a series) form groups; a new group is far from all "
        "others without being wrong. Give the groups: a column, an array 'groups' or a file (--groups in the "
        "terminal).";
    findings.push_back(std::move(finding));
}

void addSpread(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.labels == nullptr || in.labels->coverageRatio.empty())
        return;
    const double ratio = in.labels->spreadRatio;
    const double deviations = in.labels->spreadDeviations;
    constexpr double kReported = 3.0;
    constexpr double kMarks = 4.0;
    if (std::abs(deviations) < kReported || (ratio > 0.9 && ratio < 1.1))
        return;
    const bool shrunken = ratio < 1.0;
    // Where nearly all are unrealistic, that they are spread out says nothing more.
    constexpr double kMaxly = 0.9;
    const bool hopeless =
        !shrunken && in.model.hasMetric("verdict_rejected") && in.model.metric("verdict_rejected") >= kMaxly;
    Finding finding = ofValue(shrunken ? "shrunken" : "scattered", ratio);
    finding.sentence =
        shrunken ? fmt::format("Its samples vary less than real ones: nearest neighbours are {} closer.",
                               percentText(1.0 - ratio))
        : ratio < 3.0
            ? fmt::format("Its samples are more spread out than real ones: nearest neighbours are {} farther apart.",
                          percentText(ratio - 1.0))
            : fmt::format(
                  "Its samples are more spread out than real ones: nearest neighbours are {} times as far apart.",
                  factorText(ratio));
    finding.advice = shrunken ? "Sample with more temperature or less truncation or guidance, or train a model of more "
                                "variety."
                              : "The model adds noise. Sample with less temperature, or train longer.";
    const bool large = shrunken ? ratio < 0.8 : ratio > 1.2;
    finding.marksModel = std::abs(deviations) >= kMarks && large && !hopeless;
    if (!hopeless)
        finding.place = !shrunken || !large        ? place::kSpread
                        : explainsCrowds(findings) ? place::kShrunken
                                                   : place::kAfterVerdicts;
    findings.push_back(std::move(finding));
}

void addFewSamples(const FindingInputs& in, std::vector<Finding>& findings) {
    constexpr std::size_t kFew = 100;
    const bool units = in.real.partition != nullptr && !in.real.partition->isTrivial();
    const std::size_t real = units ? in.real.partition->rows.size() : in.real.set->rows();
    const std::size_t few = std::min(real, in.unitCount());
    if (few >= kFew)
        return;
    findings.push_back(ofValue("few_samples", static_cast<double>(few),
                               fmt::format("There are only {} {}{}: small faults cannot be seen.", few,
                                           real == few ? "real " : "synthetic ",
                                           real != few ? (in.unitCount() < in.model.set->rows() ? "groups" : "samples")
                                           : !units    ? "samples"
                                           : in.real.partition->byGroup ? "groups"
                                                                        : "samples that are no repeats of each other"),
                               "A few hundred samples of each set find most faults."));
}

void addFrechet(const FindingInputs& in, std::vector<Finding>& findings) {
    constexpr double kMuch = 0.25;
    if (in.tail == nullptr || in.tail->rows.empty())
        return;
    const double share = 1.0 - in.tail->without / in.tail->random;
    if (!(share >= kMuch))
        return;
    findings.push_back(ofValue(
        "frechet_few", share,
        fmt::format("A tenth of its samples make {} of its Fréchet distance: it is {} without them, {} without as "
                    "many at random.",
                    percentText(share), roundedText(in.tail->without), roundedText(in.tail->random)),
        "Look at these first: the column Share in the Fréchet distance ranks all samples."));
    findings.back().rows = in.tail->rows;
}

void addRepeats(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.real.partition != nullptr && in.real.partition->repeats > 0) {
        const std::size_t repeats = in.real.partition->repeats;
        findings.push_back(
            ofValue("near_repeats", static_cast<double>(repeats),
                    countText(repeats, "real row nearly repeats", "real rows nearly repeat") + " another.",
                    "Rows that repeat each other count as one sample where samples are judged."));
        findings.back().side = Side::Real;
    }
    constexpr double kMany = 0.1;
    const double linked = in.real.partition == nullptr ? 0.0 : shareOf(in.real.partition->linked, in.real.set->rows());
    if (linked >= kMany && !in.real.set->hasGroups()) {
        findings.push_back(
            ofValue("ungrouped", linked,
                    percentText(linked) +
                        " of the real samples have near repeats. If they belong together (patients, videos), say so by "
                        "--groups: verdicts assume independent samples.",
                    "Groups are a column of the table, an array 'groups' or a file: --groups in the terminal, Groups "
                    "when you open the files."));
        findings.back().side = Side::Real;
    }
    if (in.real.set->hasGroups() && in.real.partition != nullptr && !in.real.partition->byGroup)
        findings.push_back(
            ofValue("ungrouped", 1.0,
                    "The groups are not used where several processes share an audit: its verdicts assume "
                    "independent samples.",
                    "Judge it in one process."));
    const std::vector<std::uint32_t> rows = atDistanceZero(in.real.neighbors);
    constexpr double kReported = 0.01;
    const double share = shareOf(rows.size(), in.real.set->rows());
    if (share < kReported)
        return;
    findings.push_back(ofValue("real_duplicates", share,
                               percentText(share) + " of the real samples have an exact duplicate in the real set.",
                               "Where rows repeat naturally, equality with a real row is no sign of copying."));
    findings.back().side = Side::Real;
    findings.back().rows = rows;
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
    constexpr double kReported = 0.01;
    if (share < kReported)
        return;
    findings.push_back(ofValue("ties", share,
                               fmt::format("{} of the distances to the k-th nearest neighbour (k = {}) are 0: many "
                                           "samples are identical.",
                                           percentText(share), in.real.k),
                               "PCE, RCE and RE mean little here. The verdicts count identical samples instead."));
}

void addScales(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.described == nullptr)
        return;
    const FeatureScales& scales = in.described->scales;
    if (!(scales.typical > 0.0) || in.real.set->preparation()->scaling != Scaling::None)
        return;
    Finding finding = ofValue("scales", scales.largest / scales.typical);
    constexpr double kReported = 100.0;
    if (finding.value < kReported)
        return;
    const std::vector<std::string> large = largeFeatures(*in.real.set, kReported * scales.typical);
    const bool one = large.size() == 1;
    finding.sentence = listText(large, kNamedFeatures) + (one ? " dominates" : " dominate") +
                       " every distance: " + (one ? "it varies up to " : "they vary up to ") +
                       factorText(finding.value, 3) + " times as much as other features.";
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
