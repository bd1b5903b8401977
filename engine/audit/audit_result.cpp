#include "engine/audit/audit_result.h"

#include "engine/job/error.h"

#include <algorithm>

namespace assay {

double ModelAudit::metric(std::string_view id) const {
    const auto at = std::find_if(metrics.begin(), metrics.end(), [id](const MetricValue& m) { return m.id == id; });
    if (at == metrics.end())
        throw Error(ErrorKind::InvalidArgument, name + " has no metric '" + std::string(id) + "'");
    return at->value;
}

const std::vector<double>& ModelAudit::column(std::string_view id) const {
    const auto at = std::find_if(columns.begin(), columns.end(), [id](const ColumnValues& c) { return c.id == id; });
    if (at == columns.end())
        throw Error(ErrorKind::InvalidArgument, name + " has no per-sample column '" + std::string(id) + "'");
    return at->values;
}

} // namespace assay
