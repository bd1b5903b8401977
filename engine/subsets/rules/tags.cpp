#include "engine/subsets/rules/tags.h"

#include <algorithm>

namespace assay {

void SampleTags::takeAll(const SampleSet& samples) {
    for (SampleSet& tagged : samples_)
        tagged -= samples;
}

TagSet SampleTags::of(SampleId sample) const noexcept {
    TagSet tags = 0;
    for (int tag = 1; tag <= kTags; ++tag)
        if (having(tag).contains(sample))
            tags |= tagSet(tag);
    return tags;
}

TagSet SampleTags::commonTo(const SampleSet& samples) const {
    TagSet tags = 0;
    for (int tag = 1; tag <= kTags && !samples.empty(); ++tag)
        if (having(tag).includes(samples))
            tags |= tagSet(tag);
    return tags;
}

bool SampleTags::empty() const noexcept {
    return std::ranges::all_of(samples_, &SampleSet::empty);
}

RowTags tagsOfRows(const SampleTags& tags, SetId set) {
    RowTags rows;
    for (int tag = 1; tag <= kTags; ++tag)
        for (const SampleId sample : tags.having(tag).in(set))
            rows[sample.row] |= tagSet(tag);
    return rows;
}

TagSet tagsAt(const RowTags& tags, std::size_t row) {
    const auto at = tags.find(static_cast<std::uint32_t>(row));
    return at == tags.end() ? TagSet{0} : at->second;
}

std::string tagsText(TagSet tags, const TagNames& names) {
    std::string text;
    for (int tag = 1; tag <= kTags; ++tag) {
        if ((tags & tagSet(tag)) == 0)
            continue;
        if (!text.empty())
            text += ' ';
        const std::string& name = names.at(static_cast<std::size_t>(tag - 1));
        text += name.empty() ? std::to_string(tag) : name;
    }
    return text;
}

} // namespace assay
