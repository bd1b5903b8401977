#pragma once

#include "engine/data/sample_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace assay {

/// A set of the tags 1 to 9 that a person assigns to samples: bit n - 1 stands for tag n.
using TagSet = std::uint16_t;

constexpr int kTags = 9; ///< number of tags

/// The set that contains one tag.
/// @param tag in [1, kTags]
constexpr TagSet tagSet(int tag) {
    return static_cast<TagSet>(1U << (tag - 1));
}

/// The tags of samples of any set. Copies share common parts.
class SampleTags {
public:
    /// The samples that have a tag.
    /// @param tag in [1, kTags]
    const SampleSet& having(int tag) const { return samples_.at(static_cast<std::size_t>(tag - 1)); }
    /// Adds a tag to samples.
    void give(int tag, const SampleSet& samples) { of(tag) |= samples; }
    /// Removes a tag from samples.
    void take(int tag, const SampleSet& samples) { of(tag) -= samples; }
    /// Removes all tags from samples.
    void takeAll(const SampleSet& samples);

    /// The tags of a sample.
    TagSet of(SampleId sample) const noexcept;
    /// The tags that all of these samples have; empty if there are no samples.
    TagSet commonTo(const SampleSet& samples) const;
    bool empty() const noexcept;

    friend bool operator==(const SampleTags&, const SampleTags&) = default;

private:
    SampleSet& of(int tag) { return samples_.at(static_cast<std::size_t>(tag - 1)); }

    std::array<SampleSet, kTags> samples_;
};

/// Names of the tags; an empty string for a tag without a name.
using TagNames = std::array<std::string, kTags>;

/// Notes that a person wrote on samples of any set; no note is empty.
using SampleNotes = std::map<SampleId, std::string>;

/// Tags of one model's synthetic samples by row; every stored tag set is non-empty.
using RowTags = std::map<std::uint32_t, TagSet>;

/// The tags of the samples of one set, by row.
RowTags tagsOfRows(const SampleTags& tags, SetId set);

/// The tags of a row; empty where it has none.
TagSet tagsAt(const RowTags& tags, std::size_t row);

/// Tags as text, "1 4 blurred": the name of each tag, or its number if it has no name; empty for no tags.
std::string tagsText(TagSet tags, const TagNames& names = {});

} // namespace assay
