#include "engine/audit/findings/examples.h"
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/data/brief_text.h"
#include "engine/data/gather_rows.h"
#include "engine/metrics/verdicts/equal_rows.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <array>

namespace assay::findings {
namespace {

std::vector<std::uint32_t> rowsWith(const std::vector<double>& values, double wanted) {
    return rowsWhere(values.size(), [&](std::size_t row) { return values[row] == wanted; });
}

/// Whether more than half of these samples lie in no real ball.
bool mostlyOutside(const FindingInputs& in, const std::vector<std::uint32_t>& rows) {
    const std::vector<std::uint32_t>& balls = in.model.tables->ballsHolding;
    const auto outside = std::count_if(rows.begin(), rows.end(), [&](std::uint32_t row) { return balls[row] == 0; });
    return 2 * static_cast<std::size_t>(outside) > rows.size();
}

/// The real samples that these copies are of: "of real ones", or how many if they are few: "of only 12 real samples".
std::string originalsText(const FindingInputs& in, const std::vector<std::uint32_t>& copies) {
    std::vector<std::uint32_t> originals;
    originals.reserve(copies.size());
    for (const std::uint32_t row : copies)
        originals.push_back(in.model.tables->syntheticToReal.indexAt(row, 0));
    std::ranges::sort(originals);
    originals.erase(std::unique(originals.begin(), originals.end()), originals.end());
    if (kCopiesPerOriginal * originals.size() > copies.size())
        return "of real ones";
    if (originals.size() == 1)
        return "of one real sample (" + briefText(in.real.set->idText(originals.front())) + ")";
    return "of only " + countText(originals.size(), "real sample", "real samples");
}

/// A finding for the samples with one verdict. Its value is 0 if all of them may be among the expected false
/// rejections.
Finding accused(const FindingInputs& in, Verdict verdict, std::string_view kind, std::string_view metric) {
    Finding finding = ofMetric(in, kind, metric);
    finding.rows = rowsWith(in.model.column("verdict"), static_cast<double>(verdict));
    finding.rules = {verdictRule()};
    if (finding.value <= in.falseDiscoveryRate * in.model.metric("verdict_rejected"))
        finding.value = 0.0;
    return finding;
}

/// Real samples that the model misses. Where at least k real samples are equal their numbers speak, and have to be
/// sure: by distances alone, six of one combination are missed as soon as the model has four.
std::vector<std::uint32_t> missedRows(const FindingInputs& in) {
    std::vector<std::uint32_t> rows =
        rowsWith(in.model.column("coverage_verdict"), static_cast<double>(CoverageVerdict::Missed));
    const auto hasEqual = [&](std::uint32_t row) { return in.real.radius[row] == 0.0; };
    if (std::ranges::none_of(rows, hasEqual))
        return rows;
    const EqualRows equal = groupEqualRows(std::array{in.real.set->matrix(), in.model.set->matrix()}, {});
    const std::vector<std::uint32_t> inReal = equal.countsOf(0);
    const std::vector<std::uint32_t> inModel = equal.countsOf(1);
    std::erase_if(rows, [&](std::uint32_t row) {
        const std::uint32_t group = equal.group[0][row];
        return hasEqual(row) &&
               !surelyFewer({inModel[group], in.model.set->rows()}, {inReal[group], in.real.set->rows()});
    });
    return rows;
}

} // namespace

void addAccused(const FindingInputs& in, std::vector<Finding>& findings) {
    if (!in.model.hasColumn("verdict"))
        return;
    const std::string rate =
        "Of the samples called bad, at most " + percentText(in.falseDiscoveryRate) + " should be good ones.";
    Finding copies = accused(in, Verdict::Copy, "copies", "verdict_copy");
    copies.sentence = percentText(copies.value) + " of its samples are copies " + originalsText(in, copies.rows) + ".";
    copies.advice = "Each is far closer to one real sample than any other real sample is. If the model was trained on "
                    "the real set, it has memorised these samples. " +
                    rate;
    Finding crowd = accused(in, Verdict::OverRepresented, "over_represented", "verdict_over_represented");
    crowd.sentence = percentText(crowd.value) + " of its samples crowd into regions with " +
                     (mostlyOutside(in, crowd.rows) ? "almost no real data." : "little real data.");
    crowd.advice = "The model puts far more samples there than the real data has. " + rate;
    Finding far = accused(in, Verdict::Unrealistic, "unrealistic", "verdict_unrealistic");
    far.sentence = percentText(far.value) + " of its samples are unrealistic.";
    far.advice = "They are farther from the real samples than real samples are from each other. " + rate;
    for (Finding* finding : {&copies, &crowd, &far})
        findings.push_back(std::move(*finding));
}

namespace {

/// Samples that calibrate the verdicts.
std::size_t goodSamples(const ModelAudit& model) {
    return model.good.empty() ? 0 : model.good.front().values.size();
}

/// Half a 95 % interval of estimated_bad for the choice of the good samples, which its own interval holds fixed: the
/// share of equal samples beyond their median is off by sqrt(1/4 / good), and counts twice.
double calibrationHalf(const ModelAudit& model) {
    const std::size_t good = goodSamples(model);
    return good == 0 ? 0.0 : 1.96 / std::sqrt(static_cast<double>(good));
}

std::string whyUnnamed(const FindingInputs& in, double share) {
    const std::size_t good = goodSamples(in.model);
    // The smallest p-value of a sample is 3 / (good + 1); that many samples share the allowed rate.
    const double needed = 3.0 / (std::max(share, 1e-6) * in.falseDiscoveryRate);
    return static_cast<double>(good) + 1.0 < needed
               ? countText(good, "good sample is", "good samples are") + " too few to point at single ones"
               : "too slightly to point at single samples";
}

} // namespace

void addUnnamedBad(const FindingInputs& in, std::vector<Finding>& findings) {
    if (!in.model.hasMetric("estimated_bad"))
        return;
    const double named = namedShare(in.model, findings);
    const double value = badShare(in.model, findings) - named;
    Finding finding = ofValue("unnamed_bad", value);
    if (const std::optional<MetricInterval> bad = badInterval(in.model, findings)) {
        const double more = calibrationHalf(in.model);
        finding.low = value - std::hypot(value - (bad->low - named), more);
        finding.high = value + std::hypot(bad->high - named - value, more);
        if (*finding.low <= 0.0) // nothing that is sure
            return;
    }
    finding.sentence = "About " + percentText(value) + " of its samples are off, but " + whyUnnamed(in, value) + ".";
    finding.advice = "Rejecting single samples will not help; longer training or a better model may.";
    findings.push_back(std::move(finding));
}

void addMissed(const FindingInputs& in, std::vector<Finding>& findings) {
    if (!in.model.hasColumn("coverage_verdict"))
        return;
    Finding finding = ofMetric(in, "missed", "coverage_missed");
    finding.side = Side::Real;
    finding.rows = missedRows(in);
    // Its interval is that of the metric, moved with the value.
    const double value = static_cast<double>(finding.rows.size()) / static_cast<double>(in.real.set->rows());
    const double moved = value - finding.value;
    finding.value = value;
    if (finding.low && finding.high) {
        finding.low = *finding.low + moved;
        finding.high = *finding.high + moved;
    }
    finding.sentence = "It misses " + percentText(finding.value) + " of the real data.";
    finding.advice = "Too few of its samples lie near these real ones.";
    findings.push_back(std::move(finding));
}

} // namespace assay::findings
