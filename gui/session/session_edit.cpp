#include "gui/session/session_edit.h"

#include <utility>

namespace assay {

SessionEdit::SessionEdit(EditKind kind, const QString& text, EditState before, EditState after,
                         std::optional<std::uint64_t> gesture, Apply apply)
    : QUndoCommand(text), kind_(kind), before_(std::move(before)), after_(std::move(after)), gesture_(gesture),
      apply_(std::move(apply)) {}

bool SessionEdit::mergeWith(const QUndoCommand* newer) {
    // QUndoStack has compared the ids.
    const auto* edit = static_cast<const SessionEdit*>(newer);
    if (!gesture_ || gesture_ != edit->gesture_)
        return false;
    after_ = edit->after_;
    setObsolete(after_ == before_); // dragged there and back again
    return true;
}

} // namespace assay
