#include "engine/report/rule_text.h"

#include "engine/audit/number_text.h"
#include "engine/metrics/catalog.h"

namespace assay::report {

std::string ruleText(const FilterRule& rule) {
    const Column* column = findColumn(rule.column);
    const std::string title(column ? column->title : std::string_view(rule.column));
    if (column && column->unit == Unit::Word && rule.bound == Bound::AtMost && rule.value == 0.0)
        return title + ": " + valueText(*column, 0.0);
    if (column && column->unit == Unit::YesNo && rule.bound == Bound::AtLeast)
        return title + ": yes";
    return title + (rule.bound == Bound::AtLeast ? " at least " : " at most ") + numberText(rule.value);
}

} // namespace assay::report
