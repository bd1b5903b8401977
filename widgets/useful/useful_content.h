#pragma once

#include "engine/subsets/what_if/useful_what_if.h"
#include "widgets/link/useful_of_kept.h"
#include "widgets/link/view_state.h"
#include "widgets/tables/heat_table.h"
#include "widgets/tables/table_content.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <vector>

/// Texts of the panel "Useful".
namespace assay {

/// Why there is nothing to show, and what would bring it.
QString usefulHint(const ViewState& state);
/// "Accuracy on 10,000 held-out samples, trained on".
QString usefulAxisTitle(const ViewState& state);
/// What the kept samples teach beside as many at random, or that this is being worked out; empty where nothing is
/// rejected.
QString usefulKeptSentence(const ViewState& state, const UsefulMetric& metric,
                           const std::function<QString(double)>& text);
/// The panel's numbers as a table with headings: accuracies, and those of classes.
std::vector<QStringList> usefulData(const ViewState& state, const std::vector<IntervalRow>& rows);

/// The utility of the current model's samples by class, a class a row as in ModelAudit::utility: how many samples were
/// tested, the shares that are classified correctly after training on the synthetic and on the real set, and what is
/// gained or lost between the two.
enum ClassUtilityColumn { UtilityClass, UtilityTested, UtilitySynthetic, UtilityReal, UtilityChange };
TableContent classUtilityTable(const ViewState& state);

/// Real samples of the class of a row that pass the filter.
SampleSet samplesOfUtilityRow(const ViewState& state, int row);

/// Confusion counts as a heat table: errors are shaded by their share of the class beside the largest such share, right
/// answers are the diagonal.
HeatContent confusionTable(const std::shared_ptr<const ConfusionCounts>& counts);

} // namespace assay
