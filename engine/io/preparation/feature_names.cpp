#include "engine/io/files/refusal.h"
#include "engine/io/preparation/preparation_steps.h"
#include "engine/io/tables/table_numbers.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace assay {

std::vector<std::string> featureNamesOf(const EmbeddingParts& parts) {
    const std::vector<std::string>& columns = parts.source.columnNames; // numbers, then 0-1 columns
    const std::vector<CategoryColumn>& texts = parts.fileFacts.categories;
    std::size_t indicators = 0;
    for (const CategoryColumn& text : texts)
        indicators += text.categories.size() + 1;
    if (columns.empty() || columns.size() < indicators)
        return {};
    std::vector<std::string> names(columns.begin(), columns.end() - static_cast<std::ptrdiff_t>(indicators));
    for (const CategoryColumn& text : texts) // in the order of the columns
        names.insert(names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(text.column, names.size())),
                     text.name);
    const bool count = std::ranges::all_of(names, [](const std::string& name) { return numberOf(name).has_value(); });
    return count ? std::vector<std::string>() : names;
}

void requireSameNames(EmbeddingParts& parts, const ValuePreparation& preparation, const std::string& place) {
    const std::vector<std::string>& real = preparation.featureNames;
    const std::vector<std::string> names = featureNamesOf(parts);
    if (names.size() != real.size())
        return;
    const auto same = [](const std::string& a, const std::string& b) { return trimmed(a) == trimmed(b); };
    const auto differing = std::ranges::mismatch(names, real, same).in1;
    if (differing == names.end())
        return;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const auto elsewhere =
            std::ranges::find_if(real, [&](const std::string& name) { return same(name, names[c]); });
        if (!same(names[c], real[c]) && elsewhere != real.end())
            refuse(place,
                   "'" + printable(names[c], 40) + "' as feature " + std::to_string(elsewhere - real.begin() + 1) +
                       ", as in the real set",
                   "it as feature " + std::to_string(c + 1));
    }
    const auto at = static_cast<std::size_t>(differing - names.begin());
    parts.source.notes.push_back(place +
                                 ": columns compared by their order, as their names differ from the real set's: '" +
                                 printable(names[at], 40) + "' with '" + printable(real[at], 40) + "', for example");
}

} // namespace assay
