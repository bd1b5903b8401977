#include "engine/subsets/rules/filter.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/rules/set_rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace assay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorKind::InvalidArgument, message);
}

/// @param model null: a column of the catalogue is meant
const Column& columnOf(const FilterRule& rule, const ModelAudit* model) {
    const Column* column = isExternal(rule.column) && model ? model->findColumn(rule.column) : findColumn(rule.column);
    if (!column)
        refuse("There is no column '" + rule.column + "' to filter by.");
    if (column->side != Side::Synthetic)
        refuse("Column '" + rule.column + "' describes real samples; rules need a column of synthetic samples.");
    if (rule.bound == Bound::Is && column->unit != Unit::Word)
        refuse("Column '" + rule.column + "' holds numbers; a rule on it needs a bound, not a word.");
    return *column;
}

/// Value that represents a word of a column.
double numberOf(const Column& column, const std::string& word) {
    const auto at = std::ranges::find(column.words, column.id == "verdict" ? verdictWordOf(word) : word);
    if (at != column.words.end())
        return static_cast<double>(at - column.words.begin());
    refuse("Column '" + std::string(column.id) + "' has no word '" + word + "'.");
}

/// Number of samples that a rule on the highest or lowest values matches.
std::size_t countOf(const FilterRule& rule, std::size_t samples) {
    if (!(rule.value >= 0.0 && rule.value <= 1.0))
        refuse("Rule on '" + rule.column + "': expected a share from 0 to 1, found " + numberText(rule.value) + ".");
    return static_cast<std::size_t>(std::llround(rule.value * static_cast<double>(samples)));
}

/// Rows whose value is not NaN; the first `count` are those that a rule on the highest or lowest values matches, ties
/// by row. The order within both parts is unspecified.
std::vector<std::uint32_t> extremeFirst(const FilterRule& rule, std::span<const double> values, std::size_t& count) {
    std::vector<std::uint32_t> rows =
        rowsWhere(values.size(), [&](std::size_t row) { return !std::isnan(values[row]); });
    count = std::min(countOf(rule, values.size()), rows.size());
    const bool highest = rule.bound == Bound::Highest;
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (values[a] != values[b])
            return (values[a] > values[b]) == highest;
        return a < b;
    };
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(), before);
    return rows;
}

bool isExtreme(const FilterRule& rule) {
    return rule.bound == Bound::Highest || rule.bound == Bound::Lowest;
}

std::optional<int> tagOf(const FilterRule& rule) {
    int tag = 0;
    const char* end = rule.word.data() + rule.word.size();
    const auto [at, code] = std::from_chars(rule.word.data(), end, tag);
    return code == std::errc() && at == end && tag >= 1 && tag <= kTags ? std::optional(tag) : std::nullopt;
}

void requireWord(const FilterRule& rule) {
    if (rule.bound != Bound::Is)
        refuse("A rule on '" + rule.column + "' needs a word, not a bound.");
    if (rule.column == kTagRule && !tagOf(rule))
        refuse("Rule on 'tag': expected a number from 1 to 9, found '" + rule.word + "'.");
}

/// Rows of the model's set that a rule matches, in any order.
std::vector<std::uint32_t> matchedRows(const AuditResult& audit, std::size_t model, const FilterRule& rule,
                                       const SampleFilter& filter) {
    const ModelAudit& audited = *audit.models[model];
    const EmbeddingSet& set = *audited.set;
    if (rule.column == kClassRule || rule.column == kGroupRule) {
        requireWord(rule);
        const ClassLabels& names = rule.column == kClassRule ? set.labels() : set.groups();
        return rowsWhere(names.code.size(), [&](std::size_t row) { return names.names[names.code[row]] == rule.word; });
    }
    if (rule.column == kTagRule) {
        requireWord(rule);
        if (!filter.tags)
            return {};
        std::vector<std::uint32_t> rows = filter.tags->having(*tagOf(rule)).rowsOf(syntheticSet(model));
        std::erase_if(rows, [&](std::uint32_t row) { return row >= set.rows(); });
        return rows;
    }
    if (const SetRule* onSet = findSetRule(rule.column)) {
        const auto found = filter.found.find(rule.column);
        return found != filter.found.end() ? *found->second : onSet->rows(audit, model);
    }
    columnOf(rule, &audited);
    const std::vector<double>& values = audited.column(rule.column);
    if (isExtreme(rule)) {
        std::size_t count = 0;
        std::vector<std::uint32_t> rows = extremeFirst(rule, values, count);
        rows.resize(count);
        return rows;
    }
    const RuleRange range = rangeOf(rule, values);
    return rowsWhere(values.size(), [&](std::size_t row) { return range.contains(values[row]); });
}

/// Applies decisions by hand to the flags.
void setRows(std::vector<bool>& kept, const std::vector<std::uint32_t>& rows, bool to, const ModelAudit& model) {
    for (const std::uint32_t row : rows) {
        if (row >= kept.size())
            refuse("There is no row " + std::to_string(row) + " of " + model.name +
                   " to decide about by hand: it has " + std::to_string(kept.size()) + " rows.");
        kept[row] = to;
    }
}

/// Text that says why a value fails a rule with Effect::Keep.
std::string shortfall(const FilterRule& rule, const Column& column, double value) {
    if (column.unit == Unit::YesNo && rule.bound == Bound::AtLeast)
        return "not " + rule.column;
    if (column.unit == Unit::Word && !std::isnan(value))
        return rule.column + " " + valueText(column, value);
    const bool none = std::isnan(value);
    const std::string found = rule.column + " " + numberText(value);
    if (rule.bound == Bound::Between)
        return found + " not in " + numberText(rule.value) + " to " + numberText(rule.upper);
    if (rule.bound == Bound::AtLeast)
        return found + (none ? " is not >= " : " < ") + numberText(rule.value);
    return found + (none ? " is not <= " : " > ") + numberText(rule.value);
}

std::string boundText(const FilterRule& rule) {
    switch (rule.bound) {
    case Bound::AtLeast:
        return " >= " + numberText(rule.value);
    case Bound::AtMost:
        return " <= " + numberText(rule.value);
    case Bound::Between:
        return " in " + numberText(rule.value) + " to " + numberText(rule.upper);
    case Bound::Is:
        return " " + rule.word;
    case Bound::Highest:
    case Bound::Lowest:
        break;
    }
    return {};
}

/// Text for the subject of a rule.
std::string subjectText(const FilterRule& rule) {
    if (const SetRule* onSet = findSetRule(rule.column))
        return std::string(onSet->samples);
    if (isExtreme(rule))
        return std::string("the ") + (rule.bound == Bound::Highest ? "highest " : "lowest ") +
               numberText(100.0 * rule.value) + " % by " + rule.column;
    return rule.column + boundText(rule);
}

/// Text that says why a sample does not pass a rule.
std::string failure(const FilterRule& rule, const ModelAudit& model, std::size_t row) {
    const Column* column = model.findColumn(rule.column);
    if (column == nullptr)
        return (rule.effect == Effect::Keep ? "not " : "") + subjectText(rule);
    const double value = model.column(rule.column)[row];
    const bool keepBound = rule.effect == Effect::Keep && rule.bound != Bound::Is && !isExtreme(rule);
    if (keepBound)
        return shortfall(rule, *column, value);
    const std::string found = rule.column + " " + valueText(*column, value);
    if (rule.bound == Bound::Is)
        return found;
    const std::string among = isExtreme(rule) ? subjectText(rule) : boundText(rule).substr(1);
    return found + (rule.effect == Effect::Keep ? ", not in " : ", in ") + among;
}

} // namespace

RuleRange rangeOf(const FilterRule& rule, std::span<const double> values) {
    // Words, which only columns of the catalogue have, need the column itself.
    const Column* column = isExternal(rule.column) && rule.bound != Bound::Is ? nullptr : &columnOf(rule, nullptr);
    switch (rule.bound) {
    case Bound::AtLeast:
        return {rule.value, kInfinity, rule.effect};
    case Bound::AtMost:
        return {-kInfinity, rule.value, rule.effect};
    case Bound::Between:
        return {rule.value, rule.upper, rule.effect};
    case Bound::Is: {
        const double number = numberOf(*column, rule.word);
        return {number, number, rule.effect};
    }
    case Bound::Highest:
    case Bound::Lowest:
        break;
    }
    std::size_t count = 0;
    const std::vector<std::uint32_t> rows = extremeFirst(rule, values, count);
    if (count == 0)
        return {kInfinity, -kInfinity, rule.effect};
    const auto [low, high] = std::minmax_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count),
                                                 [&](auto a, auto b) { return values[a] < values[b]; });
    return rule.bound == Bound::Highest ? RuleRange{values[*low], kInfinity, rule.effect}
                                        : RuleRange{-kInfinity, values[*high], rule.effect};
}

void requireRules(const AuditResult& audit, std::size_t model, std::span<const FilterRule> rules) {
    for (const FilterRule& rule : rules) {
        if (findSetRule(rule.column) != nullptr)
            continue;
        if (isWordRule(rule.column)) {
            requireWord(rule);
            continue;
        }
        const Column& column = columnOf(rule, audit.models[model].get());
        audit.models[model]->column(rule.column);
        if (rule.bound == Bound::Is)
            numberOf(column, rule.word);
        if (isExtreme(rule))
            countOf(rule, 0);
    }
}

AppliedFilter::AppliedFilter(const AuditResult& audit, std::size_t model, SampleFilter filter)
    : audit_(audit), model_(model), filter_(std::move(filter)) {
    const ModelAudit& audited = *audit.models.at(model);
    const bool all = filter_.rules.match == RuleMatch::All;
    kept_.assign(audited.set->rows(), all || filter_.rules.empty());
    for (const FilterRule& rule : filter_.rules.list) {
        const bool keep = rule.effect == Effect::Keep;
        std::vector<bool>& passes = passes_.emplace_back(kept_.size(), !keep);
        for (const std::uint32_t row : matchedRows(audit, model, rule, filter_))
            passes.at(row) = keep;
        for (std::size_t row = 0; row < kept_.size(); ++row)
            kept_[row] = all ? kept_[row] && passes[row] : kept_[row] || passes[row];
    }
    setRows(kept_, filter_.accepted, true, audited);
    setRows(kept_, filter_.rejectedByHand, false, audited);
    keptCount_ = static_cast<std::size_t>(std::count(kept_.begin(), kept_.end(), true));
}

std::size_t AppliedFilter::failing(std::size_t rule) const {
    return static_cast<std::size_t>(std::count(passes_.at(rule).begin(), passes_.at(rule).end(), false));
}

std::string AppliedFilter::reason(std::size_t row) const {
    std::string reason;
    if (kept_[row])
        return reason;
    const auto add = [&reason](const std::string& text) { reason += (reason.empty() ? "" : "; ") + text; };
    if (!std::ranges::binary_search(filter_.accepted, row))
        for (std::size_t rule = 0; rule < passes_.size(); ++rule)
            if (!passes_[rule][row])
                add(failure(filter_.rules.list[rule], *audit_.models[model_], row));
    if (std::ranges::binary_search(filter_.rejectedByHand, row))
        add("rejected by hand");
    return reason;
}

std::string ruleText(const FilterRule& rule) {
    return (rule.effect == Effect::Keep ? "keep " : "reject ") + subjectText(rule);
}

} // namespace assay
