#include "gui/session/session_edit.h"

#include <utility>

namespace assay {

SessionEdit::SessionEdit(EditKind kind, const QString& text, Change change, Apply apply)
    : QUndoCommand(text), kind_(kind), change_(std::move(change)), apply_(std::move(apply)) {}

bool SessionEdit::mergeWith(const QUndoCommand* newer) {
    // QUndoStack has compared the ids.
    const Change& next = static_cast<const SessionEdit*>(newer)->change_;
    if (!change_.gesture || change_.gesture != next.gesture)
        return false;
    change_.after = next.after;
    setObsolete(change_.after == change_.before); // dragged there and back again
    return true;
}

} // namespace assay
