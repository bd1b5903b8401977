#pragma once

#include "widgets/ranking/ranking_listing.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace assay {

/// Sizes that a gallery is laid out with, in logical pixels.
struct GallerySizes {
    int columns = 1;
    int line = 0;   ///< height of a line of tiles, with the gap below it
    int header = 0; ///< height of a header, with the gap below it
};

/// Where the tiles of a ranking stand, in lines below the headers of their groups. Without groups all tiles are one
/// group that has no header. A group of more than one line is folded to its first line, unless it was opened or is the
/// only one.
///
/// Heights are counted from the top of the first line. Setting up takes time in proportion to the number of groups, not
/// of tiles; everything else is a search.
class GalleryLayout {
public:
    /// @param tiles number of tiles
    void set(const std::vector<RankingGroup>& groups, std::size_t tiles, GallerySizes sizes);
    void resize(GallerySizes sizes);
    /// Opens a folded group, or folds it.
    void setOpen(std::size_t group, bool open);
    /// Folds all groups.
    void forgetOpen() { open_.clear(); }

    bool hasHeaders() const noexcept { return hasHeaders_; }
    const GallerySizes& sizes() const noexcept { return sizes_; }
    std::size_t groupCount() const noexcept { return groups_.size(); }
    const RankingGroup& group(std::size_t at) const { return groups_[at]; }
    std::int64_t height() const noexcept { return tops_.empty() ? 0 : tops_.back(); }
    std::int64_t headerTop(std::size_t group) const { return tops_[group]; }
    /// Top of the first line of tiles.
    std::int64_t linesTop(std::size_t group) const { return tops_[group] + (hasHeaders_ ? sizes_.header : 0); }
    /// Tiles of a group that are not folded away.
    std::size_t visible(std::size_t group) const;
    bool isOpen(std::size_t group) const { return visible(group) == groups_[group].count; }
    /// Whether there is anything to fold.
    bool canFold(std::size_t group) const;

    /// The group at a height; none above the first and below the last.
    std::optional<std::size_t> groupAt(std::int64_t height) const;
    /// @pre position is below the number of tiles
    std::size_t groupOf(std::size_t position) const;
    bool isVisible(std::size_t position) const;
    std::optional<std::size_t> firstVisible() const;
    std::optional<std::size_t> lastVisible() const;
    /// The visible tile before or after one, across headers; none at the ends.
    std::optional<std::size_t> before(std::size_t position) const;
    std::optional<std::size_t> after(std::size_t position) const;

private:
    void place();

    std::vector<RankingGroup> groups_;
    std::vector<std::int64_t> tops_;         ///< of each group, and the height of all
    std::unordered_set<std::uint32_t> open_; ///< keys of groups
    GallerySizes sizes_;
    bool hasHeaders_ = false;
};

} // namespace assay
