#include "engine/report/pages/sample_ranking.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace assay::report {
namespace {

/// A column to rank by, and whether its largest values come first.
struct RankedBy {
    std::string_view column;
    bool largestFirst;
};

/// A ranking with its candidate columns: the most suitable first, the last one exists in every audit.
struct RankingKind {
    std::string_view id;
    std::string_view title;
    std::array<RankedBy, 2> by;
};

constexpr std::array<RankingKind, 3> kRankingKinds{
    {{"worst", "Worst samples", {{{"p_any", false}, {"pce", true}}}},
     {"memorised", "Most memorised samples", {{{"copy_ratio", false}, {"nearest_real_distance", false}}}},
     {"typical", "Most typical samples", {{{"typicality", false}, {"clipped_ball_count", true}}}}}};

/// Sort keys: the first sample has the smallest key.
std::vector<double> keysOf(const std::vector<double>& values, bool largestFirst) {
    return largestFirst ? metrics::mapped(values, std::negate()) : values;
}

std::vector<std::uint32_t> firstRows(const ModelAudit& model, const Column& column, bool largestFirst,
                                     std::size_t count) {
    const std::vector<double> keys = keysOf(model.column(column.id), largestFirst);
    std::vector<double> ties;
    if (!column.thenBy.empty() && model.hasColumn(column.thenBy)) // worst first: a column of Direction::Lower falls
        ties = keysOf(model.column(column.thenBy), findColumn(column.thenBy)->better == Direction::Lower);
    std::ranges::replace_if(
        ties, [](double tie) { return std::isnan(tie); }, std::numeric_limits<double>::infinity());
    std::vector<std::uint32_t> rows = rowsWhere(keys.size(), [&](std::size_t row) { return !std::isnan(keys[row]); });
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (keys[a] != keys[b])
            return keys[a] < keys[b];
        if (!ties.empty() && ties[a] != ties[b])
            return ties[a] < ties[b];
        return a < b;
    };
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, rows.size()));
    std::partial_sort(rows.begin(), end, rows.end(), before);
    rows.erase(end, rows.end());
    return rows;
}

} // namespace

std::vector<SampleRanking> sampleRankings(const ModelAudit& model, std::size_t count) {
    std::vector<SampleRanking> rankings;
    for (const RankingKind& kind : kRankingKinds) {
        const auto by = std::ranges::find_if(
            kind.by, [&](std::string_view column) { return model.hasColumn(column); }, &RankedBy::column);
        if (by == kind.by.end())
            continue;
        const Column* column = findColumn(by->column);
        rankings.push_back({kind.id, kind.title, column, firstRows(model, *column, by->largestFirst, count)});
    }
    return rankings;
}

} // namespace assay::report
