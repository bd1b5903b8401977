#pragma once

#include "gui/jobs/audit_files.h"
#include "gui/session/audit_history.h"
#include "gui/session/session_edit.h"

#include "engine/store/audit_file.h"

#include <QUndoStack>

#include <memory>
#include <optional>

namespace assay {

struct AuditResult;

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
