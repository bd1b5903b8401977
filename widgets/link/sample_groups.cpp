#include "widgets/link/sample_groups.h"

#include "engine/data/brief_text.h"
#include "engine/data/embedding_set.h"
#include "engine/report/scores/explain.h"
#include "widgets/common/number_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct SampleGroupsWords {
    Q_DECLARE_TR_FUNCTIONS(assay::SampleGroups)
};

/// Samples of the shown sets.
SampleSet onShow(const ViewState& state, const SampleSet& samples) {
    return samples.in(SetId::Real) | (state.hasModel() ? samples.in(state.currentSet()) : SampleSet());
}

std::vector<SetId> shownSets(const ViewState& state) {
    std::vector<SetId> sets;
    if (state.audit)
        sets.push_back(SetId::Real);
    if (state.hasModel())
        sets.push_back(state.currentSet());
    return sets;
}

/// Names of the groups of a set's samples.
void addNames(std::set<std::string>& names, const EmbeddingSet& set, const SampleSet& samples) {
    if (!set.hasGroups())
        return;
    const ClassLabels& groups = set.groups();
    std::vector<bool> has(groups.names.size(), false);
    for (const SampleId sample : samples)
        has[groups.code[sample.row]] = true;
    for (std::size_t code = 0; code < has.size(); ++code)
        if (has[code] && !groups.names[code].empty())
            names.insert(groups.names[code]);
}

SampleSet ofGroups(const EmbeddingSet& set, SetId id, const std::set<std::string>& names) {
    std::vector<bool> wanted;
    for (const std::string& name : set.groups().names)
        wanted.push_back(names.contains(name));
    return SampleSet::where(id, set.groups().code.size(),
                            [&](std::size_t row) { return wanted[set.groups().code[row]]; });
}

} // namespace

bool haveGroups(const ViewState& state, const SampleSet& samples) {
    return std::ranges::any_of(shownSets(state), [&](SetId id) {
        const EmbeddingSet& set = state.audit->setOf(id);
        if (!set.hasGroups())
            return false;
        for (const SampleId sample : samples.in(id))
            if (set.groups().isClass(set.groups().code[sample.row]))
                return true;
        return false;
    });
}

SampleSet wholeGroups(const ViewState& state, const SampleSet& samples) {
    std::set<std::string> names;
    for (const SetId id : shownSets(state))
        addNames(names, state.audit->setOf(id), samples.in(id));
    SampleSet whole = onShow(state, samples);
    for (const SetId id : shownSets(state))
        whole |= ofGroups(state.audit->setOf(id), id, names);
    return whole;
}

std::optional<std::string> commonGroup(const ViewState& state, const SampleSet& samples) {
    std::optional<std::string> common;
    for (const SetId id : shownSets(state)) {
        const EmbeddingSet& set = state.audit->setOf(id);
        const std::optional<std::string> before = common;
        std::optional<std::uint32_t> code;
        for (const SampleId sample : samples.in(id)) {
            if (!set.hasGroups() || (code && *code != set.groups().code[sample.row]))
                return std::nullopt;
            code = set.groups().code[sample.row];
        }
        if (code)
            common = set.groups().names[*code];
        if (before && common != before)
            return std::nullopt;
    }
    return common && !common->empty() ? common : std::nullopt;
}

namespace {

/// The nearest real sample of each synthetic one. No rows where the audit does not know them.
NeighborTable nearestReal(const ModelAudit& model) {
    if (model.tables && model.tables->synthetic.nearest.k > 0)
        return model.tables->synthetic.nearest;
    NeighborTable table;
    if (!model.hasColumn("nearest_real"))
        return table;
    table.k = 1;
    for (const double row : model.column("nearest_real"))
        table.index.push_back(static_cast<std::uint32_t>(row));
    return table;
}

} // namespace

std::shared_ptr<const ModelGroupUse> groupUseOf(const AuditResult& audit, std::size_t model,
                                                const JobContext& /*job*/) {
    ModelGroupUse use{audit.models[model], {}};
    if (const NeighborTable nearest = nearestReal(*use.model); nearest.rows() > 0)
        use.groups = groupUse(*audit.real->set, nearest);
    return std::make_shared<const ModelGroupUse>(std::move(use));
}

SampleSet nearGroup(const ViewState& state, const std::string& name) {
    const EmbeddingSet& real = *state.audit->real->set;
    const SampleSet members = ofGroups(real, SetId::Real, {name});
    return members | SampleSet::where(state.currentSet(), state.current().set->rows(), [&](std::size_t row) {
               const auto nearest =
                   nearestOther(*state.audit, state.model, {state.currentSet(), static_cast<std::uint32_t>(row)});
               return nearest && members.contains(*nearest);
           });
}

std::vector<bool> missedGroups(const ViewState& state) {
    const ClassLabels& groups = state.audit->real->set->groups();
    const std::vector<double>& verdict = state.current().column("coverage_verdict");
    std::vector<bool> missed;
    for (const std::string& name : groups.names)
        missed.push_back(!name.empty());
    for (std::size_t row = 0; row < groups.code.size(); ++row)
        if (verdict[row] == 0.0)
            missed[groups.code[row]] = false;
    return missed;
}

QString groupSentence(const ViewState& state, SampleId sample) {
    const std::string name = state.audit->setOf(sample.set).groupText(sample.row);
    if (name.empty())
        return {};
    const auto count = [&](SetId id) { return ofGroups(state.audit->setOf(id), id, {name}).size(); };
    const QString group = QString::fromStdString(briefText(name));
    const QString real = formatCount(count(SetId::Real));
    const SetId other = isReal(sample.set) && state.hasModel() ? state.currentSet() : sample.set;
    const bool both = !isReal(other) && state.audit->setOf(other).hasGroups();
    return both ? SampleGroupsWords::tr("Group %1: %2 real, %3 synthetic samples")
                      .arg(group, real, formatCount(count(other)))
                : SampleGroupsWords::tr("Group %1: %2 real samples").arg(group, real);
}

} // namespace assay
