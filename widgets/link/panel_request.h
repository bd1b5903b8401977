#pragma once

#include "engine/base/job_context.h"

#include <QString>

#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace assay {

/// Something that a panel needs and that takes long, without its type; Panel::ask() makes it.
struct PanelRequest {
    std::string_view question; ///< of the panel: a newer request of the same one supersedes this; a literal
    QString title;             ///< of the job, for people: "Looking for pairs"
    /// On a worker thread; may throw.
    std::function<std::shared_ptr<const void>(const JobContext&)> work;
    /// On the window's thread, with what `work` has returned.
    std::function<void(std::shared_ptr<const void>)> show;
};

template <class T>
std::shared_ptr<const T> sharedAnswer(T value) {
    return std::make_shared<const T>(std::move(value));
}
template <class T>
std::shared_ptr<const T> sharedAnswer(std::shared_ptr<const T> value) {
    return value;
}
template <class T>
std::shared_ptr<const T> sharedAnswer(std::shared_ptr<T> value) {
    return value;
}

/// @param work returns a value, or a shared_ptr @param show takes a shared_ptr<const T>
template <class Work, class Show>
PanelRequest panelRequest(std::string_view question, const QString& title, Work work, Show show) {
    using Answer = decltype(sharedAnswer(work(std::declval<const JobContext&>())));
    return {.question = question,
            .title = title,
            .work = [work = std::move(work)](const JobContext& job) -> std::shared_ptr<const void> {
                return sharedAnswer(work(job));
            },
            .show =
                [show = std::move(show)](std::shared_ptr<const void> answer) {
                    show(std::static_pointer_cast<typename Answer::element_type>(std::move(answer)));
                }};
}

} // namespace assay
