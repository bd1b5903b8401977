#pragma once

#include "engine/subsets/order/sample_listing.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace assay {

/// Sizes that a grid is laid out with, in logical pixels.
struct GridSizes {
    int columns = 1;
    int line = 0;   ///< height of a line of cells, with the gap below it
    int header = 0; ///< height of a heading, with the gap below it
};

/// Where the cells of a grid stand, in lines below the headings of their groups. Without groups all cells are one group
/// that has no heading. A group of more than one line is folded to its first line, unless it was opened or is the only
/// one.
///
/// Heights are counted from the top of the first line. Setting up takes time in proportion to the number of groups, not
/// of cells; everything else is a search.
class GridLayout {
public:
    /// @param cells number of cells
    void set(const std::vector<SampleGroup>& groups, std::size_t cells, GridSizes sizes);
    void resize(GridSizes sizes);
    /// Opens a folded group, or folds it.
    void setOpen(std::size_t group, bool open);
    /// Folds all groups.
    void forgetOpen() { open_.clear(); }

    bool hasHeaders() const noexcept { return hasHeaders_; }
    const GridSizes& sizes() const noexcept { return sizes_; }
    std::size_t groupCount() const noexcept { return groups_.size(); }
    const SampleGroup& group(std::size_t at) const { return groups_[at]; }
    std::int64_t height() const noexcept { return tops_.empty() ? 0 : tops_.back(); }
    std::int64_t headerTop(std::size_t group) const { return tops_[group]; }
    /// Top of the first line of cells.
    std::int64_t linesTop(std::size_t group) const { return tops_[group] + (hasHeaders_ ? sizes_.header : 0); }
    /// Tiles of a group that are not folded away.
    std::size_t visible(std::size_t group) const;
    bool isOpen(std::size_t group) const { return visible(group) == groups_[group].count; }
    /// Whether there is anything to fold.
    bool canFold(std::size_t group) const;

    /// The group at a height; none above the first and below the last.
    std::optional<std::size_t> groupAt(std::int64_t height) const;
    /// @pre position is below the number of cells
    std::size_t groupOf(std::size_t position) const;
    bool isVisible(std::size_t position) const;
    std::optional<std::size_t> firstVisible() const;
    std::optional<std::size_t> lastVisible() const;
    /// The visible cell before or after one, across headers; none at the ends.
    std::optional<std::size_t> before(std::size_t position) const;
    std::optional<std::size_t> after(std::size_t position) const;
    std::size_t perLine() const noexcept { return static_cast<std::size_t>(sizes_.columns); }
    /// Line and column of a cell within its group.
    std::size_t lineOf(std::size_t position) const { return (position - groups_[groupOf(position)].first) / perLine(); }
    std::size_t columnOf(std::size_t position) const {
        return (position - groups_[groupOf(position)].first) % perLine();
    }
    /// The visible cell of a group's line that is nearest to a column.
    std::size_t inLine(std::size_t group, std::size_t line, std::size_t column) const;
    std::size_t lastLine(std::size_t group) const;

private:
    void place();

    std::vector<SampleGroup> groups_;
    std::vector<std::int64_t> tops_;         ///< of each group, and the height of all
    std::unordered_set<std::uint32_t> open_; ///< keys of groups
    GridSizes sizes_;
    bool hasHeaders_ = false;
};

} // namespace assay
