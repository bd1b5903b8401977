#include "engine/report/pages/kept_samples.h"

#include "engine/base/number_text.h"
#include "engine/metrics/catalog/catalog.h"

#include <cctype>
#include <utility>

namespace assay {
namespace {

/// "at least 0.5", "between 0.2 and 0.5", "good or copy"
std::string boundWords(const FilterRule& rule, const Column& column) {
    if (rule.bound == Bound::Is)
        return rule.word;
    if (column.unit == Unit::Word && rule.bound == Bound::AtMost && rule.value >= 0.0) { // 0: no problem
        std::string words;
        for (std::size_t at = 0; at < column.words.size() && static_cast<double>(at) <= rule.value; ++at)
            words.append(words.empty() ? "" : " or ").append(column.words[at]);
        return words;
    }
    if (column.unit == Unit::YesNo && rule.bound == Bound::AtLeast)
        return "yes";
    return rule.bound == Bound::AtLeast  ? "at least " + numberText(rule.value)
           : rule.bound == Bound::AtMost ? "at most " + numberText(rule.value)
                                         : "between " + numberText(rule.value) + " and " + numberText(rule.upper);
}

/// A rule for a reader who knows no ids of columns: "Keep samples whose verdict is good".
std::string ruleSentence(const FilterRule& rule) {
    const Column* column = findColumn(rule.column);
    const std::string verb = rule.effect == Effect::Keep ? "Keep " : "Reject ";
    if (column == nullptr || rule.bound == Bound::Highest || rule.bound == Bound::Lowest)
        return verb + ruleText(rule).substr(verb.size());
    std::string title(column->title);
    if (title.size() > 1 && title[1] >= 'a' && title[1] <= 'z') // no abbreviation
        title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    return verb + "samples whose " + title + " is " + boundWords(rule, *column);
}

} // namespace

KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter, KeptAudit left) {
    const AppliedFilter applied(audit, model, filter);
    KeptSamples result;
    result.model = model;
    for (std::size_t rule = 0; rule < filter.rules.list.size(); ++rule)
        result.rules.push_back({ruleSentence(filter.rules.list[rule]), applied.failing(rule)});
    result.match = filter.rules.match;
    result.rejectedByHand = filter.rejectedByHand.size();
    result.accepted = filter.accepted.size();
    result.left = std::move(left);
    return result;
}

KeptSamples keptSamples(const AuditResult& audit, std::size_t model, const SampleFilter& filter,
                        const AuditOptions& options, const JobContext& job) {
    return keptSamples(audit, model, filter, auditKept(audit, model, filter, options, job));
}

} // namespace assay
