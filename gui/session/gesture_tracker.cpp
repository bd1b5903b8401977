#include "gui/session/gesture_tracker.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QTimer>

namespace assay {

GestureTracker::GestureTracker(QObject* parent) : QObject(parent) {
    QCoreApplication::instance()->installEventFilter(this);
}

std::optional<std::uint64_t> GestureTracker::current() const {
    return active_ ? std::optional(gesture_) : std::nullopt;
}

bool GestureTracker::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType()) {
        // A press that a widget ignores comes again for its parent, with the same time: still the same gesture.
        const quint64 time = static_cast<QMouseEvent*>(event)->timestamp();
        if (!active_ || time == 0 || time != pressTime_)
            ++gesture_;
        pressTime_ = time;
        active_ = true;
        held_ = true;
    } else if (event->type() == QEvent::MouseButtonRelease && watched->isWidgetType()) {
        // Views often decide on release, so the gesture ends once the release has been dealt with.
        held_ = false;
        QTimer::singleShot(0, this, [this, ended = gesture_] {
            if (ended == gesture_)
                active_ = false;
        });
    } else if ((event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) && !held_) {
        active_ = false; // a key right after a click is an edit of its own; of a shortcut's key no press is heard
    }
    return QObject::eventFilter(watched, event);
}

} // namespace assay
