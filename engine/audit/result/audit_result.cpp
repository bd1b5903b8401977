#include "engine/audit/result/audit_result.h"

#include "engine/base/error.h"
#include "engine/base/find_by.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/version.h"

#include <cmath>

namespace assay {
namespace {

template <typename Values>
const Values& require(const std::vector<Values>& all, std::string_view id, const std::string& model,
                      std::string_view what) {
    if (const Values* values = findBy(all, &Values::id, id))
        return *values;
    throw Error(ErrorKind::InvalidArgument, model + " has no " + std::string(what) + " '" + std::string(id) + "'");
}

} // namespace

std::string thisVersion() {
    return kVersion;
}

double AuditResult::valueInFile(const Column& column, double value) const {
    if (column.unit != Unit::Row || std::isnan(value) || !real)
        return value;
    return static_cast<double>(real->set->fileRow(static_cast<std::size_t>(value)));
}

double ModelAudit::metric(std::string_view id) const {
    return require(metrics, id, name, "metric").value;
}

const std::vector<double>& ModelAudit::column(std::string_view id) const {
    return require(columns, id, name, "per-sample column").values;
}

const MetricInterval* ModelAudit::interval(std::string_view id) const noexcept {
    return findBy(intervals, &MetricInterval::id, id);
}

bool ModelAudit::hasMetric(std::string_view id) const noexcept {
    return findBy(metrics, &MetricValue::id, id) != nullptr;
}

bool ModelAudit::hasColumn(std::string_view id) const noexcept {
    return findBy(columns, &ColumnValues::id, id) != nullptr;
}

const Column* ModelAudit::findColumn(std::string_view id) const noexcept {
    const ColumnValues* values = findBy(columns, &ColumnValues::id, id);
    return values != nullptr ? &columnOf(*values) : nullptr;
}

} // namespace assay
