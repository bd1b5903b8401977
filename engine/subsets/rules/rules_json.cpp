#include "engine/subsets/rules/filter.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/column_values.h"
#include "engine/subsets/rules/set_rules.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<std::string_view, Bound>, 6> kBounds{{{"at_least", Bound::AtLeast},
                                                                     {"at_most", Bound::AtMost},
                                                                     {"between", Bound::Between},
                                                                     {"highest", Bound::Highest},
                                                                     {"lowest", Bound::Lowest},
                                                                     {"is", Bound::Is}}};

constexpr std::uint64_t kMaxBytes = 16U << 20; // of a file of rules

std::string_view nameOf(Bound bound) {
    return std::ranges::find(kBounds, bound, &std::pair<std::string_view, Bound>::second)->first;
}

[[noreturn]] void refuse(std::size_t entry, const std::string& expected, const Json& found) {
    throw Error(ErrorKind::BadInput, "Filter rules: entry " + std::to_string(entry) + ": expected " + expected +
                                         ", found " + found.dump(-1, ' ', false, Json::error_handler_t::replace) + ".");
}

/// Parser of one rule; unknown keys are errors.
class Entry {
public:
    Entry(const Json& json, std::size_t number) : json_(json), number_(number) {
        if (!json.is_object())
            refuse(number, "an object with 'column', 'bound' and 'value'", json);
    }

    FilterRule rule() const {
        FilterRule rule;
        rule.column = text("column");
        rule.bound = bound();
        if (rule.bound == Bound::Is)
            rule.word = rule.column == "verdict" ? std::string(verdictWordOf(text("word"))) : text("word");
        else
            rule.value = number("value");
        if (rule.bound == Bound::Between)
            rule.upper = number("upper");
        if (json_.contains("effect"))
            rule.effect = effect();
        requireKnownKeys(rule);
        requireKnownColumn(rule);
        const bool extreme = rule.bound == Bound::Highest || rule.bound == Bound::Lowest;
        if (extreme && !(rule.value >= 0.0 && rule.value <= 1.0))
            refuse(number_, "a share from 0 to 1 as 'value'", field("value"));
        if (rule.bound == Bound::Between && !(rule.value <= rule.upper))
            refuse(number_, "'value' to be at most 'upper'", json_);
        return rule;
    }

private:
    const Json& field(const char* key) const {
        const auto at = json_.find(key);
        if (at == json_.end())
            refuse(number_, std::string("a field '") + key + "'", json_);
        return *at;
    }
    std::string text(const char* key) const {
        const Json& value = field(key);
        if (!value.is_string())
            refuse(number_, std::string("a text as '") + key + "'", value);
        return value.get<std::string>();
    }
    double number(const char* key) const {
        const Json& value = field(key);
        if (!value.is_number())
            refuse(number_, std::string("a number as '") + key + "'", value);
        return value.get<double>();
    }
    Bound bound() const {
        const Json& value = field("bound");
        for (const auto& [name, bound] : kBounds)
            if (value == name)
                return bound;
        refuse(number_, "'at_least', 'at_most', 'between', 'highest', 'lowest' or 'is' as 'bound'", value);
    }
    Effect effect() const {
        const Json& value = field("effect");
        if (value != "keep" && value != "reject")
            refuse(number_, "'keep' or 'reject' as 'effect'", value);
        return value == "keep" ? Effect::Keep : Effect::Reject;
    }
    /// Unknown keys are refused, because a misspelt 'effect' would invert the rule.
    void requireKnownKeys(const FilterRule& rule) const {
        for (const auto& [key, value] : json_.items()) {
            const bool known = key == "column" || key == "bound" || key == "effect" ||
                               key == (rule.bound == Bound::Is ? "word" : "value") ||
                               (key == "upper" && rule.bound == Bound::Between);
            if (!known)
                refuse(number_, "no field '" + key + "'", json_);
        }
    }
    void requireKnownColumn(const FilterRule& rule) const {
        if (findSetRule(rule.column) != nullptr)
            return;
        if (isWordRule(rule.column)) {
            if (rule.bound != Bound::Is)
                refuse(number_, "'is' as 'bound' of a rule on '" + rule.column + "'", field("bound"));
            return;
        }
        if (isExternal(rule.column)) // known with the table
            return;
        const Column* column = findColumn(rule.column);
        if (!column || column->side != Side::Synthetic)
            refuse(number_, "the id of a column of synthetic samples as 'column'", field("column"));
    }

    const Json& json_;
    std::size_t number_;
};

Json entryOf(const FilterRule& rule) {
    Json entry{{"column", rule.column}, {"bound", nameOf(rule.bound)}};
    if (rule.bound == Bound::Is)
        entry["word"] = rule.word;
    else
        entry["value"] = rule.value;
    if (rule.bound == Bound::Between)
        entry["upper"] = rule.upper;
    if (rule.effect == Effect::Reject)
        entry["effect"] = "reject";
    return entry;
}

} // namespace

std::string rulesToJson(const FilterRules& rules) {
    Json list = Json::array();
    for (const FilterRule& rule : rules.list)
        list.push_back(entryOf(rule));
    return Json{{"match", rules.match == RuleMatch::All ? "all" : "any"}, {"rules", std::move(list)}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
}

FilterRules rulesFromJson(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        throw Error(ErrorKind::BadInput, "Filter rules: expected JSON, found text that is none.");
    FilterRules rules;
    const bool object = json.is_object() && json.contains("rules");
    const Json& list = object ? json["rules"] : json;
    if (!list.is_array())
        throw Error(ErrorKind::BadInput, "Filter rules: expected a JSON array, or an object with 'match' and 'rules', "
                                         "found " +
                                             std::string(list.type_name()) + ".");
    if (object && json.contains("match")) {
        const Json& match = json["match"];
        if (match != "all" && match != "any")
            throw Error(ErrorKind::BadInput, "Filter rules: expected 'all' or 'any' as 'match', found " +
                                                 match.dump(-1, ' ', false, Json::error_handler_t::replace) + ".");
        rules.match = match == "all" ? RuleMatch::All : RuleMatch::Any;
    }
    for (std::size_t i = 0; i < list.size(); ++i)
        rules.list.push_back(Entry(list[i], i + 1).rule());
    return rules;
}

FilterRules readRules(const std::string& file) {
    try {
        const InputFile input = InputFile::onDisk(file);
        if (input.isDirectory() || input.size() > kMaxBytes)
            throw Error(ErrorKind::BadInput, file + ": expected a JSON file of filter rules, found " +
                                                 (input.isDirectory() ? "a folder" : "a file that is far larger"));
        std::string text(input.size(), '\0');
        readExactly(*input.open(), std::as_writable_bytes(std::span(text)), file);
        return rulesFromJson(text);
    } catch (const Error& error) {
        const std::string message = error.what();
        throw Error(error.kind(), message.starts_with(file) ? message : file + ": " + message);
    }
}

} // namespace assay
