#include "engine/metrics/utility/utility_report.h"

#include <map>
#include <utility>

namespace assay {
namespace {

/// Share of right answers among the samples of each class; 0 for a class without samples.
std::vector<double> accuracies(const std::vector<std::uint32_t>& code, const std::vector<double>& correct,
                               const std::vector<std::uint32_t>& counts) {
    std::vector<double> shares(counts.size(), 0.0);
    for (std::size_t r = 0; r < code.size(); ++r)
        shares[code[r]] += correct[r] / static_cast<double>(counts[code[r]]);
    return shares;
}

void addClasses(UtilityReport& report, const UtilityScores& scores) {
    const CommonLabels& labels = scores.labels;
    report.classes = labels.names;
    const std::vector<std::uint32_t> tested = labels.counts(UtilityScores::kTest);
    const std::vector<std::uint32_t> training = labels.counts(UtilityScores::kTraining);
    const std::vector<double> bySynthetic = accuracies(labels.code[UtilityScores::kTest], scores.test.correct, tested);
    const std::vector<double> byReal =
        accuracies(labels.code[UtilityScores::kTest], scores.byReal->classes.correct, tested);
    for (std::uint32_t c = 0; c < tested.size(); ++c)
        if (tested[c] > 0)
            report.byClass.push_back({c, tested[c], training[c], bySynthetic[c], byReal[c]});
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cells;
    for (std::size_t r = 0; r < scores.test.predicted.size(); ++r)
        ++cells[{labels.code[UtilityScores::kTest][r], scores.test.predicted[r]}];
    for (const auto& [cell, count] : cells)
        report.confusion.push_back({cell.first, cell.second, count});
}

} // namespace

UtilityReport reportOf(const SyntheticUtility& utility, const RealUtility& real) {
    UtilityReport report;
    report.whyNot = utility.whyNot;
    if (!utility.whyNot.empty())
        return report;
    report.testedOn = real.testedOn == TestedOn::HeldOut ? "held_out" : "real";
    if (utility.classes != nullptr) {
        report.trainedOn = utility.classes->trainedOn;
        report.tested = utility.classes->test.correct.size();
        report.converged = utility.classes->test.converged && real.classes.converged;
        addClasses(report, *utility.classes);
    } else {
        report.trainedOn = utility.numbers->trainedOn;
        report.tested = utility.numbers->actual.size();
        report.converged = utility.numbers->test.converged && real.numbers.converged;
    }
    return report;
}

} // namespace assay
