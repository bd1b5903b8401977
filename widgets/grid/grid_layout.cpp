#include "widgets/grid/grid_layout.h"

#include <algorithm>

namespace assay {

void GridLayout::set(const std::vector<SampleGroup>& groups, std::size_t cells, GridSizes sizes) {
    hasHeaders_ = !groups.empty();
    groups_ = groups;
    if (groups_.empty() && cells > 0)
        groups_.push_back({0, 0, cells});
    sizes_ = sizes;
    place();
}

void GridLayout::resize(GridSizes sizes) {
    sizes_ = sizes;
    place();
}

void GridLayout::setOpen(std::size_t group, bool open) {
    if (open)
        open_.insert(groups_[group].key);
    else
        open_.erase(groups_[group].key);
    place();
}

void GridLayout::place() {
    tops_.resize(groups_.size() + 1);
    std::int64_t top = 0;
    const auto columns = static_cast<std::size_t>(sizes_.columns);
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        tops_[group] = top;
        const auto lines = static_cast<std::int64_t>((visible(group) + columns - 1) / columns);
        top += (hasHeaders_ ? sizes_.header : 0) + lines * sizes_.line;
    }
    tops_.back() = top;
}

bool GridLayout::canFold(std::size_t group) const {
    return hasHeaders_ && groups_.size() > 1 && groups_[group].count > static_cast<std::size_t>(sizes_.columns);
}

std::size_t GridLayout::visible(std::size_t group) const {
    const SampleGroup& of = groups_[group];
    return canFold(group) && (open_.empty() || !open_.contains(of.key)) ? static_cast<std::size_t>(sizes_.columns)
                                                                        : of.count;
}

std::optional<std::size_t> GridLayout::groupAt(std::int64_t height) const {
    if (height < 0 || height >= this->height())
        return std::nullopt;
    const auto next = std::ranges::upper_bound(tops_, height);
    return static_cast<std::size_t>(next - tops_.begin()) - 1;
}

std::size_t GridLayout::groupOf(std::size_t position) const {
    const auto next = std::ranges::upper_bound(groups_, position, {}, &SampleGroup::first);
    return static_cast<std::size_t>(next - groups_.begin()) - 1;
}

bool GridLayout::isVisible(std::size_t position) const {
    if (groups_.empty() || position >= groups_.back().first + groups_.back().count)
        return false;
    const std::size_t group = groupOf(position);
    return position - groups_[group].first < visible(group);
}

std::optional<std::size_t> GridLayout::firstVisible() const {
    return groups_.empty() ? std::nullopt : std::optional(groups_.front().first);
}

std::optional<std::size_t> GridLayout::lastVisible() const {
    return groups_.empty() ? std::nullopt : std::optional(groups_.back().first + visible(groups_.size() - 1) - 1);
}

std::optional<std::size_t> GridLayout::before(std::size_t position) const {
    const std::size_t group = groupOf(position);
    if (position > groups_[group].first) // a folded one goes to the last of its line
        return std::min(position - 1, groups_[group].first + visible(group) - 1);
    return group > 0 ? std::optional(groups_[group - 1].first + visible(group - 1) - 1) : std::nullopt;
}

std::optional<std::size_t> GridLayout::after(std::size_t position) const {
    const std::size_t group = groupOf(position);
    if (position + 1 < groups_[group].first + visible(group))
        return position + 1;
    return group + 1 < groups_.size() ? std::optional(groups_[group + 1].first) : std::nullopt;
}

std::size_t GridLayout::inLine(std::size_t group, std::size_t line, std::size_t column) const {
    return groups_[group].first + std::min(line * perLine() + column, visible(group) - 1);
}

std::size_t GridLayout::lastLine(std::size_t group) const {
    return (visible(group) - 1) / perLine();
}

} // namespace assay
