#include "engine/audit/result/sample_scores.h"

#include "engine/audit/result/audit_result.h"
#include "engine/math/statistics/nan.h"
#include "engine/metrics/catalog/catalog.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace assay {
namespace {

/// One external column of the whole audit.
struct Joined {
    std::shared_ptr<const ExternalColumn> column;
    std::map<SetId, SharedValues> values;
};

/// How numbers are shown: shares where all are in [0, 1], counts where all are whole.
Unit unitOf(const std::vector<const SampleScores::Part*>& parts) {
    bool shares = true;
    bool whole = true;
    for (const SampleScores::Part* part : parts)
        for (const double value : part->values)
            if (std::isfinite(value)) {
                shares = shares && value >= 0.0 && value <= 1.0;
                whole = whole && value == std::floor(value);
            }
    return whole ? Unit::Count : shares ? Unit::Share : Unit::Ratio;
}

std::string definitionOf(const std::vector<const SampleScores::Part*>& parts) {
    std::set<std::string> files;
    for (const SampleScores::Part* part : parts)
        files.insert(part->source);
    std::string text = "From " + *files.begin();
    if (files.size() > 1)
        text += " and " + std::to_string(files.size() - 1) + (files.size() > 2 ? " other files" : " other file");
    return text + ".";
}

/// Whether the catalogue has a column of this name, which people could take it for.
bool isTaken(const std::string& name) {
    const auto same = [&](std::string_view other) {
        return std::ranges::equal(name, other,
                                  [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    };
    return std::ranges::any_of(columnCatalog(),
                               [&](const Column& column) { return same(column.id) || same(column.title); });
}

std::vector<Joined> join(const SampleScores& scores, const AuditResult& audit) {
    std::vector<std::pair<std::string, Side>> order;
    std::map<std::pair<std::string, Side>, std::vector<const SampleScores::Part*>> byColumn;
    for (const SampleScores::Part& part : scores.parts) {
        const bool isThere = isReal(part.set) || modelIndex(part.set) < audit.models.size();
        if (!isThere || part.values.size() != audit.setOf(part.set).rows())
            continue;
        const std::pair key{part.name, isReal(part.set) ? Side::Real : Side::Synthetic};
        if (!byColumn.contains(key))
            order.push_back(key);
        byColumn[key].push_back(&part);
    }
    std::vector<Joined> all;
    for (const auto& key : order) {
        const auto& parts = byColumn[key];
        const auto& [name, side] = key;
        Joined joined{std::make_shared<const ExternalColumn>(
                          ExternalColumn::Row{externalId(name, side), isTaken(name) ? name + " (external)" : name,
                                              definitionOf(parts), unitOf(parts), side}),
                      {}};
        for (const SampleScores::Part* part : parts)
            joined.values[part->set] = part->values;
        all.push_back(std::move(joined));
    }
    return all;
}

} // namespace

bool operator==(const SampleScores::Part& a, const SampleScores::Part& b) {
    const auto sameValue = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    return a.name == b.name && a.set == b.set && a.source == b.source && a.sha256 == b.sha256 &&
           (a.values.isSameAs(b.values) || std::ranges::equal(a.values, b.values, sameValue));
}

void SampleScores::add(const SampleScores& more) {
    for (const Part& part : more.parts) {
        const auto same = std::ranges::find_if(
            parts, [&](const Part& known) { return known.name == part.name && known.set == part.set; });
        if (same != parts.end())
            *same = part;
        else
            parts.push_back(part);
    }
}

std::string externalId(const std::string& name, Side side) {
    return std::string(kExternalPrefix) + (side == Side::Real ? "real_" : "") + name;
}

std::shared_ptr<const AuditResult> withSampleScores(const std::shared_ptr<const AuditResult>& audit,
                                                    const std::shared_ptr<const SampleScores>& scores) {
    const bool none = !scores || scores->empty();
    if (none && !audit->sampleScores)
        return audit;
    // A model that was added later has none of the columns yet.
    const auto isJoined = [](const auto& model) {
        return std::ranges::any_of(model->columns,
                                   [](const ColumnValues& values) { return values.external != nullptr; });
    };
    if (audit->sampleScores == scores && std::ranges::all_of(audit->models, isJoined))
        return audit;
    auto result = std::make_shared<AuditResult>(*audit);
    result->sampleScores = none ? nullptr : scores;
    const std::vector<Joined> joined = none ? std::vector<Joined>() : join(*scores, *audit);
    for (std::size_t m = 0; m < result->models.size(); ++m) {
        auto model = std::make_shared<ModelAudit>(*audit->models[m]);
        std::erase_if(model->columns, [](const ColumnValues& values) { return values.external != nullptr; });
        for (const Joined& one : joined) {
            const bool ofReal = one.column->column().side == Side::Real;
            const auto known = one.values.find(ofReal ? SetId::Real : syntheticSet(m));
            model->columns.push_back({one.column->column().id,
                                      known != one.values.end()
                                          ? known->second
                                          : SharedValues(std::vector<double>(model->set->rows(), kNaN)),
                                      one.column});
        }
        result->models[m] = std::move(model);
    }
    return result;
}

} // namespace assay
