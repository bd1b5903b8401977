#pragma once

#include "engine/base/job_context.h"
#include "engine/metrics/verdicts/group_tests.h"
#include "widgets/link/view_state.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Samples that belong together (EmbeddingSet::groups), over the sets that are shown: the real one and the current
/// model's. Equal names are the same group.
namespace assay {

/// Whether one of the samples has a group.
bool haveGroups(const ViewState& state, const SampleSet& samples);
/// All samples of the groups that these samples are of; samples without a group stand for themselves.
SampleSet wholeGroups(const ViewState& state, const SampleSet& samples);
/// The group that all of these samples are of; nothing where they are of none, or of several.
std::optional<std::string> commonGroup(const ViewState& state, const SampleSet& samples);
/// How much of a model is nearest to each group of the real set (groupUse()).
struct ModelGroupUse {
    std::shared_ptr<const ModelAudit> model;
    std::vector<GroupUse> groups; ///< empty without groups, or where the audit does not know the nearest samples
};

std::shared_ptr<const ModelGroupUse> groupUseOf(const AuditResult& audit, std::size_t model, const JobContext& job);
/// The real samples of a group, and the current model's that are nearest to one of them.
SampleSet nearGroup(const ViewState& state, const std::string& name);
/// Groups of the real set whose samples the current model misses without exception: per code of the groups.
std::vector<bool> missedGroups(const ViewState& state);
/// "Group patient12: 14 real and 3 synthetic samples"; empty for a sample without a group.
QString groupSentence(const ViewState& state, SampleId sample);

} // namespace assay
