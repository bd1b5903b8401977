#include "engine/audit/result/held_out.h"

#include "engine/audit/result/audit_result.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

namespace assay {
namespace {

/// Quantile by linear interpolation.
/// @param ascending values without NaN
double quantile(const std::vector<double>& ascending, double share) {
    if (ascending.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double place = share * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double low = ascending[below];
    const double high = ascending[std::min(below + 1, ascending.size() - 1)];
    if (low == high) // of two infinite values there is no difference
        return low;
    const double part = place - static_cast<double>(below);
    return part == 0.0 ? low : low + part * (high - low);
}

} // namespace

std::vector<HeldOutQuantiles> heldOutQuantiles(const AuditResult& audit) {
    std::vector<HeldOutQuantiles> table;
    if (!audit.heldOut)
        return table;
    for (const ColumnValues& column : audit.heldOut->audit->columns) {
        const Column* row = findColumn(column.id);
        if (row == nullptr || row->side != Side::Synthetic || row->unit == Unit::Row)
            continue;
        std::vector<double> numbers;
        std::copy_if(column.values.begin(), column.values.end(), std::back_inserter(numbers),
                     [](double value) { return !std::isnan(value); });
        std::sort(numbers.begin(), numbers.end());
        HeldOutQuantiles entry;
        entry.column = column.id;
        entry.missing = column.values.size() - numbers.size();
        for (std::size_t q = 0; q < entry.values.size(); ++q)
            entry.values[q] = quantile(numbers, HeldOutQuantiles::kShares[q]);
        table.push_back(entry);
    }
    return table;
}

} // namespace assay
