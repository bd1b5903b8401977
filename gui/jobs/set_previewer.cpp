#include "gui/jobs/set_previewer.h"

#include <algorithm>
#include <utility>

namespace assay {

SetPreviewer::SetPreviewer(Look look, QObject* parent) : QObject(parent), look_(std::move(look)) {
    connect(&jobs_, &JobRunner::cancelled, this, [this] {
        current_.reset();
        lookAtNext();
    });
    connect(&jobs_, &JobRunner::failed, this, [this](const Error& error) {
        remember(nullptr, QString::fromUtf8(error.what()));
        emit changed();
        lookAtNext();
    });
}

void SetPreviewer::follow(std::vector<SetFiles> wanted) {
    wanted_ = std::move(wanted);
    std::erase_if(seen_, [this](const Seen& seen) { return std::ranges::find(wanted_, seen.files) == wanted_.end(); });
    if (current_ && std::ranges::find(wanted_, *current_) == wanted_.end())
        jobs_.cancel();
    else if (!current_)
        lookAtNext();
}

void SetPreviewer::setChoice(const PreparationChoice& choice) {
    if (choice == choice_)
        return;
    choice_ = choice;
    seen_.clear();
    if (current_)
        jobs_.cancel();
}

void SetPreviewer::lookAgainForPython() {
    std::erase_if(seen_, [](const Seen& seen) { return seen.preview && !seen.preview->forPython.empty(); });
    if (!current_)
        lookAtNext();
}

const SetPreviewer::Seen* SetPreviewer::seen(const SetFiles& files) const {
    const auto at = std::ranges::find(seen_, files, &Seen::files);
    return at == seen_.end() ? nullptr : &*at;
}

void SetPreviewer::remember(std::shared_ptr<const SetPreview> preview, const QString& problem) {
    const auto files = std::exchange(current_, std::nullopt);
    if (files && currentChoice_ == choice_)
        seen_.push_back({*files, std::move(preview), problem});
}

void SetPreviewer::lookAtNext() {
    const auto next = std::ranges::find_if(wanted_, [this](const SetFiles& files) { return seen(files) == nullptr; });
    if (next == wanted_.end())
        return;
    current_ = *next;
    currentChoice_ = choice_;
    jobs_.start<SetPreview>(
        tr("Looking at the files"),
        [look = look_, files = *next, choice = choice_](const RunningJob& job) {
            return std::make_shared<const SetPreview>(look(files, job.context(), choice));
        },
        [this](std::shared_ptr<const SetPreview> preview) {
            remember(std::move(preview), {});
            emit changed();
            lookAtNext();
        });
}

} // namespace assay
