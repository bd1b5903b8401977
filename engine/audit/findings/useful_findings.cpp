// What a synthetic set is worth, and whether it gives training samples away.
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/data/gather_rows.h"
#include "engine/metrics/held_out/leaks.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace assay::findings {
namespace {

constexpr std::size_t kWorstClasses = 3;

/// Real samples that are picked out while at most 1 % of the held-out samples are.
std::vector<std::uint32_t> exposedRows(const ModelAudit& model, std::size_t heldOutRows) {
    const std::vector<double>& rank = model.column("membership_rank");
    const std::size_t picked = heldOutRows / 100; // held-out samples that may be picked out, too
    const auto wrong = static_cast<double>(picked) / static_cast<double>(heldOutRows);
    constexpr double kRounding = 1e-12;
    return rowsWhere(rank.size(), [&](std::size_t row) { return rank[row] >= 1.0 - wrong - kRounding; });
}

/// Classes that lose most beside real data, the worst first: "5 (12 % instead of 97 %)".
std::string worstClasses(const UtilityReport& report) {
    std::vector<ClassUtility> classes = report.byClass;
    std::ranges::stable_sort(classes, std::greater(), [](const ClassUtility& of) {
        return of.tested * (of.realAccuracy - of.accuracy); // in samples
    });
    std::vector<std::string> texts;
    for (const ClassUtility& of : classes)
        if (of.realAccuracy > of.accuracy && texts.size() < kWorstClasses)
            texts.push_back(fmt::format("{} ({} instead of {})", report.classes[of.label], percentText(of.accuracy),
                                        percentText(of.realAccuracy)));
    return listText(texts);
}

} // namespace

void addHeldOut(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.verdicts == nullptr || in.membership == nullptr || in.heldOut == nullptr)
        return;
    const std::size_t all = in.heldOut->set->rows();
    if (const std::size_t repeats = in.verdicts->heldOutRepeats; repeats > 0)
        findings.push_back(
            ofValue("held_out_contaminated", static_cast<double>(repeats),
                    fmt::format("{} of {} held-out samples repeat real ones or nearly do.", assay::countText(repeats),
                                assay::countText(all)),
                    "They are left out of every calibration. Held-out samples must not be training samples."));
    if (in.verdicts->heldOutUnlike)
        findings.push_back(
            ofValue("held_out_unlike", 1.0, "Held-out and real samples are not drawn alike.",
                    "Verdicts are calibrated on the held-out samples alone, and membership tells little."));
    if (in.membership->swapped) {
        Finding finding = ofValue("swapped", in.membership->copiesOfHeldOut);
        finding.sentence = "The model is nearer to the held-out set than to the real set: are the two files swapped?";
        finding.advice = "Give the training set as real, and samples that the model has not seen as held-out.";
        finding.marksModel = true;
        finding.place = place::kInputs;
        findings.push_back(std::move(finding));
        return;
    }
    if (!in.membership->pickedOut || !in.membership->pickedOut->isReported())
        return;
    const PickedOut& picked = *in.membership->pickedOut;
    Finding finding = ofValue("leaks", picked.share() - picked.falseAlarms());
    finding.side = Side::Real;
    finding.sentence = fmt::format("Privacy leak: {} of the training samples can be identified with {} false alarms.",
                                   percentText(picked.share()), percentText(picked.falseAlarms()));
    finding.advice = "Do not publish the set if its training samples are private. Reject the copies, or train with "
                     "more data, more regularisation or differential privacy.";
    if (in.model.hasColumn("membership_rank"))
        finding.rows = exposedRows(in.model, all);
    finding.marksModel = picked.marks();
    finding.place = place::kWorth;
    findings.push_back(std::move(finding));
}

void addUseless(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.tests == nullptr || !in.tests->training || !in.tests->training->isReported())
        return;
    const TrainingLoss& training = *in.tests->training;
    Finding finding = ofValue("useless", training.loss());
    finding.low = training.leastLoss();
    finding.high = 2.0 * training.loss() - training.leastLoss();
    finding.sentence =
        fmt::format("A classifier trained on its samples is {} accurate on real ones; trained on as many real samples, "
                    "{}.",
                    percentText(training.syntheticAccuracy), percentText(training.realAccuracy));
    if (const std::string worst = worstClasses(in.model.utility); !worst.empty())
        finding.advice = "It loses most on class " + worst + ".";
    finding.marksModel = training.marks();
    finding.place = place::kWorth;
    findings.push_back(std::move(finding));
}

} // namespace assay::findings
