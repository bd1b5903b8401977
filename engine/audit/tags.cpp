#include "engine/audit/tags.h"

namespace assay {

TagSet tagsAt(const RowTags& tags, std::size_t row) {
    const auto at = tags.find(static_cast<std::uint32_t>(row));
    return at == tags.end() ? TagSet{0} : at->second;
}

std::string tagsText(TagSet tags) {
    std::string text;
    for (int tag = 1; tag <= kTags; ++tag) {
        if ((tags & tagSet(tag)) == 0)
            continue;
        if (!text.empty())
            text += ' ';
        text += std::to_string(tag);
    }
    return text;
}

} // namespace assay
