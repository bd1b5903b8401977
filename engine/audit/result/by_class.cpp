#include "engine/audit/result/by_class.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/matrix_view.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

namespace assay {
namespace {

std::optional<std::int64_t> integerOf(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

} // namespace

std::vector<std::string> jointClasses(const EmbeddingSet& first, const EmbeddingSet& second) {
    std::vector<std::string> labels = first.labels().names;
    labels.insert(labels.end(), second.labels().names.begin(), second.labels().names.end());
    std::erase(labels, std::string()); // of samples without a class
    const bool numbers =
        std::ranges::all_of(labels, [](const std::string& label) { return integerOf(label).has_value(); });
    std::ranges::sort(labels, [numbers](const std::string& a, const std::string& b) {
        return numbers && integerOf(a) != integerOf(b) ? *integerOf(a) < *integerOf(b) : a < b;
    });
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
}

std::vector<std::uint32_t> classPlaces(const EmbeddingSet& set, const std::vector<std::string>& classes) {
    std::unordered_map<std::string_view, std::uint32_t> placeOf;
    for (std::uint32_t place = 0; place < classes.size(); ++place)
        placeOf.emplace(classes[place], place);
    std::vector<std::uint32_t> ofCode;
    for (const std::string& name : set.labels().names) {
        const auto at = placeOf.find(name);
        ofCode.push_back(at == placeOf.end() ? static_cast<std::uint32_t>(classes.size()) : at->second);
    }
    std::vector<std::uint32_t> places;
    places.reserve(set.labels().code.size());
    for (const std::uint32_t code : set.labels().code)
        places.push_back(ofCode[code]);
    return places;
}

namespace {

/// Mean per class over the rows that have a value; for example, a sample outside every ball has no rarity.
std::vector<double> meansOf(std::span<const double> values, std::span<const std::uint32_t> places,
                            std::size_t classes) {
    std::vector<double> means(classes, 0.0);
    std::vector<std::size_t> counts(classes, 0);
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (std::isnan(values[row]) || places[row] == classes)
            continue;
        means[places[row]] += values[row];
        ++counts[places[row]];
    }
    for (std::size_t c = 0; c < means.size(); ++c)
        means[c] = counts[c] > 0 ? means[c] / static_cast<double>(counts[c]) : std::numeric_limits<double>::quiet_NaN();
    return means;
}

} // namespace

bool haveCommonClass(const EmbeddingSet& real, const EmbeddingSet& synthetic) {
    const std::vector<std::string>& others = synthetic.labels().names;
    return std::ranges::any_of(real.labels().names, [&](const std::string& name) {
        return !name.empty() && std::ranges::find(others, name) != others.end();
    });
}

std::optional<ByClass> scoresByClass(const EmbeddingSet& real, const ModelAudit& model) {
    const EmbeddingSet& synthetic = *model.set;
    if (!real.hasLabels() && !synthetic.hasLabels())
        return std::nullopt;
    const std::vector<std::string> labels = jointClasses(real, synthetic);
    const std::vector<std::uint32_t> realPlaces = classPlaces(real, labels);
    const std::vector<std::uint32_t> syntheticPlaces = classPlaces(synthetic, labels);
    const std::vector<std::uint32_t> realCounts = countsOf(realPlaces, labels.size() + 1);
    const std::vector<std::uint32_t> syntheticCounts = countsOf(syntheticPlaces, labels.size() + 1);
    ByClass result;
    result.hasCommon = haveCommonClass(real, synthetic);
    for (std::size_t c = 0; c < labels.size(); ++c) {
        ClassScores scores{labels[c], {}, {}, {}};
        if (real.hasLabels())
            scores.real = realCounts[c];
        if (synthetic.hasLabels())
            scores.synthetic = syntheticCounts[c];
        if (result.hasCommon && realCounts[c] > 0 && syntheticCounts[c] == 0)
            result.missing.push_back(labels[c]);
        result.classes.push_back(std::move(scores));
    }
    for (const ColumnValues& column : model.columns) {
        const Column* row = &columnOf(column);
        const bool ofReal = row->side == Side::Real;
        // The mean of row numbers says nothing.
        if (row->unit == Unit::Row || !(ofReal ? real : synthetic).hasLabels())
            continue;
        result.columns.push_back(column.id);
        // Of words the mean is the share of those that are not the first.
        const std::vector<double> values =
            row->unit == Unit::Word ? metrics::isNotZero(column.values) : column.values.get();
        const std::vector<double> means = meansOf(values, ofReal ? realPlaces : syntheticPlaces, labels.size());
        for (std::size_t c = 0; c < labels.size(); ++c)
            result.classes[c].means.push_back(means[c]);
    }
    return result;
}

std::vector<std::size_t> scoresInReadingOrder(const ByClass& scores) {
    static constexpr std::array<std::string_view, 5> kFirst{"fidelity", "coverage", "authentic", "pce", "rce"};
    std::vector<std::size_t> order(scores.columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return std::ranges::find(kFirst, scores.columns[at]); });
    return order;
}

std::pair<double, double> rangeOfMeans(const ByClass& scores, std::size_t column, Unit unit) {
    double low = 0.0;
    double high = 0.0;
    for (const ClassScores& of : scores.classes)
        if (std::isfinite(of.means[column])) {
            low = std::min(low, of.means[column]);
            high = std::max(high, of.means[column]);
        }
    return unit == Unit::Share && low >= 0.0 && high <= 1.0 ? std::pair(0.0, 1.0) : std::pair(low, high);
}

SampleSet samplesOfClass(SetId id, const EmbeddingSet& set, const std::string& label) {
    const auto& names = set.labels().names;
    const auto at = std::ranges::find(names, label);
    const auto code = static_cast<std::uint32_t>(at - names.begin());
    return SampleSet::where(id, at == names.end() ? 0 : set.rows(),
                            [&](std::size_t row) { return set.labels().code[row] == code; });
}

std::vector<std::size_t> countByClass(const ByClass& scores, SetId id, const EmbeddingSet& set,
                                      const SampleSet& samples) {
    std::vector<std::size_t> counts(scores.classes.size(), 0);
    if (!set.hasLabels())
        return counts;
    std::vector<std::size_t> places;
    for (const std::string& name : set.labels().names)
        places.push_back(static_cast<std::size_t>(std::ranges::find(scores.classes, name, &ClassScores::label) -
                                                  scores.classes.begin()));
    for (const SampleId sample : samples.in(id))
        if (const std::size_t place = places[set.labels().code[sample.row]]; place < counts.size())
            ++counts[place]; // the others have no class
    return counts;
}

namespace {

/// Allowed number of synthetic samples per class, ceil(p_c M), of the samples that have a class, in integer arithmetic
/// so that rounding cannot remove one sample too many.
std::map<std::string, std::size_t> allowances(const EmbeddingSet& real, std::size_t synthetic) {
    std::map<std::string, std::size_t> allowed;
    const std::vector<std::uint32_t> counts = real.labels().counts();
    const std::size_t ofReal = real.labels().classified();
    for (std::size_t c = 0; c < counts.size(); ++c)
        allowed[real.labels().names[c]] = (counts[c] * synthetic + ofReal - 1) / ofReal;
    return allowed;
}

} // namespace

std::vector<std::uint32_t> classSurplus(const AuditResult& audit, std::size_t model) {
    const ModelAudit& audited = *audit.models[model];
    const EmbeddingSet& set = *audited.set;
    std::vector<std::uint32_t> surplus;
    if (!haveCommonClass(*audit.real->set, set))
        return surplus;
    const std::map<std::string, std::size_t> allowed = allowances(*audit.real->set, set.labels().classified());
    const auto& names = set.labels().names;
    std::vector<std::vector<std::uint32_t>> byClass(names.size());
    for (std::uint32_t row = 0; row < set.rows(); ++row)
        byClass[set.labels().code[row]].push_back(row);
    const std::vector<double>* suspicion = audited.hasColumn("p_any") ? &audited.column("p_any") : nullptr;
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (names[c].empty()) // no class has too many of them
            continue;
        const auto at = allowed.find(names[c]);
        const std::size_t most = at == allowed.end() ? 0 : at->second;
        std::vector<std::uint32_t>& rows = byClass[c];
        if (rows.size() <= most)
            continue;
        if (suspicion)
            std::stable_sort(rows.begin(), rows.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return (*suspicion)[a] < (*suspicion)[b]; });
        surplus.insert(surplus.end(), rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(most));
    }
    std::sort(surplus.begin(), surplus.end());
    return surplus;
}

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
    return nearestClasses(*scores.set, *audit.real->set, scores.tables->synthetic.nearest);
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
