#pragma once

#include "engine/metrics/verdicts/group_tests.h"
#include "widgets/charts/interval_chart.h"
#include "widgets/link/view_state.h"
#include "widgets/tables/table_content.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

/// Texts and rows of the panel "Private".
namespace assay {

class ListedPairs;

/// What would be here, and the one thing that brings it.
QString privateHint(const ViewState& state);
/// What the kept samples give away beside as many at random, or that this is being worked out; empty where nothing is
/// rejected.
QString privateKeptSentence(const ViewState& state);
/// How many real samples are exposed, beside how many guessing finds.
QString exposedSummary(const ListedPairs& pairs);
/// The distances of synthetic and of held-out samples: from the 5th percentile to the median.
/// @param distance "dcr" or "nndr"
std::vector<IntervalRow> distanceRows(const ViewState& state, const std::string& distance);

/// Groups of the real set beside how many synthetic samples are nearest to each.
TableContent groupContent(const ViewState& state, const std::vector<GroupUse>& groups);

void addMembershipData(std::vector<QStringList>& data, const QString& metric, const std::vector<IntervalRow>& rows);
void addDistanceData(std::vector<QStringList>& data, const ViewState& state);

} // namespace assay
