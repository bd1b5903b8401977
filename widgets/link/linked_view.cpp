#include "widgets/link/linked_view.h"

#include "widgets/link/panel_problem.h"
#include "widgets/link/sample_selection.h"

#include <utility>

namespace assay {

bool ViewState::isSameBesideComputed(const ViewState& other) const {
    ViewState same = other;
    same.computed = computed;
    return *this == same;
}

std::vector<const Column*> ViewState::columns() const {
    std::vector<const Column*> columns;
    if (hasModel())
        for (const ColumnValues& values : current().columns)
            columns.push_back(&columnOf(values));
    else
        for (const Column& column : columnCatalog())
            columns.push_back(&column);
    return columns;
}

const Column* ViewState::findColumn(std::string_view id) const {
    const Column* known = assay::findColumn(id);
    return known == nullptr && hasModel() ? current().findColumn(id) : known;
}

LinkedView::LinkedView(SampleSelection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
    connect(selection_, &SampleSelection::changed, this, [this] {
        if (watched_)
            selectionChanged();
        else
            missedSelection_ = true;
    });
    connect(selection_, &SampleSelection::hoverChanged, this, [this] {
        if (watched_)
            hoverChanged();
        else
            missedHover_ = true;
    });
}

void LinkedView::showState(const ViewState& state) {
    const auto realOf = [](const ViewState& one) { return one.audit ? one.audit->real : nullptr; };
    // Another audit is not waited for: the view must not keep the one before in memory.
    if (!watched_ && realOf(state) == realOf(state_)) {
        missedState_ = state;
        return;
    }
    ViewState next = state;
    if (!watched_) {
        missedState_ = std::exchange(next, {});
        if (!state_.audit)
            return;
    }
    const ViewState previous = std::exchange(state_, next);
    if (previous.audit != state_.audit || previous.model != state_.model)
        hideProblem();
    stateChanged(previous);
}

void LinkedView::showProblem(const QString& problem, std::function<void()> retry) {
    if (problem_ == nullptr)
        problem_ = new PanelProblem(this);
    problem_->show(problem, std::move(retry));
}

void LinkedView::hideProblem() {
    if (problem_ != nullptr)
        problem_->hide();
}

void LinkedView::setWatched(bool watched) {
    if (watched == watched_)
        return;
    watched_ = watched;
    if (!watched)
        return;
    if (const auto missed = std::exchange(missedState_, std::nullopt))
        showState(*missed);
    if (std::exchange(missedSelection_, false))
        selectionChanged();
    if (std::exchange(missedHover_, false))
        hoverChanged();
}

} // namespace assay
