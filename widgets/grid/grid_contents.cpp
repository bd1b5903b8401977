#include "widgets/grid/grid_contents.h"

#include "widgets/grid/sample_texts.h"
#include "widgets/link/sample_selection.h"

#include <QPalette>

#include <algorithm>
#include <utility>

namespace assay {

QString GridContents::note(std::size_t /*at*/, std::size_t /*picture*/) const {
    return {};
}

QString GridContents::spokenText(std::size_t at, std::size_t picture) const {
    const GridPicture shown = cell(at, {}).pictures.at(picture);
    return sampleCaption(*state(shown.heldOut).audit, shown.sample);
}

std::optional<GridPlace> GridContents::find(SampleId /*sample*/) const {
    return std::nullopt;
}

const std::vector<SampleGroup>& GridContents::groups() const {
    static const std::vector<SampleGroup> none;
    return none;
}

void GridList::set(const ViewState& state, std::vector<GridCell> cells) {
    state_ = state;
    cells_ = std::move(cells);
}

std::vector<GridCell> GridList::singles(const std::vector<SampleId>& samples) {
    std::vector<GridCell> cells;
    cells.reserve(samples.size());
    for (const SampleId sample : samples)
        cells.push_back({{{sample}}});
    return cells;
}

std::vector<SampleId> GridList::samples() const {
    std::vector<SampleId> all;
    for (const GridCell& cell : cells_)
        for (const GridPicture& picture : cell.pictures)
            all.push_back(picture.sample);
    return all;
}

GridCell GridList::cell(std::size_t at, const QPalette& /*palette*/) const {
    return cells_[at];
}

std::size_t GridList::picturesPerCell() const {
    return cells_.empty() ? 1 : cells_.front().pictures.size();
}

QString GridList::widestCaption() const {
    const auto widest = std::ranges::max_element(cells_, {}, [](const GridCell& cell) { return cell.caption.size(); });
    return widest == cells_.end() ? QString() : widest->caption;
}

const ViewState& GridList::state(bool /*heldOut*/) const {
    return state_;
}

QString GridList::note(std::size_t at, std::size_t /*picture*/) const {
    return cells_[at].note;
}

QString GridList::spokenText(std::size_t at, std::size_t picture) const {
    return cells_[at].spokenText.isEmpty() ? GridContents::spokenText(at, picture) : cells_[at].spokenText;
}

std::optional<GridPlace> GridList::find(SampleId sample) const {
    for (std::size_t at = 0; at < cells_.size(); ++at)
        for (std::size_t picture = 0; picture < cells_[at].pictures.size(); ++picture)
            if (cells_[at].pictures[picture].sample == sample)
                return GridPlace{at, picture};
    return std::nullopt;
}

void GridList::choose(GridPlace place, Qt::KeyboardModifiers modifiers) {
    const SampleId sample = cells_[place.cell].pictures[place.picture].sample;
    selection_->chooseBy(modifiers, {sample}, sample);
}

} // namespace assay
