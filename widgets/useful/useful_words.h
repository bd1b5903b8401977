#pragma once

#include "widgets/link/useful_of_kept.h"

#include <QString>
#include <QStringList>

#include <functional>
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

} // namespace assay
