#pragma once

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

/// The tags of one model's synthetic samples by row; none of them is empty.
using RowTags = std::map<std::uint32_t, TagSet>;

/// The tags of a row; empty where it has none.
TagSet tagsAt(const RowTags& tags, std::size_t row);

/// "1 4 9"; empty for none.
std::string tagsText(TagSet tags);

} // namespace assay
