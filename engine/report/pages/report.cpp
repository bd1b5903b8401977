#include "engine/report/pages/report.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/metrics/catalog/catalog.h"

#include <algorithm>
#include <cctype>
#include <string_view>
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

namespace {

void addWord(std::string& command, std::string_view option, const std::string& value = {}) {
    command.append(" ").append(option);
    if (!value.empty())
        command.append(" ").append(shellWord(value));
}

void addCurveWords(std::string& command, const AuditResult& audit) {
    std::vector<std::string> seen; // several models have the same curve
    for (const RequestedCurve& curve : audit.curves) {
        constexpr std::string_view kDiscard = "discard_by_";
        constexpr std::string_view kUseful = "useful_by_";
        const bool discard = curve.key.starts_with(kDiscard);
        const bool useful = curve.key.starts_with(kUseful);
        if ((curve.key != "bad_fraction" && curve.key != "sample_size" && !discard && !useful) ||
            std::find(seen.begin(), seen.end(), curve.key) != seen.end())
            continue;
        seen.push_back(curve.key);
        if (discard) {
            addWord(command, "--discard", curve.key.substr(kDiscard.size()));
            continue;
        }
        if (useful) {
            addWord(command, "--discard-useful", curve.key.substr(kUseful.size()));
            continue;
        }
        addWord(command, curve.key == "bad_fraction" ? "--bad-fraction" : "--sample-size");
        if (!curve.bad.empty())
            addWord(command, "--bad", curve.bad);
    }
}

/// Adds the options for pictures, labels and groups from other files.
void addBeside(std::string& command, const std::string& option, const std::string& name, const SourceInfo& source) {
    if (!source.pictures.empty())
        addWord(command, option + "pictures", name + source.pictures);
    if (!source.labels.empty())
        addWord(command, option + "labels", name + source.labels);
    if (!source.groups.empty())
        addWord(command, option + "groups", name + source.groups);
}

/// Adds the options for how files are taken.
void addPreparation(std::string& command, const ValuePreparation& prepared) {
    // Named features that were not standardised are of a table, too, read by an earlier version.
    const bool isTable = prepared.isTable || prepared.oneHot || !prepared.featureNames.empty();
    if (isSelectable(prepared.scaling) && prepared.scaling != (isTable ? Scaling::ZScore : Scaling::None))
        addWord(command, "--scale", std::string(nameOf(prepared.scaling)));
    if (prepared.oneHot)
        addWord(command, "--one-hot");
    if (prepared.missing != Missing::Refuse)
        addWord(command, "--missing", std::string(nameOf(prepared.missing)));
    for (const std::string& column : prepared.ignoredColumns)
        addWord(command, "--ignore-columns", column);
    for (const ColumnChoice& one : prepared.columnKinds)
        addWord(command, "--columns", one.name + "=" + std::string(nameOf(one.kind)));
}

std::string commandFromInputs(const AuditResult& audit) {
    const AuditOptions standard;
    std::string command = "assay-score";
    const std::string& real = audit.real->set->source().file;
    if (real.empty()) {
        addWord(command, "--demo");
    } else {
        addWord(command, "--real", real);
        addBeside(command, "--real-", {}, audit.real->set->source());
        for (const auto& model : audit.models) {
            addWord(command, "--synthetic", model->name + "=" + model->set->source().file);
            addBeside(command, "--", model->name + "=", model->set->source());
        }
        if (audit.heldOut) {
            addWord(command, "--held-out", audit.heldOut->audit->set->source().file);
            addBeside(command, "--held-out-", {}, audit.heldOut->audit->set->source());
        }
        if (const std::string& join = audit.real->set->source().join; !join.empty())
            addWord(command, "--join", join);
        if (audit.real->set->source().picturesByParts)
            addWord(command, "--picture-order", "parts");
    }
    addPreparation(command, *audit.real->set->preparation());
    if (audit.k != standard.k)
        addWord(command, "-k", std::to_string(audit.k));
    if (audit.falseDiscoveryRate != standard.falseDiscoveryRate)
        addWord(command, "--fdr", numberText(audit.falseDiscoveryRate));
    if (audit.cover.k != standard.cover.k)
        addWord(command, "--cover-k", std::to_string(audit.cover.k));
    if (audit.cover.c != standard.cover.c)
        addWord(command, "--cover-c", std::to_string(audit.cover.c));
    if (audit.described && audit.described->oneClass)
        addWord(command, "--one-class");
    if (!audit.described && audit.real->set->isWhole())
        addWord(command, "--quick");
    addCurveWords(command, audit);
    return command + " --report report.html";
}

} // namespace

std::string shellWord(const std::string& text) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos)
        return text;
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1);
    return quoted + "'";
}

std::string replayCommand(const AuditResult& audit, const std::string& auditFile) {
    const std::string command = commandFromInputs(audit);
    if (auditFile.empty())
        return command;
    return "assay-score --open " + shellWord(auditFile) + " --report report.html\n\n# or all anew:\n" + command;
}

} // namespace assay
