#include "engine/subsets/requirements/requirements.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/tables/table_fields.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/what_if/kept_audit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace assay {
namespace {

using Part = Requirement::Part;
using Relation = Requirement::Relation;

/// Relation signs; longer signs first, because ">=" begins with ">".
constexpr std::array<std::pair<std::string_view, Relation>, 4> kRelations{
    {{">=", Relation::AtLeast}, {"<=", Relation::AtMost}, {">", Relation::Above}, {"<", Relation::Below}}};

[[noreturn]] void refuse(const std::string& text, const std::string& expected) {
    throw Error(ErrorKind::InvalidArgument, "expected " + expected + ", found '" + text + "'");
}

bool takeStart(std::string_view& text, std::string_view start) {
    if (!text.starts_with(start))
        return false;
    text.remove_prefix(start.size());
    return true;
}

bool takeEnd(std::string_view& text, std::string_view end) {
    if (!text.ends_with(end))
        return false;
    text.remove_suffix(end.size());
    return true;
}

bool holds(const Requirement& requirement, double value) {
    switch (requirement.relation) {
    case Relation::AtLeast:
        return value >= requirement.bound;
    case Relation::AtMost:
        return value <= requirement.bound;
    case Relation::Above:
        return value > requirement.bound;
    case Relation::Below:
        return value < requirement.bound;
    }
    return false;
}

std::string boundText(const Requirement& requirement) {
    const auto at = std::ranges::find(kRelations, requirement.relation, &std::pair<std::string_view, Relation>::second);
    return std::string(at->first) + " " + numberText(requirement.bound);
}

/// Text for the requirement's subject, without the model.
std::string subjectText(const Requirement& requirement) {
    return (requirement.kept ? "kept." : "") + requirement.metric +
           (requirement.part == Part::Low    ? ".low"
            : requirement.part == Part::High ? ".high"
                                             : "");
}

/// The value of the requirement's metric; if there is none, `why` receives the reason.
std::optional<double> valueIn(const ModelAudit& model, const Requirement& requirement, std::string& why) {
    if (!model.hasMetric(requirement.metric)) {
        why = "this audit does not have it";
        return std::nullopt;
    }
    if (requirement.part == Part::Value)
        return model.metric(requirement.metric);
    const MetricInterval* interval = model.interval(requirement.metric);
    if (interval == nullptr) {
        why = "it has no interval in this audit";
        return std::nullopt;
    }
    return requirement.part == Part::Low ? interval->low : interval->high;
}

RequirementOutcome outcomeFor(const ModelAudit& model, const Requirement& requirement, const KeptAudit* kept) {
    RequirementOutcome outcome{&requirement, model.name, std::nullopt, false, {}};
    std::string why;
    const ModelAudit* of = requirement.kept && kept != nullptr ? kept->kept.get() : &model;
    if (of == nullptr)
        why = "too few samples are kept";
    else
        outcome.found = valueIn(*of, requirement, why);
    outcome.met = outcome.found && holds(requirement, *outcome.found);
    const bool isNumber = outcome.found && !std::isnan(*outcome.found);
    outcome.sentence = model.name + ": " + subjectText(requirement) + ": expected " + boundText(requirement) +
                       ", found " + (isNumber ? numberText(*outcome.found) : "none") + (why.empty() ? "" : ": " + why);
    return outcome;
}

/// Escapes text for an XML attribute; characters that XML cannot represent are replaced.
std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&')
            safe += "&amp;";
        else if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '"')
            safe += "&quot;";
        else
            safe += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return safe;
}

} // namespace

Requirement parseRequirement(const std::string& text) {
    Requirement requirement;
    requirement.text = text;
    const std::size_t sign = text.find_last_of("<>");
    if (sign == std::string::npos)
        refuse(text, "METRIC>=NUMBER, with >=, <=, > or <");
    std::string_view right = std::string_view(text).substr(sign);
    std::string_view left = trimmed(std::string_view(text).substr(0, sign));
    for (const auto& [name, relation] : kRelations)
        if (takeStart(right, name)) {
            requirement.relation = relation;
            break;
        }
    right = trimmed(right);
    const auto [end, code] = std::from_chars(right.data(), right.data() + right.size(), requirement.bound);
    if (code != std::errc() || end != right.data() + right.size() || right.empty() || std::isnan(requirement.bound))
        refuse(text, "a number after the sign");
    // A name may hold colons, a metric does not.
    if (const std::size_t colon = left.rfind(':'); colon != std::string_view::npos) {
        requirement.model = std::string(left.substr(0, colon));
        left.remove_prefix(colon + 1);
        if (requirement.model.empty())
            refuse(text, "a model's name before ':'");
    }
    requirement.kept = takeStart(left, "kept.");
    requirement.part = takeEnd(left, ".low") ? Part::Low : takeEnd(left, ".high") ? Part::High : Part::Value;
    // The name of 0.2.0, which gates may still have.
    requirement.metric = left == "verdict_over_represented" ? "verdict_crowded" : std::string(left);
    if (findMetric(requirement.metric) == nullptr)
        refuse(text, "the id of a metric (docs/metrics.md) before the sign");
    return requirement;
}

std::vector<RequirementOutcome> checkRequirements(const AuditResult& audit, std::span<const Requirement> requirements,
                                                  std::span<const KeptAudit> kept) {
    std::vector<RequirementOutcome> outcomes;
    for (const Requirement& requirement : requirements) {
        const std::size_t before = outcomes.size();
        for (std::size_t m = 0; m < audit.models.size(); ++m)
            if (requirement.model.empty() || requirement.model == audit.models[m]->name)
                outcomes.push_back(outcomeFor(*audit.models[m], requirement, m < kept.size() ? &kept[m] : nullptr));
        if (outcomes.size() == before)
            refuse(requirement.model, "the name of a model in '" + requirement.text + "'");
    }
    return outcomes;
}

std::string outcomesAsJunit(std::span<const RequirementOutcome> outcomes) {
    std::vector<std::string> models;
    for (const RequirementOutcome& outcome : outcomes)
        if (std::ranges::find(models, outcome.model) == models.end())
            models.push_back(outcome.model);
    const auto failures = [&](const std::string* model) {
        return std::to_string(std::ranges::count_if(outcomes, [&](const RequirementOutcome& outcome) {
            return !outcome.met && (model == nullptr || outcome.model == *model);
        }));
    };
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\" tests=\"" +
                       std::to_string(outcomes.size()) + "\" failures=\"" + failures(nullptr) + "\">\n";
    for (const std::string& model : models) {
        const auto tests =
            std::ranges::count(outcomes, model, [](const RequirementOutcome& outcome) { return outcome.model; });
        text += "  <testsuite name=\"" + escaped(model) + "\" tests=\"" + std::to_string(tests) + "\" failures=\"" +
                failures(&model) + "\">\n";
        for (const RequirementOutcome& outcome : outcomes) {
            if (outcome.model != model)
                continue;
            text += "    <testcase classname=\"assay." + escaped(model) + "\" name=\"" +
                    escaped(outcome.requirement->text) + "\"";
            text += outcome.met ? "/>\n" : "><failure message=\"" + escaped(outcome.sentence) + "\"/></testcase>\n";
        }
        text += "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

} // namespace assay
