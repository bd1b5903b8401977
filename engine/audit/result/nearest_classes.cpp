#include "engine/audit/result/nearest_classes.h"

#include "engine/audit/result/audit_result.h"
#include "engine/audit/result/by_class.h"
#include "engine/data/matrix_view.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace assay {
namespace {

/// Classes up to which a matrix of counters is small; of more, the pairs of all samples are sorted.
constexpr std::size_t kMaxCounted = 2'000;

/// The pairs of own and nearest class that occur, by counting.
std::vector<NearestClassCount> countedCells(const NearestClasses& found) {
    const std::size_t classes = found.classes.size();
    std::vector<std::uint32_t> counts(classes * classes, 0);
    for (std::size_t row = 0; row < found.own.size(); ++row)
        if (found.own[row] < classes && found.nearest[row] < classes)
            ++counts[found.own[row] * classes + found.nearest[row]];
    std::vector<NearestClassCount> cells;
    for (std::size_t at = 0; at < counts.size(); ++at)
        if (counts[at] > 0)
            cells.push_back(
                {static_cast<std::uint32_t>(at / classes), static_cast<std::uint32_t>(at % classes), counts[at]});
    return cells;
}

/// The same by sorting, for so many classes that their matrix would not fit.
std::vector<NearestClassCount> sortedCells(const NearestClasses& found) {
    const std::size_t classes = found.classes.size();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t row = 0; row < found.own.size(); ++row)
        if (found.own[row] < classes && found.nearest[row] < classes)
            pairs.emplace_back(found.own[row], found.nearest[row]);
    std::ranges::sort(pairs);
    std::vector<NearestClassCount> cells;
    for (const auto& [own, nearest] : pairs)
        if (!cells.empty() && cells.back().own == own && cells.back().nearest == nearest)
            ++cells.back().count;
        else
            cells.push_back({own, nearest, 1});
    return cells;
}

} // namespace

std::uint32_t NearestClasses::count(std::size_t ofClass, std::size_t nearestClass) const {
    const auto place = [](const NearestClassCount& cell) { return std::pair(cell.own, cell.nearest); };
    const std::pair wanted(static_cast<std::uint32_t>(ofClass), static_cast<std::uint32_t>(nearestClass));
    const auto at = std::ranges::lower_bound(cells, wanted, {}, place);
    return at != cells.end() && place(*at) == wanted ? at->count : 0;
}

double NearestClasses::share(std::size_t ofClass, std::size_t nearestClass) const {
    if (samples[ofClass] == 0)
        return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(count(ofClass, nearestClass)) / static_cast<double>(samples[ofClass]);
}

std::vector<std::uint32_t> NearestClasses::rows(std::span<const NearestClassPair> of) const {
    const std::size_t all = classes.size();
    const auto isKnown = [&](std::size_t row) { return own[row] < all && nearest[row] < all; };
    if (all <= kMaxCounted) {
        std::vector<bool> isWanted(all * all, false);
        for (const NearestClassPair& pair : of)
            isWanted[pair.own * all + pair.nearest] = true;
        return rowsWhere(own.size(),
                         [&](std::size_t row) { return isKnown(row) && isWanted[own[row] * all + nearest[row]]; });
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted;
    wanted.reserve(of.size());
    for (const NearestClassPair& pair : of)
        wanted.emplace_back(pair.own, pair.nearest);
    std::ranges::sort(wanted);
    return rowsWhere(own.size(), [&](std::size_t row) {
        return isKnown(row) && std::ranges::binary_search(wanted, std::pair(own[row], nearest[row]));
    });
}

double NearestClasses::agreement() const {
    const auto all = std::accumulate(samples.begin(), samples.end(), std::uint64_t{0});
    std::uint64_t same = 0;
    for (const NearestClassCount& cell : cells)
        if (cell.own == cell.nearest)
            same += cell.count;
    return all == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(same) / static_cast<double>(all);
}

std::optional<NearestClasses> nearestClasses(const EmbeddingSet& samples, const EmbeddingSet& real,
                                             const NeighborTable& nearest) {
    if (!samples.hasLabels() || !real.hasLabels() || nearest.rows() != samples.rows())
        return std::nullopt;
    NearestClasses found;
    found.classes = jointClasses(samples, real);
    found.own = classPlaces(samples, found.classes);
    const std::vector<std::uint32_t> realPlaces = classPlaces(real, found.classes);
    found.nearest.reserve(samples.rows());
    for (std::size_t row = 0; row < samples.rows(); ++row)
        found.nearest.push_back(realPlaces[nearest.indexAt(row, 0)]);
    found.samples = countsOf(found.own, found.classes.size() + 1);
    found.real = countsOf(realPlaces, found.classes.size() + 1);
    found.samples.pop_back(); // those without a class
    found.real.pop_back();
    found.cells = found.classes.size() <= kMaxCounted ? countedCells(found) : sortedCells(found);
    return found;
}

std::optional<NearestClasses> nearestClasses(const AuditResult& audit, std::size_t model) {
    const ModelAudit& scores = *audit.models[model];
    return nearestClasses(*scores.set, *audit.real->set, scores.tables->syntheticToReal);
}

std::optional<NearestClasses> nearestClassesOfReal(const AuditResult& audit) {
    return nearestClasses(*audit.real->set, *audit.real->set, audit.real->neighbors);
}

ComparedClasses compareClasses(const AuditResult& audit, std::size_t model) {
    ComparedClasses compared{.model = audit.models[model],
                             .found = nearestClasses(audit, model),
                             .ofReal = nearestClassesOfReal(audit),
                             .order = {}};
    if (compared.found)
        compared.order = confusedFirst(*compared.found);
    return compared;
}

std::vector<std::uint32_t> confusedFirst(const NearestClasses& found) {
    std::vector<NearestClassCount> confused;
    std::ranges::copy_if(found.cells, std::back_inserter(confused),
                         [](const NearestClassCount& cell) { return cell.own != cell.nearest; });
    std::ranges::stable_sort(confused, std::ranges::greater(), &NearestClassCount::count);
    std::vector<std::uint32_t> order;
    std::vector<bool> isPlaced(found.classes.size(), false);
    const auto place = [&](std::uint32_t one) {
        if (!isPlaced[one])
            order.push_back(one);
        isPlaced[one] = true;
    };
    for (const NearestClassCount& cell : confused) {
        place(cell.own);
        place(cell.nearest);
    }
    for (std::uint32_t one = 0; one < found.classes.size(); ++one)
        place(one);
    return order;
}

} // namespace assay
