#include "widgets/samples/pair_cells.h"

#include "widgets/link/sample_selection.h"
#include "widgets/samples/pair_words.h"

namespace assay {

void PairCells::setState(const ViewState& state) {
    state_ = state;
    heldOutState_ = {};
    heldOutState_.audit = pairs_->heldOutAudit();
}

GridLook PairCells::look() {
    return {.edge = kPicture, .gap = 14, .stops = GridLook::Stops::Pictures, .pictureCaptions = true};
}

GridCell PairCells::cell(std::size_t at, const QPalette& /*palette*/) const {
    GridCell cell;
    for (const PairSide side : {PairSide::Left, PairSide::Right}) {
        GridPicture picture{pairs_->sampleAt({at, side}), pairs_->isHeldOut(side)};
        const EmbeddingSet& set = pairs_->auditOf(side).setOf(picture.sample.set);
        picture.caption = QString::fromStdString(set.idText(picture.sample.row));
        cell.pictures.push_back(picture);
    }
    const SamplePair& pair = pairs_->pairAt(at);
    cell.caption = ratioCaption(pairs_->kind(), pair) + u'\n' + distanceCaption(pair);
    cell.marked = at < pairs_->remarkable();
    return cell;
}

QString PairCells::widestCaption() const {
    return QStringLiteral("0\n0"); // two lines
}

const ViewState& PairCells::state(bool heldOut) const {
    return heldOut ? heldOutState_ : state_;
}

QString PairCells::note(std::size_t /*at*/, std::size_t picture) const {
    return pairs_->isHeldOut(sideOf(picture)) ? heldOutNote() : QString();
}

QString PairCells::captionHint(std::size_t at) const {
    return ratioToolTip(pairs_->kind(), pairs_->all().threshold, pairs_->pairAt(at));
}

QString PairCells::spokenText(std::size_t at, std::size_t picture) const {
    const SampleId sample = pairs_->sampleAt({at, sideOf(picture)});
    const SamplePair& pair = pairs_->pairAt(at);
    const EmbeddingSet& set = pairs_->auditOf(sideOf(picture)).setOf(sample.set);
    return SampleGrid::tr("%1 of %2, %3, %4")
        .arg(QString::fromStdString(set.idText(sample.row)), QString::fromStdString(set.name()),
             ratioCaption(pairs_->kind(), pair), distanceCaption(pair));
}

std::optional<GridPlace> PairCells::find(SampleId sample) const {
    const auto cell = pairs_->find(sample);
    return cell ? std::optional(GridPlace{cell->position, cell->side == PairSide::Left ? std::size_t{0} : 1})
                : std::nullopt;
}

void PairCells::choose(GridPlace place, Qt::KeyboardModifiers modifiers) {
    const SampleId sample = pairs_->sampleAt({place.cell, sideOf(place.picture)});
    selection_->chooseBy(modifiers, {sample}, sample);
}

} // namespace assay
