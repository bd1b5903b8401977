#include "widgets/link/panel.h"

#include "widgets/common/controls.h"
#include "widgets/link/panel_pages.h"
#include "widgets/link/sample_selection.h"

#include <QVBoxLayout>

#include <utility>

namespace assay {

Panel::Panel(PanelHost& host) : host_(host) {
    connect(selection(), &SampleSelection::changed, this, [this] {
        if (watched_)
            selectionChanged();
        else
            missedSelection_ = true;
    });
    connect(selection(), &SampleSelection::hoverChanged, this, [this] {
        if (watched_)
            hoverChanged();
        else
            missedHover_ = true;
    });
}

Panel::~Panel() = default;

void Panel::showState(const ViewState& state) {
    host_.prepare(state);
    // Another audit is not waited for: the panel must not keep the one before in memory.
    if (!watched_ && !changesBetween(state_, state).real) {
        missedState_ = state;
        return;
    }
    ViewState next = state;
    if (!watched_) {
        missedState_ = std::exchange(next, {});
        if (!state_.audit)
            return;
    }
    const ViewState before = std::exchange(state_, next);
    const Changes changes = changesBetween(before, state_);
    if (changes.audit || changes.model)
        hideProblem();
    if (changes.real)
        emit auditLeft();
    if (header_ != nullptr)
        header_->setVisible(state_.hasModel());
    if (content_ != nullptr && changes.model) {
        if (state_.hasModel())
            showContent();
        else
            showPurpose();
    }
    stateChanged(changes);
}

void Panel::setWatched(bool watched) {
    if (watched == watched_)
        return;
    watched_ = watched;
    if (!watched) {
        emit watchedChanged(false);
        return;
    }
    if (const auto missed = std::exchange(missedState_, std::nullopt))
        showState(*missed);
    if (std::exchange(missedSelection_, false))
        selectionChanged();
    if (std::exchange(missedHover_, false))
        hoverChanged();
    emit watchedChanged(true);
}

void Panel::setContent(QWidget* content, const QString& purpose, QWidget* header) {
    auto* layout = newLayout<QVBoxLayout>(this, {}, 0);
    message_ = new MessagePage(this);
    if (header != nullptr)
        layout->addWidget(header);
    layout->addWidget(message_, 1);
    layout->addWidget(content, 1);
    header_ = header;
    content_ = content;
    purpose_ = purpose;
    if (header_ != nullptr)
        header_->hide();
    showPurpose();
}

void Panel::showPurpose() {
    showMessage(tr("%1\nOpen a real and a synthetic set to begin.").arg(purpose_));
}

void Panel::showContent() {
    message_->hide();
    content_->show();
}

void Panel::showMessage(const QString& text, const QString& button, const std::function<void()>& act) {
    message_->setMessage(text, button, act);
    content_->hide();
    message_->show();
}

void Panel::showProblem(const QString& problem, std::function<void()> retry) {
    if (problem_ == nullptr)
        problem_ = new PanelProblem(this);
    problem_->show(problem, std::move(retry));
}

void Panel::hideProblem() {
    if (problem_ != nullptr)
        problem_->hide();
}

} // namespace assay
