#pragma once

#include "engine/audit/result/audit_result.h"
#include "engine/base/find_by.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::test {

/// Points of a curve of a model. @throws std::out_of_range for a curve that was not computed
inline const CurveValues& curveOf(const ModelAudit& model, std::string_view id) {
    if (const CurveValues* curve = findBy(model.curves, &CurveValues::id, id))
        return *curve;
    throw std::out_of_range(model.name + " has no curve '" + std::string(id) + "'");
}

} // namespace assay::test
