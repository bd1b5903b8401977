#include "engine/audit/result/joint_classes.h"

#include "engine/data/embedding_set.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
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

} // namespace assay
