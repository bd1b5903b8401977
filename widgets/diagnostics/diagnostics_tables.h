#pragma once

#include "engine/audit/result/audit_result.h"

class QStandardItemModel;

/// A model's diagnostics as rows of a SummaryTable, every cell with its definition as tooltip.
namespace assay {

/// From density to clipped density: a step a row; its value, the share of samples that weigh more than k balls in it,
/// and the most that one sample adds.
void showDensitySteps(QStandardItemModel& table, const ModelAudit& model, std::size_t k);

/// How many real balls hold so many synthetic samples, with the radii as they are and clipped.
void showOccupancy(QStandardItemModel& table, const ModelAudit& model);

} // namespace assay
