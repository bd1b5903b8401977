#include "widgets/ranking/ranking_picker.h"

#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"

#include <QKeyEvent>

#include <algorithm>

namespace assay {

RankingPicker::RankingPicker(RankingModel* model, QObject* parent)
    : QObject(parent), model_(model), choice_(model->selection()) {}

std::optional<std::size_t> RankingPicker::focusPosition() const {
    const auto focus = model_->selection()->focus();
    return focus ? model_->positionOf(*focus) : std::nullopt;
}

void RankingPicker::click(std::size_t position, Qt::KeyboardModifiers modifiers) {
    if (position >= model_->size())
        return;
    const SampleId sample = model_->sampleAt(position);
    SampleSelection* selection = model_->selection();
    if (modifiers & Qt::ShiftModifier) {
        pickRange(position, modifiers);
        return;
    }
    anchor_ = sample;
    if (modifiers & Qt::ControlModifier)
        selection->toggle(sample);
    else if (model_->show() == RankingShow::Selected && selection->contains(sample))
        selection->replace(selection->samples(), sample); // else walking the list would empty it
    else
        selection->select(sample);
    choice_.begin();
}

void RankingPicker::pickRange(std::size_t position, Qt::KeyboardModifiers modifiers) {
    std::optional<std::size_t> start = anchor_ ? model_->positionOf(*anchor_) : std::nullopt;
    if (!start)
        start = focusPosition();
    if (!start)
        start = position;
    anchor_ = model_->sampleAt(*start);
    std::vector<SampleId> samples;
    for (std::size_t at = std::min(*start, position); at <= std::max(*start, position); ++at)
        if (!isVisible_ || isVisible_(at))
            samples.push_back(model_->sampleAt(at));
    choice_.step(selectionChange(modifiers), samples, model_->sampleAt(position));
}

std::optional<std::size_t> movedInList(int key, std::optional<std::size_t> from, std::size_t lines, int page) {
    if (lines == 0)
        return std::nullopt;
    const std::size_t last = lines - 1;
    const std::size_t step = key == Qt::Key_PageUp || key == Qt::Key_PageDown ? static_cast<std::size_t>(page) : 1;
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Left:
    case Qt::Key_PageUp:
        return from ? *from - std::min(*from, step) : 0;
    case Qt::Key_Down:
    case Qt::Key_Right:
    case Qt::Key_PageDown:
        return from ? std::min(*from + step, last) : 0;
    case Qt::Key_Home:
        return 0;
    case Qt::Key_End:
        return last;
    default:
        return std::nullopt;
    }
}

bool RankingPicker::key(QKeyEvent* event, const PickMoves& moves) {
    SampleSelection* selection = model_->selection();
    if (event->matches(QKeySequence::SelectAll)) {
        std::vector<SampleId> all;
        all.reserve(model_->size());
        for (std::size_t at = 0; at < model_->size(); ++at)
            all.push_back(model_->sampleAt(at));
        selection->replace(all);
        return true;
    }
    if (event->key() == Qt::Key_Escape) {
        if (selection->isEmpty())
            return false;
        selection->clear();
        return true;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (const auto focus = selection->focus())
            emit inspectRequested(*focus);
        return true;
    }
    if (event->modifiers() & Qt::AltModifier)
        return false;
    const auto target = moves(event->key(), focusPosition());
    if (!target)
        return false;
    click(*target, event->modifiers() & Qt::ShiftModifier);
    return true;
}

} // namespace assay
