#include "engine/report/pages/report.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <string_view>

namespace assay {
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

/// Adds the options for pictures and labels from other files.
void addBeside(std::string& command, const std::string& option, const std::string& name, const SourceInfo& source) {
    if (!source.pictures.empty())
        addWord(command, option + "pictures", name + source.pictures);
    if (!source.labels.empty())
        addWord(command, option + "labels", name + source.labels);
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
