#include "engine/audit/result/held_out.h"

#include "engine/audit/result/audit_result.h"
#include "engine/math/statistics/nan.h"
#include "engine/math/statistics/quantile.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace assay {
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
        HeldOutQuantiles entry;
        entry.column = column.id;
        entry.missing = column.values.size() - numbers.size();
        for (std::size_t q = 0; q < entry.values.size(); ++q)
            entry.values[q] = numbers.empty() ? kNaN : quantile(std::span(numbers), HeldOutQuantiles::kShares[q]);
        table.push_back(entry);
    }
    return table;
}

} // namespace assay
