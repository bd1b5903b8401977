#include "widgets/space/view/class_colors.h"

#include "engine/data/embedding_set.h"

#include <QString>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace assay::space {
namespace {

/// Whether one class comes before another: numbers by value, before names.
bool comesBefore(const std::string& a, const std::string& b) {
    bool isNumberA = false;
    bool isNumberB = false;
    const double numberA = QString::fromStdString(a).toDouble(&isNumberA);
    const double numberB = QString::fromStdString(b).toDouble(&isNumberB);
    if (isNumberA && isNumberB && numberA != numberB)
        return numberA < numberB;
    return isNumberA != isNumberB ? isNumberA : a < b;
}

} // namespace

ClassColors::ClassColors(const EmbeddingSet& real, const EmbeddingSet& synthetic) : real_(&real) {
    std::map<std::string, std::size_t> counts;
    for (const EmbeddingSet* set : {&real, &synthetic}) {
        const std::vector<std::uint32_t> ofSet =
            set->hasLabels() ? set->labels().counts() : std::vector<std::uint32_t>();
        for (std::size_t code = 0; code < ofSet.size(); ++code)
            if (set->labels().isClass(static_cast<std::uint32_t>(code)))
                counts[set->labels().names[code]] += ofSet[code];
    }
    std::vector<std::pair<std::size_t, std::string>> byCount;
    byCount.reserve(counts.size());
    for (const auto& [name, count] : counts)
        byCount.emplace_back(count, name);
    std::ranges::stable_sort(byCount, std::greater(), &std::pair<std::size_t, std::string>::first);
    for (std::size_t i = 0; i < byCount.size() && i < kMost; ++i)
        names_.push_back(byCount[i].second);
    std::ranges::sort(names_, comesBefore);
    realPlaces_ = findPlaces(real);
    syntheticPlaces_ = findPlaces(synthetic);
}

std::vector<std::size_t> ClassColors::findPlaces(const EmbeddingSet& set) const {
    std::vector<std::size_t> places;
    for (const std::string& name : set.labels().names)
        places.push_back(static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin()));
    return places;
}

} // namespace assay::space
