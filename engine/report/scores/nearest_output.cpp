#include "engine/report/scores/nearest_output.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/nearest_classes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

/// Largest number of classes for which the whole matrix is written; of more, its largest cells off the diagonal.
constexpr std::size_t kMaxInMatrix = 50;
constexpr std::size_t kMaxConfused = 100;

std::vector<std::vector<std::uint32_t>> matrixOf(const NearestClasses& found) {
    std::vector<std::vector<std::uint32_t>> counts(found.classes.size(),
                                                   std::vector<std::uint32_t>(found.classes.size(), 0));
    for (const NearestClassCount& cell : found.cells)
        counts[cell.own][cell.nearest] = cell.count;
    return counts;
}

Json confusedAsJson(const NearestClasses& found) {
    std::vector<NearestClassCount> confused;
    std::ranges::copy_if(found.cells, std::back_inserter(confused),
                         [](const NearestClassCount& cell) { return cell.own != cell.nearest; });
    std::ranges::stable_sort(confused, std::ranges::greater(), &NearestClassCount::count);
    confused.resize(std::min(confused.size(), kMaxConfused));
    Json list = Json::array();
    for (const NearestClassCount& cell : confused)
        list.push_back(
            {{"own", found.classes[cell.own]}, {"nearest", found.classes[cell.nearest]}, {"count", cell.count}});
    return list;
}

} // namespace

std::string nearestClassesAsJson(const AuditResult& audit, const ModelAudit& model) {
    const auto found = model.tables ? nearestClasses(*model.set, *audit.real->set, model.tables->synthetic.nearest)
                                    : std::optional<NearestClasses>();
    if (!found)
        return "null";
    Json json{{"agreement", found->agreement()}};
    if (const auto ofReal = nearestClassesOfReal(audit))
        json["real_agreement"] = ofReal->agreement();
    if (found->classes.size() <= kMaxInMatrix) {
        json["classes"] = found->classes;
        json["counts"] = matrixOf(*found);
    } else {
        json["confused"] = confusedAsJson(*found);
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace assay
