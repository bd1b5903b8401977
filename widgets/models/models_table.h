#pragma once

#include "engine/audit/result/audit_result.h"
#include "widgets/tables/table_content.h"

#include <memory>

namespace assay {

/// How much room the table of models has. Compact: a row's name takes its own line above the numbers.
enum class ModelsRoom { Compact, Short, Long };

enum ModelsColumn {
    ModelName,
    ModelVerdict, ///< the share of bad samples, or that nothing was found
    ModelDensity,
    ModelCoverage,
    ModelBadFidelity,
    ModelBadCoverage,
    ModelAuthenticity,
    ModelPce,
};

/// Every model of an audit, one a row in the audit's order, with the figures that decide which one is best. Best first
/// at first: those without a finding, then by the share of bad samples.
TableContent modelsTable(const std::shared_ptr<const AuditResult>& audit, ModelsRoom room);

} // namespace assay
