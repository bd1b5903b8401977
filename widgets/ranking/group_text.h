#pragma once

#include "widgets/ranking/ranking_listing.h"

#include <QString>

#include <optional>

namespace assay {

class RankingModel;

/// Header of a group: "1,438 near real 661 (class 1)", "40 copies", "512 of class 3".
QString groupText(const RankingModel& model, const RankingGroup& group);
/// The sample that a group is near; none for groups by something else.
std::optional<SampleId> groupCentre(const RankingModel& model, const RankingGroup& group);

} // namespace assay
