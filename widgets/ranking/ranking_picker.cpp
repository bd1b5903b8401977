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
        samples.push_back(model_->sampleAt(at));
    choice_.step(selectionChange(modifiers), samples, model_->sampleAt(position));
}

std::optional<std::size_t> RankingPicker::moved(int key, PickGrid grid) const {
    const auto last = static_cast<std::ptrdiff_t>(model_->size()) - 1;
    if (last < 0)
        return std::nullopt;
    const auto focus = focusPosition();
    const auto from = focus ? static_cast<std::ptrdiff_t>(*focus) : std::ptrdiff_t(-1);
    std::ptrdiff_t step = 0;
    switch (key) {
    case Qt::Key_Left:
        step = -1;
        break;
    case Qt::Key_Right:
        step = 1;
        break;
    case Qt::Key_Up:
        step = -grid.columns;
        break;
    case Qt::Key_Down:
        step = grid.columns;
        break;
    case Qt::Key_PageUp:
        step = -std::ptrdiff_t(grid.columns) * grid.rowsPerPage;
        break;
    case Qt::Key_PageDown:
        step = std::ptrdiff_t(grid.columns) * grid.rowsPerPage;
        break;
    case Qt::Key_Home:
        return 0;
    case Qt::Key_End:
        return static_cast<std::size_t>(last);
    default:
        return std::nullopt;
    }
    if (from < 0)
        return 0;
    const bool byLine = key == Qt::Key_Up || key == Qt::Key_Down;
    if (byLine && (from + step < 0 || from + step > last))
        return static_cast<std::size_t>(from); // no line there: stay
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from + step, 0, last));
}

bool RankingPicker::key(QKeyEvent* event, PickGrid grid) {
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
    const auto target = moved(event->key(), grid);
    if (!target)
        return false;
    click(*target, event->modifiers() & Qt::ShiftModifier);
    return true;
}

} // namespace assay
