#pragma once

#include "gui/jobs/audit_files.h"
#include "gui/session/session_edit.h"

#include "engine/store/audit_file.h"
#include "engine/store/decisions.h"

#include <QDateTime>
#include <QString>
#include <QUndoStack>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace assay {

struct AuditResult;

/// Log of the actions on the open audit, with times. Edits of one gesture, or of one kind within a second, share one.
class AuditHistory {
public:
    AuditHistory() = default;
    /// Goes on from what an audit file holds.
    explicit AuditHistory(History entries) : entries_(std::make_shared<const History>(std::move(entries))) {}

    /// Never null; oldest first.
    const std::shared_ptr<const History>& entries() const noexcept { return entries_; }

    void add(const QString& what, const QDateTime& now);
    /// @param gesture as GestureTracker counts them @return whether it is an entry of its own
    bool addEdit(const QString& what, std::optional<std::uint64_t> gesture, const QDateTime& now);

private:
    /// The edit that the last entry is about.
    struct Edit {
        QString what;
        std::optional<std::uint64_t> gesture;
        QDateTime at;
    };

    std::shared_ptr<const History> entries_ = std::make_shared<History>();
    std::optional<Edit> last_; ///< none where the last entry is no edit
};

/// One open audit: what was scored, what a person has decided about it, and how it came to that.
struct OpenAudit {
    std::shared_ptr<const AuditResult> audit; ///< with the external columns of `edits`
    std::optional<AuditFiles> files;          ///< none for the demo
    EditState edits{};
    EditState reported{}; ///< what was decided when the last report was written
    QUndoStack undo{};
    AuditHistory history{};
    QString window{};                         ///< how the window is arranged, in its own words; not undone
    InputData inputs = InputData::Referenced; ///< in the audit file
};

} // namespace assay
