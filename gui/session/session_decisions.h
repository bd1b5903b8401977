#pragma once

#include "gui/session/session_edit.h"

#include "engine/store/decisions.h"

namespace assay {

/// What a person edits, as an audit file keeps it, and back.
Decisions decisionsOf(const EditState& edits);
EditState editsOf(const Decisions& decisions);

} // namespace assay
