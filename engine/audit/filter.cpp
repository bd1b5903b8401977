#include "engine/audit/filter.h"

#include "engine/audit/audit_result.h"
#include "engine/audit/number_text.h"
#include "engine/job/error.h"
#include "engine/metrics/catalog.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace assay {
namespace {

using nlohmann::json;

constexpr std::string_view kAtLeast = "at_least";
constexpr std::string_view kAtMost = "at_most";

const std::vector<double>& columnOf(const ModelAudit& model, const FilterRule& rule) {
    const Column* column = findColumn(rule.column);
    if (!column)
        throw Error(ErrorKind::InvalidArgument, "There is no column '" + rule.column + "' to filter by.");
    if (column->side != Side::Synthetic)
        throw Error(ErrorKind::InvalidArgument,
                    "Column '" + rule.column + "' describes real samples; rules need a column of synthetic samples.");
    return model.column(rule.column);
}

[[noreturn]] void refuse(std::size_t entry, const std::string& expected, const json& found) {
    throw Error(ErrorKind::BadInput, "Filter rules: entry " + std::to_string(entry) + ": expected " + expected +
                                         ", found " + found.dump(-1, ' ', false, json::error_handler_t::replace) + ".");
}

FilterRule ruleFromJson(const json& entry, std::size_t number) {
    if (!entry.is_object())
        refuse(number, "an object with 'column', 'bound' and 'value'", entry);
    const auto field = [&](const char* key) -> const json& {
        const auto at = entry.find(key);
        if (at == entry.end())
            refuse(number, std::string("a field '") + key + "'", entry);
        return *at;
    };
    const json& column = field("column");
    if (!column.is_string())
        refuse(number, "a text as 'column'", column);
    const json& bound = field("bound");
    if (bound != kAtLeast && bound != kAtMost)
        refuse(number, "'at_least' or 'at_most' as 'bound'", bound);
    const json& value = field("value");
    if (!value.is_number())
        refuse(number, "a number as 'value'", value);
    FilterRule rule{column.get<std::string>(), bound == kAtLeast ? Bound::AtLeast : Bound::AtMost, value.get<double>()};
    const Column* known = findColumn(rule.column);
    if (!known || known->side != Side::Synthetic)
        refuse(number, "the id of a column of synthetic samples as 'column'", column);
    return rule;
}

} // namespace

void requireRules(const ModelAudit& model, std::span<const FilterRule> rules) {
    for (const FilterRule& rule : rules)
        columnOf(model, rule);
}

bool SampleFilter::rejectsByHand(std::size_t row) const {
    return std::binary_search(byHand.begin(), byHand.end(), row);
}

FilterOutcome applyRules(const ModelAudit& model, const SampleFilter& filter) {
    FilterOutcome outcome;
    outcome.kept.assign(model.set->rows(), true);
    for (const FilterRule& rule : filter.rules) {
        const std::vector<double>& values = columnOf(model, rule);
        for (std::size_t row = 0; row < values.size(); ++row)
            if (!satisfies(values[row], rule))
                outcome.kept[row] = false;
    }
    for (const std::uint32_t row : filter.byHand) {
        if (row >= outcome.kept.size())
            throw Error(ErrorKind::InvalidArgument, "There is no row " + std::to_string(row) + " of " + model.name +
                                                        " to reject by hand: it has " +
                                                        std::to_string(outcome.kept.size()) + " rows.");
        outcome.kept[row] = false;
    }
    outcome.keptCount = static_cast<std::size_t>(std::count(outcome.kept.begin(), outcome.kept.end(), true));
    outcome.rejectedCount = outcome.kept.size() - outcome.keptCount;
    return outcome;
}

std::string rejectionReason(const ModelAudit& model, const SampleFilter& filter, std::size_t row) {
    std::string reason;
    const auto next = [&reason] {
        if (!reason.empty())
            reason += "; ";
    };
    for (const FilterRule& rule : filter.rules) {
        const double value = columnOf(model, rule)[row];
        if (satisfies(value, rule))
            continue;
        next();
        const Column* column = findColumn(rule.column);
        if (column->unit == Unit::YesNo && rule.bound == Bound::AtLeast) {
            reason += "not " + rule.column;
            continue;
        }
        if (column->unit == Unit::Word && !std::isnan(value)) {
            reason += rule.column + " " + valueText(*column, value);
            continue;
        }
        const std::string sign = std::isnan(value)
                                     ? " is not " + std::string(rule.bound == Bound::AtLeast ? ">=" : "<=")
                                     : (rule.bound == Bound::AtLeast ? " <" : " >");
        reason += rule.column + " " + numberText(value) + sign + " " + numberText(rule.value);
    }
    if (filter.rejectsByHand(row)) {
        next();
        reason += "rejected by hand";
    }
    return reason;
}

std::string rulesToJson(std::span<const FilterRule> rules) {
    json list = json::array();
    for (const FilterRule& rule : rules)
        list.push_back({{"column", rule.column},
                        {"bound", rule.bound == Bound::AtLeast ? kAtLeast : kAtMost},
                        {"value", rule.value}});
    return list.dump();
}

FilterRules rulesFromJson(const std::string& text) {
    const json list = json::parse(text, nullptr, false);
    if (list.is_discarded())
        throw Error(ErrorKind::BadInput, "Filter rules: expected JSON, found text that is none.");
    if (!list.is_array())
        throw Error(ErrorKind::BadInput,
                    "Filter rules: expected a JSON array, found " + std::string(list.type_name()) + ".");
    FilterRules rules;
    for (std::size_t i = 0; i < list.size(); ++i)
        rules.push_back(ruleFromJson(list[i], i + 1));
    return rules;
}

} // namespace assay
