#include "gui/session/open_audit.h"

#include <utility>

namespace assay {

constexpr qint64 kOneEntryMs = 1000; // of one kind of edit

void AuditHistory::add(const QString& what, const QDateTime& now) {
    QString text = what;
    if (!text.isEmpty())
        text[0] = text[0].toUpper(); // undo texts begin in lower case
    auto entries = std::make_shared<History>(*entries_);
    append(*entries, now.toUTC().toString(Qt::ISODate).toStdString(), text.toStdString());
    entries_ = std::move(entries);
    last_.reset();
}

bool AuditHistory::addEdit(const QString& what, std::optional<std::uint64_t> gesture, const QDateTime& now) {
    if (last_ && last_->what == what) {
        const bool sameGesture = gesture && gesture == last_->gesture;
        const qint64 passed = last_->at.msecsTo(now);
        if (sameGesture || (passed >= 0 && passed < kOneEntryMs))
            return false;
    }
    add(what, now);
    last_ = Edit{what, gesture, now};
    return true;
}

} // namespace assay
