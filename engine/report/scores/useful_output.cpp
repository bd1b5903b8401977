#include "engine/report/scores/useful_output.h"

#include "engine/audit/findings/useful_sentences.h"
#include "engine/audit/result/audit_result.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

/// Largest number of classes for which the whole matrix is written; of more, its largest errors.
constexpr std::size_t kMaxClasses = 50;
constexpr std::size_t kMaxErrors = 100;

/// {"classes": [label], "counts": [[count]]}, a row per actual class and a column per predicted one.
Json matrixAsJson(const UtilityReport& report) {
    std::vector<std::vector<std::uint32_t>> counts(report.classes.size(),
                                                   std::vector<std::uint32_t>(report.classes.size(), 0));
    for (const Confusion& cell : report.confusion)
        counts[cell.actual][cell.predicted] = cell.count;
    return {{"classes", report.classes}, {"counts", counts}};
}

Json errorsAsJson(const UtilityReport& report) {
    std::vector<Confusion> errors;
    std::ranges::copy_if(report.confusion, std::back_inserter(errors),
                         [](const Confusion& cell) { return cell.actual != cell.predicted; });
    std::ranges::stable_sort(errors, std::ranges::greater(), &Confusion::count);
    errors.resize(std::min(errors.size(), kMaxErrors));
    Json list = Json::array();
    for (const Confusion& cell : errors)
        list.push_back({{"actual", report.classes[cell.actual]},
                        {"predicted", report.classes[cell.predicted]},
                        {"count", cell.count}});
    return list;
}

Json utilityAsJson(const UtilityReport& report) {
    if (!report.exists())
        return nullptr;
    Json json{{"tested_on", report.testedOn},
              {"trained_on", report.trainedOn},
              {"tested", report.tested},
              {"converged", report.converged}};
    if (report.classes.empty())
        return json;
    json["by_class"] = Json::array();
    for (const ClassUtility& of : report.byClass)
        json["by_class"].push_back({{"label", report.classes[of.label]},
                                    {"tested", of.tested},
                                    {"trained_on", of.training},
                                    {"accuracy", of.accuracy},
                                    {"real_accuracy", of.realAccuracy}});
    if (report.classes.size() <= kMaxClasses)
        json["confusion"] = matrixAsJson(report);
    else
        json["errors"] = errorsAsJson(report);
    return json;
}

} // namespace

std::string usefulAsJson(const AuditResult& audit, const ModelAudit& model) {
    Json json{{"useful", {{"sentence", usefulSentence(model)}, {"utility", utilityAsJson(model.utility)}}},
              {"private", {{"sentence", privateSentence(audit, model)}}}};
    if (!model.utility.whyNot.empty())
        json["useful"]["why_not"] = model.utility.whyNot;
    // The figures stand among the metrics.
    const bool isMeasured = audit.heldOut != nullptr && model.hasMetric("membership_auc");
    json["private"]["membership"] = isMeasured ? Json{{"held_out", audit.heldOut->audit->set->rows()}} : Json(nullptr);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace assay
