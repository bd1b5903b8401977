#include "engine/audit/findings/findings.h"

#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"
#include "engine/base/number_text.h"
#include "engine/math/statistics/significance_tests.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/real_partition.h"
#include "engine/metrics/verdicts/sample_units.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace assay {

std::span<const FindingKind> findingKinds() {
    return findings::kKinds;
}

Finding oldVerdicts(const std::string& judgedBy) {
    return findings::ofValue("old_verdicts", 1.0,
                             "Its samples were judged by an earlier version (" + judgedBy +
                                 "), which accused some good models and missed some faults.",
                             "Judge it again: --open FILE --judge in the terminal, Edit > Judge again in the window.");
}

std::size_t FindingInputs::unitCount() const {
    return units == nullptr ? model.set->rows() : units->count(model.set->rows());
}

std::vector<Finding> findingsOf(const FindingInputs& in) {
    std::vector<Finding> all;
    for (const auto add : findings::kFamilies)
        add(in, all);
    if (!all.empty() && all.front().kind->id == "real_ordered")
        for (Finding& finding : all)
            finding.marksModel = finding.marksModel && finding.kind->is(FindingKind::Fact);
    constexpr double kNote = std::numeric_limits<double>::infinity();
    std::ranges::stable_sort(all, [&](const Finding& a, const Finding& b) {
        if (a.marksModel != b.marksModel)
            return a.marksModel;
        return a.place.value_or(kNote) < b.place.value_or(kNote);
    });
    return all;
}

bool isMarked(const ModelAudit& model) {
    return std::ranges::any_of(model.findings, &Finding::marksModel);
}

std::size_t gravestModel(const AuditResult& audit) {
    constexpr double kNoShare = 1e-3; // of marks that name no samples, such as too little variety
    const auto share = [&](const ModelAudit& model, const Finding& finding) {
        const std::size_t all = finding.side == Side::Real ? audit.real->set->rows() : model.set->rows();
        const double named =
            static_cast<double>(finding.rows.size()) / static_cast<double>(std::max<std::size_t>(all, 1));
        return std::max(kNoShare, finding.kind->is(FindingKind::OfCopies) ? 2.0 * named : named);
    };
    const auto gravity = [&](const std::shared_ptr<const ModelAudit>& model) {
        double gravest = 0.0;
        for (const Finding& finding : model->findings)
            if (finding.marksModel)
                gravest = std::max(gravest, share(*model, finding));
        return gravest;
    };
    return static_cast<std::size_t>(std::ranges::max_element(audit.models, {}, gravity) - audit.models.begin());
}

FilterRule verdictRule() {
    return {"verdict", Bound::AtMost, static_cast<double>(Verdict::Good)};
}

namespace findings {

bool isOneOf(const Finding& finding, std::initializer_list<std::string_view> ids) {
    return std::ranges::find(ids, finding.kind->id) != ids.end();
}

Finding ofValue(std::string_view kind, double value, std::string sentence, std::string advice) {
    return {.kind = findBy(kKinds, &FindingKind::id, kind),
            .value = value,
            .sentence = std::move(sentence),
            .advice = std::move(advice)};
}

Finding ofShare(std::string_view kind, std::size_t part, std::size_t whole, std::size_t units) {
    Finding finding = ofValue(kind, static_cast<double>(part) / static_cast<double>(whole));
    if (units > 0 && units < whole) {
        part = static_cast<std::size_t>(std::llround(finding.value * static_cast<double>(units)));
        whole = units;
    }
    const Bounds bounds = clopperPearson(part, whole);
    finding.low = bounds.low;
    finding.high = bounds.high;
    return finding;
}

bool surelyFewer(const Counted& first, const Counted& second) {
    return clopperPearson(first.count, first.of).high < kFarFewer * clopperPearson(second.count, second.of).low;
}

std::string countText(std::size_t count, std::string_view one, std::string_view many) {
    return assay::countText(count).append(" ").append(count == 1 ? one : many);
}

std::string factorText(double factor, int digits) {
    const double least = std::pow(10.0, digits);
    if (!(factor >= least - 0.5))
        return fmt::format("{:.{}g}", factor, digits);
    const double unit = std::pow(10.0, std::floor(std::log10(factor)) + 1.0 - digits);
    return assay::countText(static_cast<std::size_t>(std::llround(std::round(factor / unit) * unit)));
}

std::string listText(const std::vector<std::string>& items, std::size_t most) {
    std::string text;
    const std::size_t shown = items.size() <= most ? items.size() : most - 1;
    for (std::size_t i = 0; i < shown; ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    if (shown < items.size())
        text += " and " + std::to_string(items.size() - shown) + " more";
    return text;
}

} // namespace findings

// The first sentences about a model. docs/verdicts.md has the order and its reasons.

namespace {

using findings::isOneOf;

constexpr std::size_t kMaxSentences = 3;
constexpr double kGood = 0.95; ///< a score may be called good if its interval reaches this

/// A larger scale or a handful of outputs explains what is said of density, spread and features. Values that are too
/// small may also be a collapse.
bool isConsequence(const Finding& finding, const Finding& first) {
    const bool explains = isOneOf(first, {"collapse"}) || (isOneOf(first, {"scale"}) && first.value >= 1.0);
    return explains && finding.kind->is(FindingKind::Consequence);
}

/// "clipped density is 0.74 (0.66 to 0.81)" if the interval ends below kGood; else empty.
/// @param ofUnits of one real sample of each unit: it decides, and it is shown where units are no single rows
std::string lowScore(const FindingInputs& in, std::string_view id, std::string_view name, const BoundedScore& ofUnits) {
    BoundedScore shown = ofUnits;
    const MetricInterval* interval = in.model.interval(id);
    if (in.real.partition->isTrivial() && interval != nullptr)
        shown = {in.model.metric(id), interval->low, interval->high};
    if (shown.high >= kGood || ofUnits.high >= kGood)
        return {};
    const auto text = [](double value) { return fmt::format("{:.2f}", std::clamp(value, 0.0, 1.0)); };
    return fmt::format("{} is {} ({} to {})", name, text(shown.value), text(shown.low), text(shown.high));
}

} // namespace

std::string summaryOf(const FindingInputs& in, std::span<const Finding> all) {
    std::vector<const Finding*> against;
    for (const Finding& finding : all)
        if (finding.place)
            against.push_back(&finding);
    std::ranges::stable_sort(against, {}, [](const Finding* finding) { return *finding->place; });
    if (!against.empty())
        std::erase_if(against, [first = against.front()](const Finding* one) { return isConsequence(*one, *first); });
    against.resize(std::min(against.size(), kMaxSentences));
    std::string text;
    for (const Finding* finding : against)
        text += text.empty() ? finding->sentence : " " + (finding->brief.empty() ? finding->sentence : finding->brief);
    if (!text.empty())
        return text;
    if (in.verdicts == nullptr)
        return "A quick audit does not judge single samples: it looks at too few neighbours.";
    if (in.tests == nullptr)
        return "No fault found in single samples.";
    const bool ofReal = in.real.partition->byGroup;
    const bool isReal = ofReal && in.real.partition->rows.size() <= in.unitCount();
    const std::size_t few = isReal ? in.real.partition->rows.size() : in.unitCount();
    if ((ofReal || few < in.model.set->rows()) && few < kFewestGroups)
        return fmt::format("There {} only {} {}{}: too few to judge the model by.", few == 1 ? "is" : "are", few,
                           isReal ? "real " : "synthetic ", few == 1 ? "group" : "groups");
    if (in.units != nullptr && !in.units->areKnown)
        return "No fault found in single samples. Whether they crowd, or miss real ones, was not tested: give the "
               "model's groups, too, as some of its samples may belong together.";
    std::string low;
    for (const std::string& score :
         {lowScore(in, "clipped_density", "clipped density", in.tests->scores.clippedDensity),
          lowScore(in, "clipped_coverage", "clipped coverage", in.tests->scores.clippedCoverage)})
        if (!score.empty())
            low += (low.empty() ? "" : " and ") + score;
    if (!low.empty())
        return "No fault found, but " + low + ".";
    const bool byGroup = in.unitCount() < in.model.set->rows();
    return fmt::format("As good as real, as far as {} can tell.",
                       byGroup ? findings::countText(in.unitCount(), "group", "groups")
                               : findings::countText(in.unitCount(), "sample", "samples"));
}

} // namespace assay
