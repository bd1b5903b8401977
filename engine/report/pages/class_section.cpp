#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/audit/result/nearest_classes.h"
#include "engine/base/number_text.h"
#include "engine/report/pages/sections.h"
#include "engine/report/parts/html_table.h"
#include "engine/report/parts/html_writer.h"
#include "engine/report/parts/report_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {
namespace {

/// Largest number of classes that the page shows.
constexpr std::size_t kMaxClasses = 40;
/// Largest number of classes of which the whole matrix of nearest classes is shown; of more, its heaviest confusions.
constexpr std::size_t kMaxInMatrix = 20;
constexpr std::size_t kMaxConfusions = 20;

/// A per-sample score and the heading for its mean in the table.
struct ClassColumn {
    std::string_view column;
    std::string_view title;
};
constexpr std::array<ClassColumn, 5> kClassColumns{{{"fidelity", "Fidelity"},
                                                    {"verdict", "Flagged samples"},
                                                    {"authentic", "Authentic samples"},
                                                    {"coverage", "Coverage"},
                                                    {"coverage_verdict", "Missed or thin samples"}}};

std::optional<std::size_t> placeOf(const ByClass& byClass, std::string_view column) {
    const auto at = std::find(byClass.columns.begin(), byClass.columns.end(), column);
    return at == byClass.columns.end()
               ? std::nullopt
               : std::optional<std::size_t>(static_cast<std::size_t>(at - byClass.columns.begin()));
}

/// Criterion that selects the worst classes when there are too many: sum of coverage and fidelity. A class without
/// samples in a set counts as not covered.
double quality(const ByClass& byClass, const ClassScores& scores) {
    double sum = 0.0;
    for (const std::string_view column : {"fidelity", "coverage"})
        if (const auto at = placeOf(byClass, column); at && !std::isnan(scores.means[*at]))
            sum += scores.means[*at];
    return sum;
}

/// The classes to show, in their order: all, or the worst ones.
std::vector<const ClassScores*> shownClasses(const ByClass& byClass) {
    std::vector<const ClassScores*> shown;
    for (const ClassScores& scores : byClass.classes)
        shown.push_back(&scores);
    if (shown.size() <= kMaxClasses)
        return shown;
    std::stable_sort(shown.begin(), shown.end(), [&](const ClassScores* a, const ClassScores* b) {
        return quality(byClass, *a) < quality(byClass, *b);
    });
    shown.resize(kMaxClasses);
    std::sort(shown.begin(), shown.end()); // pointers into the list: restores its order
    return shown;
}

std::string countText(const std::optional<std::size_t>& count) {
    return count ? std::to_string(*count) : kNoValue;
}

/// Text of a column's mean: a percentage for shares, a number for scores.
std::string meanText(std::string_view column, double mean) {
    const Unit unit = findColumn(column)->unit;
    if (std::isnan(mean))
        return kNoValue;
    return unit == Unit::Word || unit == Unit::YesNo ? percentText(mean) : scoreText(mean, unit);
}

std::string shareText(const NearestClasses& found, std::uint32_t own, std::uint32_t nearest) {
    return found.count(own, nearest) == 0 ? "" : percentText(found.share(own, nearest));
}

/// All classes against all.
void writeMatrix(HtmlWriter& html, const NearestClasses& found, const std::string& caption) {
    std::vector<TableColumn> columns{{"Synthetic class"}};
    std::vector<std::vector<TableCell>> rows;
    for (std::uint32_t one = 0; one < found.classes.size(); ++one)
        if (found.real[one] > 0)
            columns.push_back({found.classes[one], kRight});
    for (std::uint32_t own = 0; own < found.classes.size(); ++own) {
        if (found.samples[own] == 0)
            continue;
        rows.push_back({{found.classes[own]}});
        for (std::uint32_t nearest = 0; nearest < found.classes.size(); ++nearest)
            if (found.real[nearest] > 0)
                rows.back().push_back({shareText(found, own, nearest)});
    }
    writeTable(html, caption, columns, rows);
}

/// The cells off the diagonal with the most samples.
void writeConfusions(HtmlWriter& html, const NearestClasses& found, const std::string& caption) {
    std::vector<NearestClassCount> confused;
    std::ranges::copy_if(found.cells, std::back_inserter(confused),
                         [](const NearestClassCount& cell) { return cell.own != cell.nearest; });
    std::ranges::stable_sort(confused, std::ranges::greater(), &NearestClassCount::count);
    confused.resize(std::min(confused.size(), kMaxConfusions));
    std::vector<std::vector<TableCell>> rows;
    rows.reserve(confused.size());
    for (const NearestClassCount& cell : confused)
        rows.push_back({{found.classes[cell.own]},
                        {found.classes[cell.nearest]},
                        {std::to_string(cell.count)},
                        {shareText(found, cell.own, cell.nearest)}});
    if (!rows.empty())
        writeTable(html, caption + "; the heaviest confusions",
                   {{"Synthetic class"}, {"Nearest real class"}, {"Samples", kRight}, {"Share of the class", kRight}},
                   rows);
}

/// Which classes are confused, by the nearest real samples.
void writeNearestClasses(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const auto found = nearestClasses(audit, model);
    const auto ofReal = nearestClassesOfReal(audit);
    if (!found || !ofReal || !haveCommonClass(*audit.real->set, *audit.models[model]->set))
        return;
    const std::string caption = "Class of the nearest real sample of each class of " + audit.models[model]->name;
    if (found->classes.size() <= kMaxInMatrix)
        writeMatrix(html, *found, caption);
    else
        writeConfusions(html, *found, caption);
    html.leaf("p",
              "The nearest real sample is of the sample's own class for " + percentText(found->agreement()) +
                  " of the synthetic samples, and for " + percentText(ofReal->agreement()) +
                  " of the real ones, each compared with the other real samples.",
              {{"class", "muted"}});
}

} // namespace

void writeClasses(HtmlWriter& html, const AuditResult& audit, std::size_t model) {
    const std::optional<ByClass> byClass = scoresByClass(*audit.real->set, *audit.models[model]);
    if (!byClass)
        return;
    std::vector<TableColumn> columns{{"Class"}, {"Real", kRight}, {"Synthetic", kRight}};
    for (const ClassColumn& shown : kClassColumns)
        if (placeOf(*byClass, shown.column))
            columns.push_back({std::string(shown.title), kRight});
    std::vector<std::vector<TableCell>> rows;
    const std::vector<const ClassScores*> shown = shownClasses(*byClass);
    for (const ClassScores* scores : shown) {
        rows.push_back({{scores->label}, {countText(scores->real)}, {countText(scores->synthetic)}});
        for (const ClassColumn& column : kClassColumns)
            if (const auto at = placeOf(*byClass, column.column))
                rows.back().push_back({meanText(column.column, scores->means[*at])});
    }
    html.leaf("h3", "How good is each class?");
    if (shown.size() < byClass->classes.size())
        html.leaf("p", "The " + std::to_string(shown.size()) + " worst of " + std::to_string(byClass->classes.size()) +
                           " classes by fidelity and coverage; the JSON output has all.");
    writeTable(html, "Samples and mean scores of each class of " + audit.models[model]->name, columns, rows);
    writeNearestClasses(html, audit, model);
}

} // namespace assay::report
