#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay {

class EmbeddingSet;

/// Number of rows in the set's file, those that were left out included.
std::size_t fileRows(const EmbeddingSet& set);
/// Row of the set with this number in the file; empty where it was left out, or beyond the end.
std::optional<std::uint32_t> rowOfFileRow(const EmbeddingSet& set, std::size_t fileRow);

/// Index of a name: as written, or else without regard to case and an extension. Empty for another name.
std::optional<std::size_t> findName(const std::vector<std::string>& names, const std::string& name);

/// Finds samples of a set by what a table calls them: the id as written, or else the id's file name without folder and
/// extension where only one sample has it; or the number of the row in the file. O(1) after O(rows).
class SampleFinder {
public:
    /// @param set outlives this object
    /// @param byRow samples are called by row number, even if the set has ids
    SampleFinder(const EmbeddingSet& set, bool byRow);

    /// Empty for a name that no sample has, or several.
    std::optional<std::uint32_t> find(const std::string& name);
    /// What should stand in the place of a name that is not found: "a sample of gan, such as '00001.png'".
    std::string expected(const std::string& setName) const;

private:
    using Rows = std::unordered_map<std::string, std::uint32_t>;
    void fill(Rows& rows, bool loose);

    const EmbeddingSet* set_;
    bool byRow_;
    bool numbers_; ///< names are known to be row numbers
    Rows exact_, loose_;
};

} // namespace assay
