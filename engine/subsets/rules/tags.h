#pragma once

#include "engine/data/sample_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace assay {

/// A set of the tags 1 to 9 that a person gives samples: bit n - 1 stands for tag n.
using TagSet = std::uint16_t;

constexpr int kTags = 9;

/// @param tag in [1, kTags]
constexpr TagSet tagSet(int tag) {
    return static_cast<TagSet>(1U << (tag - 1));
}

/// Which samples, of any set, have which tags. A plain value; copies share what they have in common.
class SampleTags {
public:
    /// @param tag in [1, kTags]
    const SampleSet& having(int tag) const { return samples_.at(static_cast<std::size_t>(tag - 1)); }
    void give(int tag, const SampleSet& samples) { of(tag) |= samples; }
    void take(int tag, const SampleSet& samples) { of(tag) -= samples; }
    void takeAll(const SampleSet& samples);

    /// The tags of a sample.
    TagSet of(SampleId sample) const noexcept;
    /// The tags that all of these samples have; none of no samples.
    TagSet commonTo(const SampleSet& samples) const;
    bool empty() const noexcept;

    friend bool operator==(const SampleTags&, const SampleTags&) = default;

private:
    SampleSet& of(int tag) { return samples_.at(static_cast<std::size_t>(tag - 1)); }

    std::array<SampleSet, kTags> samples_;
};

/// What a person calls the tags; empty for one without a name.
using TagNames = std::array<std::string, kTags>;

/// What a person wrote about samples of any set; no note is empty.
using SampleNotes = std::map<SampleId, std::string>;

/// The tags of one model's synthetic samples by row; none of them is empty.
using RowTags = std::map<std::uint32_t, TagSet>;

RowTags tagsOfRows(const SampleTags& tags, SetId set);

/// The tags of a row; empty where it has none.
TagSet tagsAt(const RowTags& tags, std::size_t row);

/// "1 4 blurred": names, else numbers; empty for none.
std::string tagsText(TagSet tags, const TagNames& names = {});

} // namespace assay
